//! Frames: which there are, what they hold, how far they have come.

use std::collections::HashSet;

use super::Tracker;
use super::wire::{Context, FrameInfo, FrameTree};
use crate::browser::connection::SessionId;
use crate::browser::setup;
use crate::browser::shadow::Look;

/// A document's place in a page: the main frame or an iframe, in whichever process it lives.
#[derive(Clone, Debug, Default)]
pub(in crate::browser) struct Frame {
    pub(in crate::browser) session: Option<SessionId>,
    pub(in crate::browser) parent: Option<String>,
    pub(in crate::browser) url: String,
    pub(in crate::browser) loader: String,
    /// Lifecycle events of the current loader: `DOMContentLoaded`, `load`, `networkIdle`…
    pub(in crate::browser) lifecycle: HashSet<String>,
    /// The execution context of the isolated world, by its unique id.
    pub(in crate::browser) isolated: Option<String>,
    /// The execution context of the page's own scripts, by its unique id.
    pub(in crate::browser) main: Option<String>,
    /// A navigation was asked for and has neither committed nor ended.
    pub(in crate::browser) navigating: bool,
    /// How many navigations have committed, same-document ones included.
    pub(in crate::browser) navigations: u64,
    /// The token of the iframe element in its parent's document, once someone has come through it.
    pub(in crate::browser) owner: serde_json::Value,
    /// When its closed shadow roots were looked for.
    pub(in crate::browser) look: Option<Look>,
}

impl Frame {
    pub(super) fn committed(&mut self) {
        self.navigating = false;
        self.navigations += 1;
    }
}

impl Tracker {
    pub(super) fn frame_tree(&mut self, session: &SessionId, tree: FrameTree, parent: Option<String>) {
        let id = tree.frame.id.clone();
        let frame = self.frames.entry(id.clone()).or_default();
        frame.session = Some(session.clone());
        frame.parent = parent.or_else(|| frame.parent.take());
        if frame.loader != tree.frame.loader_id {
            frame.loader = tree.frame.loader_id;
            frame.lifecycle.clear();
        }
        frame.url = tree.frame.url + &tree.frame.url_fragment.unwrap_or_default();
        for child in tree.child_frames {
            self.frame_tree(session, child, Some(id.clone()));
        }
    }

    pub(super) fn navigated(&mut self, session: SessionId, new: FrameInfo) {
        self.remove_below(&new.id);
        if new.parent_id.is_none() {
            self.visit(&new.url);
        }
        let frame = self.frames.entry(new.id).or_default();
        if frame.session.as_ref() != Some(&session) {
            frame.isolated = None;
            frame.main = None;
            frame.session = Some(session);
        }
        frame.parent = new.parent_id.or_else(|| frame.parent.take());
        frame.loader = new.loader_id;
        frame.lifecycle.clear();
        frame.url = new.url + &new.url_fragment.unwrap_or_default();
        frame.committed();
    }

    pub(super) fn remove_frame(&mut self, id: &str) {
        self.frames.remove(id);
        self.remove_below(id);
    }

    /// Removes what a frame holds, one generation after the other: a page may have a thousand iframes.
    fn remove_below(&mut self, id: &str) {
        let mut parents = HashSet::from([id.to_owned()]);
        while !parents.is_empty() {
            let is_child = |parent: &Option<String>| parent.as_ref().is_some_and(|parent| parents.contains(parent));
            parents = self.frames.extract_if(|_, frame| is_child(&frame.parent)).map(|(id, _)| id).collect();
        }
    }

    pub(super) fn context_created(&mut self, session: SessionId, context: Context) -> Option<()> {
        let aux = context.aux_data?;
        let frame = self.frames.entry(aux.frame_id).or_default();
        frame.session = Some(session);
        if aux.is_default {
            frame.main = Some(context.unique_id);
        } else if context.name == setup::WORLD {
            frame.isolated = Some(context.unique_id);
        }
        Some(())
    }

    pub(super) fn forget_contexts(&mut self, gone: impl Fn(&String) -> bool) {
        for frame in self.frames.values_mut() {
            frame.isolated.take_if(|context| gone(context));
            frame.main.take_if(|context| gone(context));
        }
    }

    /// Forgets the contexts of a process that ended.
    pub(super) fn forget_contexts_of(&mut self, session: &SessionId) {
        for frame in self.frames.values_mut().filter(|frame| frame.session.as_ref() == Some(session)) {
            frame.isolated = None;
            frame.main = None;
        }
    }
}
