//! Owns the schemas of what stands in a step or in the head: expressions, selectors, conditions, durations, and
//! declarations of values.

use serde_json::{Map, Value, json};

use crate::action::declaration;
use crate::action::schema::extension;
use crate::command::{self, PageState, StateKind};

/// One expression, whose value keeps its type.
const EXPRESSION: &str = "^\\s*\\$\\{\\{(.|\\n)*\\}\\}\\s*$";
/// Milliseconds, or numbers with their units.
const DURATION: &str =
    "^\\s*(\\d+|(\\d+\\s*([num]s|[smhd]|(milli|micro|nano)?sec(ond)?s?|min(ute)?s?|hr|hours?|days?)\\s*)+)\\s*$";
const NAME: &str = "^[A-Za-z_][A-Za-z0-9_]*$";

/// A reference to a definition.
pub fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/definitions/{name}") })
}

/// What other schemas refer to.
pub fn definitions() -> Map<String, Value> {
    let mut definitions = Map::new();
    let mut define = |name: &str, schema: Value| definitions.insert(name.to_owned(), schema);
    define("expression", json!({ "type": "string", "pattern": EXPRESSION }));
    define(
        "duration",
        json!({ "anyOf": [
        { "type": "integer", "minimum": 1, "description": "Milliseconds" },
        { "type": "string", "pattern": DURATION, "description": "Such as `500ms`, `5s` or `1m 30s`" },
    ] }),
    );
    define("text", json!({ "type": ["string", "number", "boolean"] }));
    define("selector", selector());
    define("condition", condition(true));
    define("expectation", condition(false));
    define("input", declaration::schema(declaration::Role::Input));
    define("output", declaration::schema(declaration::Role::Output));
    definitions
}

/// Names of inputs and outputs.
pub fn names() -> Value {
    json!({ "pattern": "^[A-Za-z0-9_.-]{1,64}$" })
}

/// A name that a value gets.
pub fn name(doc: &str) -> Value {
    json!({ "type": "string", "pattern": NAME, "description": doc })
}

/// An author's own code of an error.
pub fn code() -> Value {
    json!({ "type": "string", "pattern": "^[A-Za-z0-9_.-]{1,64}$", "description": "A word that programs compare" })
}

/// Text for people, in which expressions may stand.
pub fn words(doc: &str) -> Value {
    json!({ "type": ["string", "number", "boolean"], "description": doc })
}

/// The schema of a command's argument as a file may give it: also as an expression, or as a plain scalar where text
/// belongs.
pub fn argument(schema: &Value) -> Value {
    let described = |mut value: Value| {
        if let Some(doc) = schema.get("description") {
            value["description"] = doc.clone();
        }
        value
    };
    match extension(schema) {
        Some("selector") => described(json!({ "allOf": [reference("selector")] })),
        Some("condition") => described(json!({ "allOf": [reference("expectation")] })),
        Some("duration") => {
            described(json!({ "anyOf": [reference("duration"), { "const": 0 }, reference("expression")] }))
        }
        _ => described(plain(schema)),
    }
}

fn plain(schema: &Value) -> Value {
    let mut own = schema.clone();
    if let Some(own) = own.as_object_mut() {
        // Names of Rust's numbers are no formats.
        ["format", "description"].iter().for_each(|key| drop(own.shift_remove(*key)));
    }
    let is_text =
        |schema: &Value| schema.get("type").is_some_and(|kind| kind == "string") && schema.get("enum").is_none();
    if is_text(schema) {
        own["type"] = json!(["string", "number", "boolean"]);
        return own;
    }
    let alternatives = own.get("anyOf").and_then(Value::as_array).cloned();
    let mut alternatives = alternatives.unwrap_or_else(|| vec![own]);
    if alternatives == [json!({})] || alternatives == [json!(true)] {
        return json!({});
    }
    if alternatives.iter().any(is_text) {
        alternatives.push(json!({ "type": ["number", "boolean"] }));
    } else {
        alternatives.push(reference("expression"));
    }
    json!({ "anyOf": alternatives })
}

/// Text, or the keys of the structured form, which nest.
fn selector() -> Value {
    let own = command::find("click").and_then(|click| click.properties().find(|(name, _)| *name == "selector"));
    let mut selector = own.map(|(_, schema)| schema.clone()).unwrap_or_default();
    if let Some(selector) = selector.as_object_mut() {
        selector.shift_remove("x-repertoire");
        selector.insert("description".into(), "The element, such as `role:button[Sign in]`".into());
    }
    let keys = selector.pointer_mut("/anyOf/1/properties").and_then(Value::as_object_mut);
    for schema in keys.into_iter().flat_map(Map::values_mut) {
        *schema = match schema.get("anyOf") {
            Some(_) => reference("selector"),
            None if schema["type"] == "string" => schema.take(),
            None => json!({ "anyOf": [schema.take(), reference("expression")] }),
        };
    }
    selector
}

/// States of the page, or an expression; `expect` alone needs no states.
fn condition(is_asked_once: bool) -> Value {
    let properties: Map<String, Value> =
        command::page_states().iter().map(|state| (state.name.to_owned(), page_state(state))).collect();
    let states = match is_asked_once {
        true => json!({
            "type": "object", "minProperties": 1, "properties": properties, "additionalProperties": false,
        }),
        false => json!({ "$ref": "#/definitions/condition/anyOf/0" }),
    };
    json!({ "anyOf": [states, reference("expression"), { "type": "boolean" }] })
}

fn page_state(state: &PageState) -> Value {
    let mut schema = match state.kind {
        StateKind::Element => json!({ "allOf": [reference("selector")] }),
        StateKind::Not => json!({ "allOf": [reference("condition")] }),
        StateKind::Several => json!({ "type": "array", "minItems": 1, "items": reference("condition") }),
        StateKind::Fields(fields) if state.is_plain => {
            json!({ "anyOf": [{ "type": "string" }, comparison(state, fields)] })
        }
        StateKind::Fields(fields) => comparison(state, fields),
    };
    schema["description"] = format!("{}, for example `{}`", state.doc, state.example).into();
    schema
}

/// The map of a state: which element, and what is expected of it.
fn comparison(state: &PageState, fields: &[&str]) -> Value {
    let field = |name: &str| match (name, state.name) {
        ("selector", _) => reference("selector"),
        ("at_least" | "at_most", _) | ("equals", "count") => {
            json!({ "anyOf": [{ "type": "integer", "minimum": 0 }, reference("expression")] })
        }
        _ => reference("text"),
    };
    let properties: Map<String, Value> = fields.iter().map(|name| ((*name).to_owned(), field(name))).collect();
    let tests = fields.iter().filter(|field| !state.required.contains(field));
    let tests: Vec<Value> = tests.map(|test| json!({ "required": [test] })).collect();
    let mut schema = json!({
        "type": "object", "properties": properties, "required": state.required, "additionalProperties": false,
    });
    // An attribute may just be there.
    if state.name != "attribute" {
        schema["anyOf"] = tests.into();
    }
    schema
}
