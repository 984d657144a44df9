//! Owns `outputs:`: what an action reports, the schema of it, and the conversion of a value to its declared type.
//!
//! Clients validate results against the schema and some lose every tool over one odd schema, so each property has a
//! single `type`, or none where any value is possible; none is required; an output that is null is left out.

use serde_json::{Map, Value, json};

use super::context::Context;
use super::expression::Scope;
use super::inputs::is_property_name;
use super::problem::{Span, did_you_mean, listed};
use super::schema::shown;
use super::shortcut::OutputError;
use super::template::Argument;
use super::yaml::{Entry, Kind, Node};

/// One value that an action reports.
#[derive(Debug)]
pub struct Output {
    /// Its name in the result.
    pub name: String,
    /// Where the value comes from.
    pub value: Argument,
    /// What it is declared to be.
    pub kind: Option<OutputType>,
    /// What it means.
    pub description: Option<String>,
}

/// The declared type of an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputType {
    /// Text; other values are written as JSON.
    String,
    /// A whole number; text that is one is converted.
    Integer,
    /// A number; text that is one is converted.
    Number,
    /// `true` or `false`, also as text.
    Boolean,
    /// A list.
    Array,
    /// A map.
    Object,
}

const TYPES: [(&str, OutputType, &str); 6] = [
    ("string", OutputType::String, "a string"),
    ("integer", OutputType::Integer, "an integer"),
    ("number", OutputType::Number, "a number"),
    ("boolean", OutputType::Boolean, "a boolean"),
    ("array", OutputType::Array, "a list"),
    ("object", OutputType::Object, "a map"),
];

const KEYS: [&str; 3] = ["value", "type", "description"];

/// Reads `outputs:`.
pub fn read(cx: &mut Context<'_, '_>, node: &Node) -> Vec<Output> {
    let Some(entries) = node.entries() else {
        let hint = "write one `name: ${{ value }}` per line";
        cx.report.error(node.span, "`outputs` is not a map", Some(hint.into()));
        return Vec::new();
    };
    entries.iter().filter_map(|entry| read_one(cx, entry)).collect()
}

/// The schema of the results, or `None` if there are none.
pub fn schema(outputs: &[Output]) -> Option<Map<String, Value>> {
    if outputs.is_empty() {
        return None;
    }
    let property = |output: &Output| (output.name.clone(), output.schema());
    let properties: Map<String, Value> = outputs.iter().map(property).collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Value::Object(properties));
    Some(schema)
}

impl Output {
    /// The output's value in its declared type.
    pub fn value(&self, scope: &Scope) -> Result<Value, OutputError> {
        let value =
            self.value.value(scope).map_err(|error| OutputError::Expression { name: self.name.clone(), error })?;
        match self.kind {
            Some(kind) => kind.convert(value).map_err(|found| OutputError::Type {
                name: self.name.clone(),
                expected: kind.words(),
                found: shown(&found),
            }),
            None => Ok(value),
        }
    }

    fn schema(&self) -> Value {
        let mut schema = Map::new();
        let text = matches!(self.value, Argument::Text(_)).then_some(OutputType::String);
        if let Some(kind) = self.kind.or(text) {
            schema.insert("type".into(), kind.name().into());
            if kind == OutputType::Array {
                // Some clients refuse a list without it, and some an empty schema.
                schema.insert("items".into(), json!({"description": "One item"}));
            }
        }
        let description = self.description.clone();
        let description = description.unwrap_or_else(|| format!("The value of `{}`", self.name));
        schema.insert("description".into(), description.into());
        Value::Object(schema)
    }
}

impl OutputType {
    fn name(self) -> &'static str {
        TYPES.iter().find(|entry| entry.1 == self).map_or("string", |entry| entry.0)
    }

    fn words(self) -> &'static str {
        TYPES.iter().find(|entry| entry.1 == self).map_or("a string", |entry| entry.2)
    }

    /// What is read from a page is text: `42` is an integer if that is what the author declares.
    fn convert(self, value: Value) -> Result<Value, Value> {
        let text = value.as_str().map(str::trim);
        let converted = match (self, &value) {
            (_, Value::Null)
            | (OutputType::String, Value::String(_))
            | (OutputType::Boolean, Value::Bool(_))
            | (OutputType::Number, Value::Number(_))
            | (OutputType::Array, Value::Array(_))
            | (OutputType::Object, Value::Object(_)) => return Ok(value),
            (OutputType::String, other) => Some(Value::String(other.to_string())),
            (OutputType::Integer, Value::Number(number)) if !number.is_f64() => return Ok(value),
            (OutputType::Integer, _) => text.and_then(|text| text.parse::<i64>().ok()).map(Value::from),
            (OutputType::Number, _) => {
                text.and_then(|text| text.parse::<f64>().ok()).filter(|number| number.is_finite()).map(Value::from)
            }
            (OutputType::Boolean, _) => text.and_then(|text| text.parse::<bool>().ok()).map(Value::Bool),
            _ => None,
        };
        converted.ok_or(value)
    }
}

fn read_one(cx: &mut Context<'_, '_>, entry: &Entry) -> Option<Output> {
    let name = entry.key.text.clone();
    if !is_property_name(&name) {
        let message = format!("`{name}` can't be the name of an output");
        let hint = "use up to 64 letters, digits, `_`, `-` and `.`";
        cx.report.error(entry.key.span, message, Some(hint.into()));
        return None;
    }
    let full = entry.value.entries().filter(|_| entry.value.get("value").is_some());
    let mut output = Output { name, value: Argument::Null, kind: None, description: None };
    let node = match full {
        Some(entries) => {
            read_full(cx, entries, &mut output);
            entry.value.get("value").unwrap_or(&entry.value)
        }
        None => &entry.value,
    };
    output.value = value(cx, node, entry.key.span);
    Some(output)
}

fn value(cx: &mut Context<'_, '_>, node: &Node, key: Span) -> Argument {
    if node.kind == Kind::Null {
        let hint = "write `name: ${{ value }}`";
        cx.report.error(key, "the output has no value", Some(hint.into()));
    }
    cx.argument_without_secrets(node, "`outputs`")
}

fn read_full(cx: &mut Context<'_, '_>, entries: &[Entry], output: &mut Output) {
    for Entry { key, value } in entries {
        match key.text.as_str() {
            "value" => {}
            "description" => match value.text() {
                Some(text) => output.description = Some(text.to_owned()),
                None => cx.report.error(value.span, "`description` is not text", None),
            },
            "type" => {
                let names = || TYPES.iter().map(|entry| entry.0);
                let word = value.text().unwrap_or_default();
                output.kind = TYPES.iter().find(|entry| entry.0 == word).map(|entry| entry.1);
                if output.kind.is_none() {
                    let hint = did_you_mean(word, names());
                    let hint = hint.unwrap_or_else(|| format!("the types are {}", listed(names())));
                    let message = format!("unknown type `{word}`");
                    cx.report.error(value.span, message, Some(hint));
                }
            }
            other => {
                let hint = did_you_mean(other, KEYS);
                let hint = hint.unwrap_or_else(|| format!("known are {}", listed(KEYS)));
                let message = format!("unknown key `{other}` for an output");
                cx.report.error(key.span, message, Some(hint));
            }
        }
    }
}
