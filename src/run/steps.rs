//! A step's way to the browser: its limit, its words, its command.

use std::time::Duration;

use serde_json::Value;

use super::Failure;
use crate::browser::{self, Deadline};
use crate::command::{Call, Context, Definition, Error, Output, execute};
use crate::secrets::Tree;

/// The longest description of a step, in characters.
const MAX_TEXT: usize = 100;

/// What a step does, for people: its label, or the command with its main argument, secrets masked.
pub(super) fn words(label: Option<&str>, command: &Definition, arguments: &[(String, Tree)]) -> String {
    if let Some(label) = label {
        return label.to_owned();
    }
    let main = command.main.and_then(|main| arguments.iter().find(|(name, _)| name == main));
    let text = match main.map(|(_, value)| value.to_masked_json()) {
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

/// Runs a command under its limit: the step's, else the command's own, else the host's.
pub(super) async fn run(
    call: &Call,
    timeout: Option<Duration>,
    host: Duration,
    mut context: Context<'_>,
) -> Result<Output, Error> {
    let limit = timeout.unwrap_or_else(|| call.command.timeout().map_or(host, |own| own.max(host)));
    context.deadline = context.overall.within(limit);
    execute(call, &mut context).await
}

/// A command's error as the run's failure.
pub(super) fn failure(error: &Error, overall: &Deadline) -> Failure {
    let failure = Failure::new(&error.to_string(), error.hint());
    let ran_out = matches!(error, Error::Browser(browser::Error::Timeout { .. } | browser::Error::Unmet(_)))
        && overall.remaining().is_zero();
    if !ran_out {
        return failure;
    }
    let mut details = vec![failure.message];
    details.extend(failure.details);
    Failure {
        message: format!("the action's time of {} is over", humantime::format_duration(overall.limit())),
        details,
        hint: Some("give the action a longer `timeout`, or see what the step waited for".to_owned()),
        ..Failure::default()
    }
}

/// Whether an error ends the run even where the step is optional.
pub(super) fn is_final(error: &Error) -> bool {
    matches!(error, Error::Browser(browser::Error::Cancelled))
}
