//! Owns the check of one argument of a command, before anything runs: its type, its selector, its secrets.
//! Arguments whose value is known only when the step runs are checked by the command itself.

use std::time::Duration;

use serde::Deserialize;
use serde_json::Value;

use super::conditions;
use super::context::{Context, Dialect};
use super::problem::Span;
use super::schema::{Violation, not_a_selector, shown};
use super::template::{Argument, Template};
use super::vocabulary::{ArgumentKind, ArgumentRule};
use super::yaml::{Kind, Node};
use crate::command;
use crate::selector::Selector;

/// Reads an argument's value and reports everything that can't fit.
pub fn read(cx: &mut Context<'_, '_>, rule: &ArgumentRule, node: &Node) -> Argument {
    if rule.kind == ArgumentKind::Condition {
        return conditions::argument(cx, node).unwrap_or(Argument::Null);
    }
    if let Some(text) = plain_text(cx, rule, node) {
        return Argument::Text(Template::literal(&text));
    }
    let mut argument = cx.argument(node);
    if cx.dialect == Dialect::Classic && rule.kind == ArgumentKind::Selector {
        argument = classic_selector(argument);
    }
    if rule.kind == ArgumentKind::Script {
        script(cx, node, &argument);
    }
    // Null is a fault that was just reported, or the same as leaving the argument out.
    if matches!(argument, Argument::Null | Argument::Expression(_)) {
        return argument;
    }
    match (rule.kind, argument.as_literal()) {
        (ArgumentKind::Selector, Some(value)) => selector(cx, node, &value),
        (ArgumentKind::Address, Some(Value::String(text))) => address(cx, node, &text),
        (ArgumentKind::Duration, Some(value)) => {
            if let Err(message) = duration(&value) {
                let hint = "write a number with its unit: `ms`, `s`, `m` or `h`";
                cx.report.error(node.span, format!("`{}`: {message}", rule.name), Some(hint.into()));
            }
        }
        (_, Some(value)) => {
            for violation in rule.check(&value) {
                report(cx, node, rule, &value, &violation);
            }
        }
        // Text with a template in it is text, whatever it will say.
        (ArgumentKind::Plain, None) if matches!(argument, Argument::Text(_)) => {
            let text = Value::String(String::new());
            let wrong = rule.check(&text).into_iter().find(|v| v.message.ends_with(", found \"\""));
            if let Some(violation) = wrong.filter(|v| v.message.starts_with("expected a")) {
                let expected = violation.message.trim_end_matches(", found \"\"");
                let hint = "only a scalar that is exactly one `${{ … }}` keeps its type";
                let message = format!("`{}`: {expected}, found text", rule.name);
                cx.report.error(node.span, message, Some(hint.into()));
            }
        }
        (_, None) => {}
    }
    argument
}

/// A plain `5` or `true` where text belongs is meant as text: as it is written, `1.50` and not `1.5`.
fn plain_text(cx: &Context<'_, '_>, rule: &ArgumentRule, node: &Node) -> Option<String> {
    if rule.kind != ArgumentKind::Plain || !matches!(node.kind, Kind::Number(_) | Kind::Bool(_)) {
        return None;
    }
    if rule.check(&node.to_json()).is_empty() {
        return None;
    }
    let written = node.written(cx.report.source());
    let text = written.unwrap_or_else(|| node.to_json().to_string());
    rule.check(&Value::String(text.clone())).is_empty().then_some(text)
}

/// Reads a length of time: text with units, or an integer of milliseconds.
pub fn duration(value: &Value) -> Result<Duration, String> {
    match value {
        Value::String(text) => command::parse_duration(text),
        Value::Number(number) => command::parse_duration(&number.to_string()),
        _ => Err(format!("expected a duration such as `5s`, found {}", shown(value))),
    }
}

fn report(cx: &mut Context<'_, '_>, node: &Node, rule: &ArgumentRule, value: &Value, violation: &Violation) {
    let path = violation.path_text();
    let name = match path.is_empty() {
        true => rule.name.clone(),
        false if path.starts_with('[') => format!("{}{path}", rule.name),
        false => format!("{}.{path}", rule.name),
    };
    let target = node.at(&violation.path).unwrap_or(node);
    let hint = quoting(value, violation).or_else(|| violation.hint.clone());
    cx.report.error(target.span, format!("`{name}`: {}", violation.message), hint);
}

/// A number where text belongs, or the other way round, is a matter of quotes.
fn quoting(value: &Value, violation: &Violation) -> Option<String> {
    if !violation.path.is_empty() {
        return None;
    }
    match value {
        Value::String(text) => {
            let plain = match text.as_str() {
                "true" | "false" => violation.message.starts_with("expected a boolean"),
                "yes" | "on" if violation.message.starts_with("expected a boolean") => {
                    return Some("write `true`".into());
                }
                "no" | "off" if violation.message.starts_with("expected a boolean") => {
                    return Some("write `false`".into());
                }
                _ => {
                    text.parse::<i64>().is_ok() && violation.message.starts_with("expected an integer")
                        || text.parse::<f64>().is_ok() && violation.message.starts_with("expected a number")
                }
            };
            plain.then(|| format!("write it without quotes: `{text}`"))
        }
        _ => None,
    }
}

/// What a classic selector means in our grammar.
fn classic_selector(argument: Argument) -> Argument {
    let Argument::Text(template) = argument else { return argument };
    if let Some(text) = template.as_literal() {
        return Argument::Text(Template::literal(&Selector::from_classic(&text)));
    }
    // A value that is put in later is taken for a word.
    let sample = template.with_samples("x");
    match Selector::from_classic(&sample).strip_suffix(&sample) {
        Some(prefix) => Argument::Text(template.prefixed(prefix)),
        None => Argument::Text(template),
    }
}

/// An address without a scheme is no page's.
fn address(cx: &mut Context<'_, '_>, node: &Node, text: &str) {
    const OPAQUE: [&str; 5] = ["about:", "data:", "file:", "javascript:", "blob:"];
    let text = text.trim();
    let start = text.split(['/', '?', '#']).next().unwrap_or_default();
    let has_scheme = start.ends_with(':') && text[start.len()..].starts_with("//");
    if text.is_empty() || has_scheme || OPAQUE.iter().any(|scheme| text.to_lowercase().starts_with(scheme)) {
        return;
    }
    let host = text.trim_start_matches('/');
    let scheme = if host.starts_with("localhost") || host.starts_with("127.") { "http" } else { "https" };
    let message = format!("`{}` is not an absolute address", shortened(text));
    cx.report.warning(node.span, message, Some(format!("write `{scheme}://{}`", shortened(host))));
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(60) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

fn selector(cx: &mut Context<'_, '_>, node: &Node, value: &Value) {
    match value {
        Value::String(text) if cx.dialect == Dialect::Classic => {
            // It may have been rewritten: columns would not be those of the file.
            if let Err(error) = Selector::parse(text) {
                let hint = error.hint().map(str::to_owned);
                cx.report.error(node.span, format!("not a selector: {error}"), hint);
            }
        }
        Value::String(text) => match Selector::parse(text) {
            Ok(_) => {
                if let Some(better) = Selector::looks_like_css(text) {
                    cx.report.warning(
                        node.span,
                        format!("`{text}` is searched as text, but looks like CSS"),
                        Some(format!("write `{better}` for CSS, or `text:{text}` for text")),
                    );
                }
            }
            Err(error) => {
                let offset = text.char_indices().nth(error.offset).map_or(text.len(), |(at, _)| at);
                let span = node.span_within(cx.report.source(), offset, error.length);
                let hint = error.hint().map(str::to_owned);
                cx.report.error(span, format!("not a selector: {error}"), hint);
            }
        },
        Value::Object(_) => {
            if let Err(error) = Selector::deserialize(value) {
                let (message, hint) = not_a_selector(&error);
                // The part that the message names is where it went wrong.
                let named = message.split('`').skip(1).step_by(2).find_map(|word| node.named(word));
                cx.report.error(named.unwrap_or(node.span), message, Some(hint));
            }
        }
        Value::Array(_) => {
            let written = node.rest_of_line(cx.report.source());
            // In `{ }` the rest of the line is not all of it.
            let end = written.find(']').map_or(written.len(), |at| at + 1);
            let hint = format!("text that starts with `[` needs quotes: `'{}'`", &written[..end]);
            cx.report.error(node.span, format!("expected a selector, found {}", shown(value)), Some(hint));
        }
        _ => cx.report.error(
            node.span,
            format!("expected a selector, found {}", shown(value)),
            Some("write one such as `role:button[Sign in]`, `testid:pay` or `css:#save`".into()),
        ),
    }
}

fn script(cx: &mut Context<'_, '_>, node: &Node, argument: &Argument) {
    let hint = || Some("pass it in `args`, where the script receives it as a value".into());
    if let Some(name) = argument.secret_names().first() {
        let span = within(cx, node, &format!("$<<{name}"));
        let message = format!("a secret can't be part of a script: `$<<{name}>>`");
        cx.report.error(span, message, hint());
    } else if cx.dialect != Dialect::Data && matches!(argument, Argument::Text(_)) && argument.as_literal().is_none() {
        let span = within(cx, node, "${{");
        cx.report.warning(span, "the expression's value becomes part of the script's code", hint());
    }
}

fn within(cx: &Context<'_, '_>, node: &Node, part: &str) -> Span {
    match node.text().and_then(|text| text.find(part)) {
        Some(at) => node.span_within(cx.report.source(), at, 3),
        None => node.span,
    }
}
