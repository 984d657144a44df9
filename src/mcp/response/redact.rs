//! Secrets out of values: every text in them, keys too.

use serde_json::{Map, Value};

use crate::secrets::Redactor;

pub(super) fn object(object: &Map<String, Value>, redactor: &Redactor) -> Map<String, Value> {
    object.iter().map(|(key, item)| (redactor.text(key).into_owned(), value(item, redactor))).collect()
}

fn value(given: &Value, redactor: &Redactor) -> Value {
    match given {
        Value::String(text) => Value::String(redactor.text(text).into_owned()),
        Value::Array(items) => items.iter().map(|item| value(item, redactor)).collect(),
        Value::Object(inner) => Value::Object(object(inner, redactor)),
        Value::Number(number) => {
            // A secret of digits alone is a number to JSON.
            let text = number.to_string();
            match redactor.text(&text) {
                redacted if redacted == text => given.clone(),
                redacted => Value::String(redacted.into_owned()),
            }
        }
        Value::Null | Value::Bool(_) => given.clone(),
    }
}
