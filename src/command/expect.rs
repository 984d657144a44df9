//! Expecting states of the page: the words of conditions with what each takes, and the command that waits for them.
//!
//! A condition is a map; several keys mean all of them. Its shape is data here, so that the loader points at a fault
//! and a tool call hears of it; what a state means on a page is `browser`'s.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use super::{Command, Context, Error, Output};
use crate::browser::{Condition, ElementState, Reading, TextTest};
use crate::selector::{Selector, TextMatch};

/// A word of conditions.
#[derive(Debug)]
pub struct PageState {
    /// The word.
    pub name: &'static str,
    /// What is so where it holds.
    pub doc: &'static str,
    /// A condition in YAML.
    pub example: &'static str,
    /// What stands after it.
    pub kind: StateKind,
    /// The fields that it can't do without.
    pub required: &'static [&'static str],
    /// Whether a plain text may stand for its fields: a part of the text, `"the whole"`, `/a pattern/`.
    pub is_plain: bool,
}

/// What stands after a word of conditions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateKind {
    /// A selector.
    Element,
    /// A map of these fields.
    Fields(&'static [&'static str]),
    /// A condition.
    Not,
    /// A list of conditions.
    Several,
}

/// Conditions inside conditions.
const MOST_DEPTH: usize = 8;

const fn element(name: &'static str, doc: &'static str, example: &'static str) -> PageState {
    PageState { name, doc, example, kind: StateKind::Element, required: &[], is_plain: false }
}

static STATES: [PageState; 17] = [
    element("visible", "Something that matches can be seen", "visible: testid:account"),
    element("hidden", "Nothing that matches can be seen", "hidden: testid:spinner"),
    element("enabled", "The element can be used", "enabled: role:button[Pay]"),
    element("disabled", "The element is disabled", "disabled: role:button[Pay]"),
    element("checked", "The element is checked", "checked: role:checkbox[Remember me]"),
    element("unchecked", "The element is not checked", "unchecked: role:checkbox[Remember me]"),
    element("editable", "The element takes text", "editable: label:Note"),
    element("focused", "The element has the focus", "focused: label:Email"),
    PageState {
        name: "text",
        doc: "The text of the element, as `get_text` reads it",
        example: "text: { selector: testid:total, equals: € 42.00 }",
        kind: StateKind::Fields(&["selector", "equals", "contains", "matches"]),
        required: &["selector"],
        is_plain: false,
    },
    PageState {
        name: "value",
        doc: "The value of a form control",
        example: "value: { selector: label:Quantity, equals: 2 }",
        kind: StateKind::Fields(&["selector", "equals", "contains", "matches"]),
        required: &["selector"],
        is_plain: false,
    },
    PageState {
        name: "attribute",
        doc: "An attribute of the element; without a comparison it is enough that it is there",
        example: "attribute: { selector: testid:order, name: data-state, equals: paid }",
        kind: StateKind::Fields(&["selector", "name", "equals", "contains", "matches"]),
        required: &["selector", "name"],
        is_plain: false,
    },
    PageState {
        name: "count",
        doc: "How many elements match",
        example: "count: { selector: role:listitem, at_least: 1 }",
        kind: StateKind::Fields(&["selector", "equals", "at_least", "at_most"]),
        required: &["selector"],
        is_plain: false,
    },
    PageState {
        name: "url",
        doc: "The page's address; a plain text as `wait_for_url` takes it",
        example: "url: /orders",
        kind: StateKind::Fields(&["equals", "contains", "matches"]),
        required: &[],
        is_plain: true,
    },
    PageState {
        name: "title",
        doc: "The page's title, in the same forms",
        example: "title: { equals: Your orders }",
        kind: StateKind::Fields(&["equals", "contains", "matches"]),
        required: &[],
        is_plain: true,
    },
    PageState {
        name: "not",
        doc: "The condition does not hold",
        example: "not: { checked: role:checkbox[Newsletter] }",
        kind: StateKind::Not,
        required: &[],
        is_plain: false,
    },
    PageState {
        name: "any",
        doc: "At least one of the conditions holds",
        example: "any: [{ visible: testid:account }, { url: /account }]",
        kind: StateKind::Several,
        required: &[],
        is_plain: false,
    },
    PageState {
        name: "all",
        doc: "Each of the conditions holds",
        example: "all: [{ visible: testid:total }, { visible: testid:number }]",
        kind: StateKind::Several,
        required: &[],
        is_plain: false,
    },
];

/// Every word of conditions, in the order of the docs.
pub fn page_states() -> &'static [PageState] {
    &STATES
}

/// The word of this name.
pub fn page_state(name: &str) -> Option<&'static PageState> {
    STATES.iter().find(|state| state.name == name)
}

/// Whether a condition, given as `expect` takes it, holds now.
///
/// # Errors
/// Arguments of a wrong shape, and what keeps the page from being read.
pub async fn holds(condition: Value, context: &mut Context<'_>) -> Result<bool, Error> {
    let Expected(condition) = serde_json::from_value(condition)
        .map_err(|error| Error::Arguments { command: Expect::NAME, message: error.to_string() })?;
    let deadline = context.deadline.clone();
    Ok(context.page().await?.holds(&condition, &deadline).await?)
}

/// Wait until the page is as expected
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Expect {
    /// States of the page by their words, such as `visible`; several mean all of them
    condition: Expected,
}

impl Command for Expect {
    const NAME: &'static str = "expect";
    const MAIN: Option<&'static str> = Some("condition");
    const EXAMPLE: &'static str = "expect: { visible: testid:account }";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.expect(&self.condition.0, &deadline).await?;
        Ok(Output::default())
    }

    fn words(main: &Value) -> Option<String> {
        let Expected(condition) = Expected::deserialize(main).ok()?;
        Some(format!("{} {condition}", Self::NAME))
    }
}

/// A condition in its data form.
#[derive(Debug)]
struct Expected(Condition);

impl<'de> Deserialize<'de> for Expected {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Expected, D::Error> {
        let value = Value::deserialize(deserializer)?;
        read(&value, 0).map(Expected).map_err(D::Error::custom)
    }
}

impl JsonSchema for Expected {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        "Condition".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let selector = generator.subschema_for::<Selector>();
        let properties: Map<String, Value> = STATES
            .iter()
            .map(|state| {
                let mut schema = match state.kind {
                    StateKind::Element => selector.clone().to_value(),
                    StateKind::Fields(fields) if state.is_plain => {
                        json!({ "anyOf": [{ "type": "string" }, fields_schema(state, fields, &selector)] })
                    }
                    StateKind::Fields(fields) => fields_schema(state, fields, &selector),
                    // Conditions nest; a schema without references can't, so inner ones are open.
                    StateKind::Not => json!({ "type": "object" }),
                    StateKind::Several => json!({ "type": "array", "minItems": 1, "items": { "type": "object" } }),
                };
                schema["description"] = Value::from(state.doc);
                (state.name.to_owned(), schema)
            })
            .collect();
        json_schema!({
            "type": "object", "x-repertoire": "condition", "minProperties": 1,
            "properties": properties, "additionalProperties": false,
        })
    }
}

fn fields_schema(state: &PageState, fields: &[&str], selector: &Schema) -> Value {
    let field = |name: &str| match (name, state.name) {
        ("selector", _) => selector.clone().to_value(),
        ("at_least" | "at_most", _) | ("equals", "count") => json!({ "type": "integer", "minimum": 0 }),
        ("name", _) => json!({ "type": "string" }),
        _ => json!({ "type": ["string", "number"] }),
    };
    let properties: Map<String, Value> = fields.iter().map(|name| ((*name).to_owned(), field(name))).collect();
    json!({ "type": "object", "properties": properties, "required": state.required, "additionalProperties": false })
}

fn read(value: &Value, depth: usize) -> Result<Condition, String> {
    if depth > MOST_DEPTH {
        return Err(format!("conditions are nested more than {MOST_DEPTH} deep"));
    }
    let Value::Object(map) = value else {
        return Err(format!("expected a condition such as {{\"visible\": \"testid:account\"}}, found `{value}`"));
    };
    // What the loader makes of an expression.
    if let (Some(Value::String(words)), Some(holds)) = (map.get("expression"), map.get("holds")) {
        return Ok(Condition::Known { words: words.clone(), holds: is_true(holds) });
    }
    let mut members: Vec<Condition> =
        map.iter().map(|(word, value)| state(word, value, depth)).collect::<Result<_, _>>()?;
    match members.len() {
        0 => Err("the condition is empty".to_owned()),
        1 => Ok(members.remove(0)),
        _ => Ok(Condition::All(members)),
    }
}

fn state(word: &str, value: &Value, depth: usize) -> Result<Condition, String> {
    let state = page_state(word).ok_or_else(|| format!("unknown condition `{word}`"))?;
    let several = || {
        let Value::Array(items) = value else { return Err(format!("`{word}` is not a list of conditions")) };
        items.iter().map(|item| read(item, depth + 1)).collect::<Result<Vec<_>, _>>()
    };
    Ok(match (state.kind, word) {
        (StateKind::Element, _) => {
            let state = ElementState::deserialize(Value::from(word)).map_err(|error| error.to_string())?;
            Condition::State { selector: selector(value)?, state }
        }
        (StateKind::Not, _) => Condition::Not(Box::new(read(value, depth + 1)?)),
        (StateKind::Several, "any") => Condition::Any(several()?),
        (StateKind::Several, _) => Condition::All(several()?),
        (StateKind::Fields(_), _) if state.is_plain && value.is_string() => {
            let text = TextMatch::parse(value.as_str().unwrap_or_default()).map_err(|error| error.to_string())?;
            page_text(word, vec![TextTest::Matches(text)])
        }
        (StateKind::Fields(fields), _) => {
            let Value::Object(map) = value else { return Err(format!("`{word}` is not a map")) };
            if let Some(unknown) = map.keys().find(|key| !fields.contains(&key.as_str())) {
                return Err(format!("unknown key `{unknown}` for `{word}`"));
            }
            if let Some(missing) = state.required.iter().find(|name| !map.contains_key(**name)) {
                return Err(format!("`{word}` needs `{missing}`"));
            }
            fields_of(word, map)?
        }
    })
}

fn fields_of(word: &str, map: &Map<String, Value>) -> Result<Condition, String> {
    let number = |name: &str| match map.get(name) {
        None => Ok(None),
        Some(value) => {
            let text = value.as_str().and_then(|text| text.trim().parse().ok());
            value.as_u64().or(text).map(Some).ok_or_else(|| format!("`{name}` is not a whole number: `{value}`"))
        }
    };
    let selected = || selector(map.get("selector").unwrap_or(&Value::Null));
    if word == "count" {
        let exact = number("equals")?;
        let least = exact.max(number("at_least")?).unwrap_or_default();
        return Ok(Condition::Count { selector: selected()?, least, most: exact.or(number("at_most")?) });
    }
    let mut tests = Vec::new();
    for (name, test) in map.iter().filter(|(name, _)| !matches!(name.as_str(), "selector" | "name")) {
        let text = match test {
            Value::String(text) => text.clone(),
            Value::Number(_) | Value::Bool(_) => test.to_string(),
            _ => return Err(format!("`{name}` is not a text to compare with: `{test}`")),
        };
        tests.push(match name.as_str() {
            "equals" => TextTest::Equals(text),
            "contains" => TextTest::Contains(text),
            _ => TextTest::Matches(TextMatch::pattern(&text).map_err(|error| error.to_string())?),
        });
    }
    let reading = match word {
        "text" => Reading::Text,
        "value" => Reading::Value,
        "attribute" => Reading::Attribute(map["name"].as_str().unwrap_or_default().to_owned()),
        _ => return Ok(page_text(word, tests)),
    };
    Ok(Condition::Read { selector: selected()?, reading, tests })
}

fn page_text(word: &str, tests: Vec<TextTest>) -> Condition {
    if word == "url" { Condition::Url(tests) } else { Condition::Title(tests) }
}

fn selector(value: &Value) -> Result<Selector, String> {
    Selector::deserialize(value).map_err(|error| error.to_string())
}

/// Whether a value counts as true, as in expressions.
fn is_true(value: &Value) -> bool {
    match value {
        Value::Null => false,
        Value::Bool(value) => *value,
        Value::Number(number) => number.as_f64() != Some(0.0),
        Value::String(text) => !text.is_empty(),
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An expression that came to nothing must not pass for a limit that was left out.
    #[test]
    fn null_is_nothing_to_compare_with() {
        let wrong = [
            json!({ "count": { "selector": "role:button", "at_least": null } }),
            json!({ "text": { "selector": "role:status", "equals": null } }),
            json!({ "url": null }),
            json!({ "visible": null }),
        ];
        for condition in wrong {
            assert!(read(&condition, 0).is_err(), "{condition}");
        }
    }
}
