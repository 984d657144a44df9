//! What the directories looked like: time, size and identity of everything a load reads.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Times of files advance in ticks of up to 10 ms: what changed within this long before the look may change again
/// without showing.
const TICK: Duration = Duration::from_millis(20);
/// As many as a load reads. What comes after them, directories too, is neither compared nor watched: its changes show
/// with the next change elsewhere.
const MOST_FILES: usize = 10_000;
/// As deep as a load goes.
const DEEPEST: usize = 32;
/// The endings of files that a load has something to say about.
const ENDINGS: [&str; 4] = ["yaml", "yml", "js", "wasm"];

/// What the directories looked like at one moment.
#[derive(Debug, Default)]
pub(super) struct Fingerprint {
    directories: BTreeMap<PathBuf, Stamp>,
    files: BTreeMap<PathBuf, Stamp>,
    /// The given directories that were absent.
    absent: Vec<PathBuf>,
    /// Whether something had changed so recently that a further change might not show.
    fresh: bool,
}

/// What changes when a file or directory does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    modified: Option<SystemTime>,
    length: u64,
    /// Where there is such a thing: device, number, and time of the last change of any kind in seconds and nanoseconds.
    identity: (u64, u64, i64, i64),
}

impl Fingerprint {
    /// Looks at everything below the directories.
    pub(super) fn take(directories: &[PathBuf]) -> Fingerprint {
        let mut fingerprint = Fingerprint::default();
        let mut visited = BTreeSet::new();
        for directory in directories {
            if directory.is_dir() {
                fingerprint.enter(directory, &mut visited, 0);
            } else {
                fingerprint.absent.push(directory.clone());
            }
        }
        let now = SystemTime::now();
        let stamps = fingerprint.directories.values().chain(fingerprint.files.values());
        fingerprint.fresh = stamps.into_iter().any(|stamp| stamp.is_fresh(now));
        fingerprint
    }

    /// Whether everything still looks the same; a `stat` for each.
    pub(super) fn is_current(&self) -> bool {
        let same = |(path, stamp): (&PathBuf, &Stamp)| Stamp::of(path) == Some(*stamp);
        !self.fresh
            && self.files.iter().all(same)
            && self.directories.iter().all(same)
            && self.absent.iter().all(|path| !path.is_dir())
    }

    /// The directories and their identities.
    pub(super) fn directories(&self) -> &BTreeMap<PathBuf, Stamp> {
        &self.directories
    }

    pub(super) fn same_directories(&self, other: &Fingerprint) -> bool {
        self.directories == other.directories && self.absent == other.absent
    }

    fn enter(&mut self, directory: &Path, visited: &mut BTreeSet<PathBuf>, depth: usize) {
        // Symbolic links may lead in circles.
        let known = directory.canonicalize().is_ok_and(|real| !visited.insert(real));
        let Some(stamp) = Stamp::of(directory).filter(|_| !known && depth <= DEEPEST) else { return };
        self.directories.insert(directory.to_owned(), stamp);
        let Ok(entries) = fs::read_dir(directory) else { return };
        for entry in entries.flatten() {
            let path = entry.path();
            let hidden = entry.file_name().to_string_lossy().starts_with('.');
            let Ok(metadata) = fs::metadata(&path) else { continue };
            if hidden || self.files.len() >= MOST_FILES {
                continue;
            }
            if metadata.is_dir() {
                self.enter(&path, visited, depth + 1);
            } else if ENDINGS
                .iter()
                .any(|ending| path.extension().is_some_and(|given| given.eq_ignore_ascii_case(ending)))
            {
                self.files.insert(path, Stamp::from(&metadata));
            }
        }
    }
}

impl Stamp {
    pub(super) fn of(path: &Path) -> Option<Stamp> {
        fs::metadata(path).ok().map(|metadata| Stamp::from(&metadata))
    }

    /// Whether both are the same directory, changed or not.
    pub(super) fn same_identity(&self, other: &Stamp) -> bool {
        (self.identity.0, self.identity.1) == (other.identity.0, other.identity.1)
    }

    fn is_fresh(&self, now: SystemTime) -> bool {
        let (_, _, seconds, nanoseconds) = self.identity;
        let changed = match (u64::try_from(seconds), u32::try_from(nanoseconds)) {
            (Ok(seconds), Ok(nanoseconds)) if seconds > 0 => {
                Some(SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds))
            }
            _ => self.modified,
        };
        match changed.map(|changed| now.duration_since(changed)) {
            Some(Ok(age)) => age < TICK,
            Some(Err(ahead)) => ahead.duration() < TICK,
            None => false,
        }
    }
}

impl From<&Metadata> for Stamp {
    fn from(metadata: &Metadata) -> Stamp {
        Stamp { modified: metadata.modified().ok(), length: metadata.len(), identity: identity(metadata) }
    }
}

#[cfg(unix)]
fn identity(metadata: &Metadata) -> (u64, u64, i64, i64) {
    use std::os::unix::fs::MetadataExt;
    (metadata.dev(), metadata.ino(), metadata.ctime(), metadata.ctime_nsec())
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> (u64, u64, i64, i64) {
    (0, 0, 0, 0)
}
