//! Owns the modifiers of a step: `as`, `when`, `optional`, `timeout`, `label`.

use std::time::Duration;

use super::check;
use super::context::{Context, Dialect};
use super::problem::Span;
use super::scan::{self, scan};
use super::shortcut::Step;
use super::yaml::{Kind, Node};
use crate::secrets::{SecretName, Text};

/// What may stand beside a command in this dialect.
pub fn of(dialect: Dialect) -> &'static [&'static str] {
    match dialect {
        Dialect::Shortcut | Dialect::Classic => &["as", "when", "optional", "timeout", "label"],
        Dialect::Data => &["optional", "timeout", "label"],
    }
}

/// Reads the name after `as`.
pub fn capture_name(cx: &mut Context<'_, '_>, node: &Node) -> Option<(String, Span)> {
    const TAKEN: [&str; 16] = [
        "inputs", "page", "secrets", "range", "dict", "true", "false", "none", "and", "or", "not", "in", "is", "if",
        "else", "loop",
    ];
    let hint = || Some("use letters, digits and `_`, for example `as: account`".into());
    let Some(name) = node.text() else {
        cx.report.error(node.span, "`as` is not a name", hint());
        return None;
    };
    let mut characters = name.chars();
    let valid = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !valid {
        cx.report.error(node.span, format!("`{name}` can't be a name"), hint());
        return None;
    }
    if TAKEN.contains(&name.to_lowercase().as_str()) {
        let message = format!("`{name}` has a meaning of its own");
        cx.report.error(node.span, message, Some("choose another name".into()));
        return None;
    }
    Some((name.to_owned(), node.span))
}

/// Reads any other modifier into its step.
pub fn read(cx: &mut Context<'_, '_>, step: &mut Step, name: &str, node: &Node) {
    match name {
        "when" => step.when = cx.condition(node, "when"),
        "timeout" => step.timeout = read_timeout(cx, node),
        "optional" => match node.kind {
            Kind::Bool(value) => step.optional = value,
            _ => cx.report.error(
                node.span,
                "`optional` is neither `true` nor `false`",
                Some("for a condition use `when`".into()),
            ),
        },
        // `label`, and the classic `description`.
        _ => match node.text() {
            Some(text) if cx.dialect == Dialect::Classic => step.label = Some(masked(text)),
            Some(text) if cx.dialect == Dialect::Data || !(text.contains("${{") || text.contains("$<<")) => {
                step.label = Some(text.to_owned());
            }
            Some(_) => {
                let message = format!("`{name}` is plain text, without expressions and secrets");
                cx.report.error(node.span, message, None);
            }
            None => cx.report.error(node.span, format!("`{name}` is not text"), None),
        },
    }
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
