//! Owns the schema that editors complete shortcuts with. It is made of the same tables that the readers use, and says
//! what a file may look like; whether names exist and expressions are sound is known to the loader alone.
//!
//! JSON Schema draft-07, which every version of the language server behind VS Code's YAML extension knows. What stands
//! here is the head of a file; a step is `step`'s, the values in it are `value`'s.

mod step;
mod value;

use serde_json::{Map, Value, json};

use super::file::{COMMANDS, HOST_TOOLS, KEYS};
use value::reference;

/// The schema of a shortcut.
pub fn schema() -> Value {
    let mut properties: Map<String, Value> = KEYS.iter().map(|key| ((*key).to_owned(), property(key))).collect();
    properties.insert(COMMANDS.into(), step::commands());
    let mut definitions = value::definitions();
    definitions.extend(step::definitions());
    // A list of classic commands has no place for these.
    let others = Map::from_iter(["needs", "finally", "errors"].map(|key| (key.to_owned(), Value::Bool(false))));
    json!({
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Repertoire shortcut",
        "description": "An action of Repertoire: browser commands that become one tool",
        "type": "object",
        "properties": properties,
        "additionalProperties": false,
        "oneOf": [{ "required": ["steps"] }, { "required": [COMMANDS], "properties": others }],
        "definitions": definitions,
    })
}

/// What stands at a key of the head.
fn property(key: &str) -> Value {
    let (doc, mut schema) = match key {
        "name" => (
            "The tool's name; without it the path counts: `shop/login.yaml` is `shop_login`",
            json!({ "type": "string", "pattern": "^[a-z][a-z0-9_]{0,39}$", "not": { "enum": HOST_TOOLS } }),
        ),
        "title" => ("A short title for people", json!({ "type": "string" })),
        "description" => (
            "What it does and when to use it, in a sentence or two: agents choose by it",
            json!({ "type": "string", "maxLength": 2000 }),
        ),
        "annotations" => ("What a client may assume about it", annotations()),
        "inputs" => (
            "What it is called with: `email: string`, or a map of what is declared",
            json!({ "type": "object", "additionalProperties": reference("input"), "propertyNames": value::names() }),
        ),
        "timeout" => ("How long the whole action may take", json!({ "allOf": [reference("duration")] })),
        "needs" => (
            "Actions that are performed before the steps; `unless` skips one",
            json!({ "type": "array", "items": { "anyOf": [{ "type": "string" }, step::need()] } }),
        ),
        "steps" => ("What is done, in order", json!({ "allOf": [reference("steps")] })),
        "finally" => ("Steps that end the action, however the others ended", json!({ "allOf": [reference("steps")] })),
        "errors" => (
            "What failures mean, in your own words; the first that holds counts",
            json!({ "type": "array", "items": rule() }),
        ),
        "outputs" => (
            "What it answers: `name: ${{ value }}`, or a map with `value` and what is declared of it",
            json!({ "type": "object", "additionalProperties": reference("output"), "propertyNames": value::names() }),
        ),
        _ => return json!({}),
    };
    schema["description"] = doc.into();
    schema
}

fn annotations() -> Value {
    let switch = |doc: &str| json!({ "type": "boolean", "description": doc });
    json!({
        "type": "object",
        "properties": {
            "readOnly": switch("It changes nothing"),
            "destructive": switch("What it changes can't be undone"),
            "idempotent": switch("Performing it twice is the same as once"),
            "openWorld": switch("It speaks with more than one closed system"),
        },
        "patternProperties": { "^(read_only|open_world)$": { "type": "boolean" } },
        "additionalProperties": false,
    })
}

/// An entry of `errors`.
fn rule() -> Value {
    json!({
        "type": "object",
        "properties": {
            "when": reference("condition"),
            "code": value::code(),
            "message": value::words("What happened"),
            "hint": value::words("What to do about it"),
        },
        "required": ["when", "code", "message"],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_and_word_is_described() {
        let empty = json!({});
        let schema = schema();
        let mut gaps: Vec<String> = Vec::new();
        let mut left = vec![(String::new(), &schema)];
        while let Some((path, value)) = left.pop() {
            match value {
                Value::Object(map) => {
                    if let Some(Value::Object(properties)) = map.get("properties") {
                        let gap = |(key, value): (&String, &Value)| (*value == empty).then(|| format!("{path}/{key}"));
                        gaps.extend(properties.iter().filter_map(gap));
                    }
                    left.extend(map.iter().map(|(key, value)| (format!("{path}/{key}"), value)));
                }
                Value::Array(items) => left.extend(items.iter().map(|item| (path.clone(), item))),
                _ => {}
            }
        }
        assert_eq!(gaps, [""; 0]);
    }
}
