//! Owns whether a declaration contradicts itself: limits that leave nothing, and values of its own (`default`, `enum`,
//! `const`, `examples`) that it would not accept.

use serde_json::{Map, Value};

use super::Declaration;
use crate::action::problem::Report;
use crate::action::schema::{Checker, Violation};
use crate::action::yaml::{Kind, Node};

/// Pairs of limits of which the first may not be more than the second.
const PAIRS: [(&str, &str); 5] = [
    ("minLength", "maxLength"),
    ("minItems", "maxItems"),
    ("minProperties", "maxProperties"),
    ("minimum", "maximum"),
    ("exclusiveMinimum", "exclusiveMaximum"),
];

/// Reports what contradicts itself in the declaration that was read from `node`.
pub fn check(report: &mut Report<'_>, node: &Node, declaration: &Declaration) {
    let schema = &declaration.schema;
    for (least, most) in PAIRS {
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        if let (Some(low), Some(high)) = (number(least), number(most))
            && low > high
        {
            let span = key(node, least).map_or(node.span, |node| node.span);
            report.error(span, format!("no value is at least {low} and at most {high}"), Some("exchange them".into()));
        }
    }
    if let (Some(default), Some(true)) = (node.get("default"), declaration.required) {
        report.error(default.span, "a value that is required has no default", Some("keep one of the two".into()));
    }
    let is_valid = || Checker::new(Value::Object(schema.clone())).is_valid();
    if let Some(pattern) = node.get("pattern").filter(|_| !is_valid()) {
        let hint = "use a regular expression without look-around and back-references";
        report.error(pattern.span, "not a valid `pattern`", Some(hint.into()));
        return;
    }
    // Choices are judged by everything else, a default by the choices too.
    let mut rest = schema.clone();
    for own in ["default", "examples", "enum", "const"] {
        rest.remove(own);
    }
    values(report, node, "enum", &rest, |node| items(node));
    values(report, node, "const", &rest, |node| vec![node]);
    values(report, node, "examples", schema, |node| items(node));
    values(report, node, "default", schema, |node| vec![node]);
}

/// The node of a key in either spelling.
fn key<'n>(node: &'n Node, schema_name: &str) -> Option<&'n Node> {
    node.get(schema_name).or_else(|| node.get(&crate::command::snake_case(schema_name)))
}

fn items(node: &Node) -> Vec<&Node> {
    match &node.kind {
        Kind::List(items) => items.iter().collect(),
        _ => Vec::new(),
    }
}

/// Reports what the schema does not accept among the values of a key.
fn values<'n>(
    report: &mut Report<'_>,
    node: &'n Node,
    key: &str,
    schema: &Map<String, Value>,
    of: impl Fn(&'n Node) -> Vec<&'n Node>,
) {
    let Some(own) = node.get(key) else { return };
    let checker = Checker::new(Value::Object(schema.clone()));
    for value in of(own).into_iter().filter(|value| !is_plainly(schema, value)) {
        for violation in checker.check(&value.to_json()) {
            let target = value.at(&violation.path).unwrap_or(value);
            let path = violation.path_text();
            let place = if path.is_empty() { String::new() } else { format!(" at `{path}`") };
            let message = format!("`{key}`{place}: {}", violation.message);
            let hint = quotes(report, target, &violation).or(violation.hint);
            report.error(target.span, message, hint);
        }
    }
}

/// Whether a value is of the type that a schema declares, and the schema says nothing more. It spares the compilation.
fn is_plainly(schema: &Map<String, Value>, value: &Node) -> bool {
    let says_more = |key: &String| !matches!(key.as_str(), "type" | "title" | "description" | "default" | "examples");
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    let fits = match &value.kind {
        Kind::Text(_) => kind == "string",
        Kind::Bool(_) => kind == "boolean",
        Kind::Number(number) => kind == "number" || kind == "integer" && !number.is_f64(),
        Kind::Null | Kind::List(_) | Kind::Map(_) => false,
    };
    fits && !schema.keys().any(says_more)
}

/// A number where text belongs, or the other way round, is a matter of quotes.
fn quotes(report: &Report<'_>, node: &Node, violation: &Violation) -> Option<String> {
    let expects = |what: &str| violation.message.starts_with(&format!("expected {what}, found"));
    match &node.kind {
        Kind::Number(_) | Kind::Bool(_) if expects("a string") => {
            let written = node.written(report.source())?;
            Some(format!("write it in quotes: `\"{written}\"`"))
        }
        Kind::Text(text) if expects("a boolean") => match text.to_lowercase().as_str() {
            "yes" | "on" | "true" => Some("write `true`".into()),
            "no" | "off" | "false" => Some("write `false`".into()),
            _ => None,
        },
        Kind::Text(text) if expects("an integer") && text.parse::<i64>().is_ok() => unquoted(text),
        Kind::Text(text) if expects("a number") && text.parse::<f64>().is_ok() => unquoted(text),
        _ => None,
    }
}

fn unquoted(text: &str) -> Option<String> {
    Some(format!("write it without quotes: `{text}`"))
}
