//! What a run tells: its progress, and how it ended.

use std::time::Duration;

use serde_json::{Map, Value};

use crate::browser::Picture;
use crate::selector::Selector;

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
    /// The step's number; of a step inside others with theirs: `3.2`, in a loop with its round from 0: `3.2[4]`.
    pub id: String,
    /// The number of the action's own step that is under way, from 1.
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
    /// Its number, as [`Progress::id`] has it.
    pub id: String,
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
#[derive(Clone, Debug, Default)]
pub struct Failure {
    /// What happened.
    pub message: String,
    /// The author's code for it.
    pub code: Option<String>,
    /// What was tried and seen, a line each.
    pub details: Vec<String>,
    /// What to do.
    pub hint: Option<String>,
    /// The step that failed, the innermost one.
    pub step: Option<FailedStep>,
    /// Where it is declared, `file:line`, if it is an output that has no value.
    pub declared: Option<String>,
    /// The steps that lead to it, outermost first: `step 3 (run)`, `login step 2 (click)`.
    pub trail: Vec<String>,
    /// Where other actions performed the one that failed, `file:line`, innermost first.
    pub callers: Vec<String>,
    /// Whether the message is the author's own: then it stands alone.
    pub is_authored: bool,
    /// Whether the same step may succeed when it is tried again.
    pub is_passing: bool,
    /// Whether it is understood without a look at the page.
    pub is_plain: bool,
    /// The element that something was to be done with.
    pub about: Option<Selector>,
    /// The page around that element at the moment of the failure, as its accessibility snapshot.
    pub page: Option<String>,
    /// The viewport at that moment, where such pictures are wanted.
    pub picture: Option<Picture>,
}

/// A step that failed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FailedStep {
    /// Its number within its action.
    pub id: String,
    /// Its command, or its word of the flow.
    pub word: String,
    /// What it did, for people.
    pub text: String,
    /// Its `label`.
    pub label: Option<String>,
    /// Its action.
    pub action: String,
    /// Its file and line, if it stands in one.
    pub place: Option<(String, u32)>,
    /// How long it took.
    pub elapsed: Duration,
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
    pub(super) fn new(text: &str, hint: Option<String>) -> Box<Failure> {
        let mut lines = text.lines();
        let message = lines.next().unwrap_or_default().to_owned();
        let details = lines.map(|line| line.trim_start().to_owned()).collect();
        Box::new(Failure { message, details, hint, ..Failure::default() })
    }

    /// What happened and in which step, in one line.
    pub fn headline(&self) -> String {
        match self.trail.is_empty() || self.is_authored {
            true => self.message.clone(),
            false => format!("{}: {}", self.trail.join(" → "), self.message),
        }
    }

    /// The place of what failed, `file:line`: an output, or else a step.
    pub fn location(&self) -> Option<String> {
        self.declared.clone().or_else(|| self.step.as_ref()?.location())
    }

    /// Names the step that failed; those around it know it already.
    pub(super) fn of_step(mut self: Box<Self>, step: FailedStep) -> Box<Failure> {
        if self.trail.is_empty() {
            self.trail.push(step.title());
        }
        self.step.get_or_insert(step);
        self
    }

    /// Tells that the failure is one of another action, which a step performed.
    pub(super) fn through(mut self: Box<Self>, step: FailedStep, action: &str) -> Box<Failure> {
        match self.trail.first_mut() {
            Some(first) => *first = format!("{action} {first}"),
            None => self.trail.push(action.to_owned()),
        }
        self.trail.insert(0, step.title());
        self.callers.extend(step.location());
        self.step.get_or_insert(step);
        self
    }
}

impl FailedStep {
    /// Its place, `file:line`.
    pub fn location(&self) -> Option<String> {
        let (file, line) = self.place.as_ref()?;
        Some(format!("{file}:{line}"))
    }

    /// Its number and its word, with its label where it has one: `step 3 (click "send it")`.
    pub fn title(&self) -> String {
        match &self.label {
            Some(label) => format!("step {} ({} \"{label}\")", self.id, self.word),
            None => format!("step {} ({})", self.id, self.word),
        }
    }
}
