//! Owns `outputs:`: what an action reports, the schema of it, and the way of a value into its declared type.
//!
//! Clients validate results against the schema and some lose every tool over one odd schema, so each property has a
//! single `type`, or none where any value is possible; an output that is null is left out, as its schema knows no null.

mod conversion;

use serde_json::{Map, Value, json};

use super::context::Context;
use super::declaration::{self, Declaration, Role};
use super::expression::{ExpressionError, Scope};
use super::schema::Checker;
use super::template::Argument;
use super::yaml::{Entry, Key, Kind, Node};

/// One value that an action reports.
#[derive(Debug)]
pub struct Output {
    /// Its name in the result.
    pub name: String,
    /// Where the value comes from.
    pub value: Argument,
    /// Whether it must have a value.
    pub required: bool,
    /// Where it is declared.
    pub line: u32,
    schema: Value,
    /// `None` if the output may be anything.
    checker: Option<Checker>,
}

/// Why an output has no value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OutputError {
    /// Its expression failed.
    #[error("output `{name}`: {error}")]
    Expression {
        /// The output.
        name: String,
        /// Why it failed.
        error: ExpressionError,
    },
    /// It is null and must not be.
    #[error("output `{name}`: it is required and has no value")]
    Missing {
        /// The output.
        name: String,
    },
    /// Its value is not what is declared.
    #[error("output `{name}`: {}", faults.join("; "))]
    Value {
        /// The output.
        name: String,
        /// One phrase for each part that does not fit.
        faults: Vec<String>,
        /// Whether a number was declared and text with digits in it came.
        has_unit: bool,
    },
}

impl OutputError {
    /// The output that has no value.
    pub fn name(&self) -> &str {
        match self {
            OutputError::Expression { name, .. } | OutputError::Missing { name } | OutputError::Value { name, .. } => {
                name
            }
        }
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&str> {
        match self {
            OutputError::Expression { error, .. } => error.hint(),
            OutputError::Missing { .. } => Some("write `required: false`, or give a default in its expression"),
            OutputError::Value { has_unit: true, .. } => {
                Some("take units and separators away: `${{ total | replace('€', '') | replace(',', '') }}`")
            }
            OutputError::Value { .. } => {
                Some("change what the output declares, or convert the value in its expression")
            }
        }
    }
}

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
    let properties: Map<String, Value> =
        outputs.iter().map(|output| (output.name.clone(), output.schema.clone())).collect();
    let required: Vec<&str> = outputs.iter().filter(|output| output.required).map(|o| o.name.as_str()).collect();
    let mut schema = Map::new();
    schema.insert("type".into(), "object".into());
    schema.insert("properties".into(), Value::Object(properties));
    if !required.is_empty() {
        schema.insert("required".into(), required.into());
    }
    Some(schema)
}

impl Output {
    /// The output's value as it is declared; null if it has none.
    pub fn value(&self, scope: &Scope) -> Result<Value, OutputError> {
        self.converted(&self.value, scope)
    }

    /// The value of an argument in the output's declared type.
    pub fn converted(&self, argument: &Argument, scope: &Scope) -> Result<Value, OutputError> {
        let value =
            argument.value(scope).map_err(|error| OutputError::Expression { name: self.name.clone(), error })?;
        if value.is_null() {
            return match self.required {
                true => Err(OutputError::Missing { name: self.name.clone() }),
                false => Ok(Value::Null),
            };
        }
        let Some(checker) = &self.checker else {
            return Ok(value);
        };
        let value = conversion::convert(&self.schema, value);
        let violations = checker.check(&value);
        if violations.is_empty() {
            return Ok(value);
        }
        let has_unit = conversion::has_number_with_unit(&self.schema, &value);
        let faults = violations.into_iter().map(|violation| match violation.path_text() {
            path if path.is_empty() => violation.message,
            path => format!("`{path}`: {}", violation.message),
        });
        Err(OutputError::Value { name: self.name.clone(), faults: faults.collect(), has_unit })
    }
}

fn read_one(cx: &mut Context<'_, '_>, entry: &Entry) -> Option<Output> {
    if !declaration::check_name(cx.report, entry, "an output") {
        return None;
    }
    let full = entry.value.entries().filter(|entries| is_declaration(entries));
    let (node, declared) = match full {
        Some(entries) => (entry.value.get("value"), declared(cx, &entry.value, entries)),
        None => (Some(&entry.value), None),
    };
    let value = value(cx, node, &entry.key);
    let typed = declared.as_ref().is_some_and(|declared| declared.schema.contains_key("type"));
    let required = declared.as_ref().and_then(|declared| declared.required).unwrap_or(false);
    let mut schema = declared.map(|declared| declared.schema).unwrap_or_default();
    if let Some(kind) = implied_type(&value).filter(|_| !typed) {
        schema.insert("type".into(), kind.into());
        if kind == "array" {
            // Some clients refuse a list without it, and some an empty schema.
            schema.insert("items".into(), json!({"description": "One item"}));
        }
    }
    schema.entry("description").or_insert_with(|| format!("The value of `{}`", entry.key.text).into());
    let schema = Value::Object(schema);
    let checker = typed.then(|| Checker::new(schema.clone()));
    let line = entry.key.span.start.map_or(0, |start| start.line);
    Some(Output { name: entry.key.text.clone(), value, required, line, schema, checker })
}

/// Whether a map declares an output. Any other map is the output's value.
fn is_declaration(entries: &[Entry]) -> bool {
    let has = |key: &str| entries.iter().any(|entry| entry.key.text == key);
    has("value") || has("type") && entries.iter().all(|entry| declaration::is_key(&entry.key.text))
}

/// What a map says of an output beside its value; a type only if it names one.
fn declared(cx: &mut Context<'_, '_>, node: &Node, entries: &[Entry]) -> Option<Declaration> {
    let rest: Vec<Entry> = entries.iter().filter(|entry| entry.key.text != "value").cloned().collect();
    let words = ["title", "description", "required"];
    let plain = rest.iter().all(|entry| words.contains(&entry.key.text.as_str()));
    let node = Node { span: node.span, kind: Kind::Map(rest) };
    let mut declaration = declaration::read(cx.report, &node, node.span, Role::Output)?;
    if plain {
        declaration.schema.remove("type");
    }
    Some(declaration)
}

/// The type of a value that is known before it is computed.
fn implied_type(value: &Argument) -> Option<&'static str> {
    match value {
        Argument::Text(_) => Some("string"),
        Argument::Bool(_) => Some("boolean"),
        Argument::Number(number) if number.is_f64() => Some("number"),
        Argument::Number(_) => Some("integer"),
        Argument::List(_) => Some("array"),
        Argument::Map(_) => Some("object"),
        Argument::Expression(_) | Argument::Null => None,
    }
}

fn value(cx: &mut Context<'_, '_>, node: Option<&Node>, key: &Key) -> Argument {
    match node {
        Some(node) if node.kind != Kind::Null => cx.argument_without_secrets(node, "`outputs`"),
        _ => {
            let hint = format!("write `{}: ${{{{ value }}}}`, or `value:` beside its `type`", key.text);
            cx.report.error(key.span, "the output has no value", Some(hint));
            Argument::Null
        }
    }
}
