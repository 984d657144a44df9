//! Owns the reading of conditions: an expression, or states of the page as a map, every fault at its place. What a
//! state means is `command`'s, which gets the map as it is read here; an expression among the states becomes
//! `{ expression, holds }`.

use serde_json::Number;

use super::check;
use super::context::{Context, Dialect};
use super::expression::Expression;
use super::problem::{did_you_mean, listed};
use super::shortcut::Condition;
use super::template::{Argument, Template};
use super::vocabulary::{ArgumentKind, ArgumentRule};
use super::yaml::{Entry, Kind, Node};
use crate::command::{self, StateKind};
use crate::selector::TextMatch;

/// Reads what stands after `when`, `if`, `while`, `until`, `unless`.
pub fn read(cx: &mut Context<'_, '_>, node: &Node, what: &str) -> Option<Condition> {
    match &node.kind {
        Kind::Map(_) => Some(Condition::States(states(cx, node, what)?)),
        _ => expression(cx, node, what).map(Condition::Expression),
    }
}

/// Reads what `expect` expects, as its command takes it.
pub fn argument(cx: &mut Context<'_, '_>, node: &Node) -> Option<Argument> {
    let argument = member(cx, node, "expect")?;
    if cx.dialect != Dialect::Data && argument.uses_page() {
        let hint = "use `url` and `title`, which are looked at again until they are as expected";
        cx.report.warning(node.span, "`page` is read once, before `expect` begins", Some(hint.into()));
    }
    Some(argument)
}

/// One expression, or a plain `true` or `false`.
fn expression(cx: &mut Context<'_, '_>, node: &Node, what: &str) -> Option<Expression> {
    let hint = match cx.dialect {
        Dialect::Data => "write states of the page: `{\"visible\": \"testid:account\"}`".to_owned(),
        _ => format!(
            "write an expression, `{what}: ${{{{ inputs.remember }}}}`, or `{what}: {{ visible: testid:account }}`"
        ),
    };
    match &node.kind {
        Kind::Bool(value) => Expression::compile(&value.to_string()).ok(),
        Kind::Text(_) => match cx.argument_without_secrets(node, &format!("`{what}`")) {
            Argument::Expression(expression) => Some(expression),
            Argument::Null => None,
            _ => {
                cx.report.error(node.span, format!("`{what}` is not one expression"), Some(hint));
                None
            }
        },
        _ => {
            cx.report.error(node.span, format!("`{what}` is not an expression"), Some(hint));
            None
        }
    }
}

/// A map of states or an expression.
fn member(cx: &mut Context<'_, '_>, node: &Node, what: &str) -> Option<Argument> {
    if let Kind::Map(_) = node.kind {
        return states(cx, node, what);
    }
    let expression = expression(cx, node, what)?;
    let words = Argument::Text(Template::literal(expression.source()));
    Some(Argument::Map(vec![("expression".into(), words), ("holds".into(), Argument::Expression(expression))]))
}

fn states(cx: &mut Context<'_, '_>, node: &Node, what: &str) -> Option<Argument> {
    let entries = node.entries().unwrap_or_default();
    if entries.is_empty() {
        let hint = format!("name a state: `{what}: {{ visible: testid:account }}`");
        cx.report.error(node.span, format!("`{what}` has no condition"), Some(hint));
        return None;
    }
    let read = entries.iter().map(|entry| Some((entry.key.text.clone(), state(cx, entry)?))).collect::<Vec<_>>();
    read.into_iter().collect::<Option<Vec<_>>>().map(Argument::Map)
}

fn state(cx: &mut Context<'_, '_>, entry: &Entry) -> Option<Argument> {
    let (word, node) = (entry.key.text.as_str(), &entry.value);
    let Some(state) = command::page_state(word) else {
        let names = || command::page_states().iter().map(|state| state.name);
        let hint = did_you_mean(word, names()).unwrap_or_else(|| format!("known are {}", listed(names())));
        cx.report.error(entry.key.span, format!("unknown condition `{word}`"), Some(hint));
        return None;
    };
    match state.kind {
        StateKind::Element => selector(cx, word, node),
        StateKind::Not => member(cx, node, word),
        StateKind::Several => match &node.kind {
            Kind::List(items) if !items.is_empty() => {
                let members = items.iter().map(|item| member(cx, item, word)).collect::<Vec<_>>();
                members.into_iter().collect::<Option<Vec<_>>>().map(Argument::List)
            }
            _ => {
                let hint = format!("write `{word}: [{{ visible: testid:account }}, {{ hidden: testid:spinner }}]`");
                cx.report.error(node.span, format!("`{word}` is not a list of conditions"), Some(hint));
                None
            }
        },
        StateKind::Fields(fields) => match &node.kind {
            Kind::Map(entries) => map(cx, entry, entries, fields, state.required),
            Kind::Text(_) if state.is_plain => {
                let argument = text(cx, node);
                if let Some(literal) = argument.as_literal() {
                    plain_pattern(cx, node, literal.as_str().unwrap_or_default());
                }
                Some(argument)
            }
            _ => {
                let hint = format!("for example `{}`", state.example);
                cx.report.error(
                    node.span,
                    format!("`{word}` is not a map of {}", listed(fields.iter().copied())),
                    Some(hint),
                );
                None
            }
        },
    }
}

/// The map of a state: which element, and what is expected of it.
fn map(
    cx: &mut Context<'_, '_>,
    state: &Entry,
    entries: &[Entry],
    fields: &'static [&'static str],
    required: &'static [&'static str],
) -> Option<Argument> {
    let word = state.key.text.as_str();
    let mut read = Vec::with_capacity(entries.len());
    let mut sound = true;
    for Entry { key, value } in entries {
        let field = key.text.as_str();
        if !fields.contains(&field) {
            let hint = did_you_mean(field, fields.iter().copied());
            let hint = hint.unwrap_or_else(|| format!("known are {}", listed(fields.iter().copied())));
            cx.report.error(key.span, format!("unknown key `{field}` for `{word}`"), Some(hint));
            sound = false;
            continue;
        }
        let argument = match field {
            "selector" => selector(cx, field, value),
            "at_least" | "at_most" => count(cx, field, value),
            "equals" if word == "count" => count(cx, field, value),
            "matches" => pattern(cx, value),
            _ => Some(text(cx, value)),
        };
        sound &= argument.is_some();
        read.extend(argument.map(|argument| (field.to_owned(), argument)));
    }
    let has = |name: &str| entries.iter().any(|entry| entry.key.text == name);
    for name in required.iter().filter(|name| !has(name)) {
        cx.report.error(state.key.span, format!("`{word}` needs `{name}`"), None);
        sound = false;
    }
    let tests = || fields.iter().copied().filter(|field| !required.contains(field));
    // An attribute may just be there.
    if sound && word != "attribute" && !tests().any(has) {
        let message = format!("`{word}` does not say what is expected");
        cx.report.error(state.key.span, message, Some(format!("add one of {}", listed(tests()))));
        sound = false;
    }
    sound.then_some(Argument::Map(read))
}

fn selector(cx: &mut Context<'_, '_>, name: &str, node: &Node) -> Option<Argument> {
    let argument = check::read(cx, &ArgumentRule::bare(name, ArgumentKind::Selector), node);
    without_secrets(cx, node, argument)
}

fn without_secrets(cx: &mut Context<'_, '_>, node: &Node, argument: Argument) -> Option<Argument> {
    let Some(name) = argument.secret_names().into_iter().next() else { return Some(argument) };
    let hint = "secrets belong in the arguments of commands that type them";
    cx.report.error(node.span, format!("a secret can't be used in a condition: `$<<{name}>>`"), Some(hint.into()));
    None
}

/// Text to compare with; a plain number is meant as it is written.
fn text(cx: &mut Context<'_, '_>, node: &Node) -> Argument {
    match &node.kind {
        Kind::Number(_) | Kind::Bool(_) => {
            let written = node.written(cx.report.source()).unwrap_or_else(|| node.to_json().to_string());
            Argument::Text(Template::literal(&written))
        }
        Kind::Text(_) => cx.argument_without_secrets(node, "a condition"),
        _ => {
            cx.report.error(node.span, "not a text to compare with", Some("write a text, or `${{ … }}`".into()));
            Argument::Null
        }
    }
}

fn pattern(cx: &mut Context<'_, '_>, node: &Node) -> Option<Argument> {
    let argument = text(cx, node);
    if let Some(literal) = argument.as_literal()
        && let Err(error) = TextMatch::pattern(literal.as_str().unwrap_or_default())
    {
        cx.report.error(node.span, error.to_string(), error.hint().map(str::to_owned));
        return None;
    }
    Some(argument)
}

/// The three forms of a plain text: a part, `"the whole"`, `/a pattern/`.
fn plain_pattern(cx: &mut Context<'_, '_>, node: &Node, literal: &str) {
    if let Err(error) = TextMatch::parse(literal) {
        cx.report.error(node.span, error.to_string(), error.hint().map(str::to_owned));
    }
}

fn count(cx: &mut Context<'_, '_>, name: &str, node: &Node) -> Option<Argument> {
    match &node.kind {
        Kind::Number(number) if number.is_u64() => Some(Argument::Number(Number::clone(number))),
        Kind::Text(_) => match cx.argument_without_secrets(node, "a condition") {
            Argument::Expression(expression) => Some(Argument::Expression(expression)),
            _ => {
                cx.report.error(node.span, format!("`{name}` is not a whole number"), None);
                None
            }
        },
        _ => {
            cx.report.error(node.span, format!("`{name}` is not a whole number"), None);
            None
        }
    }
}
