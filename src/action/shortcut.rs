//! Owns a shortcut as it is performed: steps and outputs, and their rendering in a scope. No YAML from here on.

use std::time::Duration;

use serde_json::{Map, Value};

use super::awaited::Awaited;
use super::expression::{Expression, ExpressionError, Scope};
use super::outputs::{Output, OutputError};
use super::problem::Position;
use super::template::Argument;
use crate::command::Definition;
use crate::secrets::Tree;

/// What a YAML action does.
#[derive(Debug)]
pub struct Shortcut {
    /// What is performed before the steps; each is a `run`.
    pub needs: Vec<Step>,
    /// The steps in order; there is at least one.
    pub steps: Vec<Step>,
    /// What is performed at the end, however the steps ended.
    pub finally: Vec<Step>,
    /// What failures mean; the first that holds counts.
    pub errors: Vec<Rule>,
    /// What the action reports.
    pub outputs: Vec<Output>,
}

/// What a failure means in the author's words.
#[derive(Debug)]
pub struct Rule {
    /// When it is this failure.
    pub when: Condition,
    /// The author's code.
    pub code: String,
    /// What happened.
    pub message: Argument,
    /// What to do.
    pub hint: Option<Argument>,
}

/// One command, or one word of the flow with its steps, with its modifiers.
#[derive(Debug)]
pub struct Step {
    /// Its place in its list, from 1; the `else` steps of an `if` go on after those of its `then`.
    pub number: usize,
    /// Its place in the file.
    pub position: Position,
    /// What it does.
    pub kind: StepKind,
    /// What stands beside it.
    pub modifiers: Modifiers,
}

/// What stands beside a step.
#[derive(Debug, Default)]
pub struct Modifiers {
    /// The name under which its result is known to later steps.
    pub capture: Option<String>,
    /// The step is skipped unless this holds.
    pub when: Option<Condition>,
    /// The step is skipped if this holds; only `needs` have it.
    pub unless: Option<Condition>,
    /// Whether a failure is only a warning.
    pub optional: bool,
    /// How long it may take; more than zero.
    pub timeout: Option<Duration>,
    /// What people are shown instead of the command.
    pub label: Option<String>,
    /// How often it is tried.
    pub retry: Option<Retry>,
    /// What it brings about beside its own result.
    pub awaited: Awaited,
}

impl Modifiers {
    /// The names that its result, and what comes beside it, get.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.capture.as_deref().into_iter().chain(self.awaited.captures())
    }
}

/// How often a step is tried before it has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retry {
    /// All attempts, the first one included.
    pub attempts: u32,
    /// The pause before the second attempt; each later one is twice as long, up to a limit.
    pub backoff: Duration,
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
    /// `if`: one of two lists of steps.
    If {
        /// Which of the two.
        condition: Condition,
        /// Where it holds.
        then: Vec<Step>,
        /// Where it doesn't.
        otherwise: Vec<Step>,
    },
    /// `for_each`: steps for every item of a list.
    ForEach {
        /// The list.
        items: Argument,
        /// The name of the item.
        item: String,
        /// The name of its index, from 0.
        index: Option<String>,
        /// The steps.
        steps: Vec<Step>,
    },
    /// `repeat`: steps several times.
    Repeat {
        /// How often at most.
        max: Argument,
        /// What ends it before.
        end: Option<End>,
        /// The name of the round's index, from 0.
        index: Option<String>,
        /// The steps.
        steps: Vec<Step>,
    },
    /// `group`: steps under one modifier.
    Group(Vec<Step>),
    /// `run`: another action.
    Run {
        /// The action as the file names it.
        target: String,
        /// Its arguments.
        arguments: Vec<(String, Argument)>,
    },
    /// `set`: gives values to names.
    Set(Vec<(String, Argument)>),
    /// `return`: ends the action, with these outputs or with the declared ones.
    Return(Option<Vec<(String, Argument)>>),
    /// `fail`: ends the action with a failure of the author's own.
    Fail {
        /// The author's code.
        code: Option<String>,
        /// What happened.
        message: Argument,
        /// What to do.
        hint: Option<Argument>,
    },
}

/// What ends a `repeat` before its last round.
#[derive(Debug)]
pub enum End {
    /// A round begins only while this holds.
    While(Condition),
    /// No further round begins once this holds.
    Until(Condition),
}

/// What must be so: an expression, or states of the page.
#[derive(Debug)]
pub enum Condition {
    /// An expression that is true.
    Expression(Expression),
    /// States of the page as `expect` takes them.
    States(Argument),
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

    /// The word that names what it does.
    pub fn word(&self) -> &'static str {
        match &self.kind {
            StepKind::Command { command, .. } => command.name,
            StepKind::Perform(_) => "perform",
            StepKind::If { .. } => "if",
            StepKind::ForEach { .. } => "for_each",
            StepKind::Repeat { .. } => "repeat",
            StepKind::Group(_) => "group",
            StepKind::Run { .. } => "run",
            StepKind::Set(_) => "set",
            StepKind::Return(_) => "return",
            StepKind::Fail { .. } => "fail",
        }
    }

    /// Whether what it evaluates when it begins reads the page's address or title. Its condition is not among it.
    pub fn uses_page(&self) -> bool {
        let any = |arguments: &[(String, Argument)]| arguments.iter().any(|(_, argument)| argument.uses_page());
        if self.modifiers.awaited.uses_page() {
            return true;
        }
        match &self.kind {
            StepKind::Command { arguments, .. } | StepKind::Run { arguments, .. } | StepKind::Set(arguments) => {
                any(arguments)
            }
            StepKind::Return(outputs) => outputs.as_deref().is_some_and(any),
            StepKind::Perform(argument) | StepKind::ForEach { items: argument, .. } => argument.uses_page(),
            StepKind::Repeat { max, .. } => max.uses_page(),
            StepKind::Fail { message, hint, .. } => {
                message.uses_page() || hint.as_ref().is_some_and(Argument::uses_page)
            }
            StepKind::If { .. } | StepKind::Group(_) => false,
        }
    }

    /// The names that it and the steps inside it give, but for those of loops.
    pub fn names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = self.modifiers.names().collect();
        if let StepKind::Set(values) = &self.kind {
            names.extend(values.iter().map(|(name, _)| name.as_str()));
        }
        names.extend(self.inner().into_iter().flatten().flat_map(Step::names));
        names
    }

    /// The lists of steps inside it, in the order of the file.
    pub fn inner(&self) -> [&[Step]; 2] {
        match &self.kind {
            StepKind::If { then, otherwise, .. } => [then, otherwise],
            StepKind::ForEach { steps, .. } | StepKind::Repeat { steps, .. } | StepKind::Group(steps) => [steps, &[]],
            _ => [&[], &[]],
        }
    }
}

impl Condition {
    /// Whether it reads the page's address or title through an expression.
    pub fn uses_page(&self) -> bool {
        match self {
            Condition::Expression(expression) => expression.uses_page(),
            Condition::States(states) => states.uses_page(),
        }
    }

    /// Whether it is an expression that asks for the code of a failure.
    pub fn reads_code(&self) -> bool {
        match self {
            Condition::Expression(expression) => expression.names().iter().any(|name| *name == "error.code"),
            Condition::States(_) => false,
        }
    }

    /// The value, if it is the same whenever it is asked for.
    pub fn constant(&self) -> Option<bool> {
        match self {
            Condition::Expression(expression) => expression.constant(),
            Condition::States(_) => None,
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

    /// The names that its steps give, but for those of loops.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        [&self.steps, &self.finally].into_iter().flatten().flat_map(Step::names)
    }

    /// The values that a `return` gives, in their declared types; null is left out.
    pub fn returned(&self, given: &[(String, Argument)], scope: &Scope) -> Result<Map<String, Value>, OutputError> {
        let mut values = Map::new();
        for (name, argument) in given {
            let declared = self.outputs.iter().find(|output| output.name == *name);
            let value = match declared {
                Some(output) => output.converted(argument, scope)?,
                None => argument.value(scope).map_err(|error| OutputError::Expression { name: name.clone(), error })?,
            };
            if !value.is_null() {
                values.insert(name.clone(), value);
            }
        }
        Ok(values)
    }

    /// Whether an output reads the page's address or title.
    pub fn outputs_use_page(&self) -> bool {
        self.outputs.iter().any(|output| output.value.uses_page())
    }
}
