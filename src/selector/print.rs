//! The canonical text of a selector: parsing it gives the same syntax tree again.

use std::fmt::{self, Display, Formatter};

use super::role::state_word;
use super::{MatchKind, Part, Role, Selector, TextMatch};

impl Display for Selector {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        // Bare where bare text means the same: an error then shows `#save` as its author wrote it.
        match self.parts.as_slice() {
            [Part::Css(css)] if css.starts_with(['#', '.', '[']) => f.write_str(css),
            parts => chain(f, parts, false),
        }
    }
}

/// Prints a chain; `grouped` says whether it stands inside parentheses, where a stray one would end it.
fn chain(f: &mut Formatter<'_>, parts: &[Part], grouped: bool) -> fmt::Result {
    for (index, part) in parts.iter().enumerate() {
        if index > 0 {
            f.write_str(" >> ")?;
        }
        self::part(f, part, grouped)?;
    }
    Ok(())
}

fn part(f: &mut Formatter<'_>, part: &Part, grouped: bool) -> fmt::Result {
    match part {
        Part::Role(role) => self::role(f, role),
        Part::Text(value) => prefixed(f, "text", value, grouped),
        Part::TestId(value) => prefixed_test_id(f, value, grouped),
        Part::Label(value) => prefixed(f, "label", value, grouped),
        Part::Placeholder(value) => prefixed(f, "placeholder", value, grouped),
        Part::Alt(value) => prefixed(f, "alt", value, grouped),
        Part::Title(value) => prefixed(f, "title", value, grouped),
        Part::Css(css) => write!(f, "css:{css}"),
        Part::Xpath(xpath) => write!(f, "xpath:{xpath}"),
        Part::Ref(reference) => write!(f, "ref:{reference}"),
        Part::Frame(selector) => inner(f, "frame", selector, grouped),
        Part::Nth(-1) => f.write_str("last"),
        Part::Nth(index) => write!(f, "nth:{index}"),
        Part::Visible => f.write_str("visible"),
        Part::Has(selector) => inner(f, "has", selector, grouped),
        Part::HasNot(selector) => inner(f, "has-not", selector, grouped),
        Part::HasText(value) => prefixed(f, "has-text", value, grouped),
        Part::HasNotText(value) => prefixed(f, "has-not-text", value, grouped),
        Part::And(selector) => inner(f, "and", selector, grouped),
        Part::Or(selector) => inner(f, "or", selector, grouped),
        Part::Layout { relation, selector } => inner(f, relation.as_str(), selector, grouped),
    }
}

fn inner(f: &mut Formatter<'_>, prefix: &str, selector: &Selector, grouped: bool) -> fmt::Result {
    write!(f, "{prefix}:")?;
    if selector.parts.len() == 1 {
        return chain(f, &selector.parts, grouped);
    }
    f.write_str("(")?;
    chain(f, &selector.parts, true)?;
    f.write_str(")")
}

fn prefixed(f: &mut Formatter<'_>, prefix: &str, value: &TextMatch, grouped: bool) -> fmt::Result {
    write!(f, "{prefix}:")?;
    if value.kind == MatchKind::Contains && is_plain(&value.text, grouped) {
        f.write_str(&value.text)
    } else {
        delimited(f, value)
    }
}

/// A test id that is bare is matched exactly.
fn prefixed_test_id(f: &mut Formatter<'_>, value: &TextMatch, grouped: bool) -> fmt::Result {
    f.write_str("testid:")?;
    if value.kind == MatchKind::Exact && is_plain(&value.text, grouped) {
        f.write_str(&value.text)
    } else {
        delimited(f, value)
    }
}

fn role(f: &mut Formatter<'_>, role: &Role) -> fmt::Result {
    write!(f, "role:{}", role.role)?;
    if let Some(name) = &role.name {
        f.write_str("[")?;
        if name.kind == MatchKind::Contains && is_plain_name(&name.text) {
            f.write_str(&name.text)?;
        } else {
            delimited(f, name)?;
        }
        f.write_str("]")?;
    }
    for (state, value) in [("checked", role.checked), ("pressed", role.pressed)] {
        match value.map(|value| value.as_str()) {
            None => {}
            Some("true") => write!(f, "[{state}]")?,
            Some(value) => write!(f, "[{state}={value}]")?,
        }
    }
    for (state, value) in [("expanded", role.expanded), ("selected", role.selected), ("disabled", role.disabled)] {
        match value {
            None => {}
            Some(true) => write!(f, "[{state}]")?,
            Some(false) => write!(f, "[{state}=false]")?,
        }
    }
    if let Some(level) = role.level {
        write!(f, "[level={level}]")?;
    }
    if role.include_hidden {
        f.write_str("[include-hidden]")?;
    }
    Ok(())
}

fn delimited(f: &mut Formatter<'_>, value: &TextMatch) -> fmt::Result {
    match value.kind {
        MatchKind::Contains => write!(f, "{}i", quoted(&value.text)),
        MatchKind::Exact => f.write_str(&quoted(&value.text)),
        MatchKind::Regex => write!(f, "/{}/{}", escape_slashes(&value.text), value.flags),
    }
}

/// The text between double quotes, as the grammar reads it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

fn escape_slashes(pattern: &str) -> String {
    let mut escaped = String::with_capacity(pattern.len());
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => {
                escaped.push('\\');
                escaped.extend(characters.next());
            }
            '/' => escaped.push_str("\\/"),
            _ => escaped.push(character),
        }
    }
    escaped
}

/// Whether text can stand without quotes and mean itself.
fn is_plain(text: &str, grouped: bool) -> bool {
    !text.is_empty()
        && text.trim() == text
        && !text.starts_with(['"', '/'])
        && !text.contains(">>")
        && (!grouped || is_balanced(text, '(', ')'))
}

/// Whether a name can stand between brackets without quotes and without being taken for a state.
fn is_plain_name(name: &str) -> bool {
    !name.is_empty()
        && name.trim() == name
        && !name.starts_with(['"', '/'])
        && !name.contains('=')
        && state_word(name).is_none()
        && is_balanced(name, '[', ']')
}

fn is_balanced(text: &str, open: char, close: char) -> bool {
    let mut depth = 0usize;
    for character in text.chars() {
        if character == open {
            depth += 1;
        } else if character == close {
            let Some(outer) = depth.checked_sub(1) else {
                return false;
            };
            depth = outer;
        }
    }
    depth == 0
}
