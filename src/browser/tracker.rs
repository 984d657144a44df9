//! What the browser has told about its pages: targets, frames, execution contexts, loads, dialogs.
//!
//! A state machine fed by the connection's reader in the order of arrival; nothing here waits or asks. Whoever needs
//! a change looks at the state and awaits the next one (`Link::wait`). Events are parsed into small types of our own
//! that ignore what they don't know.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::connection::{Connection, Notice, SessionId, decode};
use super::setup;
use crate::selector::Selector;

/// Notes remembered until a call reports them.
const MAX_NOTES: usize = 20;

/// The state of the whole browser.
#[derive(Default)]
pub(super) struct Tracker {
    setup: setup::Setup,
    pub(super) closed: bool,
    /// Pages in the order in which they were opened.
    pub(super) pages: Vec<Page>,
    /// The page that commands act on.
    pub(super) active: Option<String>,
    pub(super) frames: HashMap<String, Frame>,
    /// What happened beside the actions since it was last asked for: dialogs that were answered, downloads refused.
    pub(super) notes: Vec<String>,
    /// Drags that the browser handed over, as raw `DragData`.
    pub(super) drag: Option<serde_json::Value>,
    /// Windows that pages have opened and that have not arrived as pages.
    pub(super) opening: u32,
    /// The way to the iframe that a prefix of snapshot references stands for.
    pub(super) snapshot_frames: HashMap<String, Vec<Selector>>,
    sessions: HashMap<SessionId, String>,
}

/// A tab. Its target's id is also its main frame's.
pub(super) struct Page {
    pub(super) target: String,
    pub(super) session: SessionId,
    pub(super) opener: Option<String>,
    pub(super) crashed: bool,
    /// Its crash was an error of the run that met it.
    pub(super) is_told: bool,
    /// Its frame tree has arrived: it can be used.
    pub(super) ready: bool,
}

/// A document's place in a page: the main frame or an iframe, in whichever process it lives.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    pub(super) session: Option<SessionId>,
    pub(super) parent: Option<String>,
    pub(super) url: String,
    pub(super) loader: String,
    /// Lifecycle events of the current loader: `DOMContentLoaded`, `load`, `networkIdle`…
    pub(super) lifecycle: HashSet<String>,
    /// The execution context of the isolated world, by its unique id.
    pub(super) isolated: Option<String>,
    /// The execution context of the page's own scripts, by its unique id.
    pub(super) main: Option<String>,
    /// A navigation was asked for and has neither committed nor ended.
    pub(super) navigating: bool,
    /// How many navigations have committed, same-document ones included.
    pub(super) navigations: u64,
}

impl Tracker {
    pub(super) fn new(setup: setup::Setup) -> Tracker {
        Tracker { setup, ..Tracker::default() }
    }

    /// The page that commands act on.
    pub(super) fn page(&self) -> Option<&Page> {
        let active = self.active.as_deref()?;
        self.pages.iter().find(|page| page.target == active)
    }

    pub(super) fn page_mut(&mut self) -> Option<&mut Page> {
        let active = self.active.as_deref()?;
        self.pages.iter_mut().find(|page| page.target == active)
    }

    /// Takes one message in. Answers whether anything changed.
    pub(super) fn notice(&mut self, connection: &Connection, notice: Notice<'_>) -> bool {
        match notice {
            Notice::Closed => self.closed = true,
            Notice::Tracked { session, method: "Page.getFrameTree", result } => {
                let Some((session, target)) = session.and_then(|session| self.sessions.get_key_value(session)) else {
                    return false;
                };
                let (session, target) = (session.clone(), target.clone());
                if let Ok(Answer { frame_tree }) = serde_json::from_str(result) {
                    self.frame_tree(&session, frame_tree, None);
                }
                if let Some(page) = self.pages.iter_mut().find(|page| page.target == target) {
                    page.ready = true;
                }
            }
            Notice::Tracked { .. } => return false,
            Notice::Event { session, method, params } => {
                let session = session
                    .and_then(|session| self.sessions.get_key_value(session))
                    .map(|(session, _)| session.clone());
                return self.event(connection, session, method, params).is_some();
            }
        }
        true
    }

    fn event(&mut self, connection: &Connection, session: Option<SessionId>, method: &str, params: &str) -> Option<()> {
        match method {
            "Target.attachedToTarget" => self.attached(connection, parse(params)?),
            "Target.detachedFromTarget" => {
                let Detached { session_id } = parse(params)?;
                self.detached(connection, &session_id)?;
            }
            "Inspector.targetCrashed" => {
                let session = session?;
                let page = self.pages.iter_mut().find(|page| page.session == session)?;
                page.crashed = true;
                connection.fail_session(&session, || super::Error::PageCrashed);
            }
            "Page.windowOpen" => self.opening += 1,
            "Page.frameAttached" => {
                let FrameAttached { frame_id, parent_frame_id } = parse(params)?;
                let frame = self.frames.entry(frame_id).or_default();
                frame.parent = Some(parent_frame_id);
                // Of a frame in another process the parent tells late: its own session has told already.
                frame.session = frame.session.take().or(session);
            }
            "Page.frameNavigated" => {
                let Navigated { frame } = parse(params)?;
                self.navigated(session?, frame);
            }
            "Page.navigatedWithinDocument" => {
                let WithinDocument { frame_id, url } = parse(params)?;
                let frame = self.frames.get_mut(&frame_id)?;
                frame.url = url;
                frame.committed();
            }
            "Page.frameRequestedNavigation" => {
                let Requested { frame_id, disposition } = parse(params)?;
                if disposition.as_deref().is_none_or(|disposition| disposition == "currentTab") {
                    self.frames.get_mut(&frame_id)?.navigating = true;
                }
            }
            "Page.frameStartedNavigating" => {
                self.frames.get_mut(&parse::<ByFrame>(params)?.frame_id)?.navigating = true
            }
            "Page.frameStoppedLoading" => self.frames.get_mut(&parse::<ByFrame>(params)?.frame_id)?.navigating = false,
            "Browser.downloadWillBegin" => {
                let Download { frame_id, suggested_filename } = parse(params)?;
                self.note(format!("a download was refused: {suggested_filename}"));
                self.frames.get_mut(&frame_id)?.navigating = false;
            }
            "Page.lifecycleEvent" => {
                let Lifecycle { frame_id, loader_id, name } = parse(params)?;
                let frame = self.frames.entry(frame_id).or_default();
                // `init` of a new loader comes before the commit: it must not empty the state of the old one.
                if frame.loader == loader_id {
                    frame.lifecycle.insert(name);
                }
            }
            "Page.frameDetached" => {
                let FrameDetached { frame_id, reason } = parse(params)?;
                // A frame that moves to another process is only swapped; its own session tells what follows.
                if reason.as_deref() == Some("swap") {
                    // Its new session may have told of its contexts before its old one tells that it left.
                    let frame = self.frames.get_mut(&frame_id)?;
                    if frame.session == session {
                        frame.isolated = None;
                        frame.main = None;
                    }
                } else {
                    self.remove_frame(&frame_id);
                }
            }
            "Page.javascriptDialogOpening" => {
                let dialog: DialogOpening = parse(params)?;
                // Answered here and at once: while a dialog is open, everything else in its page waits.
                setup::answer_dialog(connection, session.as_ref()?, &dialog.kind);
                let answer = if dialog.kind == "beforeunload" { "left the page in spite of" } else { "dismissed" };
                self.note(format!("{answer} a dialog ({}) of the page: {}", dialog.kind, dialog.message));
            }
            "Input.dragIntercepted" => {
                self.drag = parse::<serde_json::Value>(params)?.get_mut("data").map(serde_json::Value::take)
            }
            "Runtime.executionContextCreated" => {
                self.context_created(session?, parse::<ContextCreated>(params)?.context)?
            }
            "Runtime.executionContextDestroyed" => {
                let Destroyed { execution_context_unique_id: id } = parse(params)?;
                self.forget_contexts(|context| *context == id);
            }
            "Runtime.executionContextsCleared" => {
                let session = session?;
                for frame in self.frames.values_mut().filter(|frame| frame.session.as_ref() == Some(&session)) {
                    frame.isolated = None;
                    frame.main = None;
                }
            }
            _ => return None,
        }
        Some(())
    }

    /// Remembers what the next report should tell.
    pub(super) fn note(&mut self, note: String) {
        if self.notes.len() < MAX_NOTES {
            self.notes.push(note);
        }
    }

    fn attached(&mut self, connection: &Connection, attached: Attached) {
        let session: SessionId = attached.session_id.into();
        let target = attached.target_info;
        self.sessions.insert(session.clone(), target.target_id.clone());
        match target.kind.as_str() {
            "page" => {
                self.setup.page(connection, &session);
                self.opening = self.opening.saturating_sub(1);
                // A page that an action opened is where its next step acts.
                if self.active.is_none() || target.opener_id.is_some() {
                    self.active = Some(target.target_id.clone());
                }
                self.pages.push(Page {
                    target: target.target_id,
                    session,
                    opener: target.opener_id,
                    crashed: false,
                    is_told: false,
                    ready: false,
                });
            }
            "iframe" => {
                let frame = self.frames.entry(target.target_id).or_default();
                frame.session = Some(session.clone());
                self.setup.frame(connection, &session);
            }
            _ => setup::resume(connection, &session),
        }
    }

    fn detached(&mut self, connection: &Connection, session: &str) -> Option<()> {
        connection.fail_session(session, || super::Error::PageClosed);
        let (session, target) = self.sessions.remove_entry(session)?;
        self.frames.retain(|_, frame| frame.session.as_ref() != Some(&session));
        if let Some(index) = self.pages.iter().position(|page| page.session == session) {
            let page = self.pages.remove(index);
            if self.active.as_deref() == Some(target.as_str()) {
                let opener = page.opener.filter(|opener| self.pages.iter().any(|page| page.target == *opener));
                self.active = opener.or_else(|| self.pages.last().map(|page| page.target.clone()));
            }
        }
        Some(())
    }

    fn frame_tree(&mut self, session: &SessionId, tree: FrameTree, parent: Option<String>) {
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

    fn navigated(&mut self, session: SessionId, new: FrameInfo) {
        let children: Vec<String> = self
            .frames
            .iter()
            .filter(|(_, frame)| frame.parent.as_ref() == Some(&new.id))
            .map(|(id, _)| id.clone())
            .collect();
        for child in children {
            self.remove_frame(&child);
        }
        if new.parent_id.is_none() {
            self.snapshot_frames.clear();
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

    fn remove_frame(&mut self, id: &str) {
        self.frames.remove(id);
        let children: Vec<String> = self
            .frames
            .iter()
            .filter(|(_, frame)| frame.parent.as_deref() == Some(id))
            .map(|(id, _)| id.clone())
            .collect();
        for child in children {
            self.remove_frame(&child);
        }
    }

    fn context_created(&mut self, session: SessionId, context: Context) -> Option<()> {
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

    fn forget_contexts(&mut self, gone: impl Fn(&String) -> bool) {
        for frame in self.frames.values_mut() {
            frame.isolated.take_if(|context| gone(context));
            frame.main.take_if(|context| gone(context));
        }
    }
}

impl Frame {
    fn committed(&mut self) {
        self.navigating = false;
        self.navigations += 1;
    }
}

fn parse<T: DeserializeOwned>(params: &str) -> Option<T> {
    decode(params).inspect_err(|error| tracing::debug!(%error, "ignored an event of an unknown shape")).ok()
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Attached {
    session_id: String,
    target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetInfo {
    target_id: String,
    #[serde(rename = "type")]
    kind: String,
    opener_id: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Detached {
    session_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameAttached {
    frame_id: String,
    parent_frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameDetached {
    frame_id: String,
    reason: Option<String>,
}

#[derive(Deserialize)]
struct Navigated {
    frame: FrameInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameInfo {
    id: String,
    parent_id: Option<String>,
    loader_id: String,
    url: String,
    url_fragment: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    frame_tree: FrameTree,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FrameTree {
    frame: FrameInfo,
    #[serde(default)]
    child_frames: Vec<FrameTree>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WithinDocument {
    frame_id: String,
    url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Requested {
    frame_id: String,
    disposition: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ByFrame {
    frame_id: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Download {
    frame_id: String,
    suggested_filename: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Lifecycle {
    frame_id: String,
    loader_id: String,
    name: String,
}

#[derive(Deserialize)]
struct DialogOpening {
    message: String,
    #[serde(rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct ContextCreated {
    context: Context,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Context {
    unique_id: String,
    name: String,
    aux_data: Option<AuxData>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AuxData {
    frame_id: String,
    is_default: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Destroyed {
    execution_context_unique_id: String,
}
