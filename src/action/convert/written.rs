//! Owns how a step is written in YAML: a scalar plain where that is read back as the same text, else in quotes.

use serde_json::Value;

use crate::action::form;
use crate::action::problem::Report;
use crate::action::shortcut::{Condition, Step, StepKind};
use crate::action::yaml::{self, Kind};
use crate::command;

/// The lines of a step, indented as an item of `steps:`.
pub fn step(step: &Step) -> Vec<String> {
    let (name, mut arguments) = match &step.kind {
        StepKind::Command { command, arguments } => {
            (command.name, arguments.iter().map(|(name, argument)| (name.as_str(), argument.source())).collect())
        }
        StepKind::Perform(argument) => (form::PERFORM, vec![(form::PERFORM, argument.source())]),
        // Classic files have no flow.
        _ => (step.word(), Vec::new()),
    };
    arguments.retain(|(_, value): &(&str, Value)| !value.is_null());
    let main = command::find(name).map_or(Some(name), |command| command.main);
    let main = arguments.iter().position(|(argument, value)| Some(*argument) == main && !names_command(name, value));
    let main = main.map(|index| arguments.remove(index).1);
    let modifiers = modifiers(step);
    let head = match &main {
        Some(value) => format!("  - {name}: {}", self::value(value)),
        None if arguments.is_empty() && modifiers.is_empty() => format!("  - {name}"),
        None => format!("  - {name}:"),
    };
    let beside = arguments.into_iter().map(|(name, value)| (name, self::value(&value)));
    let beside = beside.chain(modifiers).map(|(name, value)| format!("    {name}: {value}"));
    [head].into_iter().chain(beside).collect()
}

/// `- type: click` would be read as a click.
fn names_command(name: &str, value: &Value) -> bool {
    name == "type" && value.as_str().is_some_and(|text| command::find(text).is_some())
}

fn modifiers(step: &Step) -> Vec<(&'static str, String)> {
    let (given, mut modifiers) = (&step.modifiers, Vec::new());
    if let Some(label) = &given.label {
        // A label is plain text; what the classic format filled in is named.
        modifiers.push(("label", scalar(&label.replace("${{", "{{").replace("$<<", "<<"))));
    }
    if let Some(Condition::Expression(when)) = &given.when {
        modifiers.push(("when", scalar(&when.in_braces())));
    }
    if given.optional {
        modifiers.push(("optional", "true".to_owned()));
    }
    if let Some(timeout) = given.timeout {
        modifiers.push(("timeout", humantime::format_duration(timeout).to_string()));
    }
    if let Some(capture) = &given.capture {
        modifiers.push(("as", capture.clone()));
    }
    modifiers
}

fn value(value: &Value) -> String {
    match value {
        Value::String(text) => block(text).unwrap_or_else(|| scalar(text)),
        // JSON is YAML.
        other => other.to_string(),
    }
}

/// Several lines as a block, where that is exact.
fn block(text: &str) -> Option<String> {
    let lines = text.trim_end_matches('\n');
    let style = match text.len() - lines.len() {
        0 => "|-",
        1 => "|",
        _ => return None,
    };
    let odd = |c: char| c.is_control() && !matches!(c, '\n' | '\t');
    let exact = lines.contains('\n') && !lines.starts_with([' ', '\t', '\n']) && !lines.contains(odd);
    exact.then(|| {
        let indented = lines.lines().map(|line| if line.is_empty() { String::new() } else { format!("      {line}") });
        [style.to_owned()].into_iter().chain(indented).collect::<Vec<_>>().join("\n")
    })
}

/// A text on one line: plain if that is read back as the same text, also as the value of a key.
pub fn scalar(text: &str) -> String {
    let mut report = Report::new(std::path::Path::new(""), text);
    let read_back = yaml::parse(&mut report).is_some_and(|node| node.kind == Kind::Text(text.to_owned()));
    let ends = text.ends_with(':') || text.contains(": ") || text.contains(" #") || text.contains('\n');
    if read_back && !ends { text.to_owned() } else { Value::from(text).to_string() }
}
