//! The composition root: one function for each subcommand, the runtime, the log, and the order of shutting down.
//!
//! Errors end here and nowhere else: as one line each with what to do next, without colour unless a terminal shows it.

use std::ffi::OsString;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context;
use serde_json::{Map, Value};
use tracing_subscriber::EnvFilter;

use crate::action::yaml;
use crate::config::{self, Failure, Invocation, Level, Surroundings, Task};

mod browser;
mod check;
mod console;
mod convert;
mod demo;
mod new;
mod pace;
mod plan;
mod run;
mod serve;
pub mod shop;
mod signals;
mod stage;
mod test;

use console::Console;

/// The process's environment.
pub type Environment = Arc<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// What could not be done.
const FAILED: u8 = 1;
/// What was not asked for in the right way.
const USAGE: u8 = 2;

/// Does what the command line asks for.
pub fn main(arguments: Vec<OsString>, environment: Environment) -> ExitCode {
    let console = Arc::new(Console::new(&*environment));
    let invocation = match parse(arguments, &environment) {
        Ok(invocation) => invocation,
        Err(Failure::Usage(usage)) => {
            // Printing fails only when nobody reads.
            let _ = usage.print();
            return ExitCode::from(u8::try_from(usage.exit_code()).unwrap_or(USAGE));
        }
        Err(Failure::Options(error)) => {
            console.error(&error.into());
            return ExitCode::from(USAGE);
        }
    };
    log(invocation.log, &console);
    match perform(invocation.task, environment, &console) {
        Ok(code) => code,
        Err(error) => {
            console.error(&error);
            ExitCode::from(FAILED)
        }
    }
}

fn parse(arguments: Vec<OsString>, environment: &Environment) -> Result<Invocation, Failure> {
    let directory = std::env::current_dir().map_err(|error| {
        Failure::Options(config::Error::File(format!("the current directory can't be found: {error}")))
    })?;
    let surroundings = Surroundings { environment: &**environment, directory: &directory, read: &read_options };
    config::parse(arguments, &surroundings)
}

fn read_options(path: &Path) -> Result<Option<Map<String, Value>>, String> {
    match std::fs::read_to_string(path) {
        Ok(text) => yaml::read_options(path, &text).map(Some).map_err(|problem| {
            let text = problem.to_string();
            text.strip_prefix("error: ").unwrap_or(&text).to_owned()
        }),
        Err(error) if matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory) => {
            Ok(None)
        }
        Err(error) => Err(format!("can't read `{}`: {error}", path.display())),
    }
}

/// The log goes to standard error; libraries are heard only when something fails, since they would log what passes
/// through them.
fn log(level: Level, console: &Console) {
    let filter = EnvFilter::new(format!("error,repertoire={}", level.name()));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(console.has_colour())
        .with_target(false);
    // A log that is already set up, as in tests, stays.
    let _ = if level == Level::Debug { log.try_init() } else { log.without_time().try_init() };
}

fn perform(task: Task, environment: Environment, console: &Arc<Console>) -> anyhow::Result<ExitCode> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().build().context("the runtime could not be started")?;
    let result = runtime.block_on(async {
        match task {
            Task::Serve(options) => serve::serve(options, environment).await,
            Task::Run(request) => run::run(request, environment, console).await,
            Task::Check { paths, env_files, json } => {
                let lookup = Arc::clone(&environment);
                let store = check::secrets(&paths, env_files, move |name| stage::text(&lookup, name));
                check::check(&paths, &store, json, console).await
            }
            Task::Convert { file, write } => convert::convert(&file, write, console),
            Task::List { options, json } => check::list(&options, json).await,
            Task::Test(request) => test::test(request, environment, console).await,
            Task::New(request) => new::new(request, console).await,
            Task::Schema => check::schema(),
            Task::BrowserPath(options) => browser::path(options.browser.as_deref(), &environment),
            Task::BrowserInstall => browser::install(&environment, console).await,
            Task::Demo(request) => demo::demo(request, environment, console).await,
        }
    });
    // A thread may still be reading standard input; the process does not wait for it.
    runtime.shutdown_timeout(Duration::from_millis(100));
    result
}
