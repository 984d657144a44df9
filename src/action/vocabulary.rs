//! Owns what the reader of steps knows about words: the commands' arguments with their compiled schemas, the
//! modifiers, and the words of the language that this version does not perform yet. The commands are `command`'s.

use std::collections::HashMap;
use std::sync::OnceLock;

use serde_json::Value;

use super::schema::{Checker, extension};
use crate::command::{self, Definition};

/// Words of the language that are understood but not performed by this version.
const RESERVED: [&str; 7] = [
    // Of a file.
    "secrets",
    "permissions",
    // Commands.
    "read_page",
    "extract",
    "inspect",
    "logs",
    "pdf",
];

/// Whether a word belongs to the language but not to this version; a word that became a command is none of these.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word) && command::find(word).is_none()
}

/// A command with its arguments' schemas compiled.
#[derive(Debug)]
pub struct Rules {
    /// The arguments in the order of the schema.
    pub arguments: Vec<ArgumentRule>,
}

/// One argument of a command.
#[derive(Debug)]
pub struct ArgumentRule {
    /// Its name.
    pub name: String,
    /// Whether the command can't do without it.
    pub required: bool,
    /// What it holds.
    pub kind: ArgumentKind,
    checker: Checker,
}

/// What an argument holds, beyond its JSON type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArgumentKind {
    /// A selector in text or structured form.
    Selector,
    /// A length of time.
    Duration,
    /// Where a page is.
    Address,
    /// Source text of a script.
    Script,
    /// States of the page.
    Condition,
    /// What its schema says.
    Plain,
}

impl Rules {
    /// The rules of a command; compiled once per process.
    pub fn of(definition: &Definition) -> &'static Rules {
        static RULES: OnceLock<HashMap<&'static str, Rules>> = OnceLock::new();
        static NONE: Rules = Rules { arguments: Vec::new() };
        let rules = RULES.get_or_init(|| {
            let all = command::all().iter();
            all.map(|definition| (definition.name, Rules::compile(definition))).collect()
        });
        rules.get(definition.name).unwrap_or(&NONE)
    }

    /// The argument of this name, which may be written in camelCase.
    pub fn argument(&self, key: &str) -> Option<&ArgumentRule> {
        let find = |name: &str| self.arguments.iter().find(|argument| argument.name == name);
        find(key).or_else(|| find(&command::snake_case(key)))
    }

    /// The names of all arguments.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.arguments.iter().map(|argument| argument.name.as_str())
    }

    fn compile(definition: &Definition) -> Rules {
        let schema = definition.schema();
        let required = schema.get("required").and_then(Value::as_array);
        let required: Vec<&str> = required.into_iter().flatten().filter_map(Value::as_str).collect();
        let properties = schema.get("properties").and_then(Value::as_object);
        let arguments = properties.into_iter().flatten().map(|(name, schema)| {
            let script = definition.name == "evaluate" && name == "script";
            let address = definition.name == "navigate" && name == "url";
            ArgumentRule {
                name: name.clone(),
                required: required.contains(&name.as_str()),
                kind: match extension(schema) {
                    Some("selector") => ArgumentKind::Selector,
                    Some("duration") => ArgumentKind::Duration,
                    Some("condition") => ArgumentKind::Condition,
                    _ if script => ArgumentKind::Script,
                    _ if address => ArgumentKind::Address,
                    _ => ArgumentKind::Plain,
                },
                checker: Checker::new(schema.clone()),
            }
        });
        Rules { arguments: arguments.collect() }
    }
}

impl ArgumentRule {
    /// A rule outside a command, for a kind that needs no schema.
    pub fn bare(name: &str, kind: ArgumentKind) -> ArgumentRule {
        ArgumentRule { name: name.to_owned(), required: true, kind, checker: Checker::new(Value::Bool(true)) }
    }

    /// How a value does not fit the argument's schema.
    pub fn check(&self, value: &Value) -> Vec<super::schema::Violation> {
        self.checker.check(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_argument_of_every_command_has_a_schema_that_compiles() {
        for definition in command::all() {
            for argument in &Rules::of(definition).arguments {
                assert!(argument.checker.is_valid(), "{}.{}", definition.name, argument.name);
            }
        }
    }

    #[test]
    fn optional_selectors_are_found() {
        let snapshot = command::find("snapshot").expect("it is a command");
        let selector = Rules::of(snapshot).argument("selector").expect("it has one");
        assert_eq!((selector.kind, selector.required), (ArgumentKind::Selector, false));
    }
}
