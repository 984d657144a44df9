//! Keeping replies small: texts are cut at a character, values at their longest texts and their last items.
//!
//! A value keeps its shape, so that it still is JSON and what the action's output schema promises: texts become
//! shorter, lists and maps have fewer items. What was left out is told, so that nobody takes a part for the whole.

use serde_json::{Map, Value};

/// Nothing in a list or map is cut below this many characters of JSON; rather the last items are left out.
const SMALLEST: usize = 200;
/// More places than this where something was left out are counted, not shown.
const MOST_PLACES: usize = 5;
/// The path of a place is no longer, in characters: keys may come from a page.
const LONGEST_PATH: usize = 80;
/// What the notes of [`object`] take at most, in characters.
const NOTES: usize = 800;

/// The text, cut to about `budget` characters with a note.
pub(super) fn text(text: String, budget: usize) -> String {
    let Some((end, _)) = text.char_indices().nth(budget) else { return text };
    let whole = text.chars().count();
    format!("{}\n… cut: the first {budget} of {whole} characters; ask for less at a time", &text[..end])
}

/// The text in one line of at most `longest` characters.
pub(super) fn line(text: &str, longest: usize) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(longest) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

/// The first of these texts that fit into `budget` characters together, and a word about the others.
pub(super) fn list(texts: Vec<String>, budget: usize) -> Vec<String> {
    let mut left = budget;
    let count = texts.len();
    let mut kept = Vec::new();
    for text in texts {
        let length = text.chars().count();
        if length > left {
            break;
        }
        left -= length;
        kept.push(text);
    }
    if kept.len() < count {
        kept.push(format!("… and {} more like these", thousands(count - kept.len())));
    }
    kept
}

/// The object, cut until its JSON together with the notes about that takes at most `budget` characters.
pub(super) fn object(object: Map<String, Value>, budget: usize) -> (Map<String, Value>, Vec<String>) {
    match value(Value::Object(object), budget) {
        (Value::Object(object), notes) => (object, notes),
        (_, notes) => (Map::new(), notes),
    }
}

/// The value, cut until its JSON together with the notes about that takes at most `budget` characters.
pub(super) fn value(value: Value, budget: usize) -> (Value, Vec<String>) {
    if size(&value) <= budget {
        return (value, Vec::new());
    }
    let mut cut = Cut::default();
    let value = cut.value(value, budget.saturating_sub(NOTES), &mut String::new());
    (value, cut.notes(budget))
}

/// What was left out, and where.
#[derive(Default)]
struct Cut {
    places: Vec<String>,
    more_places: usize,
    texts: usize,
}

impl Cut {
    /// The value in at most `budget` characters of JSON; `path` leads to it and is the same again in the end.
    fn value(&mut self, value: Value, budget: usize, path: &mut String) -> Value {
        if size(&value) <= budget {
            return value;
        }
        match value {
            Value::String(text) => {
                self.texts += 1;
                Value::String(shortened(&text, budget))
            }
            Value::Array(items) => {
                let total = items.len();
                // Brackets; each item brings a comma.
                let costs: Vec<Cost> = items.iter().map(|item| Cost { fixed: 1, value: size(item) }).collect();
                let (kept, level) = share(&costs, budget.saturating_sub(2), false);
                self.left_out(path, total - kept.len(), "items");
                let items = items.into_iter().take(kept.len()).enumerate();
                items.map(|(index, item)| self.below(item, level, path, &format!("[{index}]"))).collect()
            }
            Value::Object(entries) => {
                let total = entries.len();
                let cost = |(key, value): (&String, &Value)| Cost { fixed: json_length(key) + 2, value: size(value) };
                let costs: Vec<Cost> = entries.iter().map(cost).collect();
                let (kept, level) = share(&costs, budget.saturating_sub(2), true);
                self.left_out(path, total - kept.len(), "fields");
                let mut kept = kept.into_iter().peekable();
                let entries = entries.into_iter().enumerate();
                let entries = entries.filter(|(index, _)| kept.next_if_eq(index).is_some());
                let entries: Vec<(String, Value)> = entries.map(|(_, entry)| entry).collect();
                let below = |(key, value): (String, Value)| {
                    let step = if path.is_empty() { key.clone() } else { format!(".{key}") };
                    let value = self.below(value, level, path, &step);
                    (key, value)
                };
                entries.into_iter().map(below).collect()
            }
            short => short,
        }
    }

    fn below(&mut self, value: Value, budget: usize, path: &mut String, step: &str) -> Value {
        let length = path.len();
        path.push_str(step);
        let value = self.value(value, budget, path);
        path.truncate(length);
        value
    }

    fn left_out(&mut self, path: &str, count: usize, what: &str) {
        if count == 0 {
            return;
        }
        if self.places.len() == MOST_PLACES {
            self.more_places += 1;
            return;
        }
        let what = if count == 1 { what.trim_end_matches('s') } else { what };
        let place = if path.is_empty() { "the result".to_owned() } else { line(path, LONGEST_PATH) };
        self.places.push(format!("{place}: {} more {what} left out", thousands(count)));
    }

    fn notes(self, budget: usize) -> Vec<String> {
        let mut notes = self.places;
        if self.more_places > 0 {
            notes.push(format!("… and in {} more places", thousands(self.more_places)));
        }
        if self.texts > 0 {
            notes.push("long texts are cut and end in `…`".to_owned());
        }
        notes.push(format!("the result is cut to {} characters; ask for less at a time", thousands(budget)));
        notes
    }
}

/// What an item of a list or map takes: what can't be cut, and its value.
struct Cost {
    fixed: usize,
    value: usize,
}

impl Cost {
    fn smallest(&self) -> usize {
        self.fixed + self.value.min(SMALLEST)
    }
}

/// Which items are kept, and how many characters the value of each may take.
///
/// Small values stay whole and the long ones share the rest. Items of a list are kept up to the first that has no room,
/// so that each stays at its index; of a map those that have none are left out.
fn share(costs: &[Cost], budget: usize, skip: bool) -> (Vec<usize>, usize) {
    let mut kept = Vec::new();
    let mut left = budget;
    for (index, cost) in costs.iter().enumerate() {
        if let Some(rest) = left.checked_sub(cost.smallest()) {
            left = rest;
            kept.push(index);
        } else if !skip {
            break;
        }
    }
    let mut values: Vec<usize> = kept.iter().map(|&index| costs[index].value).collect();
    values.sort_unstable();
    let fixed: usize = kept.iter().map(|&index| costs[index].fixed).sum();
    let mut left = budget.saturating_sub(fixed);
    for (index, value) in values.iter().enumerate() {
        let level = left / (values.len() - index);
        if *value > level {
            return (kept, level);
        }
        left -= value;
    }
    (kept, usize::MAX)
}

/// The start of a text whose JSON takes at most `budget` characters.
fn shortened(text: &str, budget: usize) -> String {
    // Quotes and `…`.
    let mut left = budget.saturating_sub(3);
    let fits = |character: &char| {
        let length = match character {
            '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
            '\0'..='\u{1f}' => 6,
            _ => 1,
        };
        left.checked_sub(length).map(|rest| left = rest).is_some()
    };
    let mut start: String = text.chars().take_while(fits).collect();
    start.push('…');
    start
}

/// How many characters a value takes as JSON.
fn size(value: &Value) -> usize {
    match value {
        Value::Null => 4,
        Value::Bool(value) => 5 - usize::from(*value),
        Value::Number(number) => number.to_string().len(),
        Value::String(text) => json_length(text),
        Value::Array(items) => 2 + items.iter().map(|item| size(item) + 1).sum::<usize>().saturating_sub(1),
        Value::Object(entries) => {
            let entry = |(key, value): (&String, &Value)| json_length(key) + size(value) + 2;
            2 + entries.iter().map(entry).sum::<usize>().saturating_sub(1)
        }
    }
}

/// How many characters a text takes as JSON, its quotes included.
fn json_length(text: &str) -> usize {
    let escaped = |character: char| match character {
        '"' | '\\' | '\n' | '\r' | '\t' | '\u{8}' | '\u{c}' => 2,
        '\0'..='\u{1f}' => 6,
        _ => 1,
    };
    2 + text.chars().map(escaped).sum::<usize>()
}

/// A number with its thousands set apart, as people read it.
pub(super) fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut grouped = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// The value's JSON, shortened for reading, and the notes; both together are within the budget.
    fn cut(given: Value, budget: usize) -> (Value, Vec<String>) {
        let Value::Object(given) = given else { panic!("an object") };
        let (cut, notes) = object(given, budget);
        let cut = Value::Object(cut);
        assert_eq!(size(&cut), cut.to_string().chars().count());
        let whole = size(&cut) + notes.iter().map(|note| note.chars().count()).sum::<usize>();
        assert!(whole <= budget, "{whole}: {cut} {notes:?}");
        (cut, notes)
    }

    #[test]
    fn a_long_text_says_what_is_missing() {
        assert_eq!(text("short".to_owned(), 5), "short");
        assert_eq!(text("äöüß".to_owned(), 2), "äö\n… cut: the first 2 of 4 characters; ask for less at a time");
        assert_eq!(line("a\n b  c", 3), "a b…");
        assert_eq!(list(vec!["aaa".into(), "bb".into(), "c".into()], 4), ["aaa", "… and 2 more like these"]);
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let value = json!({ "page": "x".repeat(900), "count": 3 });
        assert_eq!(cut(value.clone(), 1000), (value, vec![]));
    }

    #[test]
    fn a_long_value_keeps_its_shape() {
        let (value, notes) =
            cut(json!({ "page": "\"é\n".repeat(5000), "count": 3, "rows": [{ "name": "Ada" }] }), 2000);
        assert_eq!((&value["count"], &value["rows"]), (&json!(3), &json!([{ "name": "Ada" }])));
        let page = value["page"].as_str().unwrap();
        assert!(page.ends_with('…') && size(&value) > 1150, "the room is used: {}", size(&value));
        assert_eq!(
            notes,
            ["long texts are cut and end in `…`", "the result is cut to 2,000 characters; ask for less at a time"]
        );
    }

    #[test]
    fn long_lists_keep_their_first_items() {
        let (value, notes) = cut(json!({ "list": vec![7; 500_000] }), 1800);
        assert_eq!(value["list"].as_array().map(Vec::len), Some(494));
        assert_eq!(
            notes,
            ["list: 499,506 more items left out", "the result is cut to 1,800 characters; ask for less at a time"]
        );
    }

    #[test]
    fn wide_maps_keep_their_first_fields() {
        let map = |name: &str| -> Map<String, Value> { (0..1000).map(|n| (format!("{name}{n}"), json!(n))).collect() };
        let mut outer = map("k");
        outer.insert("x".repeat(100_000), json!(1));
        let (value, notes) = cut(Value::Object(outer), 1800);
        assert_eq!(value.as_object().map(Map::len), Some(110));
        assert_eq!(notes[0], "the result: 891 more fields left out");
        let (value, notes) = cut(json!({ "a": [{ "b": map("long-key-") }], "c": true }), 1800);
        assert_eq!((value["a"][0]["b"]["long-key-0"].clone(), value["c"].clone()), (json!(0), json!(true)));
        assert_eq!(notes[0], "a[0].b: 942 more fields left out");
    }

    /// One long result among several short ones takes what they leave.
    #[test]
    fn short_neighbours_stay_whole() {
        let results: Vec<Value> = [json!("a"), json!(vec!["x".repeat(50); 1000]), json!("c")]
            .map(|result| json!({ "result": result }))
            .into();
        let (value, notes) = cut(json!({ "results": results, "finalUrl": "https://x.example/" }), 3000);
        assert_eq!((&value["results"][0]["result"], &value["results"][2]["result"]), (&json!("a"), &json!("c")));
        assert_eq!(value["finalUrl"], json!("https://x.example/"));
        assert_eq!(notes[0], "results[1].result: 961 more items left out");
    }

    /// However a value is built, what comes out fits.
    #[test]
    fn hostile_shapes_fit() {
        let mut deep = json!("x".repeat(5000));
        for _ in 0..100 {
            deep = json!([deep, { "k": [1, 2, 3] }]);
        }
        let many = |count: usize| -> Vec<Value> { (0..count).map(|_| json!(vec![1; 1000])).collect() };
        cut(json!({ "deep": deep }), 2000);
        cut(json!({ "lists": many(300), "\u{1}\n".repeat(50): many(30) }), 2000);
        cut(json!({ "x".repeat(5000): 1 }), 2000);
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
    }
}
