//! Owns commands given as data: the list that an agent hands to `browser_session`.
//!
//! They are read by the reader of steps, but nothing in them is a template: what comes from a tool call never
//! reaches an expression or a secret.

use std::path::Path;
use std::time::Duration;

use serde_json::Value;

use super::context::{Context, Dialect};
use super::expression::Scope;
use super::problem::{Report, Severity};
use super::shortcut::{Step, StepKind};
use super::steps;
use super::yaml::Node;
use crate::command::Definition;
use crate::secrets::{Text, Tree};

/// A command given as data.
#[derive(Debug)]
pub struct DataStep {
    /// The command.
    pub command: &'static Definition,
    /// Its arguments, all literal; those that are null are left out.
    pub arguments: Vec<(String, Tree)>,
    /// What stands beside it.
    pub options: CommandOptions,
    /// What is probably not meant as it is, one sentence each with what to do; worth showing when the command fails.
    pub warnings: Vec<String>,
}

/// What may stand beside a command given as data.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandOptions {
    /// Whether a failure is only a warning.
    pub optional: bool,
    /// How long it may take; more than zero.
    pub timeout: Option<Duration>,
    /// What people are shown instead of the command.
    pub label: Option<String>,
}

/// Every fault of a list of commands.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}", faults.join("; "))]
pub struct DataError {
    /// One sentence each, with the number of its command and what to do.
    pub faults: Vec<String>,
}

/// Commands of one call.
const MOST_COMMANDS: usize = 200;

/// Reads a list of commands; nothing is performed if one of them is wrong.
pub fn steps_from_data(value: &Value) -> Result<Vec<DataStep>, DataError> {
    let fail = |fault: String| DataError { faults: vec![fault] };
    let Value::Array(items) = value else {
        return Err(fail("expected a list of commands".into()));
    };
    if items.len() > MOST_COMMANDS {
        return Err(fail(format!("{} commands in one call, more than {MOST_COMMANDS}", items.len())));
    }
    let mut steps = Vec::with_capacity(items.len());
    let mut faults = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let mut report = Report::new(Path::new(""), "");
        let mut cx = Context::new(&mut report, Dialect::Data, Vec::new(), Vec::new());
        let step = steps::read(&mut cx, index + 1, &Node::from_json(item));
        let errors = report.has_errors();
        let mut warnings = named_secrets(item);
        for problem in report.finish() {
            match problem.severity {
                Severity::Error => {
                    let hint = problem.hint.map_or_else(String::new, |hint| format!(" ({hint})"));
                    faults.push(format!("command {}: {}{hint}", index + 1, problem.message));
                }
                Severity::Warning => {
                    let hint = problem.hint.map_or_else(String::new, |hint| format!(": {hint}"));
                    warnings.push(format!("{}{hint}", problem.message));
                }
            }
        }
        steps.extend(step.filter(|_| !errors).and_then(|step| data_step(&step, warnings)));
    }
    match faults.is_empty() {
        true => Ok(steps),
        false => Err(DataError { faults }),
    }
}

/// Doubts about texts that name secrets, which data can't: they are used as they stand.
fn named_secrets(item: &Value) -> Vec<String> {
    match item {
        Value::String(text) => {
            let names = Text::parse(text).map(|text| text.names()).unwrap_or_default();
            let doubt =
                |name| format!("`$<<{name}>>` is used as it stands: secrets are filled in from action files only");
            names.into_iter().map(doubt).collect()
        }
        Value::Array(items) => items.iter().flat_map(named_secrets).collect(),
        Value::Object(fields) => fields.values().flat_map(named_secrets).collect(),
        _ => Vec::new(),
    }
}

fn data_step(step: &Step, warnings: Vec<String>) -> Option<DataStep> {
    let StepKind::Command { command, .. } = &step.kind else {
        return None;
    };
    Some(DataStep {
        command,
        // Literals need no scope.
        arguments: step.arguments(&Scope::default()).ok()?,
        options: CommandOptions {
            optional: step.modifiers.optional,
            timeout: step.modifiers.timeout,
            label: step.modifiers.label.clone(),
        },
        warnings,
    })
}
