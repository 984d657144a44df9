//! `repertoire test`: performs the cases of test files, several at a time, each in a browser of its own with nothing
//! but what its file gives it.

mod pages;
mod report;

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use futures_util::{StreamExt, stream};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::check::shown;
use super::console::{Advice, Console, Style};
use super::{Environment, FAILED, USAGE, check, run, signals, stage};
use crate::action::{self, Action, Case, Catalog, Expected, Pages, Problem, Severity};
use crate::config::{self, Options};
use crate::mcp::response::{Reply, seconds};
use crate::run::{Outcome, Run};
use crate::secrets::Store;
use pages::Fixture;
use report::Verdict;

/// A case with the action that it tests.
struct Trial {
    file: PathBuf,
    action: Arc<Action>,
    case: Case,
}

/// Performs the cases of the given files and directories.
pub(super) async fn test(
    request: config::Test,
    environment: Environment,
    console: &Console,
) -> anyhow::Result<ExitCode> {
    let (trials, problems) = collect(&request).await?;
    for problem in &problems {
        console.line(&format!("{}\n", check::painted(problem, console)));
    }
    if trials.is_empty() && problems.is_empty() {
        let hint = "put cases for `login.yaml` into `login.test.yaml` beside it";
        console.error(&Advice { message: "there are no tests".to_owned(), hint: hint.to_owned() }.into());
        return Ok(ExitCode::from(USAGE));
    }
    let cancel = CancellationToken::new();
    let cancel_on_signal = cancel.clone();
    tokio::spawn(async move {
        signals::asked_to_end().await;
        cancel_on_signal.cancel();
    });
    let began = Instant::now();
    let at_once = std::thread::available_parallelism().map_or(1, NonZero::get);
    let (options, environment, cancel) = (&request.options, &environment, &cancel);
    let performing = trials.iter().enumerate();
    let performing =
        performing.map(|(number, trial)| async move { (number, perform(trial, options, environment, cancel).await) });
    let mut performing = stream::iter(performing).buffer_unordered(at_once);
    // They are told in their order, whichever ends first.
    let mut early = BTreeMap::new();
    let mut verdicts: Vec<Verdict> = Vec::with_capacity(trials.len());
    while let Some((number, verdict)) = performing.next().await {
        early.insert(number, verdict);
        while let Some(verdict) = early.remove(&verdicts.len()) {
            verdict.show(console);
            verdicts.push(verdict);
        }
    }
    if let Some(path) = &request.junit {
        report::junit(path, &verdicts, began.elapsed())?;
    }
    let failed = verdicts.iter().filter(|verdict| verdict.fault.is_some()).count();
    let errors = problems.iter().filter(|problem| problem.severity == Severity::Error).count();
    let passes = failed == 0 && errors == 0;
    let broken = if errors > 0 { format!(", {} in the files", check::counted(errors, "error")) } else { String::new() };
    let summary =
        format!("{} passed, {failed} failed{broken} in {}", verdicts.len() - failed, seconds(began.elapsed()));
    console.line(&console.paint(if passes { Style::Good } else { Style::Bad }, &summary));
    Ok(if passes { ExitCode::SUCCESS } else { ExitCode::from(FAILED) })
}

/// The cases of all files, and what is wrong with the files.
async fn collect(request: &config::Test) -> anyhow::Result<(Vec<Trial>, Vec<Problem>)> {
    let (mut trials, mut problems) = (Vec::new(), Vec::new());
    for (directory, files) in files(request) {
        // Only what a file needs is loaded with it, and the built-in actions are no part of that.
        let catalog = check::load(vec![directory.clone()], false).await?;
        for file in files {
            let path = directory.join(&file);
            let text = std::fs::read_to_string(&path).with_context(|| format!("can't read `{}`", path.display()))?;
            let shown = shown(&path);
            let folder = path.parent().unwrap_or(Path::new("."));
            match (action::read_cases(&shown, folder, &text), tested(&catalog, &path)) {
                (Ok(cases), Ok(action)) => {
                    let trial = |case| Trial { file: shown.clone(), action: Arc::clone(&action), case };
                    trials.extend(cases.into_iter().map(trial));
                }
                (cases, action) => {
                    problems.extend(cases.err().into_iter().flatten());
                    problems.extend(action.err().into_iter().flatten());
                }
            }
        }
    }
    Ok((trials, problems))
}

/// The test files, by the directory whose actions they see.
fn files(request: &config::Test) -> BTreeMap<PathBuf, Vec<PathBuf>> {
    let mut files: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
    for path in &request.paths {
        let above = request.options.actions.iter().find(|directory| run::is_below(path, &[directory.to_path_buf()]));
        let root = match above {
            Some(directory) => directory.clone(),
            None if path.is_dir() => path.clone(),
            None => path.parent().unwrap_or(Path::new(".")).to_owned(),
        };
        let wanted = |file: &Path| {
            let file = root.join(file);
            let is_test_of = action::tested(&file).is_some_and(|tested| run::is_same(&tested, path));
            is_test_of || run::is_same(&file, path) || path.is_dir() && run::is_below(&file, std::slice::from_ref(path))
        };
        let found = action::test_files(&root).into_iter().filter(|file| wanted(file)).collect::<Vec<_>>();
        let known = files.entry(root).or_default();
        known.extend(found);
        known.sort();
        known.dedup();
    }
    files
}

/// The action that a file tests, or why there is none.
fn tested(catalog: &Catalog, file: &Path) -> Result<Arc<Action>, Vec<Problem>> {
    let target = action::tested(file).unwrap_or_default();
    if let Some(action) = catalog.actions().find(|action| run::is_of(action, &target)) {
        return Ok(Arc::clone(action));
    }
    let own = catalog.problems().iter().filter(|problem| target.ends_with(&problem.file));
    let own: Vec<Problem> = own.map(|problem| Problem { file: shown(&target), ..problem.clone() }).collect();
    if !own.is_empty() {
        return Err(own);
    }
    let name = target.file_name().unwrap_or_default().display().to_string();
    let message = format!("there is no action `{name}` beside it");
    let hint = "a test has the name of its action's file: `login.test.yaml` tests `login.yaml`";
    Err(vec![Problem::of_file(&shown(file), Severity::Error, message, Some(hint.to_owned()))])
}

async fn perform(trial: &Trial, options: &Options, environment: &Environment, cancel: &CancellationToken) -> Verdict {
    let began = Instant::now();
    let fault =
        faults(trial, options, environment, cancel).await.unwrap_or_else(|error| Some(format!("error: {error:#}")));
    Verdict {
        file: trial.file.clone(),
        line: trial.case.position.line,
        name: trial.case.name.clone(),
        elapsed: began.elapsed(),
        fault,
    }
}

/// Performs a case; answers what is wrong with it.
async fn faults(
    Trial { action, case, .. }: &Trial,
    options: &Options,
    environment: &Environment,
    cancel: &CancellationToken,
) -> anyhow::Result<Option<String>> {
    let fixture = match &case.pages {
        Pages::Fixture(directory) => Some(Fixture::serve(directory).await.context("the fixture can't be served")?),
        Pages::Own | Pages::Url(_) => None,
    };
    let url = match (&case.pages, &fixture) {
        (Pages::Url(url), _) => url.as_str(),
        (_, fixture) => fixture.as_ref().map_or("", Fixture::url),
    };
    let arguments = match action.arguments(case.inputs(url)?) {
        Ok(arguments) => arguments,
        Err(errors) => return Ok(Some(format!("error: {errors}\nhint: {}", errors.hint()))),
    };
    let workspace = tempfile::tempdir().context("there is no place for temporary files")?;
    // What a case does must not depend on who runs it: no profile, no state, no secrets but its own.
    let options = Options {
        workspace: workspace.path().to_owned(),
        profile: None,
        cdp_endpoint: None,
        storage_state: None,
        timeout: case.timeout.unwrap_or(options.timeout),
        ..options.clone()
    };
    let secrets = case.secrets.clone();
    let lookup = move |name: &str| Some(secrets.iter().find(|(own, _)| own.as_str() == name)?.1.clone());
    let stage = stage::stage_with(&options, environment, Store::new(Vec::new(), lookup));
    if let Err(missing) = stage.store().require(action.secret_names()) {
        return Ok(Some(format!("error: {missing}\nhint: give made-up values under `secrets` of the test")));
    }
    let outcome = stage.perform(action, arguments, Run { cancel: cancel.clone(), progress: &|_| {} }).await;
    let fault = fault(action, &case.expected, &outcome, &stage);
    stage::close(&stage).await;
    Ok(fault)
}

/// What an outcome has that its case does not expect.
fn fault(action: &Action, expected: &Expected, outcome: &Outcome, stage: &crate::run::Stage) -> Option<String> {
    let redactor = stage.redactor();
    let said = || Reply::outcome(action, outcome, &redactor).whole_text();
    match (expected, &outcome.failure) {
        (Expected::Success { .. }, Some(_)) => Some(said()),
        (Expected::Success { outputs, text }, None) => {
            let mut differences = action::differences(outputs, &outcome.outputs);
            if let Some(text) = text {
                let found = outcome.text.as_deref().map_or(Value::Null, Value::from);
                action::difference("text", text, &found, &mut differences);
            }
            (!differences.is_empty()).then(|| {
                let text = format!("error: it succeeded, but not as expected\n  {}", differences.join("\n  "));
                redactor.text(&text).into_owned()
            })
        }
        (Expected::Failure { code, message }, Some(failure)) => {
            let mut wrong = Vec::new();
            if code.is_some() && *code != failure.code {
                let found = failure.code.as_ref().map_or("none".to_owned(), |code| format!("`{code}`"));
                wrong.push(format!("expected the code `{}`, found {found}", code.as_deref().unwrap_or_default()));
            }
            if let Some(message) = message.as_ref().filter(|message| !message.matches(&failure.headline())) {
                wrong.push(format!("expected a message like `{}`", message.text()));
            }
            (!wrong.is_empty())
                .then(|| format!("error: it failed, but not as expected: {}\n{}", wrong.join("; "), said()))
        }
        (Expected::Failure { .. }, None) => Some(format!("error: it succeeded, but a failure is expected\n{}", said())),
    }
}
