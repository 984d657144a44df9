//! The only exit for text: what happened, in words for a model, without secrets and within a budget.
//!
//! A success answers with its outputs as JSON, or with text, or with one line; a failure with what happened, what was
//! tried, what had been done, and a hint. Text that comes from a page is fenced, so that a reader can tell it from the
//! host's own words. The command line prints the same replies, without fences.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Map, Value};

use crate::action::{Action, ArgumentErrors};
use crate::browser::Picture;
use crate::run::{Outcome, Progress, State};
use crate::secrets::Redactor;

mod failure;
mod limit;

/// A reply's texts together are at most this many characters long, and so are its structured outputs with the notes.
pub const BUDGET: usize = 40_000;
/// What stands around the text: a page's fence with its address, words of cutting.
const FRAME: usize = 600;
/// What the notes take of the budget at most, in characters.
const NOTES: usize = 8_000;
/// One note, in characters.
const LONGEST_NOTE: usize = 2_000;
/// A hint, in characters.
const LONGEST_HINT: usize = 2_000;
/// What a step did, and a value captured on the way, in characters.
const LONGEST_LINE: usize = 300;
/// Images of one reply.
const MOST_IMAGES: usize = 10;
/// All images of one reply, in bytes as they are sent.
const IMAGES: usize = 8 * 1024 * 1024;

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
    /// The page around a failure.
    pub page: Option<String>,
    /// A failure as data; empty where the shape of the outputs has no place for it.
    pub failure: Map<String, Value>,
    /// Whether this reports a failure.
    pub is_error: bool,
}

impl Reply {
    /// What an action's run came to.
    pub fn outcome(action: &Action, outcome: &Outcome, redactor: &Redactor) -> Reply {
        let (images, left_out) = images(&outcome.images);
        let warnings = outcome.warnings.iter().map(|warning| format!("warning: {warning}"));
        let notes = left_out.into_iter().chain(warnings).map(|note| exit(&note, LONGEST_NOTE, redactor)).collect();
        let notes = limit::list(notes, NOTES);
        let room = BUDGET - FRAME - notes.iter().map(|note| note.chars().count()).sum::<usize>().min(NOTES);
        let mut reply = match &outcome.failure {
            Some(failure) => Reply::failed(action, failure, outcome, room, redactor),
            None => Reply::succeeded(action, outcome, room, redactor),
        };
        reply.notes.extend(notes);
        reply.images = images;
        reply
    }

    /// Arguments that the action does not take.
    pub fn bad_arguments(errors: &ArgumentErrors, redactor: &Redactor) -> Reply {
        Reply::refusal(&errors.to_string(), &errors.hint(), redactor)
    }

    /// A call that was not performed.
    pub fn refusal(message: &str, hint: &str, redactor: &Redactor) -> Reply {
        let message = exit(message, BUDGET - FRAME - LONGEST_HINT, redactor);
        let text = format!("error: {message}\nhint: {}", exit(hint, LONGEST_HINT, redactor));
        Reply { text: Some(text), is_error: true, ..Reply::default() }
    }

    /// An object as JSON text.
    pub(super) fn json(object: &Map<String, Value>, redactor: &Redactor) -> Reply {
        let (map, notes) = limit::object(redacted(object, redactor), BUDGET);
        Reply { text: Some(Value::Object(map).to_string()), notes, ..Reply::default() }
    }

    /// All text, for a reader that takes no blocks.
    pub fn whole_text(&self) -> String {
        let outputs = || Value::Object(self.outputs.clone()).to_string();
        let mut text = self.text.clone().unwrap_or_else(outputs);
        if let Some(page) = &self.page {
            text.push_str("\nthe page around it:");
            for line in page.lines() {
                text.push_str("\n  ");
                text.push_str(line);
            }
        }
        for note in &self.notes {
            text.push('\n');
            text.push_str(note);
        }
        text
    }

    fn succeeded(action: &Action, outcome: &Outcome, room: usize, redactor: &Redactor) -> Reply {
        let (outputs, mut notes) = limit::object(redacted(&outcome.outputs, redactor), room);
        let page_text = match &outcome.text {
            Some(text) => match long_json(text, room) {
                Some(mut value) => {
                    redactor.value(&mut value);
                    let (value, cut) = limit::value(value, room);
                    notes.extend(cut);
                    Some(value.to_string())
                }
                None => Some(exit(text, room, redactor)),
            },
            None => only_text(&outputs).map(str::to_owned),
        };
        let from_page = page_text.is_some();
        let text = page_text.or_else(|| outputs.is_empty().then(|| done(action, outcome)));
        Reply { text, from_page, outputs, promised: action.output_schema.is_some(), notes, ..Reply::default() }
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
        content
            .extend(reply.page.map(|page| ContentBlock::text(format!("the page around it:\n{}", fence(&page, None)))));
        content.extend(reply.notes.into_iter().map(ContentBlock::text));
        content.extend(reply.images.into_iter().map(|(mime_type, data)| ContentBlock::image(data, mime_type)));
        if reply.is_error {
            let mut result = CallToolResult::error(content);
            result.structured_content = (!reply.failure.is_empty()).then_some(Value::Object(reply.failure));
            return result;
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
    format!("{}/{} {text}{ending}", progress.id, progress.steps)
}

/// A duration as people read it.
pub fn seconds(duration: Duration) -> String {
    match duration.as_millis() {
        milliseconds @ 0..1000 => format!("{milliseconds} ms"),
        _ => format!("{:.1} s", duration.as_secs_f64()),
    }
}

/// The images that a reply has room for, and a note about the others.
fn images(pictures: &[Picture]) -> (Vec<(&'static str, String)>, Option<String>) {
    let mut left = IMAGES;
    let mut images = Vec::new();
    for picture in pictures {
        let encoded = STANDARD.encode(&picture.data);
        if images.len() < MOST_IMAGES
            && let Some(rest) = left.checked_sub(encoded.len())
        {
            left = rest;
            images.push((picture.mime_type, encoded));
        }
    }
    let left_out = pictures.len() - images.len();
    let note = format!(
        "{left_out} of {} images left out: a result has at most {MOST_IMAGES} images and 8 MB of them; ask for fewer at \
         a time, or write them to files with `path`",
        pictures.len()
    );
    (images, (left_out > 0).then_some(note))
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
fn exit(text: &str, room: usize, redactor: &Redactor) -> String {
    limit::text(redactor.text(text).into_owned(), room)
}

/// The text of outputs that are nothing but one text of several lines: as JSON it would be hard to read.
fn only_text(outputs: &Map<String, Value>) -> Option<&str> {
    let mut values = outputs.values();
    let text = values.next()?.as_str()?;
    (values.next().is_none() && text.trim_end().contains('\n')).then_some(text)
}

/// The list or map that a text too long for its room is the JSON of: cut as a value, it stays JSON.
fn long_json(text: &str, room: usize) -> Option<Value> {
    let may_be = text.len() > room && text.starts_with(['[', '{']);
    may_be.then(|| serde_json::from_str(text).ok())?
}

/// Where page text comes from, if the outputs say so.
fn origin(outputs: &Map<String, Value>) -> Option<&str> {
    ["url", "finalUrl"].iter().find_map(|key| outputs.get(*key)?.as_str())
}

/// Marks text from a page; the number can't be guessed by the page, so it can't close the fence.
fn fence(text: &str, origin: Option<&str>) -> String {
    let nonce = RandomState::new().build_hasher().finish() & 0xffff_ffff;
    let from = origin.map(|url| format!(" from {}", limit::line(url, LONGEST_LINE))).unwrap_or_default();
    format!("<page-content {nonce:08x}{from}>\n{}\n</page-content {nonce:08x}>", text.trim_end_matches('\n'))
}

#[cfg(test)]
mod tests;
