//! The structured form of a selector, `{ role: button, name: Sign in, within: … }`, and selectors in serde.
//!
//! A map is read into fields by the one table [`KEYS`], then turned into the same parts that text gives. Its values are
//! read as the values of text selectors are: `name: /^sign/i` is a regular expression, `name: '"Sign in"'` is the whole
//! name. With `exact` a value is literal: `exact: true` compares it whole, `exact: false` looks for it inside.

use std::collections::BTreeMap;
use std::fmt;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::parse::{MAX_DEPTH, Parser};
use super::part::{MatchKind, Part, Relation, TextMatch};
use super::role::{Role, Tristate, known_role};
use super::suggest::{closest, tolerance};
use super::value::{End, Language};
use super::{Selector, SelectorError};

/// What a key's value is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// What to find; a map has exactly one of these.
    Main,
    /// Text that narrows down.
    Text,
    Flag,
    State,
    Level,
    Index,
    Selector,
}

/// Every key of the structured form.
pub(super) const KEYS: [(&str, Kind); 36] = [
    ("role", Kind::Main),
    ("text", Kind::Main),
    ("testid", Kind::Main),
    ("label", Kind::Main),
    ("placeholder", Kind::Main),
    ("alt", Kind::Main),
    ("title", Kind::Main),
    ("css", Kind::Main),
    ("xpath", Kind::Main),
    ("ref", Kind::Main),
    ("name", Kind::Text),
    ("exact", Kind::Flag),
    ("checked", Kind::State),
    ("pressed", Kind::State),
    ("expanded", Kind::Flag),
    ("selected", Kind::Flag),
    ("disabled", Kind::Flag),
    ("level", Kind::Level),
    ("include_hidden", Kind::Flag),
    ("within", Kind::Selector),
    ("frame", Kind::Selector),
    ("has_text", Kind::Text),
    ("has_not_text", Kind::Text),
    ("has", Kind::Selector),
    ("has_not", Kind::Selector),
    ("and", Kind::Selector),
    ("or", Kind::Selector),
    ("right_of", Kind::Selector),
    ("left_of", Kind::Selector),
    ("above", Kind::Selector),
    ("below", Kind::Selector),
    ("near", Kind::Selector),
    ("visible", Kind::Flag),
    ("nth", Kind::Index),
    ("first", Kind::Flag),
    ("last", Kind::Flag),
];

/// The keys that only a role can have.
const ROLE_KEYS: [&str; 8] =
    ["name", "checked", "pressed", "expanded", "selected", "disabled", "level", "include_hidden"];

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Selector, D::Error> {
        deserializer.deserialize_any(SelectorVisitor)
    }
}

impl Serialize for Selector {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

struct SelectorVisitor;

impl<'de> Visitor<'de> for SelectorVisitor {
    type Value = Selector;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(
            "a selector: text such as `role:button[Sign in]`, or a map such as `{ role: button, name: Sign in }`",
        )
    }

    fn visit_str<E: Error>(self, source: &str) -> Result<Selector, E> {
        Selector::parse(source).map_err(|error| E::custom(error.in_one_line(source)))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Selector, A::Error> {
        let mut fields = Fields::default();
        while let Some(key) = map.next_key::<String>()? {
            let Some((key, kind)) = KEYS.into_iter().find(|(known, _)| *known == key) else {
                return Err(A::Error::custom(unknown_key(&key)));
            };
            let is_new = match kind {
                Kind::Main | Kind::Text => fields.texts.insert(key, map.next_value()?).is_none(),
                Kind::Flag => fields.flags.insert(key, map.next_value()?).is_none(),
                Kind::State => fields.states.insert(key, map.next_value()?).is_none(),
                Kind::Level => fields.level.replace(map.next_value()?).is_none(),
                Kind::Index => fields.index.replace(map.next_value()?).is_none(),
                Kind::Selector => fields.selectors.insert(key, map.next_value()?).is_none(),
            };
            if !is_new {
                return Err(A::Error::custom(format!("`{key}` is given twice")));
            }
        }
        fields.into_selector().map_err(A::Error::custom)
    }
}

impl<'de> Deserialize<'de> for Tristate {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Tristate, D::Error> {
        deserializer.deserialize_any(TristateVisitor)
    }
}

struct TristateVisitor;

impl Visitor<'_> for TristateVisitor {
    type Value = Tristate;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("`true`, `false` or `mixed`")
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Tristate, E> {
        Ok(if value { Tristate::True } else { Tristate::False })
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Tristate, E> {
        Tristate::parse(value).ok_or_else(|| E::invalid_value(serde::de::Unexpected::Str(value), &self))
    }
}

fn unknown_key(key: &str) -> String {
    let snake_case = key.replace('-', "_");
    match closest(&snake_case, KEYS.map(|(known, _)| known), tolerance(key)) {
        Some(known) => format!("unknown key `{key}` in a selector: did you mean `{known}`?"),
        None => {
            let known = KEYS.map(|(known, _)| format!("`{known}`")).join(", ");
            format!("unknown key `{key}` in a selector: the keys are {known}")
        }
    }
}

/// The values of a map by their kind.
#[derive(Default)]
struct Fields {
    texts: BTreeMap<&'static str, String>,
    flags: BTreeMap<&'static str, bool>,
    states: BTreeMap<&'static str, Tristate>,
    selectors: BTreeMap<&'static str, Selector>,
    level: Option<u32>,
    index: Option<i32>,
}

impl Fields {
    fn into_selector(mut self) -> Result<Selector, String> {
        let mut parts = Vec::new();
        if let Some(frame) = self.selectors.remove("frame") {
            parts = frame_parts(frame);
        }
        if let Some(within) = self.selectors.remove("within") {
            parts.extend(within.parts);
        }
        parts.push(self.main()?);
        if let Some(text) = self.texts.remove("has_text") {
            parts.push(Part::HasText(value("has_text", &text, MatchKind::Contains, None)?));
        }
        if let Some(text) = self.texts.remove("has_not_text") {
            parts.push(Part::HasNotText(value("has_not_text", &text, MatchKind::Contains, None)?));
        }
        if let Some(inner) = self.selectors.remove("has") {
            parts.push(Part::Has(frameless("has", inner)?));
        }
        if let Some(inner) = self.selectors.remove("has_not") {
            parts.push(Part::HasNot(frameless("has_not", inner)?));
        }
        if let Some(inner) = self.selectors.remove("and") {
            parts.push(Part::And(frameless("and", inner)?));
        }
        if let Some(inner) = self.selectors.remove("or") {
            parts.push(Part::Or(frameless("or", inner)?));
        }
        if self.is_set("visible")? {
            parts.push(Part::Visible);
        }
        for relation in Relation::ALL {
            let key = relation.as_str().replace('-', "_");
            if let Some(inner) = self.selectors.remove(key.as_str()) {
                parts.push(Part::Layout { relation, selector: frameless(&key, inner)? });
            }
        }
        parts.extend(self.index()?.map(Part::Nth));
        let selector = Selector { parts };
        if depth(&selector) > MAX_DEPTH {
            return Err(format!("selectors are nested more than {MAX_DEPTH} deep: use a simpler selector"));
        }
        Ok(selector)
    }

    /// The one key that says what to find, with what belongs to it.
    fn main(&mut self) -> Result<Part, String> {
        let mains: Vec<&str> = KEYS
            .iter()
            .filter(|(key, kind)| *kind == Kind::Main && self.texts.contains_key(key))
            .map(|(key, _)| *key)
            .collect();
        let key = match mains[..] {
            [key] => key,
            [] => {
                return Err("the selector does not say what to find: give one of `role`, `text`, `testid`, `label`, \
                    `placeholder`, `alt`, `title`, `css`, `xpath`, `ref`"
                    .to_owned());
            }
            [first, second, ..] => {
                return Err(format!(
                    "`{first}` and `{second}` are both given: keep one, and put outer elements into `within`"
                ));
            }
        };
        let text = self.texts.remove(key).unwrap_or_default();
        let exact = self.flags.remove("exact");
        if key == "role" {
            return self.role(&text, exact).map(Part::Role);
        }
        if let Some(extra) = ROLE_KEYS.into_iter().find(|extra| self.has(extra)) {
            return Err(format!("`{extra}` belongs to a `role`: remove it, or give `role` instead of `{key}`"));
        }
        if exact.is_some() && matches!(key, "css" | "xpath" | "ref") {
            return Err(format!("`exact` says how text is compared, and `{key}` has none: remove it"));
        }
        let in_key = |error: SelectorError| in_key(key, &error);
        let contained = || value(key, &text, MatchKind::Contains, exact);
        Ok(match key {
            "text" => Part::Text(contained()?),
            "testid" => Part::TestId(value(key, &text, MatchKind::Exact, exact)?),
            "label" => Part::Label(contained()?),
            "placeholder" => Part::Placeholder(contained()?),
            "alt" => Part::Alt(contained()?),
            "title" => Part::Title(contained()?),
            "css" => Part::Css(Parser::new(&text).foreign(End::Whole, Language::Css).map_err(in_key)?),
            "xpath" => Part::Xpath(Parser::new(&text).foreign(End::Whole, Language::Xpath).map_err(in_key)?),
            _ => Part::Ref(Parser::new(&text).reference(End::Whole).map_err(in_key)?),
        })
    }

    fn role(&mut self, role: &str, exact: Option<bool>) -> Result<Role, String> {
        let role = known_role(role.trim()).map_err(|(message, hint)| format!("{message}: {hint}"))?;
        let name = self.texts.remove("name");
        if name.is_none() && exact.is_some() {
            return Err("`exact` says how `name` is compared: give `name`, or remove `exact`".to_owned());
        }
        if self.level == Some(0) {
            return Err("`level` counts from 1".to_owned());
        }
        Ok(Role {
            role,
            name: name.map(|name| value("name", &name, MatchKind::Contains, exact)).transpose()?,
            checked: self.states.remove("checked"),
            pressed: self.states.remove("pressed"),
            expanded: self.flags.remove("expanded"),
            selected: self.flags.remove("selected"),
            disabled: self.flags.remove("disabled"),
            level: self.level,
            include_hidden: self.flags.remove("include_hidden").unwrap_or_default(),
        })
    }

    fn has(&self, key: &str) -> bool {
        self.texts.contains_key(key)
            || self.flags.contains_key(key)
            || self.states.contains_key(key)
            || key == "level" && self.level.is_some()
    }

    /// Whether a flag is given that can only be `true`.
    fn is_set(&self, key: &str) -> Result<bool, String> {
        match self.flags.get(key) {
            Some(false) => Err(format!("`{key}` can only be `true`: remove it")),
            flag => Ok(flag.is_some()),
        }
    }

    fn index(&self) -> Result<Option<i32>, String> {
        match (self.index, self.is_set("first")?, self.is_set("last")?) {
            (index, false, false) => Ok(index),
            (None, true, false) => Ok(Some(0)),
            (None, false, true) => Ok(Some(-1)),
            _ => Err("more than one of `nth`, `first` and `last` is given: keep one".to_owned()),
        }
    }
}

/// A text value of the structured form.
fn value(key: &str, text: &str, bare: MatchKind, exact: Option<bool>) -> Result<TextMatch, String> {
    match exact {
        Some(true) => Ok(TextMatch::exact(text)),
        Some(false) if text.trim().is_empty() => Err(format!("`{key}` is empty: write the text to find")),
        Some(false) => Ok(TextMatch::contains(text)),
        None => Parser::new(text).text(End::Whole, bare).map_err(|error| in_key(key, &error)),
    }
}

fn in_key(key: &str, error: &SelectorError) -> String {
    match error.hint() {
        Some(hint) => format!("{error} in `{key}`: {hint}"),
        None => format!("{error} in `{key}`"),
    }
}

/// The parts that lead into a frame: all but what follows the last frame in it are already such parts.
fn frame_parts(frame: Selector) -> Vec<Part> {
    let mut parts = frame.parts;
    let inner = parts.iter().rposition(|part| matches!(part, Part::Frame(_))).map_or(0, |last| last + 1);
    let inner = Selector { parts: parts.split_off(inner) };
    parts.push(Part::Frame(inner));
    parts
}

fn frameless(key: &str, inner: Selector) -> Result<Selector, String> {
    if inner.parts.iter().any(|part| matches!(part, Part::Frame(_))) {
        return Err(format!("a frame can't stand inside `{key}`: use `frame` beside it"));
    }
    Ok(inner)
}

/// How deep selectors are nested in each other.
fn depth(selector: &Selector) -> usize {
    selector.parts.iter().filter_map(Part::inner).map(|inner| depth(inner) + 1).max().unwrap_or_default()
}
