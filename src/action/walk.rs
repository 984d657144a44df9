//! Owns the way through a directory of actions: which files are actions, in an order that never changes, within
//! limits, and without leaving the directory through a link.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::cases;
use super::problem::{Problem, Severity};

const MOST_DEPTH: usize = 32;
const MOST_FILES: usize = 10_000;

/// The host's own options, which live beside the actions.
const OPTIONS: [&str; 2] = ["repertoire.yaml", "repertoire.yml"];

/// What a directory holds.
#[derive(Debug, Default)]
pub struct Found {
    /// The files that are actions, by path.
    pub files: Vec<Entry>,
    /// The files that hold tests of actions, relative to the directory given.
    pub tests: Vec<PathBuf>,
    /// What could not be looked at.
    pub problems: Vec<Problem>,
    /// Directories that exist and could not be read: what was known of their files still counts.
    pub unreadable: Vec<PathBuf>,
}

/// A file that should be an action.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    /// Relative to the directory given.
    pub shown: PathBuf,
    /// How to open it.
    pub path: PathBuf,
    /// Whether it is a part of other actions and no tool: it, or a directory on the way to it, begins with `_`.
    pub is_part: bool,
}

/// Looks through a directory and everything below it.
pub fn walk(directory: &Path) -> Found {
    let mut found = Found::default();
    let root = match directory.canonicalize() {
        Ok(root) if root.is_dir() => root,
        Ok(_) => {
            found.fault(directory, "not a directory", Some("give the directory that holds the actions"));
            return found;
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let hint = "create it, or name another with `--actions`";
            found.fault(directory, "the directory does not exist", Some(hint));
            return found;
        }
        Err(error) => {
            found.fault(directory, &format!("can't read the directory: {error}"), None);
            found.unreadable.push(directory.to_owned());
            return found;
        }
    };
    let mut walk = Walk { root: &root, directory, visited: HashSet::from([root.clone()]), found: &mut found };
    walk.enter(Path::new(""), 0);
    found.files.sort();
    found
}

/// The files that hold tests of actions, relative to the directory they are in.
pub fn test_files(directory: &Path) -> Vec<PathBuf> {
    walk(directory).tests
}

struct Walk<'a> {
    root: &'a Path,
    directory: &'a Path,
    /// Real paths of directories, so that links in a circle end.
    visited: HashSet<PathBuf>,
    found: &'a mut Found,
}

impl Walk<'_> {
    fn enter(&mut self, below: &Path, depth: usize) {
        let path = self.directory.join(below);
        let shown = if below.as_os_str().is_empty() { self.directory } else { below };
        if depth > MOST_DEPTH {
            let message = format!("more than {MOST_DEPTH} directories deep");
            self.found.fault(shown, &message, None);
            return;
        }
        let names = fs::read_dir(&path).and_then(|entries| {
            let names = entries.map(|entry| entry.map(|entry| entry.file_name()));
            names.collect::<io::Result<Vec<_>>>()
        });
        let mut names = match names {
            Ok(names) => names,
            Err(error) => {
                self.found.fault(shown, &format!("can't read the directory: {error}"), None);
                self.found.unreadable.push(path);
                return;
            }
        };
        names.sort();
        for name in names {
            let below = below.join(&name);
            let Some(name) = name.to_str() else {
                self.found.fault(&below, "the file's name is not UTF-8", Some("rename it"));
                continue;
            };
            if !name.starts_with('.') {
                self.visit(name, below, depth);
            }
        }
    }

    fn visit(&mut self, name: &str, below: PathBuf, depth: usize) {
        if self.found.files.len() >= MOST_FILES {
            return;
        }
        let path = self.directory.join(&below);
        let is_action = || matches!(extension(name), Some("yaml" | "yml"));
        let metadata = match fs::metadata(&path) {
            Ok(metadata) => metadata,
            // Gone in the meantime, or a link to nothing, as some editors use for locks.
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                if is_action() {
                    self.found.fault(&below, &format!("can't read the file: {error}"), None);
                    self.found.unreadable.push(path);
                }
                return;
            }
        };
        if metadata.is_dir() {
            let Ok(real) = path.canonicalize() else { return };
            if self.inside(&below, &real) && self.visited.insert(real) {
                self.enter(&below, depth + 1);
            }
            return;
        }
        match extension(name) {
            Some("yaml" | "yml") if depth == 0 && OPTIONS.contains(&name) => {}
            Some("yaml" | "yml") if !metadata.is_file() => {
                self.found.fault(&below, "not a file", None);
            }
            Some("yaml" | "yml") if cases::tested(&path).is_some() => self.found.tests.push(below),
            Some("yaml" | "yml") => self.add(below, path),
            Some("wasm" | "js") => self.found.problems.push(Problem::of_file(
                &below,
                Severity::Warning,
                "scripts are not supported by this version",
                None,
            )),
            _ => {}
        }
    }

    fn add(&mut self, below: PathBuf, path: PathBuf) {
        if !path.canonicalize().is_ok_and(|real| self.inside(&below, &real)) {
            return;
        }
        let is_part = below.iter().any(|part| part.to_string_lossy().starts_with('_'));
        self.found.files.push(Entry { shown: below, path, is_part });
        if self.found.files.len() == MOST_FILES {
            let message = format!("more than {MOST_FILES} files: the rest is left out");
            self.found.fault(self.directory, &message, None);
        }
    }

    fn inside(&mut self, below: &Path, real: &Path) -> bool {
        let inside = real.starts_with(self.root);
        if !inside {
            let hint = "copy the file, or give the other directory with `--actions` too";
            self.found.fault(below, "the link leaves the directory", Some(hint));
        }
        inside
    }
}

impl Found {
    fn fault(&mut self, shown: &Path, message: &str, hint: Option<&str>) {
        let hint = hint.map(str::to_owned);
        self.problems.push(Problem::of_file(shown, Severity::Error, message, hint));
    }
}

fn extension(name: &str) -> Option<&str> {
    name.rsplit_once('.').map(|(_, extension)| extension)
}
