//! From flags, environment and file to [`Options`].

use std::env;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::ArgMatches;
use clap::parser::ValueSource;
use serde_json::{Map, Value};

use super::error::{Error, Source};
use super::table::{self, Definition, Kind, Scope};
use super::{Level, Options, Viewport};

/// How an environment variable is looked up.
pub type Lookup<'a> = &'a dyn Fn(&str) -> Option<OsString>;

/// How a `repertoire.yaml` is read: nothing if there is no such file, else its values or what is wrong with it.
pub type Read<'a> = &'a dyn Fn(&Path) -> Result<Option<Map<String, Value>>, String>;

/// What surrounds the process, given to it as arguments.
pub struct Surroundings<'a> {
    /// The environment.
    pub environment: Lookup<'a>,
    /// The current directory.
    pub directory: &'a Path,
    /// The reader of the options file.
    pub read: Read<'a>,
}

/// The content of a `repertoire.yaml`.
#[derive(Debug, Clone)]
pub struct File {
    /// Where it is.
    pub path: PathBuf,
    /// Its values.
    pub values: Map<String, Value>,
}

/// One option's raw values and where they came from.
struct Given {
    values: Vec<OsString>,
    source: Source,
    /// What relative paths are relative to.
    base: PathBuf,
}

pub(super) struct Resolver<'a> {
    matches: &'a ArgMatches,
    surroundings: &'a Surroundings<'a>,
    file: Option<File>,
}

impl<'a> Resolver<'a> {
    /// Finds and reads the file: `repertoire.yaml` in the first directory of actions that a flag or the environment
    /// names, or beside that directory.
    pub(super) fn new(matches: &'a ArgMatches, surroundings: &'a Surroundings<'a>) -> Result<Self, Error> {
        let mut resolver = Resolver { matches, surroundings, file: None };
        let named = resolver.paths("actions")?.and_then(|(paths, _)| paths.into_iter().next());
        let actions = named.unwrap_or_else(|| surroundings.directory.join("actions"));
        for folder in [Some(actions.as_path()), actions.parent()].into_iter().flatten() {
            let path = folder.join("repertoire.yaml");
            if let Some(values) = (surroundings.read)(&path).map_err(Error::File)? {
                if let Some(key) = values.keys().find(|key| table::find(key).is_none()) {
                    return Err(Error::Unknown { key: key.clone(), nearest: nearest(key), file: path });
                }
                resolver.file = Some(File { path, values });
                break;
            }
        }
        Ok(resolver)
    }

    /// All options; those that don't belong to the subcommand come from environment, file and default.
    pub(super) fn options(&self, needs_actions: bool) -> Result<Options, Error> {
        let directory = self.surroundings.directory;
        let actions = match self.paths("actions")? {
            Some((paths, _)) => paths,
            None => {
                let default = directory.join("actions");
                if needs_actions && !default.is_dir() {
                    return Err(Error::NoActions { looked: default });
                }
                vec![default]
            }
        };
        Ok(Options {
            env_files: self.env_files(&actions)?,
            workspace: self.path("workspace")?.unwrap_or_else(|| directory.to_owned()),
            browser: self.path("browser")?,
            profile: self.path("profile")?,
            headed: self.value("headed", switch)?.unwrap_or(false),
            cdp_endpoint: self.value("cdp_endpoint", url)?,
            storage_state: self.path("storage_state")?,
            proxy: self.value("proxy", url)?,
            locale: self.value("locale", language)?,
            time_zone: self.value("time_zone", line)?,
            user_agent: self.value("user_agent", line)?,
            touch: self.value("touch", switch)?.unwrap_or(false),
            headers: self.values("header", header)?,
            viewport: self.value("viewport", size)?.unwrap_or(Viewport { width: 1280, height: 720 }),
            timeout: self.value("timeout", duration)?.unwrap_or(Duration::from_secs(10)),
            action_timeout: self.value("action_timeout", duration)?.unwrap_or(Duration::from_secs(120)),
            test_id_attribute: self.value("test_id_attribute", attribute)?.unwrap_or_else(|| "data-testid".to_owned()),
            queue_timeout: self.value("queue_timeout", duration)?.unwrap_or(Duration::from_secs(30)),
            failure_screenshot: self.value("failure_screenshot", switch)?.unwrap_or(false),
            log: self.value("log", level)?.unwrap_or(Level::Info),
            actions,
        })
    }

    /// Given files must exist; the default places count where they do.
    fn env_files(&self, actions: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
        if let Some((paths, source)) = self.paths("env_file")? {
            return match paths.iter().find(|path| !path.is_file()) {
                Some(path) => Err(Error::Absent { source_: source, path: path.clone() }),
                None => Ok(paths),
            };
        }
        let near = actions.iter().flat_map(|path| [Some(path.as_path()), path.parent()]).flatten();
        let mut files: Vec<PathBuf> = Vec::new();
        for folder in near.chain([self.surroundings.directory]) {
            let file = folder.join(".env");
            if !files.contains(&file) {
                files.push(file);
            }
        }
        Ok(files)
    }

    fn path(&self, key: &str) -> Result<Option<PathBuf>, Error> {
        Ok(self.paths(key)?.and_then(|(paths, _)| paths.into_iter().next()))
    }

    fn paths(&self, key: &str) -> Result<Option<(Vec<PathBuf>, Source)>, Error> {
        let Some(given) = self.given(key)? else { return Ok(None) };
        let paths = given.values.iter().map(|value| tidy(&given.base.join(value))).collect();
        Ok(Some((paths, given.source)))
    }

    fn value<T>(&self, key: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Option<T>, Error> {
        Ok(self.values(key, parse)?.into_iter().next())
    }

    fn values<T>(&self, key: &str, parse: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, Error> {
        let Some(given) = self.given(key)? else { return Ok(Vec::new()) };
        let parsed = given.values.iter().map(|value| {
            let parsed = value.to_str().and_then(&parse);
            parsed.ok_or_else(|| wrong(definition(key), given.source.clone(), value))
        });
        parsed.collect()
    }

    /// The value with the highest precedence: flag, environment, file.
    fn given(&self, key: &str) -> Result<Option<Given>, Error> {
        let definition = definition(key);
        let here = self.surroundings.directory.to_owned();
        if let Some(values) = flag(self.matches, key) {
            return Ok(Some(Given { values, source: Source::Flag(definition.flag()), base: here }));
        }
        let variable = definition.variable();
        if let Some(value) = (self.surroundings.environment)(&variable).filter(|value| !value.is_empty()) {
            let values = match definition.kind {
                Kind::Paths => env::split_paths(&value).map(PathBuf::into_os_string).collect(),
                Kind::Headers => value.to_string_lossy().lines().map(OsString::from).collect(),
                _ => vec![value],
            };
            return Ok(Some(Given { values, source: Source::Variable(variable), base: here }));
        }
        let Some(file) = &self.file else { return Ok(None) };
        let Some(value) = file.values.get(key) else { return Ok(None) };
        let source = Source::File { key: key.to_owned(), file: file.path.clone() };
        let base = file.path.parent().map(Path::to_owned).unwrap_or(here);
        match texts(definition.kind, value) {
            Some(values) => Ok(Some(Given { values, source, base })),
            None => Err(wrong(definition, source, OsStr::new(&value.to_string()))),
        }
    }
}

fn definition(key: &str) -> &'static Definition {
    table::find(key).expect("options are asked for by the keys of the table")
}

fn wrong(definition: &Definition, source: Source, value: &OsStr) -> Error {
    let value = value.to_string_lossy().into_owned();
    Error::Value { source_: source, expected: definition.kind.expected(), value }
}

/// A flag's values, unless the subcommand has no such flag or it was not given.
fn flag(matches: &ArgMatches, key: &str) -> Option<Vec<OsString>> {
    if matches.try_contains_id(key).is_err() || matches.value_source(key) != Some(ValueSource::CommandLine) {
        return None;
    }
    Some(matches.get_many::<OsString>(key)?.cloned().collect())
}

/// A file's value as texts, if it has the right type.
fn texts(kind: Kind, value: &Value) -> Option<Vec<OsString>> {
    match (kind, value) {
        (Kind::Switch, Value::Bool(on)) => Some(vec![on.to_string().into()]),
        (Kind::Switch, _) => None,
        (Kind::Headers, Value::Object(headers)) => {
            let line = |(name, value): (&String, &Value)| Some(format!("{name}: {}", value.as_str()?).into());
            headers.iter().map(line).collect()
        }
        (Kind::Headers, _) => None,
        (_, Value::String(text)) if !text.is_empty() => Some(vec![text.into()]),
        (Kind::Paths, Value::Array(items)) if !items.is_empty() => {
            items.iter().map(|item| item.as_str().filter(|text| !text.is_empty()).map(OsString::from)).collect()
        }
        _ => None,
    }
}

fn nearest(key: &str) -> Option<&'static str> {
    let key = key.to_lowercase().replace('-', "_");
    table::table()
        .iter()
        .map(|definition| (strsim::damerau_levenshtein(&key, definition.key), definition.key))
        .filter(|(distance, name)| *distance <= 1 + name.len() / 4)
        .min()
        .map(|(_, name)| name)
}

/// The path without `.` parts, so that messages show what was meant.
fn tidy(path: &Path) -> PathBuf {
    path.components().collect()
}

fn switch(text: &str) -> Option<bool> {
    match text {
        "true" | "1" | "yes" => Some(true),
        "false" | "0" | "no" => Some(false),
        _ => None,
    }
}

fn size(text: &str) -> Option<Viewport> {
    let (width, height) = text.split_once(['x', 'X'])?;
    let side = |text: &str| text.trim().parse().ok().filter(|side| (1..=10_000).contains(side));
    Some(Viewport { width: side(width)?, height: side(height)? })
}

fn duration(text: &str) -> Option<Duration> {
    humantime::parse_duration(text.trim()).ok().filter(|duration| !duration.is_zero())
}

fn attribute(text: &str) -> Option<String> {
    let fits = |character: char| character.is_alphanumeric() || matches!(character, '-' | '_' | ':' | '.');
    (!text.is_empty() && text.chars().all(fits)).then(|| text.to_owned())
}

/// Secrets have no place in options, which are shown in errors and lists of processes.
fn url(text: &str) -> Option<String> {
    let url = url::Url::parse(text).ok()?;
    (url.has_host() && url.username().is_empty() && url.password().is_none()).then(|| text.to_owned())
}

fn language(text: &str) -> Option<String> {
    let part = |part: &str| (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let first = text.split('-').next().unwrap_or_default();
    let is_language = (2..=3).contains(&first.len()) && first.bytes().all(|byte| byte.is_ascii_alphabetic());
    (is_language && text.split('-').all(part)).then(|| text.to_owned())
}

fn line(text: &str) -> Option<String> {
    (!text.trim().is_empty() && !text.contains(char::is_control)).then(|| text.trim().to_owned())
}

/// A name of token characters (RFC 9110, section 5.6.2) and a value of one line.
fn header(text: &str) -> Option<(String, String)> {
    let (name, value) = text.split_once(':')?;
    let token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
    let is_name = !name.is_empty() && name.bytes().all(token);
    (is_name && !value.contains(char::is_control)).then(|| (name.to_owned(), value.trim().to_owned()))
}

fn level(text: &str) -> Option<Level> {
    [Level::Error, Level::Warn, Level::Info, Level::Debug].into_iter().find(|level| level.name() == text)
}

/// The flags of the options that belong to `scope`.
pub(super) fn arguments(scope: Scope) -> impl Iterator<Item = clap::Arg> {
    table::table().iter().filter(move |definition| definition.scope <= scope).map(|definition| {
        let variable = definition.variable();
        let help = format!("{} [default: {}] [env: {variable}]", definition.doc, definition.default);
        let argument = clap::Arg::new(definition.key)
            .long(definition.flag())
            .help(help)
            .help_heading("Options, also keys of `repertoire.yaml` (with `_` for `-`)")
            .value_parser(clap::value_parser!(OsString));
        match definition.kind {
            Kind::Switch => {
                argument.value_name("true|false").num_args(0..=1).require_equals(true).default_missing_value("true")
            }
            Kind::Paths | Kind::Headers => argument.value_name(definition.value).action(clap::ArgAction::Append),
            _ => argument.value_name(definition.value),
        }
    })
}
