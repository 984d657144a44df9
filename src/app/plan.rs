//! `repertoire run --dry-run`: what every step would do, without a browser.

use std::io::Write;
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use crate::action::Action;
use crate::run::{Planned, plan};
use crate::secrets::Store;

/// Prints what a run with these arguments would do.
pub(super) fn tell(
    action: &Action,
    arguments: &Map<String, Value>,
    store: &Store,
    as_json: bool,
) -> anyhow::Result<ExitCode> {
    let missing = store.missing(action.secret_names());
    let mut out = std::io::stdout().lock();
    // An input may hold what is a secret elsewhere.
    store.watch_names(action.secret_names().iter().cloned());
    let redactor = store.redactor();
    let steps = plan(action, arguments);
    if as_json {
        let steps: Vec<Value> =
            steps.iter().map(|step| json!({ "id": step.id, "text": step.text, "notes": step.notes })).collect();
        let secrets: Map<String, Value> =
            action.secret_names().iter().map(|name| (name.to_string(), (!missing.contains(name)).into())).collect();
        let mut plan = json!({ "action": action.name, "inputs": arguments, "secrets": secrets, "steps": steps });
        redactor.value(&mut plan);
        writeln!(out, "{}", serde_json::to_string_pretty(&plan)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = format!("{} would do this; nothing was performed\n", action.name);
    if !arguments.is_empty() {
        text.push_str(&format!("inputs: {}\n", Value::Object(arguments.clone())));
    }
    let secrets = action.secret_names().iter().map(|name| match missing.contains(name) {
        true => format!("{name} (not set)"),
        false => name.to_string(),
    });
    let secrets: Vec<String> = secrets.collect();
    if !secrets.is_empty() {
        text.push_str(&format!("secrets: {}\n", secrets.join(", ")));
    }
    steps.iter().for_each(|step| text.push_str(&line(step)));
    if text.contains("${{") {
        text.push_str("`${{ … }}` is known when it runs\n");
    }
    write!(out, "{}", redactor.text(&text))?;
    Ok(ExitCode::SUCCESS)
}

fn line(step: &Planned) -> String {
    let notes = if step.notes.is_empty() { String::new() } else { format!("  [{}]", step.notes.join("; ")) };
    let id = if step.id.is_empty() { String::new() } else { format!("{} ", step.id) };
    format!("  {}{id}{}{notes}\n", "  ".repeat(step.depth), step.text)
}
