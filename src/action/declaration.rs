//! Owns declarations of values: `email: string`, `{ type: array, items: integer }` → JSON Schema 2020-12. Inputs and
//! outputs are declared in the same words.
//!
//! Every schema that results stands alone: it has a single `type`, lists say what they hold, nothing refers elsewhere.
//! Which keys exist is `keywords`', whether a declaration contradicts itself is `sound`'s.

mod keywords;
mod sound;

use serde_json::{Map, Value, json};

use super::problem::{Report, Span, did_you_mean, listed};
use super::yaml::{Entry, Kind, Node};
use crate::command;

/// The type that stands for a list of commands.
const COMMANDS: &str = "commands";
const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "array", "object", COMMANDS];

/// What is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// A value that a client gives. Objects with properties take no others.
    Input,
    /// A value that the action gives.
    Output,
}

impl Role {
    fn noun(self) -> &'static str {
        match self {
            Role::Input => "an input",
            Role::Output => "an output",
        }
    }

    /// The types that may be declared: a list of commands can only be given.
    fn types(self) -> &'static [&'static str] {
        match self {
            Role::Input => &TYPES,
            Role::Output => &TYPES[..TYPES.len() - 1],
        }
    }
}

/// A declared value.
#[derive(Debug, Default)]
pub struct Declaration {
    /// What it must be.
    pub schema: Map<String, Value>,
    /// Whether it must be there; `None` if the declaration does not say.
    pub required: Option<bool>,
}

/// Declared values by name.
#[derive(Debug, Default)]
pub struct Properties {
    /// Their schemas in the order of the file.
    pub schemas: Map<String, Value>,
    /// The names of those that must be there.
    pub required: Vec<String>,
}

impl Properties {
    /// The schema of a map with these properties.
    pub fn schema(self, role: Role) -> Map<String, Value> {
        let mut schema = Map::new();
        schema.insert("type".into(), "object".into());
        schema.insert("properties".into(), Value::Object(self.schemas));
        if !self.required.is_empty() {
            schema.insert("required".into(), self.required.into());
        }
        if role == Role::Input {
            schema.insert("additionalProperties".into(), false.into());
        }
        schema
    }
}

/// The schema of a declaration, for editors, as `input` or `output` among its definitions.
pub fn schema(role: Role) -> Value {
    let types: Vec<&str> = role.types().to_vec();
    let nested = json!({ "$ref": "#/definitions/input" });
    // Any type may be the items of a list, and any may be left out.
    let short = format!("^\\s*({})\\s*(\\[\\]\\s*)*\\??\\s*$", types.join("|"));
    // A list has to say what it holds.
    let short = json!({ "type": "string", "pattern": short, "not": { "pattern": "array\\s*(\\[\\]\\s*)*\\??\\s*$" } });
    let list = json!({ "properties": { "type": { "const": "array" } }, "required": ["type"] });
    let mut properties = Map::new();
    properties
        .insert("type".into(), json!({ "anyOf": [{ "enum": types }, { "type": "string", "pattern": "[\\]?]\\s*$" }] }));
    let doc = "Whether it must be there";
    let mut other_spellings = Map::new();
    for (name, spelled, schema) in keywords::schemas(role, &nested) {
        if name != spelled {
            other_spellings.insert(format!("^{spelled}$"), schema.clone());
        }
        properties.insert(name.into(), schema);
    }
    properties.insert("required".into(), json!({ "type": ["boolean", "array"], "description": doc }));
    let full = json!({
        "type": "object", "properties": properties, "patternProperties": other_spellings, "additionalProperties": false,
        "if": list, "then": { "required": ["items"] },
    });
    match role {
        Role::Input => {
            json!({ "anyOf": [{ "enum": types.iter().filter(|kind| **kind != "array").collect::<Vec<_>>() }, short, full] })
        }
        Role::Output => {
            // Whatever is no declaration is the value itself.
            let mut full = full;
            full["properties"]["value"] = json!({ "description": "The value, such as `${{ account }}`" });
            full["required"] = json!(["value"]);
            let declares = json!({ "type": "object", "anyOf": [{ "required": ["value"] }, {
                "required": ["type"], "propertyNames": { "enum": full["properties"].as_object().map(|own| own.keys().collect::<Vec<_>>()) },
            }] });
            json!({ "if": declares, "then": full, "else": { "not": { "type": "null" } } })
        }
    }
}

/// Whether a map may have this key to declare a value.
pub fn is_key(word: &str) -> bool {
    matches!(word, "type" | "required") || keywords::is_known(word)
}

/// Whether clients accept this name of a property.
fn is_property_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    (1..=64).contains(&name.len()) && name.chars().all(allowed)
}

/// Reports a name that clients refuse; `what` it names is `an input`, for example.
pub fn check_name(report: &mut Report<'_>, entry: &Entry, what: &str) -> bool {
    let name = entry.key.text.as_str();
    if !is_property_name(name) {
        let message = format!("`{name}` can't be the name of {what}");
        let hint = "use up to 64 letters, digits, `_`, `-` and `.`";
        report.error(entry.key.span, message, Some(hint.into()));
    }
    is_property_name(name)
}

/// Reads the declarations in a map, one by one; faulty ones are left out.
///
/// A value must be there unless its declaration has a default or says otherwise; `listed` is JSON Schema's own way of
/// saying which.
pub fn properties(
    report: &mut Report<'_>,
    entries: &[Entry],
    role: Role,
    what: &str,
    listed: Option<&Node>,
) -> Properties {
    let mut properties = Properties::default();
    let listed = listed.map(|node| keywords::required_names(report, node, entries));
    for entry in entries {
        let name = &entry.key.text;
        if !check_name(report, entry, what) {
            continue;
        }
        let Some(declaration) = read(report, &entry.value, entry.key.span, role) else {
            continue;
        };
        let implied = match &listed {
            Some(names) => names.contains(name),
            None => !declaration.schema.contains_key("default"),
        };
        if declaration.required.unwrap_or(implied) {
            properties.required.push(name.clone());
        }
        properties.schemas.insert(name.clone(), Value::Object(declaration.schema));
    }
    properties
}

/// Reads one declaration: a type in short, or a map of keys. `key` is where its name stands.
pub fn read(report: &mut Report<'_>, node: &Node, key: Span, role: Role) -> Option<Declaration> {
    match &node.kind {
        Kind::Text(word) => short(report, node, word, role),
        Kind::Map(entries) => full(report, node, entries, role),
        _ => {
            let span = if node.kind == Kind::Null { key } else { node.span };
            let hint = format!("write one of {}, or `{{ type: string, … }}`", listed(role.types().iter().copied()));
            report.error(span, format!("{} is declared by a type or a map", role.noun()), Some(hint));
            None
        }
    }
}

/// `string`, `integer?`, `string[]`.
fn short(report: &mut Report<'_>, node: &Node, text: &str, role: Role) -> Option<Declaration> {
    let declaration = named(report, node, text, role)?;
    if is_bare_list(&declaration.schema) {
        lacks_items(report, node.span);
        return None;
    }
    Some(declaration)
}

/// What a type's name says; a list's `items` may stand elsewhere.
fn named(report: &mut Report<'_>, node: &Node, text: &str, role: Role) -> Option<Declaration> {
    let word = text.trim();
    let optional = word.strip_suffix('?');
    let schema = typed(report, node, optional.unwrap_or(word).trim_end(), role)?;
    Some(Declaration { schema, required: optional.map(|_| false) })
}

fn is_bare_list(schema: &Map<String, Value>) -> bool {
    schema.get("type").is_some_and(|kind| kind == "array") && !schema.contains_key("items")
}

fn lacks_items(report: &mut Report<'_>, span: Span) {
    let hint = "write `string[]`, or `{ type: array, items: … }` with what else the list holds";
    report.error(span, "a list needs `items`", Some(hint.into()));
}

/// The schema of a type's name, which may end in `[]`.
fn typed(report: &mut Report<'_>, node: &Node, word: &str, role: Role) -> Option<Map<String, Value>> {
    let mut schema = Map::new();
    if let Some(items) = word.strip_suffix("[]") {
        let items = typed(report, node, items.trim_end(), role)?;
        if is_bare_list(&items) {
            lacks_items(report, node.span);
            return None;
        }
        schema.insert("type".into(), "array".into());
        schema.insert("items".into(), Value::Object(items));
        return Some(schema);
    }
    if !role.types().contains(&word) {
        let hint = keywords::meant_type(word)
            .or_else(|| did_you_mean(word, role.types().iter().copied()))
            .unwrap_or_else(|| format!("the types are {}", listed(role.types().iter().copied())));
        report.error(node.span, format!("unknown type `{word}`"), Some(hint));
        return None;
    }
    match word {
        COMMANDS => schema.extend(command::list_schema().as_object().cloned().unwrap_or_default()),
        _ => drop(schema.insert("type".into(), word.into())),
    }
    Some(schema)
}

fn full(report: &mut Report<'_>, node: &Node, entries: &[Entry], role: Role) -> Option<Declaration> {
    let mut declaration = match node.get("type") {
        Some(kind) => match kind.text() {
            // The other keys have faults of their own.
            Some(word) => named(report, kind, word, role).unwrap_or_default(),
            None => {
                let hint = format!("the types are {}", listed(role.types().iter().copied()));
                report.error(kind.span, "`type` is not one type", Some(hint));
                return None;
            }
        },
        None => Declaration { schema: typed(report, node, implied_type(node), role)?, required: None },
    };
    let sound = keywords::read(report, node, entries, role, &mut declaration);
    if is_bare_list(&declaration.schema) {
        if node.get("items").is_none() {
            lacks_items(report, node.get("type").map_or(node.span, |kind| kind.span));
        }
        return None;
    }
    if !declaration.schema.contains_key("type") {
        return None;
    }
    sound::check(report, node, &declaration);
    sound.then_some(declaration)
}

/// The type that the other keys imply; text if nothing does.
fn implied_type(node: &Node) -> &'static str {
    let example = match node.get("enum").map(|node| &node.kind) {
        Some(Kind::List(choices)) => choices.first(),
        _ => node.get("const").or_else(|| node.get("default")),
    };
    match example.map(|node| &node.kind) {
        Some(Kind::Bool(_)) => "boolean",
        Some(Kind::Number(number)) if number.is_f64() => "number",
        Some(Kind::Number(_)) => "integer",
        Some(Kind::List(_)) => "array",
        Some(Kind::Map(_)) => "object",
        _ if node.get("properties").is_some() => "object",
        _ if node.get("items").is_some() => "array",
        _ => "string",
    }
}
