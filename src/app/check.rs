//! `repertoire check`, `list` and `schema`: what is in the directories and what may be, without a browser.

use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde_json::{Value, json};

use super::console::{Console, Style};
use super::{FAILED, USAGE};
use crate::action::{self, Action, Catalog, LoadRequest, Problem, Severity, Source};
use crate::config::Options;
use crate::secrets::Store;

/// The secrets that the actions at these paths would find: in the given files, and in `.env` in and beside them.
pub(super) fn secrets(
    paths: &[PathBuf],
    mut env_files: Vec<PathBuf>,
    lookup: impl Fn(&str) -> Option<String> + Send + Sync + 'static,
) -> Store {
    for folder in paths.iter().flat_map(|path| [Some(path.as_path()), path.parent()]).flatten() {
        let file = folder.join(".env");
        if !env_files.contains(&file) {
            env_files.push(file);
        }
    }
    Store::new(env_files, lookup)
}

/// Reports every problem, and the secrets that are not set.
pub(super) async fn check(paths: &[PathBuf], store: &Store, json: bool, console: &Console) -> anyhow::Result<ExitCode> {
    let mut problems: Vec<Problem> = Vec::new();
    let mut checked = BTreeSet::new();
    for path in paths {
        let (directory, only) = match path.parent() {
            Some(parent) if path.is_file() => (parent, path.file_name().map(PathBuf::from)),
            _ => (path.as_path(), None),
        };
        // The built-in actions too: a file that takes the name of one is worth a word.
        let catalog = load(vec![directory.to_owned()], true).await?;
        let concerns = |file: &Path| only.as_deref().is_none_or(|only| file == only);
        let mut files: BTreeSet<PathBuf> = catalog.actions().filter_map(|action| file_of(&action.source)).collect();
        files.extend(catalog.problems().iter().map(|problem| problem.file.clone()));
        files.retain(|file| concerns(file));
        if files.is_empty() && only.is_some() {
            console.line(&format!("error: `{}` is not an action", path.display()));
            console.line("hint: actions are `.yaml` files whose names do not begin with `_` or `.`");
            return Ok(ExitCode::from(USAGE));
        }
        checked.extend(files.into_iter().map(|file| directory.join(file)).filter(|file| file.is_file()));
        let unset = catalog.actions().filter_map(|action| unset(action, store));
        let mut found: Vec<Problem> = catalog.problems().iter().cloned().chain(unset).collect();
        found.sort_by(|a, b| (&a.file, a.position).cmp(&(&b.file, b.position)));
        problems.extend(
            found
                .iter()
                .filter(|problem| concerns(&problem.file))
                .map(|problem| Problem { file: shown(&directory.join(&problem.file)), ..problem.clone() }),
        );
    }
    let count = |severity| problems.iter().filter(|problem| problem.severity == severity).count();
    let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
    if json {
        let problems: Vec<Value> = problems.iter().map(as_json).collect();
        writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&problems)?)?;
    } else {
        for problem in &problems {
            console.line(&format!("{}\n", painted(problem, console)));
        }
        let style = if errors > 0 { Style::Bad } else { Style::Good };
        let summary = format!(
            "checked {}: {}, {}",
            counted(checked.len(), "file"),
            counted(errors, "error"),
            counted(warnings, "warning")
        );
        console.line(&console.paint(style, &summary));
    }
    Ok(if errors > 0 { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// The secrets of an action that nothing sets, all at once, at the place of the first.
fn unset(action: &Action, store: &Store) -> Option<Problem> {
    let Source::File { path, shown } = &action.source else { return None };
    let missing = store.require(action.secret_names()).err()?;
    let text = std::fs::read_to_string(path).unwrap_or_default();
    Some(Problem::first_of(shown, &text, &missing.names, missing.to_string(), missing.hint()))
}

/// Lists the actions on standard output.
pub(super) async fn list(options: &Options, json: bool) -> anyhow::Result<ExitCode> {
    let catalog = load(options.actions.clone(), true).await?;
    let mut out = std::io::stdout().lock();
    if json {
        let actions: Vec<Value> = catalog
            .actions()
            .map(|action| {
                json!({
                    "name": action.name, "title": action.title, "description": action.description,
                    "file": file_of(&action.source), "inputSchema": action.input_schema,
                    "outputSchema": action.output_schema,
                })
            })
            .collect();
        writeln!(out, "{}", serde_json::to_string_pretty(&actions)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let width = catalog.actions().map(|action| action.name.len()).max().unwrap_or(0);
    for action in catalog.actions() {
        let first = action.description.lines().next().unwrap_or_default();
        writeln!(out, "{:width$}  {}", action.name, action.title.as_deref().unwrap_or(first))?;
    }
    let errors = catalog.problems().iter().filter(|problem| problem.severity == Severity::Error).count();
    if errors > 0 {
        tracing::warn!("{} in the actions: `repertoire check` shows them", counted(errors, "error"));
    }
    Ok(ExitCode::SUCCESS)
}

/// Prints the schema that editors complete shortcuts with.
pub(super) fn schema() -> anyhow::Result<ExitCode> {
    writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&action::editor_schema())?)?;
    Ok(ExitCode::SUCCESS)
}

/// Reads directories off the async threads.
pub(super) async fn load(directories: Vec<PathBuf>, builtins: bool) -> anyhow::Result<Catalog> {
    let request = LoadRequest { directories, builtins };
    tokio::task::spawn_blocking(move || action::load(&request, &Catalog::default()))
        .await
        .context("the actions could not be loaded")
}

fn file_of(source: &Source) -> Option<PathBuf> {
    match source {
        Source::File { shown, .. } => Some(shown.clone()),
        Source::Builtin(_) => None,
    }
}

/// A path as people know it.
pub(super) fn shown(path: &Path) -> PathBuf {
    let here = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).to_owned()
}

pub(super) fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// The problem in colour: its kind and marker, what to do, and the gutter faint.
pub(super) fn painted(problem: &Problem, console: &Console) -> String {
    let style = match problem.severity {
        Severity::Error => Style::Bad,
        Severity::Warning => Style::Caution,
    };
    let text = problem.to_string();
    let painted = text.lines().enumerate().map(|(index, line)| {
        let is_number = |text: &str| text.trim().chars().all(|c| c.is_ascii_digit());
        if let Some(hint) = line.strip_prefix("  hint:") {
            return format!("  {}{hint}", console.paint(Style::Bold, "hint:"));
        }
        match line.split_once(':').filter(|_| index == 0).or_else(|| line.split_once(" |")) {
            Some((kind, rest)) if index == 0 => format!("{}:{rest}", console.paint(style, kind)),
            Some((number, rest)) if is_number(number) => {
                let is_marker = !rest.is_empty() && rest.trim_start().chars().all(|c| c == '^');
                let rest = if is_marker { console.paint(style, rest) } else { rest.to_owned() };
                format!("{}{rest}", console.paint(Style::Dim, &format!("{number} |")))
            }
            _ => line.to_owned(),
        }
    });
    painted.collect::<Vec<_>>().join("\n")
}

fn as_json(problem: &Problem) -> Value {
    let severity = if problem.severity == Severity::Error { "error" } else { "warning" };
    json!({
        "file": problem.file,
        "line": problem.position.map(|position| position.line),
        "column": problem.position.map(|position| position.column),
        "end_line": problem.end().map(|position| position.line),
        "end_column": problem.end().map(|position| position.column),
        "severity": severity,
        "message": problem.message,
        "hint": problem.hint,
    })
}
