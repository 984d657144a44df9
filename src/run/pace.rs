//! Who decides, before each step, whether it is performed: a run that is watched asks, others go on.

use std::pin::Pin;

/// A step that is about to be performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Next {
    /// Its number, as [`Progress::id`](super::Progress::id) has it.
    pub id: String,
    /// What it will do, with its arguments; not yet redacted.
    pub text: String,
}

/// What is to be done with a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// Perform it.
    Perform,
    /// Go on as if its condition were false.
    Skip,
    /// End the run here; `finally` is performed without asking.
    Quit,
}

/// Decides about steps.
pub trait Pace: Send + Sync {
    /// What is to be done with the step. The limits of the run stand still meanwhile.
    fn ask(&self, next: Next) -> Pin<Box<dyn Future<Output = Answer> + Send + '_>>;
}
