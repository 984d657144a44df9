//! The system's own notices of change, reduced to "something changed".

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use notify::event::{AccessKind, AccessMode};
use notify::{Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

use super::fingerprint::{Fingerprint, Stamp};
use super::nearest_existing;

/// Watches directories one by one, so that links to directories are followed and nothing else is.
pub(super) struct SystemWatch {
    watcher: Option<RecommendedWatcher>,
    roots: Arc<[PathBuf]>,
    /// What is watched, and which directory that was: the same path may become another one.
    watched: BTreeMap<PathBuf, Stamp>,
    refused: bool,
}

impl SystemWatch {
    /// Calls `changed` when something changed at or below the roots.
    pub(super) fn new(roots: &[PathBuf], changed: impl Fn() + Send + 'static) -> SystemWatch {
        let roots: Arc<[PathBuf]> = roots.into();
        let relevant_to = Arc::clone(&roots);
        let watcher = notify::recommended_watcher(move |event: notify::Result<Event>| match event {
            Ok(event) if !matters(&event, &relevant_to) => {}
            Ok(_) => changed(),
            Err(error) => {
                tracing::debug!("the system's file events are incomplete: {error}");
                changed();
            }
        });
        let refused = watcher.is_err();
        if let Err(error) = &watcher {
            tracing::warn!("changes are looked for every two seconds: the system reports no file events: {error}");
        }
        SystemWatch { watcher: watcher.ok(), roots, watched: BTreeMap::new(), refused }
    }

    /// Whether every directory is watched.
    pub(super) fn is_complete(&self) -> bool {
        self.watcher.is_some() && !self.refused
    }

    /// Watches the fingerprint's directories and the roots' ancestors, and nothing else; says whether any is new.
    pub(super) fn watch(&mut self, fingerprint: &Fingerprint) -> bool {
        let ancestors = self.roots.iter().filter_map(|root| nearest_existing(root));
        let mut wanted: BTreeMap<PathBuf, Stamp> =
            ancestors.filter_map(|ancestor| Some((ancestor.clone(), Stamp::of(&ancestor)?))).collect();
        wanted.extend(fingerprint.directories().iter().map(|(path, stamp)| (path.clone(), *stamp)));
        let Some(watcher) = &mut self.watcher else { return false };
        self.watched.retain(|path, known| {
            let keep = wanted.get(path).is_some_and(|now| now.same_identity(known));
            if !keep {
                // The system forgets a removed directory by itself.
                let _ = watcher.unwatch(path);
            }
            keep
        });
        let mut added = false;
        let mut refused = None;
        for (path, stamp) in wanted {
            if self.watched.contains_key(&path) {
                continue;
            }
            match watcher.watch(&path, RecursiveMode::NonRecursive) {
                Ok(()) => {
                    self.watched.insert(path, stamp);
                    added = true;
                }
                // It is gone again; its parent's event is on its way.
                Err(_) if !path.is_dir() => {}
                Err(error) => refused = Some((path, error)),
            }
        }
        if let Some((path, error)) = &refused
            && !self.refused
        {
            tracing::warn!("changes are looked for every two seconds: `{}` can't be watched: {error}", path.display());
        }
        self.refused = refused.is_some();
        added
    }
}

/// Reading is no change (our own load reads), and neither is what happens beside a root in its parent.
fn matters(event: &Event, roots: &[PathBuf]) -> bool {
    let read = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => false,
        EventKind::Access(_) => true,
        _ => false,
    };
    let related = |path: &Path, root: &Path| path.starts_with(root) || root.starts_with(path);
    // Some systems report real paths, whatever path is watched.
    let inside = |path: &Path| {
        roots.iter().any(|root| related(path, root) || root.canonicalize().is_ok_and(|real| related(path, &real)))
    };
    !read && (event.paths.is_empty() || event.paths.iter().any(|path| inside(path)))
}
