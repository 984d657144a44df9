//! A command's way to the browser: its limit, its words, its failure; and what is told of steps.

use std::time::{Duration, Instant};

use serde_json::Value;

use super::perform::{Clock, Nested, Performance};
use super::place::Id;
use super::{Failure, Progress, State, StepReport};
use crate::browser;
use crate::command::{Call, Definition, Error, Output, execute};
use crate::secrets::Tree;

/// The longest description of a step, in characters.
const MAX_TEXT: usize = 100;

/// What a step does, for people: its label, or the command with its main argument, secrets masked.
pub(super) fn words(label: Option<&str>, command: &Definition, arguments: &[(String, Tree)]) -> String {
    if let Some(label) = label {
        return label.to_owned();
    }
    let main = command.main.and_then(|main| arguments.iter().find(|(name, _)| name == main));
    let main = main.map(|(_, value)| value.to_masked_json());
    let own = main.as_ref().and_then(|main| command.words(main));
    let text = match main {
        _ if own.is_some() => own.unwrap_or_default(),
        None | Some(Value::Null) => command.name.to_owned(),
        Some(Value::String(text)) => format!("{} {text}", command.name),
        Some(value) => format!("{} {value}", command.name),
    };
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(MAX_TEXT) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

impl Performance<'_> {
    /// Performs one command; what happens beside it is noted with the words `beside`.
    pub(super) fn call<'s>(
        &'s mut self,
        call: &'s Call,
        timeout: Option<Duration>,
        clock: &'s Clock,
        beside: &'s str,
    ) -> Nested<'s, Result<Value, Box<Failure>>> {
        Box::pin(async move {
            let usual = self.limit(Some(call));
            let mut context = self.context(clock);
            context.deadline = match timeout {
                Some(limit) => clock.deadline.strictly_within(limit),
                None => clock.deadline.within(usual),
            };
            let performed = execute(call, &mut context).await;
            self.take_notes(beside);
            let Output { value, pictures } = performed.map_err(|error| failure(&error, clock))?;
            self.outcome.images.extend(pictures);
            Ok(value)
        })
    }

    /// How long a step may take that does not say it: its command's limit, or the host's if that is longer.
    pub(super) fn limit(&self, call: Option<&Call>) -> Duration {
        let own = call.and_then(|call| call.command.timeout()).unwrap_or_default();
        own.max(self.settings.step_timeout)
    }

    /// Tells that a step begins; answers where its report stands.
    pub(super) fn begin(&mut self, id: &Id, text: &str) -> usize {
        let (id, text, state, elapsed) = (id.all.clone(), text.to_owned(), State::Started, Duration::ZERO);
        self.outcome.steps.push(StepReport { id, text, state, elapsed });
        self.tell(self.outcome.steps.len() - 1);
        self.outcome.steps.len() - 1
    }

    /// Tells how a step ended.
    pub(super) fn end(&mut self, report: usize, state: State, began: Instant) {
        if let Some(report) = self.outcome.steps.get_mut(report) {
            (report.state, report.elapsed) = (state, began.elapsed());
        }
        self.tell(report);
    }

    /// Tells that a step is not performed.
    pub(super) fn skipped(&mut self, id: &Id, text: &str) {
        let (id, text, state, elapsed) = (id.all.clone(), text.to_owned(), State::Skipped, Duration::ZERO);
        self.outcome.steps.push(StepReport { id, text, state, elapsed });
        self.tell(self.outcome.steps.len() - 1);
    }

    fn tell(&self, report: usize) {
        let Some(report) = self.outcome.steps.get(report) else { return };
        let StepReport { id, text, state, elapsed } = report.clone();
        (self.progress)(Progress { id, step: self.top.0, steps: self.top.1, text, state, elapsed });
    }
}

/// A command's error as the run's failure.
pub(super) fn failure(error: &Error, clock: &Clock) -> Box<Failure> {
    let mut failure = Failure::new(&error.to_string(), error.hint());
    failure.is_passing = is_passing(error);
    if let Error::Browser(error) = error {
        failure.about = error.about().cloned();
        // The candidates of an ambiguous selector say more than the page does.
        failure.is_plain = matches!(
            error,
            browser::Error::Ambiguous { .. } | browser::Error::Argument { .. } | browser::Error::BadSelector { .. }
        );
    }
    let waited = matches!(
        error,
        Error::Browser(browser::Error::Timeout { .. } | browser::Error::Unmet(_) | browser::Error::Unfulfilled(_))
    );
    if !waited || !clock.deadline.remaining().is_zero() {
        return failure;
    }
    out_of_time(*failure, clock)
}

/// A failure for which there was no time to come to another end.
pub(super) fn out_of_time(failure: Failure, clock: &Clock) -> Box<Failure> {
    let mut details = vec![failure.headline()];
    details.extend(failure.details);
    let limit = humantime::format_duration(clock.deadline.limit());
    Box::new(Failure {
        message: format!("the time of {} is over: {limit}", clock.owner),
        details,
        hint: Some(format!("give {} a longer `timeout`, or see what the step waited for", clock.owner)),
        is_passing: true,
        about: failure.about,
        ..Failure::default()
    })
}

/// Whether the same command may succeed a moment later.
fn is_passing(error: &Error) -> bool {
    match error {
        Error::Browser(error) => !matches!(
            error,
            browser::Error::Cancelled
                | browser::Error::Argument { .. }
                | browser::Error::BadSelector { .. }
                | browser::Error::NoBrowser { .. }
                | browser::Error::BadBrowser { .. }
                | browser::Error::ProfileInUse { .. }
        ),
        Error::File { .. } => true,
        _ => false,
    }
}
