//! Owns the way from directories to a catalog: what is read again, what is taken over, and who gets a name.
//! Nothing here fails as a whole: every fault is a problem of one file.

use std::borrow::Cow;
use std::fs;
use std::num::NonZero;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use sha2::{Digest, Sha256};

use super::catalog::{Catalog, FileState};
use super::link::link;
use super::problem::{Problem, Report, Severity};
use super::walk::{self, walk};
use super::{Action, Source, builtin, file, yaml};

/// What to load.
#[derive(Debug, Clone, Default)]
pub struct LoadRequest {
    /// The directories; of two actions with one name the first directory's wins.
    pub directories: Vec<PathBuf>,
    /// Whether the actions of the binary itself are offered too.
    pub builtins: bool,
}

/// Reads all directories into a new catalog.
///
/// Content that did not change is taken over from `previous`. A file that broke keeps its last good action, marked
/// stale; a file that is gone takes its action with it.
pub fn load(request: &LoadRequest, previous: &Catalog) -> Catalog {
    let mut catalog = Catalog::default();
    for directory in &request.directories {
        let mut found = walk(directory);
        let states = read_all(&found.files, previous);
        let paths = found.files.iter().map(|entry| entry.path.clone());
        let mut states: Vec<(PathBuf, FileState)> = paths.zip(states).collect();
        states.extend(unreadable(&found, previous));
        catalog.problems.append(&mut found.problems);
        for (path, state) in states {
            catalog.add(path, state);
        }
    }
    if request.builtins {
        for (name, text) in builtin::FILES {
            let path = Path::new("<builtin>").join(name);
            let state = previous.files.get(&path).cloned();
            let state = state.unwrap_or_else(|| parse(text, Source::Builtin(name), name, None, false));
            catalog.add_builtin(path, state);
        }
    }
    link(&mut catalog, previous);
    catalog
}

impl Catalog {
    /// Adds what a file holds, unless an earlier file has the name.
    fn add(&mut self, path: PathBuf, state: FileState) {
        // Two directories given may overlap: a file counts where it was found first.
        if self.files.contains_key(&path) {
            return;
        }
        self.problems.extend(state.problems.iter().cloned());
        if let Some(action) = state.action.as_ref().filter(|_| !state.is_part) {
            match self.actions.get(&action.name) {
                Some(first) => {
                    let problem = clash(first, action);
                    self.problems.push(problem);
                }
                None => {
                    let broken = state.problems.iter().find(|p| p.severity == Severity::Error);
                    if let Some(problem) = broken {
                        self.stale.insert(action.name.clone(), problem.clone());
                    }
                    self.actions.insert(action.name.clone(), action.clone());
                }
            }
        }
        self.files.insert(path, state);
    }

    fn add_builtin(&mut self, path: PathBuf, state: FileState) {
        if let Some(action) = &state.action {
            match self.actions.get(&action.name) {
                Some(first) => {
                    let shown = first.source.shown();
                    let (user, builtin) = (shown.display(), action.source.shown());
                    let message = format!("`{}` of {user} replaces the built-in {}", action.name, builtin.display());
                    let hint = "choose another `name:` to have both";
                    self.problems.push(Problem::of_file(&shown, Severity::Warning, message, Some(hint.into())));
                }
                None => {
                    self.actions.insert(action.name.clone(), action.clone());
                }
            }
        }
        self.problems.extend(state.problems.iter().cloned());
        self.files.insert(path, state);
    }
}

fn clash(first: &Action, second: &Action) -> Problem {
    let message = format!("`{}` is already the name of {}", second.name, first.source.beside(&second.source).display());
    let hint = "give one of the two another `name:`";
    Problem::of_file(&second.source.shown(), Severity::Error, message, Some(hint.into()))
}

/// What was known of files that exist and can't be looked at any more.
fn unreadable(found: &walk::Found, previous: &Catalog) -> Vec<(PathBuf, FileState)> {
    let mut kept: Vec<(PathBuf, FileState)> = Vec::new();
    for (path, state) in &previous.files {
        let below = |directory: &PathBuf| path.starts_with(directory);
        if state.action.is_some() && found.unreadable.iter().any(below) {
            let shown = state.action.as_ref().map(|action| action.source.shown());
            let problem = Problem::of_file(
                &shown.unwrap_or_default(),
                Severity::Error,
                "can't read the file any more",
                Some("make it readable, or delete it".into()),
            );
            let state = FileState { hash: None, problems: vec![problem], ..state.clone() };
            kept.push((path.clone(), state));
        }
    }
    kept.sort_by(|a, b| a.0.cmp(&b.0));
    kept
}

/// A thread more pays off from this many files on.
const FILES_PER_THREAD: usize = 16;

/// Reads all files, each by itself and on every core; the states stand in the order of the files.
fn read_all(files: &[walk::Entry], previous: &Catalog) -> Vec<FileState> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut read_here = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(entry) = files.get(index) else { return read_here };
            read_here.push((index, read(entry, previous.files.get(&entry.path))));
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let helpers = (cores - 1).min(files.len() / FILES_PER_THREAD);
    let mut states = thread::scope(|scope| {
        // A thread that can't be had is no fault: this one reads whatever is left.
        let helpers: Vec<_> =
            (0..helpers).filter_map(|_| thread::Builder::new().spawn_scoped(scope, work).ok()).collect();
        let mut states = work();
        for helper in helpers {
            states.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        states
    });
    states.sort_by_key(|(index, _)| *index);
    states.into_iter().map(|(_, state)| state).collect()
}

fn read(entry: &walk::Entry, previous: Option<&FileState>) -> FileState {
    let fault = |hash, message: String, hint: Option<&str>| FileState {
        hash,
        action: previous.and_then(|state| state.action.clone()),
        problems: vec![Problem::of_file(&entry.shown, Severity::Error, message, hint.map(str::to_owned))],
        is_part: entry.is_part,
    };
    let bytes = match read_bounded(&entry.path) {
        Ok(bytes) => bytes,
        Err(error) => return fault(None, format!("can't read the file: {error}"), None),
    };
    let hash: [u8; 32] = Sha256::digest(&bytes).into();
    if let Some(known) = previous.filter(|state| state.hash == Some(hash)) {
        return known.clone();
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            let line = error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
            return fault(
                Some(hash),
                format!("the file is not UTF-8 text: line {line} has other bytes"),
                Some("save it as UTF-8"),
            );
        }
    };
    let source = Source::File { path: entry.path.clone(), shown: entry.shown.clone() };
    parse(&text, source, &default_name(&entry.shown), previous, entry.is_part)
}

/// Reads at most one byte more than a file may have: the reader reports those that have more.
fn read_bounded(path: &Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut bytes = Vec::new();
    let limit = yaml::MOST_BYTES as u64 + 1;
    fs::File::open(path)?.take(limit).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Reads the text of one file; an action that was good before stays if this one is not.
pub fn parse(text: &str, source: Source, name: &str, previous: Option<&FileState>, is_part: bool) -> FileState {
    let hash: [u8; 32] = Sha256::digest(text.as_bytes()).into();
    let version: String = hash.iter().take(6).map(|byte| format!("{byte:02x}")).collect();
    let shown = source.shown();
    let text = with_line_feeds(text);
    let mut report = Report::new(&shown, &text);
    let action = file::read(&mut report, source, name, &version, is_part).map(Arc::new);
    FileState {
        hash: Some(hash),
        action: action.or_else(|| previous.and_then(|state| state.action.clone())),
        problems: report.finish(),
        is_part,
    }
}

/// A carriage return alone ends a line too, in YAML and in some editors; places count lines by line feeds.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    let is_alone = |(at, _): (usize, &str)| !text[at + 1..].starts_with('\n');
    match text.match_indices('\r').any(is_alone) {
        true => Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n")),
        false => Cow::Borrowed(text),
    }
}

/// Whether a file of this path, relative to its directory, is a tool without a `name:` of its own.
pub fn can_be_named(shown: &Path) -> bool {
    file::is_tool_name(&default_name(shown))
}

/// `shop/sign-in.yaml` → `shop_sign_in`.
pub fn default_name(shown: &Path) -> String {
    let parts = shown.with_extension("");
    let parts = parts.iter().map(|part| part.to_string_lossy().replace(['-', '.', ' '], "_"));
    parts.collect::<Vec<_>>().join("_").to_lowercase()
}
