//! Owns what may follow the name of an input: keys of a map and positions of a list, as they are declared.

use serde_json::Value;

use super::Unknown;
use crate::action::problem::{did_you_mean, listed};

/// What other languages call our filters and operators.
const METHODS: [(&[&str], &str); 8] = [
    (&["length", "size", "count", "len"], "| length"),
    (&["toUpperCase", "upper"], "| upper"),
    (&["toLowerCase", "lower"], "| lower"),
    (&["trim", "strip"], "| trim"),
    (&["split"], "| split(',')"),
    (&["join"], "| join(',')"),
    (&["replace", "replaceAll"], "| replace('a', 'b')"),
    (&["toString"], "| string"),
];

/// Follows the parts behind a name; an error tells which of them can't be there.
pub fn part<'p>(name: &str, shape: &Value, parts: impl Iterator<Item = &'p str>) -> Result<(), Unknown> {
    let (mut name, mut shape) = (name.to_owned(), shape);
    for part in parts {
        let kind = shape.get("type").and_then(Value::as_str).unwrap_or_default();
        let inner = match kind {
            "object" => shape.get("properties").map(|properties| (properties, properties.get(part))),
            "array" if part.parse::<usize>().is_ok() => shape.get("items").map(|items| (items, Some(items))),
            "array" | "string" | "integer" | "number" | "boolean" => return Err(unknown(&name, kind, part)),
            _ => None,
        };
        let is_closed = shape.get("additionalProperties") == Some(&Value::Bool(false));
        shape = match inner {
            Some((_, Some(inner))) => inner,
            Some((properties, None)) if is_closed => {
                let names = || properties.as_object().into_iter().flat_map(|map| map.keys()).map(String::as_str);
                let hint = did_you_mean(part, names()).unwrap_or_else(|| format!("it has {}", listed(names())));
                let message = format!("`{name}` has no `{part}`");
                return Err(Unknown { part: format!("{name}.{part}"), message, hint: Some(hint) });
            }
            _ => return Ok(()),
        };
        name = format!("{name}.{part}");
    }
    Ok(())
}

fn unknown(name: &str, kind: &str, part: &str) -> Unknown {
    let kind = match kind {
        "array" => "a list",
        "string" => "a text",
        "boolean" => "a boolean",
        _ => "a number",
    };
    let filter = METHODS.iter().find(|(words, _)| words.contains(&part)).map(|(_, filter)| filter);
    Unknown {
        part: format!("{name}.{part}"),
        message: format!("`{name}` is {kind} and has no `{part}`"),
        hint: filter.map(|filter| format!("write `{name} {filter}`")),
    }
}
