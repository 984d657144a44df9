//! Owns the arguments of a call: defaults filled in, everything checked, all faults at once.

use serde_json::{Map, Value};

use super::Action;
use super::data::steps_from_data;
use super::problem::did_you_mean;
use super::schema::{Segment, Violation, shown};
use crate::command;

/// Every way in which the arguments of a call do not fit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the arguments do not fit `{action}`: {}", faults.join("; "))]
pub struct ArgumentErrors {
    /// The action that was called.
    pub action: String,
    /// One sentence each.
    pub faults: Vec<String>,
    /// The declared inputs, one phrase each.
    pub expected: Vec<String>,
}

impl ArgumentErrors {
    /// What the action expects.
    pub fn hint(&self) -> String {
        match self.expected.is_empty() {
            true => format!("`{}` takes no arguments", self.action),
            false => format!("`{}` takes {}", self.action, self.expected.join(", ")),
        }
    }
}

impl Action {
    /// Completes and checks the arguments of a call.
    ///
    /// The result has every declared input: as given, by its default, or null. Null for an input that is not required
    /// counts as not given, since some agents fill every field.
    pub fn arguments(&self, given: Map<String, Value>) -> Result<Map<String, Value>, ArgumentErrors> {
        let properties = self.properties();
        let value = Value::Object(self.defaulted(given));
        let violations = self.checker.check(&value);
        let faults = self.faults(&value, &violations);
        if !faults.is_empty() {
            let expected = properties.into_iter().flatten();
            return Err(ArgumentErrors {
                action: self.name.clone(),
                faults,
                expected: expected.map(|(name, schema)| self.phrase(name, schema)).collect(),
            });
        }
        let Value::Object(mut complete) = value else {
            return Ok(Map::new());
        };
        self.fill(&mut complete);
        Ok(complete)
    }

    /// Completes arguments that are not all known yet; nothing is checked.
    pub fn with_defaults(&self, given: Map<String, Value>) -> Map<String, Value> {
        let mut complete = self.defaulted(given);
        self.fill(&mut complete);
        complete
    }

    fn defaulted(&self, mut given: Map<String, Value>) -> Map<String, Value> {
        complete_with_defaults(&self.input_schema, &mut given);
        given
    }

    /// What is not given is null.
    fn fill(&self, arguments: &mut Map<String, Value>) {
        for (name, _) in self.properties().into_iter().flatten() {
            arguments.entry(name.as_str()).or_insert(Value::Null);
        }
    }

    /// The violations in words. Of lists of commands the reader of steps speaks: the schema, which is one for all
    /// commands, knows less of each.
    fn faults(&self, value: &Value, violations: &[Violation]) -> Vec<String> {
        let lists = self.properties().into_iter().flatten().filter(|(_, schema)| is_list_of_commands(schema));
        let lists: Vec<&str> = lists.map(|(name, _)| name.as_str()).collect();
        let is_inside = |violation: &&Violation| matches!(violation.path.as_slice(), [Segment::Key(key), _, ..] if lists.contains(&key.as_str()));
        let outside =
            violations.iter().filter(|violation| !is_inside(violation)).map(|violation| self.fault(violation));
        let inside =
            lists.iter().filter_map(|name| steps_from_data(value.get(*name).filter(|list| list.is_array())?).err());
        outside.chain(inside.flat_map(|error| error.faults)).collect()
    }

    fn properties(&self) -> Option<&Map<String, Value>> {
        self.input_schema.get("properties")?.as_object()
    }

    fn is_required(&self, name: &str) -> bool {
        is_required(&self.input_schema, name)
    }

    fn fault(&self, violation: &Violation) -> String {
        let path = violation.path_text();
        if !path.is_empty() {
            return format!("`{path}`: {}", violation.message);
        }
        let word = violation.message.split('`').nth(1).unwrap_or_default();
        let names = self.properties().into_iter().flat_map(Map::keys).map(String::as_str);
        match did_you_mean(word, names) {
            Some(suggestion) if !self.is_required(word) => format!("{}, {suggestion}", violation.message),
            _ => violation.message.clone(),
        }
    }

    /// `` `count` (integer, default 3) ``.
    fn phrase(&self, name: &str, schema: &Value) -> String {
        let mut facts = Vec::new();
        if let Some(kind) = schema.get("type").and_then(Value::as_str) {
            let items = schema.get("items").filter(|items| !holds_commands(items));
            let items = items.and_then(|items| items.get("type")).and_then(Value::as_str);
            facts.push(items.map_or_else(|| kind.to_owned(), |items| format!("{kind} of {items}")));
        }
        if let Some(choices) = schema.get("enum") {
            facts.push(format!("one of {}", shown(choices)));
        }
        match schema.get("default") {
            Some(default) => facts.push(format!("default {}", shown(default))),
            None if self.is_required(name) => facts.push("required".into()),
            None => facts.push("optional".into()),
        }
        format!("`{name}` ({})", facts.join(", "))
    }
}

/// Puts the defaults of a schema where a value is absent or null and need not be there, at every depth.
fn complete_with_defaults(schema: &Map<String, Value>, fields: &mut Map<String, Value>) {
    let properties = schema.get("properties").and_then(Value::as_object);
    for (name, schema_of) in properties.into_iter().flatten() {
        if fields.get(name).is_none_or(Value::is_null) && !is_required(schema, name) {
            fields.remove(name);
            if let Some(default) = schema_of.get("default") {
                fields.insert(name.clone(), default.clone());
            }
        }
        if let Some(value) = fields.get_mut(name) {
            complete_value(schema_of, value);
        }
    }
}

fn complete_value(schema: &Value, value: &mut Value) {
    match (schema.as_object(), value) {
        (Some(schema), Value::Object(fields)) => complete_with_defaults(schema, fields),
        // The commands have defaults of their own.
        (Some(schema), Value::Array(items)) => {
            if let Some(schema) = schema.get("items").filter(|items| !holds_commands(items)) {
                items.iter_mut().for_each(|item| complete_value(schema, item));
            }
        }
        _ => {}
    }
}

fn is_list_of_commands(schema: &Value) -> bool {
    schema.get("items").is_some_and(holds_commands)
}

fn holds_commands(items: &Value) -> bool {
    *items == command::list_schema()["items"]
}

fn is_required(schema: &Map<String, Value>, name: &str) -> bool {
    let required = schema.get("required").and_then(Value::as_array);
    required.into_iter().flatten().any(|required| required == name)
}
