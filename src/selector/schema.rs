//! The JSON Schema of a selector: text, or the keys of the structured form; marked so that loaders can find selectors.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

use super::Selector;
use super::structured::{KEYS, Kind};

impl JsonSchema for Selector {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Selector".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let properties: Map<String, Value> =
            KEYS.iter().map(|(key, kind)| ((*key).to_owned(), property(*kind))).collect();
        json_schema!({
            "description": "Selector, such as `role:button[Sign in]` or `{ \"role\": \"button\", \"name\": \"Sign in\" }`.",
            "x-repertoire": "selector",
            "anyOf": [
                { "type": "string" },
                { "type": "object", "properties": properties, "additionalProperties": false },
            ],
        })
    }
}

fn property(kind: Kind) -> Value {
    match kind {
        Kind::Main | Kind::Text => json!({ "type": "string" }),
        Kind::Flag => json!({ "type": "boolean" }),
        Kind::State => json!({ "enum": [true, false, "mixed"] }),
        Kind::Level => json!({ "type": "integer", "minimum": 1 }),
        Kind::Index => json!({ "type": "integer" }),
        // Selectors nest; a schema without references can't, so inner ones are open.
        Kind::Selector => json!({ "anyOf": [{ "type": "string" }, { "type": "object" }] }),
    }
}
