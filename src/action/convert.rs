//! Owns the way from a classic file to the step form: the same steps in our words, with the comments where they were.
//!
//! Steps are written from what the loader understood, not from what the file says, and the result is loaded again and
//! compared: a file that would come to mean something else is refused.

mod comments;
mod written;

use std::path::Path;

use serde_json::Value;

use super::problem::{Problem, Report, Severity};
use super::shortcut::{Step, StepKind};
use super::yaml::{self, Entry, Kind, Node};
use super::{Action, Body, Source, file, load};
use comments::Comments;

/// Why a file can't be converted.
#[derive(Debug, thiserror::Error)]
pub enum ConvertError {
    /// It has errors of its own.
    #[error("the file has errors")]
    Broken(Vec<Problem>),
    /// It has no `commands:`.
    #[error("the file is not in the classic format")]
    NotClassic,
    /// Its keys do not stand one below the other.
    #[error("the file's keys do not each begin a line")]
    Layout,
    /// The result would mean something else.
    #[error("step {0} can't be said in the step form")]
    Differs(usize),
}

impl ConvertError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            ConvertError::Broken(_) => "mend them first",
            ConvertError::NotClassic => "only files with `commands:` are converted",
            ConvertError::Layout => "write `commands:` at the start of a line, with one command per `- `",
            ConvertError::Differs(_) => "write it by hand, and report this as a bug",
        }
    }
}

/// The classic file at `path` with `text`, in the step form.
///
/// # Errors
///
/// A file that is not classic, has errors, or would change its meaning is left alone.
pub fn convert(path: &Path, text: &str) -> Result<String, ConvertError> {
    let bare = text.trim_start_matches('\u{feff}');
    let mut report = Report::new(path, bare);
    let tree = yaml::parse(&mut report);
    let entries = tree.as_ref().and_then(Node::entries).unwrap_or_default();
    let index = entries.iter().position(|entry| entry.key.text == file::COMMANDS);
    let action = loaded(path, bare)?;
    let (Some(index), Body::Shortcut(shortcut)) = (index, &action.body) else {
        return Err(ConvertError::NotClassic);
    };
    let begins_line = |entry: &Entry| entry.key.span.start.is_some_and(|start| start.column == 1);
    let Kind::List(items) = &entries[index].value.kind else { return Err(ConvertError::Layout) };
    if !entries.iter().all(begins_line) || items.len() != shortcut.steps.len() {
        return Err(ConvertError::Layout);
    }
    let line_of = |entry: &Entry| entry.key.span.start.map_or(1, |start| start.line as usize);
    let lines: Vec<&str> = bare.lines().collect();
    let first = line_of(&entries[index]);
    let after = entries.get(index + 1).map_or(lines.len() + 1, line_of);

    let mut out: Vec<String> = lines[..first - 1].iter().map(ToString::to_string).collect();
    if entries.iter().all(|entry| entry.key.text != "description") {
        out.push(format!("description: {}", written::scalar(&described(&action.name, &shortcut.steps))));
    }
    let mut comments = Comments::of(bare);
    let beside = comments.take(first..first + 1);
    out.push(["steps:".to_owned()].into_iter().chain(beside).collect::<Vec<_>>().join(" "));
    let mut from = first + 1;
    for (item, step) in items.iter().zip(&shortcut.steps) {
        let begin = item.span.start.map_or(from, |start| start.line as usize);
        let end = comments.last_line(item).max(begin);
        let is_apart = begin > from && lines[from - 1..begin - 1].iter().any(|line| line.trim().is_empty());
        if is_apart {
            out.push(String::new());
        }
        out.extend(comments.take(from..end + 1).into_iter().map(|comment| format!("  {comment}")));
        out.extend(written::step(step));
        from = from.max(end + 1);
    }
    out.extend(lines[from.min(after) - 1..after - 1].iter().map(ToString::to_string));
    out.extend(lines[after - 1..].iter().map(ToString::to_string));

    let ending = if bare.contains("\r\n") { "\r\n" } else { "\n" };
    let converted = out.join(ending).trim_end().to_owned() + ending;
    same(&shortcut.steps, &loaded(path, &converted)?)?;
    Ok(converted)
}

fn loaded(path: &Path, text: &str) -> Result<Action, ConvertError> {
    let mut report = Report::new(path, text);
    let shown = path.file_name().map_or(path, Path::new);
    let source = Source::File { path: path.to_owned(), shown: shown.to_owned() };
    let action = file::read(&mut report, source, &load::default_name(shown), "", false);
    action.map_err(|_| {
        let errors = report.finish().into_iter().filter(|problem| problem.severity == Severity::Error);
        ConvertError::Broken(errors.collect())
    })
}

/// What the action does, from what its steps are called.
fn described(name: &str, steps: &[Step]) -> String {
    const LONGEST: usize = 300;
    let labels: Vec<&str> = steps.iter().filter_map(|step| step.modifiers.label.as_deref()).collect();
    match labels.as_slice() {
        [] => format!("Perform `{name}`"),
        labels => labels.join("; ").chars().take(LONGEST).collect(),
    }
}

/// Whether the steps of an action do what these do.
fn same(steps: &[Step], action: &Action) -> Result<(), ConvertError> {
    let Body::Shortcut(shortcut) = &action.body;
    for (index, step) in steps.iter().enumerate() {
        if shortcut.steps.get(index).map(meaning) != Some(meaning(step)) {
            return Err(ConvertError::Differs(index + 1));
        }
    }
    Ok(())
}

/// Everything of a step that makes a difference when it is performed.
fn meaning(step: &Step) -> (String, Vec<(String, Value)>, String) {
    let (name, arguments) = match &step.kind {
        StepKind::Command { command, arguments } => {
            let mut arguments: Vec<(String, Value)> =
                arguments.iter().map(|(name, argument)| (name.clone(), argument.source())).collect();
            arguments.retain(|(_, value)| !value.is_null());
            arguments.sort_by(|a, b| a.0.cmp(&b.0));
            (command.name.to_owned(), arguments)
        }
        other => (format!("{other:?}"), Vec::new()),
    };
    (name, arguments, format!("{:?}", step.modifiers))
}
