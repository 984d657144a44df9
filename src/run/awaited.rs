//! What a step brings about beside its own result: dialogs, tabs, downloads. Expected before the step acts, collected
//! after it, and told in the step's words.

use std::time::Duration;

use serde_json::{Value, json};

use super::flow::Trial;
use super::perform::{Clock, Flow, Frame, Last, Nested, Performance, of_expression};
use super::{Failure, steps};
use crate::action::{Argument, Awaited, AwaitedDialog, Scope};
use crate::browser::{self, DialogReply, DownloadLimit, Expected, ExpectedDialog, Fulfilled, Unfulfilled};
use crate::command::{Error, dialog_value, tab_value};
use crate::selector::TextMatch;

/// How long a tab or a file may take, where the step has no limit of its own.
const ARRIVAL: Duration = Duration::from_secs(30);
/// How long a look at the tabs may take after a failure.
const LOOK: Duration = Duration::from_millis(500);
/// The longest message of a dialog in a step's words, in characters.
const MAX_MESSAGE: usize = 100;

/// What a step expects, its expressions filled in.
pub(super) fn expected(awaited: &Awaited, scope: &Scope) -> Result<Option<Expected>, Box<Failure>> {
    if awaited.is_empty() {
        return Ok(None);
    }
    let download = awaited.download.as_ref().map(|download| {
        download.max_bytes.map_or_else(DownloadLimit::default, |max_bytes| DownloadLimit { max_bytes })
    });
    let dialog = awaited.dialog.as_ref().map(|dialog| expected_dialog(dialog, scope)).transpose()?;
    Ok(Some(Expected { dialog, opens: awaited.tab.is_some(), download }))
}

fn expected_dialog(dialog: &AwaitedDialog, scope: &Scope) -> Result<ExpectedDialog, Box<Failure>> {
    let message = text(dialog.message.as_ref(), scope)?.map(|message| TextMatch::parse(&message)).transpose();
    let message = message.map_err(|error| Failure::new(&error.to_string(), error.hint().map(str::to_owned)))?;
    let reply = match dialog.accept {
        true => DialogReply::Accept { text: text(dialog.text.as_ref(), scope)? },
        false => DialogReply::Dismiss,
    };
    Ok(ExpectedDialog { reply, message })
}

/// A text that may be left out: null is none.
fn text(argument: Option<&Argument>, scope: &Scope) -> Result<Option<String>, Box<Failure>> {
    let Some(argument) = argument else { return Ok(None) };
    Ok(match argument.value(scope).map_err(|error| of_expression(&error))? {
        Value::Null => None,
        Value::String(text) => Some(text),
        value => Some(value.to_string()),
    })
}

impl Performance<'_> {
    /// Performs a step and waits for what it brings about.
    pub(super) fn expecting<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        trial: &'s Trial<'_>,
        expected: &'s Expected,
    ) -> Nested<'s, Result<Flow, Box<Failure>>> {
        Box::pin(async move {
            let clock = frame.clock.clone();
            let beside = format!("step {}: ", trial.id.all);
            let failed = |error: browser::Error| steps::failure(&Error::Browser(error), &clock);
            let arrival = if expected.opens || expected.download.is_some() { ARRIVAL } else { Duration::ZERO };
            let limit = trial.step.modifiers.timeout.unwrap_or_else(|| self.limit(trial.call).max(arrival));
            let deadline = clock.deadline.within(limit);
            let tabs = if expected.opens { self.session.tabs(&deadline).await.map_err(failed)? } else { Vec::new() };
            let mark = self.outcome.warnings.len();
            let armed = self.session.expect(expected.clone(), &deadline).await.map_err(failed)?;
            let flow = match self.act(frame, trial).await {
                Ok(flow) => flow,
                Err(failure) => {
                    // Tells what came all the same.
                    drop(armed);
                    self.take_notes(&beside);
                    return Err(failure);
                }
            };
            let fulfilled = self.session.fulfil(armed, &deadline).await;
            self.take_notes(&beside);
            match fulfilled {
                Ok(fulfilled) => self.came(frame, trial, fulfilled).map(|()| flow),
                Err(error) => {
                    // A tab that came is there to be closed, although it did not arrive.
                    if let Some(name) = trial.step.modifiers.awaited.tab.as_ref().and_then(|tab| tab.capture.as_ref()) {
                        let open = self.session.tabs(&clock.deadline.renewed(LOOK)).await.unwrap_or_default();
                        let new = open.into_iter().find(|open| !tabs.iter().any(|tab| tab.id == open.id));
                        new.into_iter().for_each(|tab| frame.give(name, &tab_value(tab)));
                    }
                    Err(self.missed(error, expected, &clock, mark, &beside).await)
                }
            }
        })
    }

    /// What came, under its names and in the step's words.
    fn came(&mut self, frame: &mut Frame<'_>, trial: &Trial<'_>, fulfilled: Fulfilled) -> Result<(), Box<Failure>> {
        let awaited = &trial.step.modifiers.awaited;
        let mut told = String::new();
        if let (Some(dialog), Some(awaited)) = (fulfilled.dialog, &awaited.dialog) {
            let answer = if awaited.accept { "accepted" } else { "dismissed" };
            told.push_str(&format!(", {answer} a dialog ({})", dialog.kind.name()));
            let message = dialog.message.split_whitespace().collect::<Vec<_>>().join(" ");
            if !message.is_empty() {
                told.extend(": ".chars().chain(message.chars().take(MAX_MESSAGE)));
            }
            awaited.capture.iter().for_each(|name| frame.give(name, &dialog_value(dialog.clone())));
        }
        if let (Some(tab), Some(awaited)) = (fulfilled.opened, &awaited.tab) {
            told.push_str(&format!(", opened the tab `{}`", tab.id));
            awaited.capture.iter().for_each(|name| frame.give(name, &tab_value(tab.clone())));
        }
        if let (Some(download), Some(awaited)) = (fulfilled.download, &awaited.download) {
            let path = self.workspace.keep(&download).map_err(|error| steps::failure(&error, &frame.clock))?;
            let name = path.file_name().map(|name| name.to_string_lossy().into_owned());
            let value = json!({ "name": name, "path": path, "bytes": download.bytes, "url": download.url });
            told.push_str(&format!(", downloaded {} ({} bytes)", name.unwrap_or_default(), download.bytes));
            awaited.capture.iter().for_each(|name| frame.give(name, &value));
            // Where the step has no answer of its own, the file is what it was performed for.
            if matches!(frame.last, Last::Nothing | Last::Value(Value::Null)) {
                frame.last = Last::Value(value);
            }
        }
        if let Some(report) = self.outcome.steps.get_mut(trial.report) {
            report.text.push_str(&told);
        }
        Ok(())
    }

    /// What was expected, and what was seen instead.
    async fn missed(
        &mut self,
        error: browser::Error,
        expected: &Expected,
        clock: &Clock,
        mark: usize,
        beside: &str,
    ) -> Box<Failure> {
        let browser::Error::Unfulfilled(unfulfilled) = &error else {
            return steps::failure(&Error::Browser(error), clock);
        };
        let wanted = expected.dialog.as_ref().and_then(|dialog| dialog.message.as_ref());
        let wanted = wanted.filter(|_| matches!(unfulfilled, Unfulfilled::NoDialog(_))).map(TextMatch::text);
        let mut failure = steps::failure(&Error::Browser(error), clock);
        failure.details.extend(wanted.map(|message| format!("expected a dialog with `{message}`")));
        for warning in self.outcome.warnings.split_off(mark) {
            match warning.strip_prefix(beside) {
                Some(seen) => failure.details.push(format!("seen instead: {seen}")),
                None => self.outcome.warnings.push(warning),
            }
        }
        let (url, title) = self.page(&Clock { deadline: clock.deadline.renewed(LOOK), ..clock.clone() }).await;
        if !url.is_empty() {
            failure.details.push(format!("the page is at `{url}`: {title}"));
        }
        failure
    }
}
