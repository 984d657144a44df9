//! Owns JSON Schema validation and its wording: a value and a schema → sentences for people and agents.
//! Which schemas exist is decided by the readers of inputs and by the commands.

use std::sync::OnceLock;

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::LocationSegment;
use jsonschema::{JsonType, PatternOptions, ValidationError, Validator};
use serde::Deserialize;
use serde_json::Value;

use super::problem::did_you_mean;
use crate::selector::Selector;

/// The formats that are checked, each with a text that has it.
pub const FORMATS: [(&str, &str); 14] = [
    ("email", "ann@shop.example"),
    ("uri", "https://shop.example/cart"),
    ("uri-reference", "/cart"),
    ("iri", "https://shop.example/körbe"),
    ("date", "2026-03-31"),
    ("date-time", "2026-03-31T12:00:00Z"),
    ("time", "12:00:00Z"),
    ("duration", "P1DT12H"),
    ("uuid", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"),
    ("hostname", "shop.example"),
    ("ipv4", "192.0.2.1"),
    ("ipv6", "2001:db8::1"),
    ("regex", "^[a-z]+$"),
    ("json-pointer", "/items/0"),
];

/// A schema, compiled when the first value is checked: of a thousand actions few are called.
#[derive(Debug)]
pub struct Checker {
    /// Nothing for a schema that can't be compiled, which accepts everything.
    validator: OnceLock<Option<Validator>>,
    schema: Value,
}

/// One way in which a value does not fit its schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The keys and indexes that lead to the part that does not fit.
    pub path: Vec<Segment>,
    /// What is wrong with that part, without the path.
    pub message: String,
    /// What to do about it, if that is clear.
    pub hint: Option<String>,
}

/// One step of a path into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Into a map.
    Key(String),
    /// Into a list.
    Index(usize),
}

impl Checker {
    /// A 2020-12 schema that is known to be valid.
    pub fn new(schema: Value) -> Checker {
        Checker { validator: OnceLock::new(), schema }
    }

    /// Whether the schema can be compiled.
    pub fn is_valid(&self) -> bool {
        self.validator().is_some()
    }

    fn validator(&self) -> Option<&Validator> {
        // Formats are checked, patterns are linear-time, nothing is fetched.
        let compile = || {
            jsonschema::draft202012::options()
                .should_validate_formats(true)
                .with_pattern_options(PatternOptions::regex())
                .build(&self.schema)
                .ok()
        };
        self.validator.get_or_init(compile).as_ref()
    }

    /// Everything in `value` that does not fit.
    pub fn check(&self, value: &Value) -> Vec<Violation> {
        let mut violations = Vec::new();
        for error in self.validator().into_iter().flat_map(|validator| validator.iter_errors(value)) {
            let path = error.instance_path().iter().map(|segment| match segment {
                LocationSegment::Property(key) => Segment::Key(key.to_string()),
                LocationSegment::Index(index) => Segment::Index(index),
            });
            let path: Vec<Segment> = path.collect();
            if let Some((message, hint)) = self.selector(&error) {
                violations.push(Violation { path, message, hint: Some(hint) });
                continue;
            }
            let hint = hint(&error);
            let messages = messages(&error).into_iter();
            violations.extend(messages.map(|message| Violation { path: path.clone(), message, hint: hint.clone() }));
        }
        violations
    }

    /// What is wrong with a selector, in the words of its own reader: it knows what was meant.
    fn selector(&self, error: &ValidationError<'_>) -> Option<(String, String)> {
        let at = error.schema_path().as_str();
        let (parent, _) = at.rsplit_once('/')?;
        let schema = self.schema.pointer(parent)?;
        let is_selector = extension(schema) == Some("selector") && error.instance().is_object();
        let fault = Selector::deserialize(error.instance().as_ref()).err().filter(|_| is_selector)?;
        Some(not_a_selector(&fault))
    }
}

impl Violation {
    /// The path as it is written in text: `cart.items[2]`; empty for the whole value.
    pub fn path_text(&self) -> String {
        let mut text = String::new();
        for segment in &self.path {
            match segment {
                Segment::Key(key) if text.is_empty() => text.push_str(key),
                Segment::Key(key) => text.push_str(&format!(".{key}")),
                Segment::Index(index) => text.push_str(&format!("[{index}]")),
            }
        }
        text
    }
}

/// What our own schema extension says about a property, which may be wrapped to be optional.
pub fn extension(schema: &Value) -> Option<&str> {
    if let Some(kind) = schema.get("x-repertoire").and_then(Value::as_str) {
        return Some(kind);
    }
    let alternatives = schema.get("anyOf").or_else(|| schema.get("oneOf"))?;
    alternatives.as_array()?.iter().find_map(extension)
}

/// Why a structured selector is none, and what to do about it.
pub fn not_a_selector(fault: &serde_json::Error) -> (String, String) {
    let fault = fault.to_string();
    match fault.split_once(": did you mean ") {
        Some((fault, meant)) => (format!("not a selector: {fault}"), format!("did you mean {meant}")),
        // A fault of one of its texts: `… in `css`: what to do`.
        None if let Some((fault, hint)) = of_text(&fault) => (format!("not a selector: {fault}"), hint.to_owned()),
        None => (format!("not a selector: {fault}"), "write it as text, such as `role:button[Sign in]`".into()),
    }
}

/// The fault of a text in a selector's map, and its hint.
fn of_text(fault: &str) -> Option<(&str, &str)> {
    let within = fault.find(" in `")?;
    let end = within + fault[within..].find("`: ")? + 1;
    Some((&fault[..end], &fault[end + 2..]))
}

/// What was probably meant by a value that is none of the choices.
fn hint(error: &ValidationError<'_>) -> Option<String> {
    let found = error.instance().as_str()?;
    let near = |options: &Value| {
        let options: Vec<&str> = options.as_array()?.iter().filter_map(Value::as_str).collect();
        did_you_mean(found, options.iter().copied()).or_else(|| Some(format!("for example `{}`", options.first()?)))
    };
    match error.kind() {
        ValidationErrorKind::Enum { options } => near(options),
        ValidationErrorKind::AnyOf { context } | ValidationErrorKind::OneOfNotValid { context } => {
            context.iter().flatten().find_map(hint)
        }
        ValidationErrorKind::Format { format } => {
            FORMATS.iter().find(|known| known.0 == format).map(|(_, sample)| format!("for example `{sample}`"))
        }
        _ => None,
    }
}

/// A value as JSON, shortened to what fits into a sentence.
pub fn shown(value: &Value) -> String {
    const MOST: usize = 60;
    let text = value.to_string();
    if text.chars().count() <= MOST {
        return text;
    }
    text.chars().take(MOST).chain(['…']).collect()
}

fn messages(error: &ValidationError<'_>) -> Vec<String> {
    match error.kind() {
        ValidationErrorKind::Required { property } => {
            let name = property.as_str().unwrap_or_default();
            vec![format!("`{name}` is missing")]
        }
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            unexpected.iter().map(|name| unknown(name)).collect()
        }
        _ => vec![match expectation(error) {
            Some(expected) => format!("expected {expected}, found {}", shown(error.instance())),
            None => error.to_string(),
        }],
    }
}

fn unknown(name: &str) -> String {
    format!("`{name}` is not known")
}

/// What would have been accepted: `an integer`, `one of "a", "b"`, `at least 1`.
fn expectation(error: &ValidationError<'_>) -> Option<String> {
    use ValidationErrorKind as Kind;
    Some(match error.kind() {
        Kind::Type { kind } => types(kind),
        Kind::Enum { options } => {
            let options = options.as_array()?.iter().filter(|option| !option.is_null());
            let options: Vec<String> = options.map(Value::to_string).collect();
            format!("one of {}", options.join(", "))
        }
        Kind::Constant { expected_value } => expected_value.to_string(),
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => {
            let mut parts: Vec<String> = Vec::new();
            for alternative in context {
                let part = alternative.first().and_then(expectation)?;
                if part != "null" && !parts.contains(&part) {
                    parts.push(part);
                }
            }
            parts.join(" or ")
        }
        Kind::Format { format } => match FORMATS.iter().find(|known| known.0 == format) {
            Some((_, sample)) => format!("the format `{format}`, such as `{sample}`"),
            None => format!("the format `{format}`"),
        },
        Kind::Pattern { pattern } => format!("text that matches `{pattern}`"),
        Kind::Minimum { limit } => format!("at least {limit}"),
        Kind::Maximum { limit } => format!("at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        Kind::MinLength { limit } => format!("at least {limit} characters"),
        Kind::MaxLength { limit } => format!("at most {limit} characters"),
        Kind::MinItems { limit } => format!("at least {limit} items"),
        Kind::MaxItems { limit } => format!("at most {limit} items"),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::UniqueItems => "items that differ".into(),
        Kind::MinProperties { limit } => format!("at least {limit} keys"),
        Kind::MaxProperties { limit } => format!("at most {limit} keys"),
        _ => return None,
    })
}

fn types(kind: &TypeKind) -> String {
    match kind {
        TypeKind::Single(kind) => article(name(*kind)),
        TypeKind::Multiple(kinds) => {
            let named = kinds.iter().filter(|kind| *kind != JsonType::Null).map(name);
            named.map(article).collect::<Vec<_>>().join(" or ")
        }
    }
}

fn name(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Array => "list",
        JsonType::Boolean => "boolean",
        JsonType::Integer => "integer",
        JsonType::Null => "null",
        JsonType::Number => "number",
        JsonType::Object => "map",
        JsonType::String => "string",
    }
}

fn article(noun: &str) -> String {
    match noun {
        "null" => "null".into(),
        "integer" => "an integer".into(),
        _ => format!("a {noun}"),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_format_is_checked() {
        for (format, sample) in FORMATS {
            let checker = Checker::new(json!({"type": "string", "format": format}));
            assert_eq!(checker.check(&json!(sample)), [], "{format}");
            let wrong = if format == "regex" { "(" } else { "not % one at all" };
            assert_eq!(checker.check(&json!(wrong)).len(), 1, "{format}");
        }
        let date = Checker::new(json!({"type": "string", "format": "date"}));
        assert_eq!(date.check(&json!("2026-02-30")).len(), 1, "a day that never was");
    }

    #[test]
    fn violations_are_sentences() {
        let schema = json!({
            "type": "object",
            "properties": {
                "count": {"type": ["integer", "null"], "minimum": 1},
                "email": {"type": "string", "format": "email"},
                "state": {"anyOf": [{"type": "string", "enum": ["load", "idle"]}, {"type": "null"}]},
                "rows": {"type": "array", "items": {"type": "object", "properties": {"id": {"type": "integer"}}}},
                "code": {"type": "string", "pattern": "^[a-z]+$", "maxLength": 3},
            },
            "required": ["url"],
            "additionalProperties": false,
        });
        let checker = Checker::new(schema);
        let value = json!({
            "count": "abc", "email": "x", "state": "done", "rows": [{"id": 1}, {"id": true}], "code": "ABCD", "colour": 1,
        });
        let lines: Vec<String> = checker
            .check(&value)
            .iter()
            .map(|violation| format!("{}: {}", violation.path_text(), violation.message))
            .collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        count: expected an integer, found "abc"
        email: expected the format `email`, such as `ann@shop.example`, found "x"
        state: expected one of "load", "idle", found "done"
        rows[1].id: expected an integer, found true
        code: expected at most 3 characters, found "ABCD"
        code: expected text that matches `^[a-z]+$`, found "ABCD"
        : `colour` is not known
        : `url` is missing
        "#);
    }
}
