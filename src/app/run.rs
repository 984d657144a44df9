//! `repertoire run`: one action without an MCP client, the same way as a client's call.

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::console::{Advice, Console, Style};
use super::pace::Prompt;
use super::{Environment, FAILED, USAGE, check, plan, signals, stage};
use crate::action::{self, Action, Catalog, Problem, Source};
use crate::config::{self, Mode};
use crate::mcp::response::{self, Reply};
use crate::run::{Pace, Progress, Run};

/// Performs an action: progress on standard error, the result on standard output.
pub(super) async fn run(
    mut request: config::Run,
    environment: Environment,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let outside = request.file.as_ref().filter(|file| !is_below(file, &request.options.actions));
    if let Some(folder) = outside.and_then(|file| file.parent()).map(Path::to_owned) {
        let near = [Some(folder.as_path()), folder.parent()].into_iter().flatten().map(|folder| folder.join(".env"));
        request.options.env_files.extend(near.filter(|file| file.is_file()));
        request.options.actions = vec![folder];
    }
    let catalog = check::load(request.options.actions.clone(), true).await?;
    let action = match find(&catalog, &request, console) {
        Ok(action) => action,
        Err(error) => return Ok(usage(console, &error)),
    };
    let reads_inputs = request.input_json.as_ref().is_some_and(|path| path.as_os_str() == "-");
    if request.mode == Mode::Step && reads_inputs {
        let message = "standard input can't give both the inputs and the answers of `--step`".to_owned();
        let hint = "give the inputs in a file, or with `--input`".to_owned();
        return Ok(usage(console, &Advice { message, hint }.into()));
    }
    let given = match inputs(&request, action) {
        Ok(given) => given,
        Err(error) => return Ok(usage(console, &error)),
    };
    let arguments = match action.arguments(given) {
        Ok(arguments) => arguments,
        Err(errors) => {
            let advice = Advice { message: errors.to_string(), hint: errors.hint() };
            return Ok(usage(console, &advice.into()));
        }
    };
    if request.mode == Mode::Step {
        request.options.headed |= has_display(&environment);
    }
    let stage = stage::stage(&request.options, &environment);
    if request.mode == Mode::DryRun {
        return plan::tell(action, &arguments, stage.store(), request.json);
    }
    let cancel = CancellationToken::new();
    let cancel_on_signal = cancel.clone();
    tokio::spawn(async move {
        signals::asked_to_end().await;
        cancel_on_signal.cancel();
    });
    let progress = |progress: Progress| console.progress(&progress, &stage.redactor());
    let prompt = (request.mode == Mode::Step).then(|| Prompt::new(console, &stage));
    let pace = prompt.as_ref().map(|prompt| prompt as &dyn Pace);
    let outcome = stage.perform_at(pace, action, arguments, Run { cancel, progress: &progress }).await;
    let reply = Reply::outcome(action, &outcome, &stage.redactor());
    stage::close(&stage).await;
    let ending = if reply.is_error { (Style::Bad, "failed") } else { (Style::Good, "done") };
    let ending = console.paint(ending.0, ending.1);
    console.line(&format!("{ending} in {}", response::seconds(outcome.elapsed)));
    for (number, (mime_type, image)) in reply.images.iter().enumerate() {
        let ending = if *mime_type == "image/jpeg" { "jpg" } else { "png" };
        let path = request.options.workspace.join(format!("{}-{}.{ending}", action.name, number + 1));
        save(&path, image)?;
        console.line(&format!("saved {}", path.display()));
    }
    let mut out = std::io::stdout().lock();
    if request.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&as_json(&reply))?)?;
    } else if reply.is_error {
        console.line(&reply.whole_text());
    } else {
        writeln!(out, "{}", reply.whole_text())?;
    }
    Ok(if reply.is_error { ExitCode::from(FAILED) } else { ExitCode::SUCCESS })
}

/// Whether a window would be seen.
fn has_display(environment: &Environment) -> bool {
    let is_set = |name| environment(name).is_some_and(|value| !value.is_empty());
    !cfg!(target_os = "linux") || is_set("DISPLAY") || is_set("WAYLAND_DISPLAY")
}

/// Writes an image of a reply to a file.
pub(super) fn save(path: &Path, image: &str) -> anyhow::Result<()> {
    let bytes = STANDARD.decode(image).context("the image is not base64")?;
    std::fs::write(path, bytes).with_context(|| format!("can't write `{}`", path.display()))
}

fn usage(console: &Console, error: &anyhow::Error) -> ExitCode {
    console.error(error);
    ExitCode::from(USAGE)
}

/// The action; if there is none, what its name could have been, or what is wrong with the files.
fn find<'a>(catalog: &'a Catalog, request: &config::Run, console: &Console) -> anyhow::Result<&'a Arc<Action>> {
    let name = request.action.as_str();
    let found = match &request.file {
        Some(file) => catalog.actions().find(|action| is_of(action, file)),
        None => catalog.get(name),
    };
    if let Some(action) = found {
        return Ok(action);
    }
    let concerns = |problem: &&Problem| request.file.as_ref().is_none_or(|file| file.ends_with(&problem.file));
    for problem in catalog.problems().iter().filter(concerns) {
        console.line(&check::painted(problem, console));
    }
    if request.file.is_some() {
        let message = format!("`{name}` is not an action that can be performed");
        let hint = "actions are `.yaml` files without errors whose names do not begin with `_` or `.`";
        return Err(Advice { message, hint: hint.to_owned() }.into());
    }
    let names = || catalog.actions().map(|action| action.name.as_str());
    let hint = match action::did_you_mean(name, names()) {
        Some(suggestion) => suggestion,
        None => format!("the actions are {}", names().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")),
    };
    Err(Advice { message: format!("there is no action `{name}`"), hint }.into())
}

/// Whether a file is the one that an action comes from.
pub(super) fn is_of(action: &Action, file: &Path) -> bool {
    let Source::File { path, .. } = &action.source else { return false };
    is_same(path, file)
}

/// Whether two paths lead to the same file.
pub(super) fn is_same(path: &Path, other: &Path) -> bool {
    path.canonicalize().is_ok_and(|path| other.canonicalize().is_ok_and(|other| path == other))
}

/// Whether a file, or a directory, is in one of these directories.
pub(super) fn is_below(file: &Path, directories: &[PathBuf]) -> bool {
    let Ok(file) = file.canonicalize() else { return false };
    directories.iter().any(|directory| directory.canonicalize().is_ok_and(|directory| file.starts_with(directory)))
}

/// Inputs from `--input-json`, overridden by those from `--input`.
fn inputs(request: &config::Run, action: &Action) -> anyhow::Result<Map<String, Value>> {
    let mut inputs = match &request.input_json {
        Some(path) => from_file(path)?,
        None => Map::new(),
    };
    for (name, text) in &request.inputs {
        inputs.insert(name.clone(), value(action, name, text)?);
    }
    Ok(inputs)
}

fn from_file(path: &Path) -> anyhow::Result<Map<String, Value>> {
    let mut text = String::new();
    if path.as_os_str() == "-" {
        std::io::stdin().read_to_string(&mut text).context("can't read standard input")?;
    } else {
        text = std::fs::read_to_string(path).with_context(|| format!("can't read `{}`", path.display()))?;
    }
    match serde_json::from_str(&text) {
        Ok(Value::Object(inputs)) => Ok(inputs),
        Ok(_) => anyhow::bail!("`{}` is not a JSON object", path.display()),
        Err(error) => Err(error).with_context(|| format!("`{}` is not JSON", path.display())),
    }
}

/// Text as it is where the input takes text, else JSON.
fn value(action: &Action, name: &str, text: &str) -> anyhow::Result<Value> {
    let kind = action.input_schema.get("properties").and_then(|inputs| inputs.get(name)?.get("type"));
    match kind.and_then(Value::as_str) {
        Some("string") | None => Ok(Value::String(text.to_owned())),
        Some(kind) => serde_json::from_str(text).map_err(|_| {
            let hint = format!("`{name}` takes {kind}, written as JSON: `--input '{name}={}'`", sample(kind));
            Advice { message: format!("the input `{name}` is not {kind}: `{text}`"), hint }.into()
        }),
    }
}

fn sample(kind: &str) -> &'static str {
    match kind {
        "boolean" => "true",
        "array" => "[\"one\", \"two\"]",
        "object" => "{\"key\": \"value\"}",
        _ => "3",
    }
}

fn as_json(reply: &Reply) -> Value {
    let mut json = json!({ "ok": !reply.is_error, "outputs": reply.outputs });
    if let Some(text) = &reply.text {
        json["text"] = json!(text);
    }
    if !reply.notes.is_empty() {
        json["notes"] = json!(reply.notes);
    }
    json
}
