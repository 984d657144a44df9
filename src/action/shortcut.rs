//! Owns a shortcut as it is performed: steps and outputs, and their rendering in a scope. No YAML from here on.

use std::time::Duration;

use serde_json::{Map, Value};

use super::expression::{Expression, ExpressionError, Scope};
use super::outputs::{Output, OutputError};
use super::problem::Position;
use super::template::Argument;
use crate::command::Definition;
use crate::secrets::Tree;

/// What a YAML action does.
#[derive(Debug)]
pub struct Shortcut {
    /// The steps in order; there is at least one.
    pub steps: Vec<Step>,
    /// What the action reports.
    pub outputs: Vec<Output>,
}

/// One command, or a list of commands given as data, with its modifiers.
#[derive(Debug)]
pub struct Step {
    /// Its place in the list, from 1.
    pub number: usize,
    /// Its place in the file.
    pub position: Position,
    /// What it does.
    pub kind: StepKind,
    /// The name under which its result is known to later steps.
    pub capture: Option<String>,
    /// The step is skipped unless this is true.
    pub when: Option<Expression>,
    /// Whether a failure is only a warning.
    pub optional: bool,
    /// How long it may take; more than zero.
    pub timeout: Option<Duration>,
    /// What people are shown instead of the command.
    pub label: Option<String>,
}

/// What a step does.
#[derive(Debug)]
pub enum StepKind {
    /// A command of the vocabulary.
    Command {
        /// The command.
        command: &'static Definition,
        /// Its arguments by their `snake_case` names, each at most once.
        arguments: Vec<(String, Argument)>,
    },
    /// `perform`: commands given as data, for `steps_from_data`.
    Perform(Argument),
}

impl Step {
    /// The rendered arguments of a command; those that are null are left out.
    pub fn arguments(&self, scope: &Scope) -> Result<Vec<(String, Tree)>, ExpressionError> {
        let StepKind::Command { arguments, .. } = &self.kind else {
            return Ok(Vec::new());
        };
        let mut rendered = Vec::with_capacity(arguments.len());
        for (name, argument) in arguments {
            match argument.render(scope)? {
                Tree::Null => {}
                tree => rendered.push((name.clone(), tree)),
            }
        }
        Ok(rendered)
    }

    /// Whether its condition or its arguments read the page's address or title.
    pub fn uses_page(&self) -> bool {
        let when = self.when.as_ref().is_some_and(Expression::uses_page);
        when || match &self.kind {
            StepKind::Command { arguments, .. } => arguments.iter().any(|(_, a)| a.uses_page()),
            StepKind::Perform(argument) => argument.uses_page(),
        }
    }
}

impl Shortcut {
    /// The values of all outputs; an output that is null is left out, as its schema knows no null.
    pub fn outputs(&self, scope: &Scope) -> Result<Map<String, Value>, OutputError> {
        let mut values = Map::new();
        for output in &self.outputs {
            let value = output.value(scope)?;
            if !value.is_null() {
                values.insert(output.name.clone(), value);
            }
        }
        Ok(values)
    }

    /// Whether an output reads the page's address or title.
    pub fn outputs_use_page(&self) -> bool {
        self.outputs.iter().any(|output| output.value.uses_page())
    }
}
