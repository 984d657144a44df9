//! The form of a selector that the page's code reads.

use serde_json::{Map, Value, json};

use super::{Part, Role, TextMatch};

/// The page form of a chain of parts.
pub(super) fn parts(parts: &[Part], test_id_attribute: &str) -> Value {
    parts.iter().map(|part| self::part(part, test_id_attribute)).collect()
}

fn part(part: &Part, attribute: &str) -> Value {
    match part {
        Part::Role(role) => self::role(role),
        Part::Text(value) => json!({ "kind": "text", "text": text(value) }),
        Part::TestId(value) => {
            json!({ "kind": "testid", "attribute": attribute, "text": text(value) })
        }
        Part::Label(value) => json!({ "kind": "label", "text": text(value) }),
        Part::Placeholder(value) => json!({ "kind": "placeholder", "text": text(value) }),
        Part::Alt(value) => json!({ "kind": "alt", "text": text(value) }),
        Part::Title(value) => json!({ "kind": "title", "text": text(value) }),
        Part::Css(css) => json!({ "kind": "css", "css": css }),
        Part::Xpath(xpath) => json!({ "kind": "xpath", "xpath": xpath }),
        Part::Ref(reference) => json!({ "kind": "ref", "ref": reference }),
        Part::Frame(inner) => {
            json!({ "kind": "frame", "selector": parts(&inner.parts, attribute) })
        }
        Part::Nth(index) => json!({ "kind": "nth", "index": index }),
        Part::Visible => json!({ "kind": "visible" }),
        Part::Has(inner) => json!({ "kind": "has", "selector": parts(&inner.parts, attribute) }),
        Part::HasNot(inner) => {
            json!({ "kind": "has-not", "selector": parts(&inner.parts, attribute) })
        }
        Part::HasText(value) => json!({ "kind": "has-text", "text": text(value) }),
        Part::HasNotText(value) => json!({ "kind": "has-not-text", "text": text(value) }),
        Part::And(inner) => json!({ "kind": "and", "selector": parts(&inner.parts, attribute) }),
        Part::Or(inner) => json!({ "kind": "or", "selector": parts(&inner.parts, attribute) }),
        Part::Layout { relation, selector } => json!({
            "kind": "layout",
            "relation": relation.as_str(),
            "selector": parts(&selector.parts, attribute),
        }),
    }
}

fn role(role: &Role) -> Value {
    let states = [
        ("name", role.name.as_ref().map(text)),
        ("checked", role.checked.map(Into::into)),
        ("pressed", role.pressed.map(Into::into)),
        ("expanded", role.expanded.map(Value::from)),
        ("selected", role.selected.map(Value::from)),
        ("disabled", role.disabled.map(Value::from)),
        ("level", role.level.map(Value::from)),
        ("include_hidden", role.include_hidden.then_some(Value::Bool(true))),
    ];
    let mut object = Map::from_iter([("kind".to_owned(), json!("role")), ("role".to_owned(), json!(role.role))]);
    object.extend(states.into_iter().filter_map(|(key, value)| Some((key.to_owned(), value?))));
    Value::Object(object)
}

fn text(value: &TextMatch) -> Value {
    json!({ "match": value.kind.as_str(), "text": value.text, "flags": value.flags })
}
