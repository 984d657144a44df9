//! Hot reload: the only publisher of catalogs.
//!
//! One task owns the whole way from "something changed" to a published catalog: it waits for 50 ms of quiet (300 ms
//! at most), reads all directories off the async threads, and publishes once if anything is different. What a file
//! means is `action`'s business; which change matters to a client is `mcp`'s.
//!
//! **"Edit, then the next call runs the edit"** must not depend on how fast the system delivers its events, nor on
//! whether it delivers any (network file systems, targets of symbolic links). So a caller asks [`Watcher::settled`]
//! first, which compares the time, size and identity of every directory and file that the last load saw with what
//! they are now: one `stat` each, some tens of microseconds for a usual directory. Adding, removing and renaming shows
//! in the directory's own times, so nothing has to be listed. Only if something differs, or an event is pending, does
//! the caller wait for the reload task, debounce included: a file being written is not read half.
//!
//! Directories may be absent, appear later, be renamed away and replaced: after every load the set of watched
//! directories is brought up to date, and the nearest existing ancestor of each given one is watched too. Where the
//! system refuses watches (its limit is reached), and only there, the fingerprint is compared every two seconds.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use crate::action::{self, Action, Catalog, LoadRequest, Problem, Severity};

mod fingerprint;
mod system;

use fingerprint::Fingerprint;
use system::SystemWatch;

/// A change is loaded after this long without another one…
const QUIET: Duration = Duration::from_millis(50);
/// …and at the latest this long after the first.
const AT_MOST: Duration = Duration::from_millis(300);
/// How often is looked when the system watches nothing for us.
const WITHOUT_WATCHES: Duration = Duration::from_secs(2);

/// Keeps the catalog up to date until dropped.
#[derive(Debug)]
pub struct Watcher {
    shared: Arc<Shared>,
    catalogs: watch::Receiver<Arc<Catalog>>,
    done: watch::Receiver<u64>,
    task: JoinHandle<()>,
}

/// What events, callers and the reload task share.
#[derive(Debug)]
struct Shared {
    /// Counts signs of change: events and callers that saw a difference. The reload task answers with the count that
    /// its load covers.
    requested: AtomicU64,
    wake: Notify,
    /// What the published catalog was read from.
    loaded: Mutex<Fingerprint>,
}

impl Shared {
    fn request(&self) -> u64 {
        let ticket = self.requested.fetch_add(1, Ordering::SeqCst) + 1;
        self.wake.notify_one();
        ticket
    }

    fn is_current(&self) -> bool {
        self.loaded.lock().unwrap_or_else(PoisonError::into_inner).is_current()
    }

    fn remember(&self, fingerprint: Fingerprint) {
        *self.loaded.lock().unwrap_or_else(PoisonError::into_inner) = fingerprint;
    }
}

impl Watcher {
    /// Loads the directories a first time and keeps watching them.
    pub async fn start(request: LoadRequest) -> Watcher {
        let request = Arc::new(absolute(request));
        let shared = Arc::new(Shared { requested: AtomicU64::new(0), wake: Notify::new(), loaded: Mutex::default() });
        let (publish, catalogs) = watch::channel(Arc::new(Catalog::default()));
        let (finished, done) = watch::channel(0);
        let on_change = Arc::clone(&shared);
        let system = SystemWatch::new(&request.directories, move || {
            on_change.request();
        });
        let mut reload = Reload { request, shared: Arc::clone(&shared), publish, finished, system };
        reload.load().await;
        let task = tokio::spawn(reload.run());
        Watcher { shared, catalogs, done, task }
    }

    /// The published catalogs.
    pub fn catalogs(&self) -> watch::Receiver<Arc<Catalog>> {
        self.catalogs.clone()
    }

    /// Returns once every change made before this call is published; at once if there is none.
    pub async fn settled(&self) {
        let pending = self.shared.requested.load(Ordering::SeqCst);
        let ticket = if !self.shared.is_current() {
            self.shared.request()
        } else if *self.done.borrow() < pending {
            pending
        } else {
            return;
        };
        // An error means that the reload task is gone, with the host.
        let _ = self.done.clone().wait_for(|covered| *covered >= ticket).await;
    }
}

impl Drop for Watcher {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The reload task.
struct Reload {
    request: Arc<LoadRequest>,
    shared: Arc<Shared>,
    publish: watch::Sender<Arc<Catalog>>,
    finished: watch::Sender<u64>,
    system: SystemWatch,
}

impl Reload {
    async fn run(mut self) {
        loop {
            self.changed().await;
            self.quiet().await;
            self.load().await;
        }
    }

    /// Waits for the first sign of change.
    async fn changed(&self) {
        while self.shared.requested.load(Ordering::SeqCst) == *self.finished.borrow() {
            if self.system.is_complete() {
                self.shared.wake.notified().await;
            } else if timeout_at(Instant::now() + WITHOUT_WATCHES, self.shared.wake.notified()).await.is_err()
                && !self.shared.is_current()
            {
                self.shared.request();
            }
        }
    }

    /// Waits until nothing more happens.
    async fn quiet(&self) {
        let end = Instant::now() + AT_MOST;
        while timeout_at(end.min(Instant::now() + QUIET), self.shared.wake.notified()).await.is_ok() {}
    }

    /// Reads everything, publishes what is new, and answers those who wait.
    async fn load(&mut self) {
        let covered = self.shared.requested.load(Ordering::SeqCst);
        let fingerprint = self.look().await;
        let request = Arc::clone(&self.request);
        let previous = Arc::clone(&self.publish.borrow());
        let before = Arc::clone(&previous);
        match tokio::task::spawn_blocking(move || action::load(&request, &before)).await {
            Ok(catalog) => {
                if !same(&previous, &catalog) {
                    report(&previous, &catalog);
                    self.publish.send_replace(Arc::new(catalog));
                }
            }
            Err(error) => tracing::error!("the actions could not be loaded: {error}"),
        }
        self.shared.remember(fingerprint);
        self.finished.send_replace(covered);
    }

    /// Takes the fingerprint and watches exactly the directories in it. A directory that appears between the two
    /// could be filled before it is watched, so the fingerprint is taken again until both agree.
    async fn look(&mut self) -> Fingerprint {
        let mut fingerprint = self.fingerprint().await;
        while self.system.watch(&fingerprint) {
            let again = self.fingerprint().await;
            if again.same_directories(&fingerprint) {
                return again;
            }
            fingerprint = again;
        }
        fingerprint
    }

    async fn fingerprint(&self) -> Fingerprint {
        let request = Arc::clone(&self.request);
        tokio::task::spawn_blocking(move || Fingerprint::take(&request.directories)).await.unwrap_or_default()
    }
}

/// Watches report absolute paths, and the current directory is the one at the start.
fn absolute(request: LoadRequest) -> LoadRequest {
    let directories = request.directories.into_iter().map(|path| std::path::absolute(&path).unwrap_or(path)).collect();
    LoadRequest { directories, ..request }
}

/// Whether two catalogs perform and report the same.
fn same(one: &Catalog, other: &Catalog) -> bool {
    let versions = |catalog: &Catalog| -> Vec<(String, String, bool)> {
        catalog
            .actions()
            .map(|action| (action.name.clone(), action.version.clone(), catalog.stale(&action.name).is_some()))
            .collect()
    };
    one.problems() == other.problems() && one.same_tools(other) && versions(one) == versions(other)
}

/// Tells people about problems that are new.
fn report(previous: &Catalog, catalog: &Catalog) {
    for problem in catalog.problems().iter().filter(|problem| !previous.problems().contains(problem)) {
        match problem.severity {
            Severity::Error => tracing::error!("{}", shown(problem)),
            Severity::Warning => tracing::warn!("{}", shown(problem)),
        }
    }
    let changed = changed_names(previous, catalog);
    if !changed.is_empty() && previous.actions().next().is_some() {
        tracing::info!("reloaded: {}", changed.join(", "));
    }
    let mended = previous.problems().iter().any(|problem| problem.severity == Severity::Error)
        && !catalog.problems().iter().any(|problem| problem.severity == Severity::Error);
    if mended {
        tracing::info!("all actions are fine again");
    }
}

/// The names of actions that were added, changed or removed.
fn changed_names(previous: &Catalog, catalog: &Catalog) -> Vec<String> {
    let changed =
        |action: &&Arc<Action>| previous.get(&action.name).is_none_or(|before| before.version != action.version);
    let removed = previous.actions().filter(|action| catalog.get(&action.name).is_none());
    catalog.actions().filter(changed).chain(removed).map(|action| format!("`{}`", action.name)).collect()
}

/// The problem without its own `error:`, which the log's level says already.
fn shown(problem: &Problem) -> String {
    let text = problem.to_string();
    text.strip_prefix("error: ").or_else(|| text.strip_prefix("warning: ")).unwrap_or(&text).to_owned()
}

/// The nearest ancestor that exists.
fn nearest_existing(path: &Path) -> Option<PathBuf> {
    path.ancestors().skip(1).find(|ancestor| ancestor.is_dir()).map(Path::to_owned)
}

#[cfg(test)]
mod tests;
