//! Owns how what a case expects is compared with what came: maps by the keys that are named, lists item by item, and
//! text as it is or by a `/pattern/`.

use serde_json::{Map, Value};

use crate::action::schema::shown;
use crate::selector::{MatchKind, TextMatch};

/// How outputs differ from those that are expected, a phrase each.
pub fn differences(expected: &Map<String, Value>, found: &Map<String, Value>) -> Vec<String> {
    let mut differences = Vec::new();
    fields("", expected, found, &mut differences);
    differences
}

/// How a value differs from the expected one; `path` leads to it.
pub fn difference(path: &str, expected: &Value, found: &Value, differences: &mut Vec<String>) {
    match (expected, found) {
        (Value::Object(expected), Value::Object(found)) => fields(path, expected, found, differences),
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => {
            for (index, (expected, found)) in items.iter().zip(others).enumerate() {
                difference(&format!("{path}[{index}]"), expected, found, differences);
            }
        }
        (Value::String(text), Value::String(found)) if fits(text, found) => {}
        (Value::Number(expected), Value::Number(found)) if expected.as_f64() == found.as_f64() => {}
        (expected, found) if expected == found => {}
        _ => differences.push(format!("`{path}`: expected {}, found {}", shown(expected), shown(found))),
    }
}

fn fields(path: &str, expected: &Map<String, Value>, found: &Map<String, Value>, differences: &mut Vec<String>) {
    for (name, expected) in expected {
        let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
        match found.get(name) {
            Some(found) => difference(&path, expected, found, differences),
            // An output that is null is left out.
            None if expected.is_null() => {}
            None => differences.push(format!("`{path}`: expected {}, found nothing", shown(expected))),
        }
    }
}

/// Whether a text is the expected one, or matches it where it is a `/pattern/`.
fn fits(expected: &str, found: &str) -> bool {
    let pattern = expected.starts_with('/').then(|| TextMatch::parse(expected).ok()).flatten();
    match pattern.filter(|pattern| pattern.kind() == MatchKind::Regex) {
        Some(pattern) => pattern.matches(found),
        None => expected == found,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_not_named_may_be_anything() {
        let found =
            json!({ "order": "R-10024", "total": 42.0, "rows": [{ "name": "Mug", "count": 2 }], "path": "/a/b" });
        let differences = |expected: Value| {
            let (Value::Object(expected), Value::Object(found)) = (expected, found.clone()) else { return Vec::new() };
            differences(&expected, &found)
        };
        let fitting =
            json!({ "order": "/^R-\\d+$/", "total": 42, "rows": [{ "count": 2 }], "path": "/a/b", "gone": null });
        assert_eq!(differences(fitting), [""; 0]);
        let wrong = json!({ "order": "R-1", "rows": [{ "name": "mug" }], "total": "42", "gone": 1 });
        assert_eq!(
            differences(wrong),
            [
                "`order`: expected \"R-1\", found \"R-10024\"",
                "`rows[0].name`: expected \"mug\", found \"Mug\"",
                "`total`: expected \"42\", found 42.0",
                "`gone`: expected 1, found nothing",
            ]
        );
    }
}
