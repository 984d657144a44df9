//! ARIA roles with their name and states: the roles that exist, and the parser of `role:button[Sign in][pressed]`.

use serde_json::Value;

use super::SelectorError;
use super::parse::Parser;
use super::part::{MatchKind, TextMatch};
use super::print::quoted;
use super::suggest::closest;
use super::value::End;

/// The roles that elements can have: those of [WAI-ARIA](https://w3c.github.io/aria/#role_definitions) but the abstract
/// ones, of [DPUB-ARIA](https://www.w3.org/TR/dpub-aria-1.1/) and of [Graphics-ARIA](https://www.w3.org/TR/graphics-aria-1.0/).
const ROLES: &str = "\
    alert alertdialog application article banner blockquote button caption cell checkbox code columnheader \
    combobox comment complementary contentinfo definition deletion dialog directory doc-abstract \
    doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-bibliography doc-biblioref doc-chapter \
    doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnotes doc-epigraph \
    doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index \
    doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part \
    doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc document emphasis feed figure form \
    generic graphics-document graphics-object graphics-symbol grid gridcell group heading img insertion link list \
    listbox listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter \
    navigation none note option paragraph presentation progressbar radio radiogroup region row rowgroup rowheader \
    scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton status strong subscript \
    suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid \
    treeitem";

/// Words that people use for roles, and the role they mean.
const EVERYDAY_NAMES: [(&str, &str); 16] = [
    ("a", "link"),
    ("anchor", "link"),
    ("aside", "complementary"),
    ("dropdown", "combobox"),
    ("email", "textbox"),
    ("footer", "contentinfo"),
    ("h1", "heading"),
    ("header", "banner"),
    ("image", "img"),
    ("input", "textbox"),
    ("li", "listitem"),
    ("nav", "navigation"),
    ("number", "spinbutton"),
    ("password", "textbox"),
    ("select", "combobox"),
    ("textarea", "textbox"),
];

const STATES: [&str; 7] = ["checked", "pressed", "expanded", "selected", "disabled", "level", "include-hidden"];

/// An ARIA role, and what narrows it down.
#[derive(Clone, Debug, PartialEq)]
pub struct Role {
    pub(super) role: &'static str,
    pub(super) name: Option<TextMatch>,
    pub(super) checked: Option<Tristate>,
    pub(super) pressed: Option<Tristate>,
    pub(super) expanded: Option<bool>,
    pub(super) selected: Option<bool>,
    pub(super) disabled: Option<bool>,
    pub(super) level: Option<u32>,
    pub(super) include_hidden: bool,
}

impl Role {
    pub(super) fn new(role: &'static str) -> Role {
        Role {
            role,
            name: None,
            checked: None,
            pressed: None,
            expanded: None,
            selected: None,
            disabled: None,
            level: None,
            include_hidden: false,
        }
    }

    /// The role, such as `button`.
    pub fn role(&self) -> &'static str {
        self.role
    }

    /// What the accessible name must be.
    pub fn name(&self) -> Option<&TextMatch> {
        self.name.as_ref()
    }
}

/// A state that also knows a middle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tristate {
    /// On.
    True,
    /// Off.
    False,
    /// Partly on.
    Mixed,
}

impl Tristate {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Tristate::True => "true",
            Tristate::False => "false",
            Tristate::Mixed => "mixed",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Tristate> {
        [Tristate::True, Tristate::False, Tristate::Mixed].into_iter().find(|state| state.as_str() == text)
    }
}

impl From<Tristate> for Value {
    fn from(state: Tristate) -> Value {
        match state {
            Tristate::True => Value::Bool(true),
            Tristate::False => Value::Bool(false),
            Tristate::Mixed => Value::from("mixed"),
        }
    }
}

/// Every role.
fn roles() -> impl Iterator<Item = &'static str> {
    ROLES.split_ascii_whitespace()
}

/// The role of this name; otherwise a message and a hint.
pub(super) fn known_role(name: &str) -> Result<&'static str, (String, String)> {
    if let Some(role) = roles().find(|role| *role == name) {
        return Ok(role);
    }
    let meant = EVERYDAY_NAMES.into_iter().find(|(word, _)| *word == name).map(|(_, role)| role);
    let hint = match meant.or_else(|| closest(name, roles(), 2)) {
        Some(role) => format!("did you mean `{role}`?"),
        None => "write an ARIA role, such as `button`, `link`, `textbox`, `checkbox` or `heading`".to_owned(),
    };
    Err((format!("unknown role `{name}`"), hint))
}

/// The state that a word between brackets names.
pub(super) fn state_word(word: &str) -> Option<&'static str> {
    STATES.into_iter().find(|state| *state == word || *state == "include-hidden" && word == "include_hidden")
}

impl Parser {
    /// What follows `role:`.
    pub(super) fn role(&mut self) -> Result<Role, SelectorError> {
        let start = self.position;
        while self.peek().is_some_and(|character| character.is_ascii_alphanumeric() || matches!(character, '-' | '_')) {
            self.position += 1;
        }
        let name: String = self.source[start..self.position].iter().collect();
        let length = self.position - start;
        if length == 0 {
            let hint = "write an ARIA role, such as `role:button[Sign in]`";
            return Err(SelectorError::new(start, 1, "`role:` needs the name of a role", hint));
        }
        let role = known_role(&name).map_err(|(message, hint)| SelectorError::new(start, length, message, hint))?;
        let mut role = Role::new(role);
        loop {
            let before = self.position;
            self.skip_space();
            if self.at_end(End::Part) {
                self.position = before;
                return Ok(role);
            }
            if self.peek() != Some('[') {
                let rest = self.rest_of_part();
                let text: String = self.source[self.position..self.position + rest].iter().collect();
                let text = text.trim_start_matches([':', '=']).trim();
                let hint = format!("put the accessible name between brackets: `role:{name}[{text}]`");
                return Err(SelectorError::new(self.position, rest.max(1), "unexpected text after the role", hint));
            }
            self.bracket(&mut role)?;
        }
    }

    /// One bracket after a role: a state, or the name.
    fn bracket(&mut self, role: &mut Role) -> Result<(), SelectorError> {
        let open = self.position;
        self.position += 1;
        self.skip_space();
        let start = self.position;
        if self.at_end(End::Bracket) && self.peek().is_some() {
            let hint = "write a name or a state between the brackets; for elements without a name write `[\"\"]`";
            return Err(SelectorError::new(open, start + 1 - open, "the brackets are empty", hint));
        }
        let is_bare = !matches!(self.peek(), Some('"' | '/'));
        let value = if self.peek().is_some() { Some(self.text(End::Bracket, MatchKind::Contains)?) } else { None };
        self.skip_space();
        let Some(value) = value.filter(|_| self.peek() == Some(']')) else {
            return Err(SelectorError::new(open, 1, "`[` is never closed", "close the bracket with `]`"));
        };
        self.position += 1;
        let place = |message: String, hint: String| SelectorError::new(open, self.position - open, message, hint);
        if is_bare && is_state(&value.text).map_err(|(message, hint)| place(message, hint))? {
            let (word, setting) = value
                .text
                .split_once('=')
                .map_or((value.text.as_str(), None), |(word, setting)| (word.trim(), Some(setting.trim())));
            return set_state(role, word, setting).map_err(|(message, hint)| place(message, hint));
        }
        if role.name.is_some() {
            let hint = "write one name; a state is one of `checked`, `pressed`, `expanded`, `selected`, `disabled`, `level=N`, `include-hidden`";
            return Err(place("a second name".to_owned(), hint.to_owned()));
        }
        role.name = Some(value);
        Ok(())
    }
}

/// Whether bare text between brackets is a state; refuses what is almost one.
fn is_state(text: &str) -> Result<bool, (String, String)> {
    let Some((word, value)) = text.split_once('=') else {
        return Ok(state_word(text).is_some());
    };
    let word = word.trim();
    if state_word(word).is_some() {
        return Ok(true);
    }
    let as_name = format!("for a name that holds `=` write `[{}i]`", quoted(text));
    if word == "name" || word == "name*" || word == "name^" {
        let name = value.trim().trim_matches(['"', '\'']);
        return Err((
            "the name stands between the brackets without `name=`".to_owned(),
            format!("write `[{}]`; {as_name}", quoted(name)),
        ));
    }
    match closest(word, STATES, 2) {
        Some(state) if word.chars().count() > 2 => {
            Err((format!("unknown state `{word}`"), format!("did you mean `{state}`? {}", capitalised(&as_name))))
        }
        _ => Ok(false),
    }
}

fn set_state(role: &mut Role, word: &str, value: Option<&str>) -> Result<(), (String, String)> {
    let state = state_word(word).unwrap_or_default();
    let wrong_value = |allowed: &str| {
        let written = value.map_or(format!("`{state}` needs a value"), |value| format!("`{state}` can't be `{value}`"));
        (written, format!("write {allowed}; for the name write `[\"{word}\"i]`"))
    };
    let is_new = match state {
        "checked" | "pressed" => {
            let parsed = Tristate::parse(value.unwrap_or("true"))
                .ok_or_else(|| wrong_value(&format!("`[{state}]`, `[{state}=false]` or `[{state}=mixed]`")))?;
            let slot = if state == "checked" { &mut role.checked } else { &mut role.pressed };
            slot.replace(parsed).is_none()
        }
        "level" => {
            let parsed = value.and_then(|value| value.parse().ok()).filter(|level| *level > 0);
            let level: u32 = parsed.ok_or_else(|| wrong_value("a number from 1, such as `[level=2]`"))?;
            role.level.replace(level).is_none()
        }
        _ => {
            let parsed = match value.unwrap_or("true") {
                "true" => true,
                "false" => false,
                _ => return Err(wrong_value(&format!("`[{state}]` or `[{state}=false]`"))),
            };
            match state {
                "expanded" => role.expanded.replace(parsed).is_none(),
                "selected" => role.selected.replace(parsed).is_none(),
                "disabled" => role.disabled.replace(parsed).is_none(),
                _ => !std::mem::replace(&mut role.include_hidden, parsed),
            }
        }
    };
    if is_new {
        return Ok(());
    }
    Err((format!("`{state}` is given twice"), format!("keep one; for the name write `[\"{word}\"i]`")))
}

fn capitalised(sentence: &str) -> String {
    let mut characters = sentence.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
