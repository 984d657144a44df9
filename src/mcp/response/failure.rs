//! The report of a failure: what happened and where, what had been done, what the page looks like around it, what to do;
//! as text, and as data for clients that show or keep that.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::{Map, Value, json};

use super::{LONGEST_HINT, LONGEST_LINE, Reply, exit, limit, redacted};
use crate::action::Action;
use crate::run::{Failure, Outcome, State, StepReport};
use crate::secrets::Redactor;

impl Reply {
    pub(super) fn failed(
        action: &Action,
        failure: &Failure,
        outcome: &Outcome,
        room: usize,
        redactor: &Redactor,
    ) -> Reply {
        let mut text = format!("error: {}", failure.headline());
        if let Some(code) = &failure.code {
            let _ = write!(text, "\n  code: {code}");
        }
        if let Some(location) = failure.location() {
            let _ = write!(text, "\n  at {location}");
            // In the author's own words the step has not been named yet.
            if let Some(step) = failure.step.as_ref().filter(|_| failure.is_authored) {
                let _ = write!(text, ", {}", step.title());
            }
        }
        for caller in &failure.callers {
            let _ = write!(text, "\n  run by {caller}");
        }
        for line in failure.details.iter().flat_map(|detail| detail.lines()) {
            let _ = write!(text, "\n  {line}");
        }
        // Each part has its room, so that a long one takes none from the others; the hint comes last.
        let mut text = exit(&text, room * 3 / 8, redactor);
        text.push_str(&before(&outcome.steps, room / 8, redactor));
        text.push_str(&so_far(redacted(&outcome.outputs, redactor), room / 4));
        if let Some(hint) = &failure.hint {
            let _ = write!(text, "\nhint: {}", exit(hint, LONGEST_HINT, redactor));
        }
        let page = failure.page.as_deref().filter(|page| !page.is_empty());
        Reply {
            text: Some(text),
            page: page.map(|page| exit(page, room / 8, redactor)),
            failure: match takes_failures(action) {
                true => structured(failure, outcome, room, redactor),
                false => Map::new(),
            },
            is_error: true,
            ..Reply::default()
        }
    }
}

/// Whether a failure as data keeps what the action promises: clients hold it against the schema of its outputs.
fn takes_failures(action: &Action) -> bool {
    action.output_schema.as_ref().is_none_or(|schema| {
        let declares_it = schema.get("properties").is_some_and(|outputs| outputs.get("error").is_some());
        !schema.contains_key("required") && !declares_it
    })
}

/// A failure as data; what isn't known is left out.
fn structured(failure: &Failure, outcome: &Outcome, room: usize, redactor: &Redactor) -> Map<String, Value> {
    let step = failure.step.as_ref().map(|step| {
        known(json!({
            "id": step.id,
            "command": step.word,
            "text": step.text,
            "label": step.label,
            "action": step.action,
            "file": step.place.as_ref().map(|(file, _)| file),
            "line": step.place.as_ref().map(|(_, line)| line),
            "elapsed_ms": milliseconds(step.elapsed),
        }))
    });
    let done = outcome.steps.iter().filter(|step| step.state != State::Failed);
    let report = json!({
        "message": failure.headline(),
        "code": failure.code,
        "step": step,
        "declared": failure.declared,
        "run_by": Some(&failure.callers).filter(|callers| !callers.is_empty()),
        "details": failure.details,
        "hint": failure.hint,
        "elapsed_ms": milliseconds(outcome.elapsed),
        "done": done.map(|step| self::step(step, redactor)).collect::<Vec<_>>(),
        "values": outcome.outputs,
        "page": failure.page.as_ref().filter(|page| !page.is_empty()),
    });
    let Value::Object(report) = json!({ "error": known(report) }) else { return Map::new() };
    limit::object(redacted(&report, redactor), room).0
}

fn known(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

/// The steps before the one that failed; of very many the last.
fn before(steps: &[StepReport], room: usize, redactor: &Redactor) -> String {
    let steps: Vec<&StepReport> = steps.iter().filter(|step| step.state != State::Failed).collect();
    let mut left = room;
    let mut lines: Vec<String> = Vec::new();
    for step in steps.iter().rev() {
        let line = format!("\n  {}", self::step(step, redactor));
        let Some(rest) = left.checked_sub(line.chars().count()) else { break };
        left = rest;
        lines.push(line);
    }
    if lines.len() < steps.len() {
        lines.push(format!("\n  … {} steps", limit::thousands(steps.len() - lines.len())));
    }
    if lines.is_empty() {
        return String::new();
    }
    lines.push("\ndone before:".to_owned());
    lines.into_iter().rev().collect()
}

fn step(step: &StepReport, redactor: &Redactor) -> String {
    let ending = match step.state {
        State::Skipped => ", skipped",
        State::Warned => ", failed but optional",
        _ => "",
    };
    format!("{} {}{ending}", step.id, limit::line(&redactor.text(&step.text), LONGEST_LINE))
}

/// What a run that failed had captured, redacted before. Of commands given as data the steps are told already: only
/// what they answered is shown.
fn so_far(mut outputs: Map<String, Value>, room: usize) -> String {
    const SUMMARY: [&str; 5] = ["totalCommands", "succeeded", "failed", "finalUrl", "finalTitle"];
    let mut text = String::new();
    if outputs.contains_key("totalCommands")
        && let Some(Value::Array(results)) = outputs.remove("results")
    {
        outputs.retain(|key, _| !SUMMARY.contains(&key.as_str()));
        let answer = |result: &Value| match result.get("result") {
            None | Some(Value::Null) => None,
            Some(answer) => Some(format!("{} {}", result["step"], limit::line(&answer.to_string(), LONGEST_LINE))),
        };
        let answers = limit::list(results.iter().filter_map(answer).collect(), room);
        if !answers.is_empty() {
            let _ = write!(text, "\nresults so far: {}", answers.join("; "));
        }
    }
    let (outputs, notes) = limit::object(outputs, room);
    if !outputs.is_empty() {
        let _ = write!(text, "\nvalues so far: {}", Value::Object(outputs));
    }
    notes.into_iter().fold(text, |text, note| text + "\n  " + &note)
}
