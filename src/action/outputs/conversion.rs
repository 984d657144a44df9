//! Owns which values become another type because an output declares it: a page gives text, so text that is exactly a
//! number, a boolean or a whole number becomes one. Anything that would need a guess, such as `€ 1,234.50`, stays what
//! it is and is refused by the schema.

use serde_json::{Number, Value};

/// The value in the type that the schema declares, if that takes no guess.
pub fn convert(schema: &Value, value: Value) -> Value {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    match (kind, value) {
        ("string", value @ (Value::Null | Value::String(_))) => value,
        ("string", value) => Value::String(value.to_string()),
        ("integer", Value::String(text)) => integer(&text).map_or(Value::String(text), Value::Number),
        ("number", Value::String(text)) => number(&text).map_or(Value::String(text), Value::Number),
        ("boolean", Value::String(text)) => text.trim().parse().map_or(Value::String(text), Value::Bool),
        ("array", Value::Array(items)) => match schema.get("items") {
            Some(schema) => items.into_iter().map(|item| convert(schema, item)).collect(),
            None => Value::Array(items),
        },
        ("object", Value::Object(fields)) => {
            let required = schema.get("required").and_then(Value::as_array);
            let is_required = |name: &str| required.is_some_and(|names| names.iter().any(|known| known == name));
            let properties = schema.get("properties").and_then(Value::as_object);
            let mut converted = serde_json::Map::new();
            for (name, value) in fields {
                match properties.and_then(|properties| properties.get(&name)) {
                    // The schema knows no null: a property without a value is left out.
                    Some(_) if value.is_null() && !is_required(&name) => {}
                    Some(schema) => drop(converted.insert(name, convert(schema, value))),
                    None => drop(converted.insert(name, value)),
                }
            }
            Value::Object(converted)
        }
        (_, value) => value,
    }
}

fn integer(text: &str) -> Option<Number> {
    let text = text.trim();
    is_number(text).then(|| text.trim_start_matches('+').parse::<i64>().ok()).flatten().map(Number::from)
}

fn number(text: &str) -> Option<Number> {
    let text = text.trim();
    if let Some(whole) = integer(text) {
        return Some(whole);
    }
    is_number(text).then(|| text.parse::<f64>().ok()).flatten().and_then(Number::from_f64)
}

/// Whether text is digits with at most a sign and a decimal point: what everyone reads as the same number.
fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let all_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    all_digits(whole) && all_digits(fraction)
}

/// Whether text with digits in it stands where the schema declares a number: probably one with a unit.
pub fn has_number_with_unit(schema: &Value, value: &Value) -> bool {
    let kind = schema.get("type").and_then(Value::as_str).unwrap_or_default();
    match (kind, value) {
        ("number" | "integer", Value::String(text)) => text.contains(|c: char| c.is_ascii_digit()),
        ("array", Value::Array(items)) => {
            schema.get("items").is_some_and(|schema| items.iter().any(|item| has_number_with_unit(schema, item)))
        }
        ("object", Value::Object(fields)) => {
            let properties = schema.get("properties").and_then(Value::as_object);
            properties
                .into_iter()
                .flatten()
                .any(|(name, schema)| fields.get(name).is_some_and(|value| has_number_with_unit(schema, value)))
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_what_needs_no_guess_is_converted() {
        let answers = [
            ("number", json!("12.50")),
            ("number", json!(" -3 ")),
            ("number", json!("€ 1,234.50")),
            ("number", json!("1,234")),
            ("number", json!("1e3")),
            ("number", json!("inf")),
            ("integer", json!("42")),
            ("integer", json!("42.0")),
            ("integer", json!("99999999999999999999")),
            ("boolean", json!("true")),
            ("boolean", json!("yes")),
            ("boolean", json!(1)),
            ("string", json!(1.5)),
            ("string", json!(["a"])),
            ("array", json!("a, b")),
        ]
        .map(|(kind, value)| format!("{kind} {value} → {}", convert(&json!({ "type": kind }), value.clone())));
        insta::assert_snapshot!(answers.join("\n"), @r#"
        number "12.50" → 12.5
        number " -3 " → -3
        number "€ 1,234.50" → "€ 1,234.50"
        number "1,234" → "1,234"
        number "1e3" → "1e3"
        number "inf" → "inf"
        integer "42" → 42
        integer "42.0" → "42.0"
        integer "99999999999999999999" → "99999999999999999999"
        boolean "true" → true
        boolean "yes" → "yes"
        boolean 1 → 1
        string 1.5 → "1.5"
        string ["a"] → "[\"a\"]"
        array "a, b" → "a, b"
        "#);
    }

    #[test]
    fn nested_values_are_converted_by_their_own_schemas() {
        let schema = json!({
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"price": {"type": "number"}, "note": {"type": "string"}, "id": {"type": "integer"}},
                "required": ["id"],
            },
        });
        let value = json!([{"price": "9.90", "note": null, "id": null, "more": "1"}]);
        assert_eq!(convert(&schema, value), json!([{"price": 9.9, "id": null, "more": "1"}]));
    }
}
