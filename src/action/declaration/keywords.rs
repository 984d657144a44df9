//! Owns the keys of a declaration: what each is called here and in JSON Schema, for which types it has a meaning, and
//! how its value is read.

use serde_json::{Map, Value, json};

use super::{COMMANDS, Declaration, Role};
use crate::action::problem::{Report, Span, did_you_mean, listed};
use crate::action::schema::FORMATS;
use crate::action::yaml::{Entry, Kind, Node};

/// How the value of a key is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    Text,
    Any,
    Choices,
    List,
    Format,
    Number,
    Count,
    Switch,
    Items,
    Properties,
    Additional,
}

/// A key of a declaration.
struct Keyword {
    name: &'static str,
    /// JSON Schema's name for it.
    schema: &'static str,
    reads: Reads,
    /// The types it has a meaning for; every type if there is none.
    of: &'static [&'static str],
}

const fn keyword(name: &'static str, schema: &'static str, reads: Reads, of: &'static [&'static str]) -> Keyword {
    Keyword { name, schema, reads, of }
}

const NUMBERS: &[&str] = &["number", "integer"];

static KEYWORDS: [Keyword; 24] = [
    keyword("title", "title", Reads::Text, &[]),
    keyword("description", "description", Reads::Text, &[]),
    keyword("default", "default", Reads::Any, &[]),
    keyword("examples", "examples", Reads::List, &[]),
    keyword("enum", "enum", Reads::Choices, &[]),
    keyword("const", "const", Reads::Any, &[]),
    keyword("format", "format", Reads::Format, &["string"]),
    keyword("pattern", "pattern", Reads::Text, &["string"]),
    keyword("min_length", "minLength", Reads::Count, &["string"]),
    keyword("max_length", "maxLength", Reads::Count, &["string"]),
    keyword("minimum", "minimum", Reads::Number, NUMBERS),
    keyword("maximum", "maximum", Reads::Number, NUMBERS),
    keyword("exclusive_minimum", "exclusiveMinimum", Reads::Number, NUMBERS),
    keyword("exclusive_maximum", "exclusiveMaximum", Reads::Number, NUMBERS),
    keyword("multiple_of", "multipleOf", Reads::Number, NUMBERS),
    keyword("items", "items", Reads::Items, &["array"]),
    keyword("min_items", "minItems", Reads::Count, &["array"]),
    keyword("max_items", "maxItems", Reads::Count, &["array"]),
    keyword("unique_items", "uniqueItems", Reads::Switch, &["array"]),
    keyword("properties", "properties", Reads::Properties, &["object"]),
    keyword("additional_properties", "additionalProperties", Reads::Additional, &["object"]),
    keyword("min_properties", "minProperties", Reads::Count, &["object"]),
    keyword("max_properties", "maxProperties", Reads::Count, &["object"]),
    keyword("deprecated", "deprecated", Reads::Switch, &[]),
];

/// Keys of JSON Schema that make a schema which some clients refuse.
const REFUSED: [&str; 11] =
    ["$ref", "$defs", "definitions", "anyOf", "oneOf", "allOf", "not", "if", "then", "else", "patternProperties"];

/// What others call our types.
const SYNONYMS: [(&str, &str); 13] = [
    ("str", "string"),
    ("text", "string"),
    ("int", "integer"),
    ("float", "number"),
    ("double", "number"),
    ("decimal", "number"),
    ("bool", "boolean"),
    ("list", "array"),
    ("map", "object"),
    ("dict", "object"),
    ("url", "uri"),
    ("datetime", "date-time"),
    ("guid", "uuid"),
];

/// Whether a key is one of these, in either spelling.
pub fn is_known(word: &str) -> bool {
    find(word).is_some()
}

/// What each key takes, for editors; `nested` is the schema of a declaration inside it.
pub fn schemas(role: Role, nested: &Value) -> impl Iterator<Item = (&'static str, &'static str, Value)> {
    let formats: Vec<&str> = FORMATS.iter().map(|format| format.0).collect();
    let keywords = KEYWORDS.iter().filter(move |keyword| role == Role::Input || keyword.name != "default");
    keywords.map(move |keyword| {
        let schema = match keyword.reads {
            Reads::Any => Value::Bool(true),
            Reads::Text => json!({ "type": "string" }),
            Reads::Switch => json!({ "type": "boolean" }),
            Reads::Number => json!({ "type": "number" }),
            Reads::Count => json!({ "type": "integer", "minimum": 0 }),
            Reads::Choices | Reads::List => json!({ "type": "array", "minItems": 1 }),
            Reads::Format => json!({ "enum": formats }),
            Reads::Items => nested.clone(),
            Reads::Additional => json!({ "anyOf": [{ "type": "boolean" }, nested] }),
            Reads::Properties => json!({ "type": "object", "additionalProperties": nested }),
        };
        (keyword.name, keyword.schema, schema)
    })
}

fn find(word: &str) -> Option<&'static Keyword> {
    KEYWORDS.iter().find(|keyword| keyword.name == word || keyword.schema == word)
}

/// What was probably meant by a word that is no type.
pub fn meant_type(word: &str) -> Option<String> {
    if matches!(word, "secret" | "password") {
        return Some(NO_SECRETS.into());
    }
    let meant = SYNONYMS.iter().find(|synonym| synonym.0 == word).map_or(word, |synonym| synonym.1);
    if FORMATS.iter().any(|format| format.0 == meant) {
        return Some(format!("write `{{ type: string, format: {meant} }}`"));
    }
    (meant != word).then(|| format!("did you mean `{meant}`?"))
}

const NO_SECRETS: &str = "leave it out: write `$<<NAME>>` where it is typed, and set NAME in `.env`";

/// Reads all keys but `type` into a declaration; whether none of them is at fault.
pub fn read(
    report: &mut Report<'_>,
    node: &Node,
    entries: &[Entry],
    role: Role,
    declaration: &mut Declaration,
) -> bool {
    let kind = declaration.schema.get("type").and_then(Value::as_str).unwrap_or_default().to_owned();
    let of_commands = node.get("type").and_then(Node::text) == Some(COMMANDS);
    let mut sound = true;
    for entry in entries {
        let Entry { key, value } = entry;
        match key.text.as_str() {
            "type" => continue,
            "required" => sound &= required(report, node, value, declaration),
            word => {
                let Some(keyword) = find(word) else {
                    unknown(report, key.span, word, role);
                    sound = false;
                    continue;
                };
                if !fits(report, keyword, key.span, &kind, of_commands, role) {
                    sound = false;
                    continue;
                }
                let read = value_of(report, keyword, node, entry, role, &mut declaration.schema);
                sound &= read.is_some();
                if let Some(Some(value)) = read {
                    declaration.schema.insert(keyword.schema.into(), value);
                }
            }
        }
    }
    sound
}

/// `required: true`, or JSON Schema's list of names, which `properties` reads.
fn required(report: &mut Report<'_>, node: &Node, value: &Node, declaration: &mut Declaration) -> bool {
    match value.kind {
        Kind::Bool(required) => declaration.required = Some(required),
        Kind::List(_) if node.get("properties").is_some() => {}
        _ => {
            let hint = match value.kind {
                Kind::List(_) => "a list of names belongs beside `properties`",
                _ => "leave it out if the value must be given: that is the rule",
            };
            report.error(value.span, "`required` is neither `true` nor `false`", Some(hint.into()));
            return false;
        }
    }
    true
}

/// The names in JSON Schema's `required`, each of which must be a property.
pub fn required_names(report: &mut Report<'_>, node: &Node, properties: &[Entry]) -> Vec<String> {
    let Kind::List(items) = &node.kind else { return Vec::new() };
    let mut names = Vec::new();
    for item in items {
        let known = || properties.iter().map(|entry| entry.key.text.as_str());
        match item.text() {
            Some(name) if known().any(|known| known == name) => names.push(name.to_owned()),
            Some(name) => {
                let hint = did_you_mean(name, known()).unwrap_or_else(|| format!("they are {}", listed(known())));
                report.error(item.span, format!("`{name}` is none of the properties"), Some(hint));
            }
            None => report.error(item.span, "`required` lists names of properties", None),
        }
    }
    names
}

/// Whether a key has a meaning for the type it is given with; the type is empty if it is not known.
fn fits(report: &mut Report<'_>, keyword: &Keyword, span: Span, kind: &str, of_commands: bool, role: Role) -> bool {
    if role == Role::Output && keyword.name == "default" {
        let hint = "write it into the value: `${{ … | default(0) }}`";
        report.error(span, "an output has no `default`", Some(hint.into()));
        return false;
    }
    if of_commands && keyword.reads != Reads::Text {
        let message = format!("`{}` can't be set for a list of commands", keyword.name);
        report.error(span, message, Some("`type: commands` says what the list holds".into()));
        return false;
    }
    if kind.is_empty() || keyword.of.is_empty() || keyword.of.contains(&kind) {
        return true;
    }
    let message = format!("`{}` has no meaning for the type `{kind}`", keyword.name);
    let hint = format!("it belongs to {}", listed(keyword.of.iter().copied()));
    report.error(span, message, Some(hint));
    false
}

fn unknown(report: &mut Report<'_>, span: Span, word: &str, role: Role) {
    let noun = role.noun();
    if matches!(word, "secret" | "sensitive") && role == Role::Input {
        let message = "an input can't be a secret: a client sends it, so its model has read it";
        report.error(span, message, Some(NO_SECRETS.into()));
        return;
    }
    if REFUSED.contains(&word) {
        let message = format!("`{word}` can't declare {noun}: some clients refuse such schemas");
        report.error(span, message, Some("write out `type`, `properties` and `items`".into()));
        return;
    }
    let known = || ["type", "required"].into_iter().chain(KEYWORDS.iter().map(|keyword| keyword.name));
    let hint = match word {
        "optional" => "write `required: false`, or `?` behind the type".into(),
        "values" | "options" | "choices" | "one_of" => "did you mean `enum`?".into(),
        "min" => "did you mean `minimum`?".into(),
        "max" => "did you mean `maximum`?".into(),
        "example" => "did you mean `examples`?".into(),
        _ => did_you_mean(word, known()).unwrap_or_else(|| format!("known are {}", listed(known()))),
    };
    report.error(span, format!("unknown key `{word}` for {noun}"), Some(hint));
}

/// What a key adds to the schema: nothing after a fault, `Some(None)` if it has added it itself.
fn value_of(
    report: &mut Report<'_>,
    keyword: &Keyword,
    node: &Node,
    Entry { key, value }: &Entry,
    role: Role,
    schema: &mut Map<String, Value>,
) -> Option<Option<Value>> {
    let fault = |report: &mut Report<'_>, expected: &str, hint: Option<&str>| {
        let message = format!("`{}` is not {expected}", key.text);
        report.error(value.span, message, hint.map(str::to_owned));
        None
    };
    let read = match (keyword.reads, &value.kind) {
        (Reads::Any, _) => value.to_json(),
        (Reads::Text, Kind::Text(text)) => text.trim().into(),
        (Reads::Text, _) => return fault(report, "text", None),
        (Reads::Switch, Kind::Bool(value)) => (*value).into(),
        (Reads::Switch, _) => return fault(report, "`true` or `false`", None),
        (Reads::Number, Kind::Number(number)) => Value::Number(number.clone()),
        (Reads::Number, _) => return fault(report, "a number", None),
        (Reads::Count, Kind::Number(number)) if number.is_u64() => Value::Number(number.clone()),
        (Reads::Count, _) => return fault(report, "a whole number", None),
        (Reads::Choices | Reads::List, Kind::List(items)) if !items.is_empty() => value.to_json(),
        (Reads::Choices, _) => return fault(report, "a list of values", Some("write `enum: [small, large]`")),
        (Reads::List, _) => return fault(report, "a list of values", None),
        (Reads::Format, _) => format(report, value)?,
        (Reads::Items, _) => Value::Object(super::read(report, value, key.span, role)?.schema),
        (Reads::Additional, Kind::Bool(allowed)) => (*allowed).into(),
        (Reads::Additional, _) => Value::Object(super::read(report, value, key.span, role)?.schema),
        (Reads::Properties, Kind::Map(entries)) => {
            let listed = node.get("required").filter(|node| matches!(node.kind, Kind::List(_)));
            let before = report.errors();
            let nested = super::properties(report, entries, role, "a property", listed);
            if report.errors() > before {
                return None;
            }
            let open = schema.remove("additionalProperties");
            schema.extend(nested.schema(role));
            schema.extend(open.map(|open| ("additionalProperties".to_owned(), open)));
            return Some(None);
        }
        (Reads::Properties, _) => return fault(report, "a map", Some("write one `name: type` per line")),
    };
    Some(Some(read))
}

fn format(report: &mut Report<'_>, node: &Node) -> Option<Value> {
    let word = node.text().unwrap_or_default();
    let names = || FORMATS.iter().map(|format| format.0);
    if names().any(|name| name == word) {
        return Some(word.into());
    }
    let hint = match SYNONYMS.iter().find(|synonym| synonym.0 == word && names().any(|name| name == synonym.1)) {
        Some(synonym) => format!("did you mean `{}`?", synonym.1),
        None if word == "password" => NO_SECRETS.into(),
        None => did_you_mean(word, names()).unwrap_or_else(|| format!("the formats are {}", listed(names()))),
    };
    report.error(node.span, format!("unknown format `{word}`"), Some(hint));
    None
}
