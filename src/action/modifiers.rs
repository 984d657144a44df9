//! Owns the modifiers of a step: `as`, `when`, `optional`, `timeout`, `label`, `retry`. Those that say what a step brings
//! about beside its own result are `awaited`'s.

use std::time::Duration;

use super::awaited::{self, Given};
use super::check;
use super::conditions;
use super::context::{Context, Dialect};
use super::flow::fields_of;
use super::names::Origin;
use super::problem::Span;
use super::scan::{self, scan};
use super::shortcut::{Modifiers, Retry};
use super::yaml::{Entry, Kind, Node};
use crate::secrets::{SecretName, Text};

/// How often one step may be tried.
const MOST_ATTEMPTS: u64 = 100;
/// The pause before a second attempt.
const BACKOFF: Duration = Duration::from_millis(500);

/// What may stand beside a command in this dialect.
pub fn of(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::Shortcut => &["as", "when", "optional", "timeout", "label", "retry", "dialog", "opens", "download"],
        Dialect::Classic => &["as", "when", "optional", "timeout", "label"],
        Dialect::Data => &["optional", "timeout", "label"],
    }
}

/// Modifiers that were read, whose names are not given yet.
pub struct Beside {
    modifiers: Modifiers,
    names: Vec<Given>,
}

impl Beside {
    /// Makes the names known: only what follows may use them.
    pub fn given(self, cx: &mut Context<'_, '_>) -> Modifiers {
        for (name, span, origin) in &self.names {
            cx.give(name, *span, *origin);
        }
        self.modifiers
    }
}

/// Reads a name that a value gets; `what` gives it.
pub fn name(cx: &mut Context<'_, '_>, node: &Node, what: &str) -> Option<(String, Span)> {
    let Some(name) = node.text() else {
        let hint = format!("use letters, digits and `_`, for example `{what}: account`");
        cx.report.error(node.span, format!("`{what}` is not a name"), Some(hint));
        return None;
    };
    is_name(cx, name, node.span, what).then(|| (name.to_owned(), node.span))
}

/// Whether a word can be the name of a value; reports it otherwise.
pub fn is_name(cx: &mut Context<'_, '_>, name: &str, span: Span, what: &str) -> bool {
    const TAKEN: [&str; 17] = [
        "inputs", "page", "secrets", "range", "dict", "true", "false", "none", "and", "or", "not", "in", "is", "if",
        "else", "loop", "error",
    ];
    let mut characters = name.chars();
    let valid = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !valid {
        let hint = format!("use letters, digits and `_`, for example `{what}: account`");
        cx.report.error(span, format!("`{name}` can't be a name"), Some(hint));
    } else if TAKEN.contains(&name.to_lowercase().as_str()) {
        let message = format!("`{name}` has a meaning of its own");
        cx.report.error(span, message, Some("choose another name".into()));
        return false;
    }
    valid
}

/// Reads all modifiers of a step.
pub fn read(cx: &mut Context<'_, '_>, entries: &[&Entry]) -> Beside {
    let mut beside = Beside { modifiers: Modifiers::default(), names: Vec::new() };
    for entry in entries.iter().copied() {
        let Entry { key, value } = entry;
        match key.text.as_str() {
            "as" => {
                let name = name(cx, value, "as");
                beside.modifiers.capture = name.as_ref().map(|(name, _)| name.clone());
                beside.names.extend(name.map(|(name, span)| (name, span, Origin::Capture)));
            }
            word if awaited::WORDS.contains(&word) => {
                beside.names.extend(awaited::read(cx, &mut beside.modifiers.awaited, entry));
            }
            word => read_one(cx, &mut beside.modifiers, word, value),
        }
    }
    beside
}

fn read_one(cx: &mut Context<'_, '_>, modifiers: &mut Modifiers, name: &str, node: &Node) {
    match name {
        "when" => modifiers.when = conditions::read(cx, node, "when"),
        "timeout" => modifiers.timeout = read_timeout(cx, node),
        "retry" => modifiers.retry = retry(cx, node),
        "optional" => match node.kind {
            Kind::Bool(value) => modifiers.optional = value,
            _ => cx.report.error(
                node.span,
                "`optional` is neither `true` nor `false`",
                Some("for a condition use `when`".into()),
            ),
        },
        // `label`, and the classic `description`.
        _ => match node.text() {
            Some(text) if cx.dialect == Dialect::Classic => modifiers.label = Some(masked(text)),
            Some(text) if cx.dialect == Dialect::Data || !(text.contains("${{") || text.contains("$<<")) => {
                modifiers.label = Some(text.to_owned());
            }
            Some(_) => {
                let message = format!("`{name}` is plain text, without expressions and secrets");
                cx.report.error(node.span, message, None);
            }
            None => cx.report.error(node.span, format!("`{name}` is not text"), None),
        },
    }
}

/// `retry: 3`, or `retry: { attempts: 3, backoff: 1s }`.
fn retry(cx: &mut Context<'_, '_>, node: &Node) -> Option<Retry> {
    let count = match &node.kind {
        Kind::Map(_) => {
            let example = "retry: { attempts: 3, backoff: 1s }";
            fields_of(cx, node, "retry", &["attempts", "backoff"], &["attempts"], example)?.get("attempts")?
        }
        _ => node,
    };
    let attempts = match &count.kind {
        Kind::Number(number) => number.as_u64().filter(|attempts| (2..=MOST_ATTEMPTS).contains(attempts)),
        _ => None,
    };
    let Some(attempts) = attempts else {
        let message = format!("the attempts are not a whole number from 2 to {MOST_ATTEMPTS}");
        cx.report.error(count.span, message, Some("`retry: 3` tries three times in all".into()));
        return None;
    };
    let backoff = match node.get("backoff") {
        None => BACKOFF,
        Some(node) => match check::duration(&node.to_json()) {
            Ok(backoff) => backoff,
            Err(error) => {
                cx.report.error(node.span, format!("`backoff`: {error}"), None);
                return None;
            }
        },
    };
    Some(Retry { attempts: attempts as u32, backoff })
}

/// A classic description with `<secret:NAME>` in place of each secret it names: it is shown and needs no values.
fn masked(text: &str) -> String {
    let Ok(pieces) = scan(text) else { return text.to_owned() };
    let pieces = pieces.into_iter().map(|piece| match piece {
        scan::Piece::Literal(_, literal) => match Text::parse(literal) {
            Ok(text) => text.masked(),
            Err(_) => literal.to_owned(),
        },
        scan::Piece::Expression(_, inner) => match inner.trim().parse::<SecretName>() {
            Ok(name) => name.mask(),
            Err(_) => format!("${{{{{inner}}}}}"),
        },
    });
    pieces.collect()
}

/// Reads a time limit, of a step or of a whole action.
pub fn read_timeout(cx: &mut Context<'_, '_>, node: &Node) -> Option<Duration> {
    match check::duration(&node.to_json()) {
        Ok(limit) if limit.is_zero() => {
            cx.report.error(node.span, "`timeout` is zero", Some("leave it out for the default".into()));
            None
        }
        Ok(limit) => Some(limit),
        Err(error) => {
            let hint = "write a number with its unit: `ms`, `s`, `m` or `h`";
            cx.report.error(node.span, format!("`timeout`: {error}"), Some(hint.into()));
            None
        }
    }
}
