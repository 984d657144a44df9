//! Keeping replies small: texts are cut at a character, values at their longest texts.

use serde_json::{Map, Value};

/// Texts in values are not cut below this.
const SHORTEST: usize = 200;

/// The text, cut to about `budget` characters with a note.
pub(super) fn text(text: String, budget: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(budget) else { return text };
    let whole = text.chars().count();
    format!("{}\n… cut: the first {budget} of {whole} characters; ask for less at a time", &text[..end])
}

/// The object with its long texts cut until its JSON fits `budget` or nothing more can be cut, and whether any was.
///
/// The shape stays as it was, so that it still is what the action's output schema promises.
pub(super) fn object(mut object: Map<String, Value>, budget: usize) -> (Map<String, Value>, bool) {
    let mut longest = budget;
    let mut cut = false;
    while longest > SHORTEST && length(&object) > budget {
        longest = (longest / 2).max(SHORTEST);
        for value in object.values_mut() {
            shorten(value, longest);
        }
        cut = true;
    }
    (object, cut)
}

fn length(object: &Map<String, Value>) -> usize {
    serde_json::to_string(object).map_or(0, |json| json.chars().count())
}

fn shorten(value: &mut Value, longest: usize) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(longest) {
                text.truncate(end);
                text.push('…');
            }
        }
        Value::Array(items) => items.iter_mut().for_each(|item| shorten(item, longest)),
        Value::Object(inner) => inner.values_mut().for_each(|item| shorten(item, longest)),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_long_text_says_what_is_missing() {
        assert_eq!(text("short".to_owned(), 5), "short");
        assert_eq!(text("äöüß".to_owned(), 2), "äö\n… cut: the first 2 of 4 characters; ask for less at a time");
    }

    #[test]
    fn a_long_value_keeps_its_shape() {
        let value = json!({ "page": "x".repeat(5000), "count": 3, "rows": [{ "name": "Ada" }] });
        let Value::Object(given) = value else { panic!("an object") };
        let (limited, cut) = object(given, 1000);
        assert!(cut && length(&limited) <= 1000);
        assert_eq!(limited["count"], json!(3));
        assert_eq!(limited["rows"], json!([{ "name": "Ada" }]));
        assert!(limited["page"].as_str().unwrap().ends_with("x…"));
    }
}
