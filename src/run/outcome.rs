//! What a run tells: its progress, and how it ended.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::browser::Picture;

/// How far a step is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It begins.
    Started,
    /// It succeeded.
    Done,
    /// Its condition was false.
    Skipped,
    /// It failed and is optional.
    Warned,
    /// It failed.
    Failed,
}

/// News of a step on its way.
#[derive(Clone, Debug)]
pub struct Progress {
    /// The step's number, from 1.
    pub step: usize,
    /// How many there are.
    pub steps: usize,
    /// What it does.
    pub text: String,
    /// How far it is.
    pub state: State,
    /// How long it took; zero when it starts.
    pub elapsed: Duration,
}

/// A step that was reached.
#[derive(Clone, Debug)]
pub struct StepReport {
    /// Its number, from 1.
    pub number: usize,
    /// What it did.
    pub text: String,
    /// How it ended.
    pub state: State,
    /// How long it took.
    pub elapsed: Duration,
}

/// How a run ended. Texts and values are not yet redacted.
#[derive(Debug, Default)]
pub struct Outcome {
    /// What the action reports; after a failure, the values captured until then.
    pub outputs: Map<String, Value>,
    /// The result of an action that declares no outputs: the last step's, as text.
    pub text: Option<String>,
    /// The steps that were reached.
    pub steps: Vec<StepReport>,
    /// Pictures for the client.
    pub images: Vec<Picture>,
    /// What did not stop the run and is worth knowing.
    pub warnings: Vec<String>,
    /// Why it failed, if it did.
    pub failure: Option<Failure>,
    /// How long it took, waiting for its turn included.
    pub elapsed: Duration,
}

/// Why a run failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub message: String,
    /// What was tried and seen, a line each.
    pub details: Vec<String>,
    /// What to do.
    pub hint: Option<String>,
    /// The number of the step.
    pub step: Option<usize>,
    /// The step's place, `file:line`.
    pub location: Option<String>,
}

impl Outcome {
    /// A run that did not begin.
    pub(super) fn refused(message: String, hint: &str) -> Outcome {
        let failure = Failure { message, hint: Some(hint.to_owned()), ..Failure::default() };
        Outcome { failure: Some(failure), ..Outcome::default() }
    }
}

impl Failure {
    /// From an error's text: its first line says what happened, the others what was tried.
    pub(super) fn new(text: &str, hint: Option<String>) -> Failure {
        let mut lines = text.lines();
        let message = lines.next().unwrap_or_default().to_owned();
        let details = lines.map(|line| line.trim_start().to_owned()).collect();
        Failure { message, details, hint, ..Failure::default() }
    }

    /// Names the step that failed.
    pub(super) fn of_step(self, number: usize, command: &str) -> Failure {
        let message = format!("step {number} ({command}): {}", self.message);
        Failure { message, step: Some(number), ..self }
    }
}
