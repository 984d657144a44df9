//! Downloads: into a private directory of the browser, each under a name of its own, bounded in size and number.
//!
//! The files are handed over as they are; where they belong and under which name is decided by `command`.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use chromiumoxide::cdp::browser_protocol::browser::{
    CancelDownloadParams, SetDownloadBehaviorBehavior, SetDownloadBehaviorParams,
};
use serde::Deserialize;
use tempfile::TempPath;

use super::Session;
use super::connection::Connection;
use super::tracker::Tracker;

/// The directory below the profile.
const DIRECTORY: &str = "repertoire-downloads";
/// Downloads that nobody expects are kept up to this number, until they are handed over.
const MOST: usize = 10;
/// The longest suggested name that is kept, in characters.
const MAX_NAME: usize = 500;

/// How large an expected download may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DownloadLimit {
    /// In bytes.
    pub max_bytes: u64,
}

impl Default for DownloadLimit {
    fn default() -> DownloadLimit {
        DownloadLimit { max_bytes: 100 * 1024 * 1024 }
    }
}

/// A complete download. Its file is removed when this is dropped.
#[derive(Debug)]
pub struct Downloaded {
    /// The file name that the server or the page suggests, as they wrote it.
    pub name: String,
    /// Where it came from.
    pub url: String,
    /// Its size.
    pub bytes: u64,
    file: TempPath,
}

impl Downloaded {
    /// The file, in a private directory of the session.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

/// Every download that has not been handed over.
#[derive(Default)]
pub(super) struct Downloads {
    directory: PathBuf,
    entries: Vec<Entry>,
}

struct Entry {
    guid: Arc<str>,
    name: String,
    url: String,
    max_bytes: u64,
    received: u64,
    is_expected: bool,
    state: State,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum State {
    InProgress,
    /// We cancelled it.
    TooLarge,
    Complete,
    Cancelled,
}

/// How far a download is that a step expects.
pub(super) enum Progress {
    Complete(Downloaded),
    Failed { name: String, reason: String },
    Under { name: String, received: u64 },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Began {
    frame_id: String,
    guid: Arc<str>,
    url: String,
    suggested_filename: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Progressed {
    guid: Arc<str>,
    // Numbers of JavaScript: a size may be written with a fraction.
    total_bytes: f64,
    received_bytes: f64,
    state: String,
}

impl Session {
    /// The downloads that no step expected and that are complete by now.
    pub fn take_downloads(&mut self) -> Vec<Downloaded> {
        self.live.as_ref().map(|live| live.link.tracker().take_unexpected()).unwrap_or_default()
    }
}

impl Downloads {
    /// Downloads into a directory below a profile. What an earlier browser left there is removed.
    pub(super) fn below(profile: &Path) -> Downloads {
        let directory = profile.join(DIRECTORY);
        let _ = std::fs::remove_dir_all(&directory);
        Downloads { directory, entries: Vec::new() }
    }

    /// What tells the browser where to put them.
    pub(super) fn behavior(&self) -> SetDownloadBehaviorParams {
        let mut behavior = SetDownloadBehaviorParams::new(SetDownloadBehaviorBehavior::AllowAndName);
        behavior.download_path = Some(self.directory.display().to_string());
        behavior.events_enabled = Some(true);
        behavior
    }

    fn file(&self, guid: &str) -> Option<TempPath> {
        TempPath::try_from_path(self.directory.join(guid)).ok()
    }

    fn take(&mut self, index: usize) -> Option<Downloaded> {
        let Entry { guid, name, url, received, .. } = self.entries.swap_remove(index);
        Some(Downloaded { name, url, bytes: received, file: self.file(&guid)? })
    }
}

impl Tracker {
    /// Answers the id of the frame that asked for it.
    pub(super) fn download_began(&mut self, connection: &Connection, began: Began) -> String {
        let Began { frame_id, guid, url, suggested_filename } = began;
        let name: String = suggested_filename.chars().take(MAX_NAME).collect();
        let limit = self.expects_download(&guid);
        let is_expected = limit.is_some();
        if !is_expected && self.downloads.entries.iter().filter(|entry| !entry.is_expected).count() >= MOST {
            cancel(connection, &guid);
            self.note(format!("refused a download: {MOST} others that no step expected came before it: {name}"));
            return frame_id;
        }
        let DownloadLimit { max_bytes } = limit.unwrap_or_default();
        let state = State::InProgress;
        self.downloads.entries.push(Entry { guid, name, url, max_bytes, received: 0, is_expected, state });
        frame_id
    }

    pub(super) fn download_progressed(&mut self, connection: &Connection, progressed: Progressed) -> Option<()> {
        let index = self.downloads.entries.iter().position(|entry| entry.guid == progressed.guid)?;
        let entry = &mut self.downloads.entries[index];
        // Chromium counts from zero again when it cancels.
        entry.received = entry.received.max(whole(progressed.received_bytes));
        let size = entry.received.max(whole(progressed.total_bytes));
        if size > entry.max_bytes && entry.state == State::InProgress {
            entry.state = State::TooLarge;
            cancel(connection, &entry.guid);
        }
        match (progressed.state.as_str(), &entry.state) {
            ("completed", State::InProgress) => entry.state = State::Complete,
            // It was faster than its cancellation.
            ("completed", _) => drop(self.downloads.file(&progressed.guid)),
            ("canceled", State::InProgress) => entry.state = State::Cancelled,
            _ => {}
        }
        let entry = &self.downloads.entries[index];
        if !entry.is_expected
            && let Some(reason) = entry.failure()
        {
            let note = format!("a download that no step expected failed, {reason}: {}", entry.name);
            self.downloads.entries.swap_remove(index);
            self.note(note);
        }
        Some(())
    }

    /// How far the download is that a step expects. A failed one is forgotten with this.
    pub(super) fn download(&mut self, guid: &str) -> Option<Progress> {
        let index = self.downloads.entries.iter().position(|entry| *entry.guid == *guid)?;
        let entry = &self.downloads.entries[index];
        if let Some(reason) = entry.failure() {
            let Entry { name, .. } = self.downloads.entries.swap_remove(index);
            return Some(Progress::Failed { name, reason });
        }
        match entry.state {
            State::Complete => self.downloads.take(index).map(Progress::Complete),
            _ => Some(Progress::Under { name: entry.name.clone(), received: entry.received }),
        }
    }

    /// Nobody waits for a download any more: a complete one is kept as one that nobody expected.
    pub(super) fn release_download(&mut self, connection: &Connection, guid: &str) {
        let Some(index) = self.downloads.entries.iter().position(|entry| *entry.guid == *guid) else { return };
        match self.downloads.entries[index].state {
            State::Complete => self.downloads.entries[index].is_expected = false,
            State::InProgress => {
                cancel(connection, guid);
                self.downloads.entries.swap_remove(index);
            }
            State::TooLarge | State::Cancelled => drop(self.downloads.entries.swap_remove(index)),
        }
    }

    fn take_unexpected(&mut self) -> Vec<Downloaded> {
        let mut taken = Vec::new();
        let is_done = |entry: &Entry| !entry.is_expected && entry.state == State::Complete;
        while let Some(index) = self.downloads.entries.iter().position(is_done) {
            taken.extend(self.downloads.take(index));
        }
        taken
    }
}

impl Entry {
    fn failure(&self) -> Option<String> {
        match self.state {
            State::TooLarge => Some(format!("larger than the {} bytes that are allowed", self.max_bytes)),
            State::Cancelled => {
                Some(format!("cancelled by the page, or broken off by the server, after {} bytes", self.received))
            }
            State::InProgress | State::Complete => None,
        }
    }
}

fn cancel(connection: &Connection, guid: &str) {
    connection.post(None, &CancelDownloadParams::new(guid));
}

fn whole(bytes: f64) -> u64 {
    bytes as u64
}
