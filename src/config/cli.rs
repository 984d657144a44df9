//! The command line: subcommands, their arguments, and the task they ask for.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Arg, ArgAction, ArgMatches, Command, value_parser};

use super::error::{Error, Failure};
use super::resolve::{Resolver, Surroundings, arguments};
use super::table::Scope;
use super::{Level, Options};

/// A parsed command line.
#[derive(Debug)]
pub struct Invocation {
    /// How much is logged.
    pub log: Level,
    /// What is to be done.
    pub task: Task,
}

/// What a command line asks for.
#[derive(Debug)]
pub enum Task {
    /// Serve the actions over standard input and output.
    Serve(Options),
    /// Perform one action.
    Run(Run),
    /// Report every problem of the given files or directories.
    Check {
        /// Files and directories.
        paths: Vec<PathBuf>,
        /// Files of secrets, in order of precedence.
        env_files: Vec<PathBuf>,
        /// Whether the report is JSON on standard output.
        json: bool,
    },
    /// Write a file from a template.
    New(New),
    /// Perform the tests of actions.
    Test(Test),
    /// Rewrite a classic file in the step form.
    Convert {
        /// The file.
        file: PathBuf,
        /// Whether it is replaced, instead of printing the result.
        write: bool,
    },
    /// List the actions.
    List {
        /// The options.
        options: Options,
        /// Whether the list is JSON on standard output.
        json: bool,
    },
    /// Print the schema that editors complete shortcuts with.
    Schema,
    /// Print the path of the browser that would be used.
    BrowserPath(Options),
    /// Install a browser.
    BrowserInstall,
    /// Perform the demonstration.
    Demo(Demo),
}

/// What `repertoire run` is asked for.
#[derive(Debug)]
pub struct Run {
    /// The options.
    pub options: Options,
    /// The action's name.
    pub action: String,
    /// The action's file, where that is what was given.
    pub file: Option<PathBuf>,
    /// Whether it is performed.
    pub mode: Mode,
    /// Inputs as given: name and text.
    pub inputs: Vec<(String, String)>,
    /// A file with inputs as a JSON object; `-` is standard input.
    pub input_json: Option<PathBuf>,
    /// Whether the result is JSON.
    pub json: bool,
}

/// The templates of `repertoire new`.
pub const TEMPLATES: [&str; 3] = ["login", "checkout", "extract"];

/// What `repertoire new` is asked for.
#[derive(Debug)]
pub struct New {
    /// The options.
    pub options: Options,
    /// The path of the file in the directory of actions, without its ending.
    pub name: String,
    /// The template's name.
    pub template: String,
}

/// What `repertoire test` is asked for.
#[derive(Debug)]
pub struct Test {
    /// The options.
    pub options: Options,
    /// Files and directories.
    pub paths: Vec<PathBuf>,
    /// Where a report in JUnit's XML is written.
    pub junit: Option<PathBuf>,
}

/// How `repertoire run` goes about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// From the first step to the last.
    Perform,
    /// Nothing is performed: the steps are told.
    DryRun,
    /// Each step is shown before it is performed, and waits for an answer.
    Step,
}

/// What `repertoire demo` is asked for.
#[derive(Debug)]
pub struct Demo {
    /// Whether the shop stays up afterwards.
    pub serve: bool,
    /// Whether the browser's window is shown.
    pub headed: bool,
    /// Whether a browser is installed if there is none.
    pub install_browser: bool,
    /// The shop's port; any free one when zero.
    pub port: u16,
    /// The browser's executable.
    pub browser: Option<PathBuf>,
}

/// Parses a command line, the program's name first.
///
/// # Errors
///
/// Help, the version and usage errors are failures to be printed; a wrong value of an option names its source.
pub fn parse(arguments: Vec<OsString>, surroundings: &Surroundings<'_>) -> Result<Invocation, Failure> {
    let matches = command().try_get_matches_from(arguments)?;
    let (name, matches) = matches.subcommand().expect("clap requires a subcommand");
    let (name, matches) = match matches.subcommand() {
        Some(("path", inner)) => ("browser path", inner),
        Some(("install", inner)) => ("browser install", inner),
        _ => (name, matches),
    };
    let file = (name == "run").then(|| file(matches, surroundings)).flatten();
    let needs_actions = matches!(name, "serve" | "list")
        || (name == "run" && file.is_none())
        || (matches!(name, "check" | "test") && matches.get_many::<OsString>("paths").is_none());
    let options = Resolver::new(matches, surroundings)?.options(needs_actions)?;
    let log = options.log;
    let task = match name {
        "serve" => Task::Serve(options),
        "run" => Task::Run(run(matches, options, file)),
        "check" => Task::Check {
            env_files: options.env_files.clone(),
            paths: checked(matches, surroundings, &options)?,
            json: matches.get_flag("json"),
        },
        "new" => Task::New(New {
            name: matches.get_one::<String>("name").cloned().unwrap_or_default(),
            template: matches.get_one::<String>("template").cloned().unwrap_or_default(),
            options,
        }),
        "test" => Task::Test(Test {
            junit: matches.get_one::<OsString>("junit").map(|file| surroundings.directory.join(file)),
            paths: checked(matches, surroundings, &options)?,
            options,
        }),
        "convert" => Task::Convert {
            file: matches.get_one::<OsString>("file").map(|file| surroundings.directory.join(file)).unwrap_or_default(),
            write: matches.get_flag("write"),
        },
        "list" => Task::List { options, json: matches.get_flag("json") },
        "schema" => Task::Schema,
        "browser path" => Task::BrowserPath(options),
        "browser install" => Task::BrowserInstall,
        _ => Task::Demo(Demo {
            serve: matches.get_flag("serve"),
            headed: options.headed,
            install_browser: matches.get_flag("install-browser"),
            port: matches.get_one("port").copied().unwrap_or(0),
            browser: options.browser,
        }),
    };
    Ok(Invocation { log, task })
}

/// The file that is to be run, if it is not an action's name.
fn file(matches: &ArgMatches, surroundings: &Surroundings<'_>) -> Option<PathBuf> {
    let given = matches.get_one::<String>("action")?;
    let is_file = given.ends_with(".yaml") || given.ends_with(".yml");
    is_file.then(|| surroundings.directory.join(given))
}

fn run(matches: &ArgMatches, options: Options, file: Option<PathBuf>) -> Run {
    let inputs = matches.get_many::<(String, String)>("input").into_iter().flatten().cloned().collect();
    Run {
        options,
        action: matches.get_one::<String>("action").cloned().unwrap_or_default(),
        file,
        mode: match (matches.get_flag("dry-run"), matches.get_flag("step")) {
            (true, _) => Mode::DryRun,
            (false, true) => Mode::Step,
            (false, false) => Mode::Perform,
        },
        inputs,
        input_json: matches.get_one::<OsString>("input-json").map(PathBuf::from),
        json: matches.get_flag("json"),
    }
}

fn checked(matches: &ArgMatches, surroundings: &Surroundings<'_>, options: &Options) -> Result<Vec<PathBuf>, Error> {
    let Some(given) = matches.get_many::<OsString>("paths") else { return Ok(options.actions.clone()) };
    let paths: Vec<PathBuf> = given.map(|path| surroundings.directory.join(path)).collect();
    match paths.iter().find(|path| !path.exists()) {
        Some(path) => Err(Error::Missing { path: path.clone() }),
        None => Ok(paths),
    }
}

fn command() -> Command {
    let json = || Arg::new("json").long("json").action(ArgAction::SetTrue);
    Command::new("repertoire")
        .version(env!("CARGO_PKG_VERSION"))
        .about("Performs a directory of actions as MCP tools over one persistent Chromium session")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .after_help(EXAMPLES)
        .subcommand(
            Command::new("serve")
                .about("Serves the actions as MCP tools over standard input and output")
                .args(arguments(Scope::Session)),
        )
        .subcommand(
            Command::new("run")
                .about("Performs one action without an MCP client")
                .arg(Arg::new("action").value_name("ACTION").required(true).help("The action's name, or its file"))
                .arg(
                    Arg::new("input")
                        .long("input")
                        .short('i')
                        .value_name("NAME=VALUE")
                        .action(ArgAction::Append)
                        .value_parser(input)
                        .help("An input; text for a text input, else JSON; may be given several times"),
                )
                .arg(
                    Arg::new("input-json")
                        .long("input-json")
                        .value_name("FILE")
                        .value_parser(value_parser!(OsString))
                        .help("A file with inputs as a JSON object; `-` is standard input"),
                )
                .arg(
                    Arg::new("dry-run")
                        .long("dry-run")
                        .action(ArgAction::SetTrue)
                        .help("Tells what every step would do, and performs none; needs no browser"),
                )
                .arg(
                    Arg::new("step")
                        .long("step")
                        .action(ArgAction::SetTrue)
                        .conflicts_with("dry-run")
                        .help("Shows each step before it is performed, and waits for an answer on standard input"),
                )
                .arg(json().help("Prints the result as JSON"))
                .args(arguments(Scope::Session)),
        )
        .subcommand(
            Command::new("check")
                .about("Reports every problem of the actions; needs no browser")
                .arg(
                    Arg::new("paths")
                        .value_name("PATH")
                        .num_args(0..)
                        .value_parser(value_parser!(OsString))
                        .help("Files or directories [default: the directories of actions]"),
                )
                .arg(json().help("Prints the problems as JSON"))
                .args(arguments(Scope::Actions)),
        )
        .subcommand(
            Command::new("new")
                .about("Writes an action to begin with; it works on the demo shop")
                .arg(Arg::new("name").value_name("NAME").required(true).help("Its name, such as `shop/login`"))
                .arg(
                    Arg::new("template")
                        .long("template")
                        .value_name("TEMPLATE")
                        .required(true)
                        .value_parser(TEMPLATES)
                        .help("What it is about"),
                )
                .args(arguments(Scope::Actions)),
        )
        .subcommand(
            Command::new("test")
                .about("Performs the cases of test files: `login.test.yaml` tests `login.yaml`")
                .arg(
                    Arg::new("paths")
                        .value_name("PATH")
                        .num_args(0..)
                        .value_parser(value_parser!(OsString))
                        .help("Test files, actions, or directories [default: the directories of actions]"),
                )
                .arg(
                    Arg::new("junit")
                        .long("junit")
                        .value_name("FILE")
                        .value_parser(value_parser!(OsString))
                        .help("Writes a report in JUnit's XML, too"),
                )
                .args(arguments(Scope::Session)),
        )
        .subcommand(
            Command::new("convert")
                .about("Rewrites a classic file with `commands:` in the step form")
                .arg(
                    Arg::new("file")
                        .value_name("FILE")
                        .required(true)
                        .value_parser(value_parser!(OsString))
                        .help("The file"),
                )
                .arg(
                    Arg::new("write")
                        .long("write")
                        .action(ArgAction::SetTrue)
                        .help("Replaces the file instead of printing the result"),
                )
                .args(arguments(Scope::Host)),
        )
        .subcommand(
            Command::new("schema")
                .about("Prints the JSON Schema that editors complete and check actions with")
                .arg(Arg::new("of").value_name("WHAT").required(true).value_parser(["shortcut"]).help("Of what"))
                .args(arguments(Scope::Host)),
        )
        .subcommand(
            Command::new("list")
                .about("Lists the actions")
                .arg(json().help("Prints the list as JSON, with the schemas"))
                .args(arguments(Scope::Actions)),
        )
        .subcommand(
            Command::new("browser")
                .about("Finds or installs the browser")
                .subcommand_required(true)
                .arg_required_else_help(true)
                .disable_help_subcommand(true)
                .subcommand(
                    Command::new("path")
                        .about("Prints the path of the browser that would be used")
                        .args(arguments(Scope::Session).filter(|argument| argument.get_id() == "browser")),
                )
                .subcommand(
                    Command::new("install")
                        .about("Installs a Chromium for this user, or by the system's package manager"),
                ),
        )
        .subcommand(
            Command::new("demo")
                .about("Performs a login and a checkout on an embedded shop, as an MCP client would")
                .arg(
                    Arg::new("serve")
                        .long("serve")
                        .action(ArgAction::SetTrue)
                        .help("Keeps the shop up afterwards, until Ctrl-C"),
                )
                .arg(
                    Arg::new("install-browser")
                        .long("install-browser")
                        .action(ArgAction::SetTrue)
                        .help("Installs a browser first if there is none"),
                )
                .arg(
                    Arg::new("port")
                        .long("port")
                        .value_name("N")
                        .value_parser(value_parser!(u16))
                        .help("The shop's port [default: any free one]"),
                )
                .args(
                    arguments(Scope::Session)
                        .filter(|argument| ["browser", "headed", "log"].contains(&argument.get_id().as_str())),
                ),
        )
}

fn input(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected `NAME=VALUE`".to_owned()),
    }
}

const EXAMPLES: &str = "\
Examples:
  repertoire demo                                  watch a login and a checkout being performed
  repertoire serve --actions ./actions             serve a directory of actions to an MCP client
  repertoire run shop_login --input email=a@b.c    perform one action
  repertoire check                                 find every mistake in the actions

Options come from flags, then REPERTOIRE_… variables, then `repertoire.yaml` beside the actions directory.";
