//! The only exit for text: what happened, in words for a model, without secrets and within a budget.
//!
//! A success answers with its outputs as JSON, or with text, or with one line; a failure with what happened, what was
//! tried, what had been done, and a hint. Text that comes from a page is fenced, so that a reader can tell it from the
//! host's own words. The command line prints the same replies, without fences.

use std::collections::hash_map::RandomState;
use std::fmt::Write as _;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

use crate::action::{Action, ArgumentErrors};
use crate::run::{Failure, Outcome, Progress, State, StepReport};
use crate::secrets::Redactor;

mod limit;

/// A reply's text is at most about this many characters long.
pub const BUDGET: usize = 40_000;

/// What a caller gets to read: redacted, and within the budget.
#[derive(Debug, Default, PartialEq)]
pub struct Reply {
    /// What happened, if the outputs alone don't say it.
    pub text: Option<String>,
    /// Whether the text is a page's and not the host's.
    pub from_page: bool,
    /// The outputs of a success.
    pub outputs: Map<String, Value>,
    /// Whether the action promises the outputs' shape.
    pub promised: bool,
    /// What else is worth knowing, warnings for one.
    pub notes: Vec<String>,
    /// Images: type and base64.
    pub images: Vec<(&'static str, String)>,
    /// Whether this reports a failure.
    pub is_error: bool,
}

impl Reply {
    /// What an action's run came to.
    pub fn outcome(action: &Action, outcome: &Outcome, redactor: &Redactor) -> Reply {
        let mut reply = match &outcome.failure {
            Some(failure) => Reply::failed(failure, outcome, redactor),
            None => Reply::succeeded(action, outcome, redactor),
        };
        let warnings = outcome.warnings.iter().map(|warning| exit(&format!("warning: {warning}"), redactor));
        reply.notes.extend(warnings);
        reply.images = outcome.images.iter().map(|image| (image.mime_type, STANDARD.encode(&image.data))).collect();
        reply
    }

    /// Arguments that the action does not take.
    pub fn bad_arguments(errors: &ArgumentErrors, redactor: &Redactor) -> Reply {
        Reply::refusal(&errors.to_string(), &errors.hint(), redactor)
    }

    /// A call that was not performed.
    pub fn refusal(message: &str, hint: &str, redactor: &Redactor) -> Reply {
        let text = format!("error: {}\nhint: {}", exit(message, redactor), exit(hint, redactor));
        Reply { text: Some(text), is_error: true, ..Reply::default() }
    }

    /// A value as JSON text.
    pub(super) fn json(mut value: Value, redactor: &Redactor) -> Reply {
        redactor.value(&mut value);
        Reply { text: Some(exit(&value.to_string(), redactor)), ..Reply::default() }
    }

    /// All text, for a reader that takes no blocks.
    pub fn whole_text(&self) -> String {
        let outputs = || Value::Object(self.outputs.clone()).to_string();
        let mut text = self.text.clone().unwrap_or_else(outputs);
        for note in &self.notes {
            text.push('\n');
            text.push_str(note);
        }
        text
    }

    fn succeeded(action: &Action, outcome: &Outcome, redactor: &Redactor) -> Reply {
        let (outputs, cut) = limit::object(redacted(&outcome.outputs, redactor), BUDGET);
        let page_text = match &outcome.text {
            Some(text) => Some(exit(text, redactor)),
            None => only_text(&outputs).map(str::to_owned),
        };
        let from_page = page_text.is_some();
        let text = page_text.or_else(|| outputs.is_empty().then(|| done(action, outcome)));
        let note =
            format!("long texts are cut, so that the result has at most {BUDGET} characters; ask for less at a time");
        let notes = if cut { vec![note] } else { Vec::new() };
        Reply { text, from_page, outputs, promised: action.output_schema.is_some(), notes, ..Reply::default() }
    }

    fn failed(failure: &Failure, outcome: &Outcome, redactor: &Redactor) -> Reply {
        let mut text = format!("error: {}", failure.message);
        if let Some(location) = &failure.location {
            let _ = write!(text, "\n  at {location}");
        }
        for line in failure.details.iter().flat_map(|detail| detail.lines()) {
            let _ = write!(text, "\n  {line}");
        }
        let before: Vec<String> = outcome.steps.iter().filter(|step| step.state != State::Failed).map(step).collect();
        if !before.is_empty() {
            let _ = write!(text, "\ndone before:\n  {}", before.join("\n  "));
        }
        if !outcome.outputs.is_empty() {
            let _ = write!(text, "\nvalues so far: {}", Value::Object(redacted(&outcome.outputs, redactor)));
        }
        // The hint comes last and is never cut.
        let mut text = exit(&text, redactor);
        if let Some(hint) = &failure.hint {
            let _ = write!(text, "\nhint: {}", exit(hint, redactor));
        }
        Reply { text: Some(text), is_error: true, ..Reply::default() }
    }
}

impl From<Reply> for CallToolResult {
    fn from(reply: Reply) -> CallToolResult {
        let text = match reply.text {
            Some(text) if reply.from_page => fence(&text, origin(&reply.outputs)),
            Some(text) => text,
            // Many models read only text.
            None => Value::Object(reply.outputs.clone()).to_string(),
        };
        let mut content = vec![ContentBlock::text(text)];
        content.extend(reply.notes.into_iter().map(ContentBlock::text));
        content.extend(reply.images.into_iter().map(|(mime_type, data)| ContentBlock::image(data, mime_type)));
        if reply.is_error {
            return CallToolResult::error(content);
        }
        let mut result = CallToolResult::success(content);
        let is_structured = reply.promised || !reply.outputs.is_empty();
        result.structured_content = is_structured.then_some(Value::Object(reply.outputs));
        result
    }
}

/// One line about a step on its way.
pub fn progress(progress: &Progress, redactor: &Redactor) -> String {
    let text = redactor.text(&progress.text);
    let ending = match progress.state {
        State::Started => String::new(),
        State::Done => format!(" ({})", seconds(progress.elapsed)),
        State::Skipped => " (skipped)".to_owned(),
        State::Warned => format!(" (failed, goes on; {})", seconds(progress.elapsed)),
        State::Failed => format!(" (failed; {})", seconds(progress.elapsed)),
    };
    format!("{}/{} {text}{ending}", progress.step, progress.steps)
}

/// A duration as people read it.
pub fn seconds(duration: Duration) -> String {
    match duration.as_millis() {
        milliseconds @ 0..1000 => format!("{milliseconds} ms"),
        _ => format!("{:.1} s", duration.as_secs_f64()),
    }
}

fn step(step: &StepReport) -> String {
    let ending = match step.state {
        State::Skipped => ", skipped".to_owned(),
        State::Warned => ", failed but optional".to_owned(),
        _ => String::new(),
    };
    format!("{} {}{ending}", step.number, step.text)
}

fn done(action: &Action, outcome: &Outcome) -> String {
    let steps = match outcome.steps.len() {
        1 => "1 step".to_owned(),
        count => format!("{count} steps"),
    };
    format!("done: {} ({steps}, {})", action.name, seconds(outcome.elapsed))
}

/// The outputs without secrets.
fn redacted(outputs: &Map<String, Value>, redactor: &Redactor) -> Map<String, Value> {
    let mut value = Value::Object(outputs.clone());
    redactor.value(&mut value);
    match value {
        Value::Object(outputs) => outputs,
        _ => Map::new(),
    }
}

/// Redacted, then cut: a secret may not survive because a cut went through it.
fn exit(text: &str, redactor: &Redactor) -> String {
    limit::text(redactor.text(text).into_owned(), BUDGET)
}

/// The text of outputs that are nothing but one text of several lines: as JSON it would be hard to read.
fn only_text(outputs: &Map<String, Value>) -> Option<&str> {
    let mut values = outputs.values();
    let text = values.next()?.as_str()?;
    (values.next().is_none() && text.trim_end().contains('\n')).then_some(text)
}

/// Where page text comes from, if the outputs say so.
fn origin(outputs: &Map<String, Value>) -> Option<&str> {
    ["url", "finalUrl"].iter().find_map(|key| outputs.get(*key)?.as_str())
}

/// Marks text from a page; the number can't be guessed by the page, so it can't close the fence.
fn fence(text: &str, origin: Option<&str>) -> String {
    let nonce = RandomState::new().build_hasher().finish() & 0xffff_ffff;
    let from = origin.map(|url| format!(" from {url}")).unwrap_or_default();
    format!("<page-content {nonce:08x}{from}>\n{}\n</page-content {nonce:08x}>", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests;
