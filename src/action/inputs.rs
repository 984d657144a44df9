//! Owns `inputs:`: what an action is called with, as a JSON Schema that every client accepts.
//!
//! Every property is an object schema with a `type`; lists say what they hold; nothing refers elsewhere.

use serde_json::{Map, Value};

use super::problem::{Report, Span, did_you_mean, listed};
use super::schema::Checker;
use super::yaml::{Entry, Kind, Node};
use crate::command;

/// The input type that stands for a list of commands.
const COMMANDS: &str = "commands";
const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "array", "object", COMMANDS];
const FORMATS: [&str; 10] =
    ["email", "uri", "date", "date-time", "time", "duration", "uuid", "hostname", "ipv4", "ipv6"];

/// Keys that are taken over into the schema: ours, JSON Schema's, and the JSON type of the value.
const LIMITS: [(&str, &str, Limit); 8] = [
    ("minimum", "minimum", Limit::Number),
    ("maximum", "maximum", Limit::Number),
    ("exclusive_minimum", "exclusiveMinimum", Limit::Number),
    ("exclusive_maximum", "exclusiveMaximum", Limit::Number),
    ("min_length", "minLength", Limit::Count),
    ("max_length", "maxLength", Limit::Count),
    ("min_items", "minItems", Limit::Count),
    ("max_items", "maxItems", Limit::Count),
];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    Number,
    Count,
}

const KEYS: [&str; 10] =
    ["type", "title", "description", "default", "enum", "format", "pattern", "items", "properties", "required"];

/// The declared inputs.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Their names in the order of the file.
    pub names: Vec<String>,
    properties: Map<String, Value>,
    required: Vec<Value>,
}

impl Inputs {
    /// The schema of all arguments.
    pub fn schema(&self) -> Map<String, Value> {
        object(self.properties.clone(), self.required.clone())
    }
}

/// Whether clients accept this name of a property.
pub fn is_property_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    (1..=64).contains(&name.len()) && name.chars().all(allowed)
}

/// Reads `inputs:`.
pub fn read(report: &mut Report<'_>, node: &Node) -> Inputs {
    let mut inputs = Inputs::default();
    let Some(entries) = node.entries() else {
        let hint = "write one `name: type` per line";
        report.error(node.span, "`inputs` is not a map", Some(hint.into()));
        return inputs;
    };
    for entry in entries {
        // A faulty input is still known, so that expressions which use it are no further problems.
        inputs.names.push(entry.key.text.clone());
        if let Some((schema, required)) = read_property(report, entry, "input") {
            if required {
                inputs.required.push(entry.key.text.clone().into());
            }
            inputs.properties.insert(entry.key.text.clone(), schema);
        }
    }
    inputs
}

fn object(properties: Map<String, Value>, required: Vec<Value>) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".into(), Value::Array(required));
    }
    schema.insert("additionalProperties".into(), false.into());
    schema
}

/// The schema of one input or property, and whether it is required.
fn read_property(report: &mut Report<'_>, entry: &Entry, what: &str) -> Option<(Value, bool)> {
    let name = entry.key.text.as_str();
    if !is_property_name(name) {
        let message = format!("`{name}` can't be the name of an {what}");
        let hint = "use up to 64 letters, digits, `_`, `-` and `.`";
        report.error(entry.key.span, message, Some(hint.into()));
        return None;
    }
    let schema = read_schema(report, &entry.value, entry.key.span)?;
    let default = entry.value.get("default");
    let required = match entry.value.get("required") {
        None => default.is_none(),
        Some(node) => match node.kind {
            Kind::Bool(required) => required,
            _ => {
                let message = "`required` is neither `true` nor `false`";
                report.error(node.span, message, None);
                return None;
            }
        },
    };
    if let (Some(default), true) = (default, entry.value.get("required").is_some() && required) {
        let message = format!("`{name}` is required and has a default");
        report.error(default.span, message, Some("keep one of the two".into()));
    }
    if default.is_some() || entry.value.get("pattern").is_some() {
        check_default(report, entry, &schema);
    }
    Some((schema, required))
}

fn check_default(report: &mut Report<'_>, entry: &Entry, schema: &Value) {
    let checker = match Checker::compile(schema) {
        Ok(checker) => checker,
        Err(message) => {
            let node = entry.value.get("pattern").unwrap_or(&entry.value);
            let hint = "use a regular expression without look-around and back-references";
            report.error(node.span, format!("not a valid `pattern`: {message}"), Some(hint.into()));
            return;
        }
    };
    let Some(default) = entry.value.get("default") else {
        return;
    };
    for violation in checker.check(&default.to_json()) {
        let message = format!("the default of `{}`: {}", entry.key.text, violation.message);
        report.error(default.span, message, None);
    }
}

/// The schema that a type name or a map of keys describes.
fn read_schema(report: &mut Report<'_>, node: &Node, key: Span) -> Option<Value> {
    match &node.kind {
        Kind::Text(word) => {
            let hint = "write `{ type: array, items: string }`";
            let mut schema = Map::new();
            set_type(report, &mut schema, word, node.span)?;
            if word == "array" {
                report.error(node.span, "a list needs `items`", Some(hint.into()));
                return None;
            }
            Some(Value::Object(schema))
        }
        Kind::Map(entries) => read_full(report, node, entries),
        _ => {
            let span = if node.kind == Kind::Null { key } else { node.span };
            let hint = format!("write one of {}, or `{{ type: string, … }}`", listed(TYPES));
            report.error(span, "an input is a type or a map", Some(hint));
            None
        }
    }
}

fn set_type(report: &mut Report<'_>, schema: &mut Map<String, Value>, word: &str, span: Span) -> Option<()> {
    if word == COMMANDS {
        schema.extend(command::list_schema().as_object().cloned().unwrap_or_default());
        return Some(());
    }
    if !TYPES.contains(&word) {
        let hint = match word {
            "str" | "text" => Some("did you mean `string`?".into()),
            "int" => Some("did you mean `integer`?".into()),
            "bool" => Some("did you mean `boolean`?".into()),
            "list" => Some("did you mean `array`?".into()),
            "map" | "dict" => Some("did you mean `object`?".into()),
            _ => did_you_mean(word, TYPES),
        };
        let hint = hint.unwrap_or_else(|| format!("the types are {}", listed(TYPES)));
        report.error(span, format!("unknown type `{word}`"), Some(hint));
        return None;
    }
    schema.insert("type".into(), word.into());
    Some(())
}

fn read_full(report: &mut Report<'_>, node: &Node, entries: &[Entry]) -> Option<Value> {
    let mut schema = Map::new();
    let kind = kind(report, node)?;
    let span = node.get("type").map_or(node.span, |kind| kind.span);
    let mut sound = set_type(report, &mut schema, &kind, span).is_some();
    for Entry { key, value } in entries {
        let text = |report: &mut Report<'_>| {
            if value.text().is_none() {
                report.error(value.span, format!("`{}` is not text", key.text), None);
            }
            value.text().map(Value::from)
        };
        let (name, read) = match key.text.as_str() {
            "type" | "required" => continue,
            "title" => ("title", text(report)),
            "description" => ("description", text(report)),
            "pattern" => ("pattern", text(report)),
            "default" => ("default", Some(value.to_json())),
            "format" => ("format", format(report, value)),
            "enum" => ("enum", choices(report, value)),
            "items" => ("items", read_schema(report, value, key.span)),
            "properties" => {
                let nested = properties(report, value);
                sound &= nested.is_some();
                schema.extend(nested.unwrap_or_default());
                continue;
            }
            other => match LIMITS.iter().find(|limit| limit.0 == other || limit.1 == other) {
                Some(limit) => (limit.1, read_limit(report, &key.text, value, limit.2)),
                None => {
                    unknown_key(report, key.span, other);
                    continue;
                }
            },
        };
        sound &= read.is_some();
        if let Some(read) = read {
            schema.insert(name.into(), read);
        }
    }
    if kind == "array" && node.get("items").is_none() {
        let hint = "write `items: string`, or what else the list holds";
        report.error(span, "a list needs `items`", Some(hint.into()));
        return None;
    }
    sound.then_some(Value::Object(schema))
}

fn unknown_key(report: &mut Report<'_>, span: Span, key: &str) {
    let known = || KEYS.into_iter().chain(LIMITS.iter().map(|limit| limit.0));
    let hint = did_you_mean(key, known()).unwrap_or_else(|| format!("known are {}", listed(known())));
    report.error(span, format!("unknown key `{key}` for an input"), Some(hint));
}

/// The declared type, or the one that the other keys imply; text if nothing does.
fn kind(report: &mut Report<'_>, node: &Node) -> Option<String> {
    if let Some(kind) = node.get("type") {
        if kind.text().is_none() {
            let hint = format!("the types are {}", listed(TYPES));
            report.error(kind.span, "`type` is not one type", Some(hint));
        }
        return kind.text().map(str::to_owned);
    }
    let example = match node.get("enum").map(|node| &node.kind) {
        Some(Kind::List(choices)) => choices.first(),
        _ => node.get("default"),
    };
    let kind = match example.map(|node| &node.kind) {
        Some(Kind::Bool(_)) => "boolean",
        Some(Kind::Number(number)) if number.is_f64() => "number",
        Some(Kind::Number(_)) => "integer",
        Some(Kind::List(_)) => "array",
        Some(Kind::Map(_)) => "object",
        _ if node.get("properties").is_some() => "object",
        _ if node.get("items").is_some() => "array",
        _ => "string",
    };
    Some(kind.to_owned())
}

fn format(report: &mut Report<'_>, node: &Node) -> Option<Value> {
    let word = node.text().unwrap_or_default();
    if FORMATS.contains(&word) {
        return Some(word.into());
    }
    let hint = did_you_mean(word, FORMATS).unwrap_or_else(|| format!("the formats are {}", listed(FORMATS)));
    report.error(node.span, format!("unknown format `{word}`"), Some(hint));
    None
}

fn choices(report: &mut Report<'_>, node: &Node) -> Option<Value> {
    match node.to_json() {
        Value::Array(choices) if !choices.is_empty() => Some(Value::Array(choices)),
        _ => {
            let hint = "write `enum: [small, large]`";
            report.error(node.span, "`enum` is not a list of values", Some(hint.into()));
            None
        }
    }
}

fn read_limit(report: &mut Report<'_>, key: &str, node: &Node, limit: Limit) -> Option<Value> {
    match &node.kind {
        Kind::Number(number) if limit == Limit::Number || number.is_u64() => Some(Value::Number(number.clone())),
        _ => {
            let expected = match limit {
                Limit::Number => "a number",
                Limit::Count => "a whole number",
            };
            report.error(node.span, format!("`{key}` is not {expected}"), None);
            None
        }
    }
}

fn properties(report: &mut Report<'_>, node: &Node) -> Option<Map<String, Value>> {
    let Some(entries) = node.entries() else {
        report.error(node.span, "`properties` is not a map", None);
        return None;
    };
    let mut nested = Inputs::default();
    for entry in entries {
        let (schema, required) = read_property(report, entry, "property")?;
        if required {
            nested.required.push(entry.key.text.clone().into());
        }
        nested.properties.insert(entry.key.text.clone(), schema);
    }
    let mut schema = nested.schema();
    schema.remove("type");
    Some(schema)
}
