//! What the browser has told about its pages: targets, frames, execution contexts, loads.
//!
//! A state machine fed by the connection's reader in the order of arrival; nothing here waits or asks. Whoever needs
//! a change looks at the state and awaits the next one (`Link::wait`). Events are parsed into small types of our own
//! that ignore what they don't know. Dialogs, downloads and what a step expects have their states in modules of their
//! own beside this one.

mod frames;
mod targets;
pub(super) mod wire;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

pub(super) use frames::Frame;
pub(super) use targets::MAX_TABS;
use wire::{
    Answer, ByFrame, ChooserOpened, ContextCreated, Destroyed, Detached, FrameAttached, FrameDetached, Lifecycle,
    Navigated, Paused, Requested, WithinDocument, parse,
};

use super::connection::{Connection, Notice, SessionId};
use super::dialogs::{self, Dialogs};
use super::downloads::Downloads;
use super::expect::Expectation;
use super::references::References;
use super::{Error, setup, storage};

/// Notes remembered until a call reports them.
const MAX_NOTES: usize = 20;

/// The state of the whole browser.
#[derive(Default)]
pub(super) struct Tracker {
    setup: setup::Setup,
    /// The number of the last tab, counted over every browser of the session.
    tabs: Arc<AtomicU32>,
    pub(super) closed: bool,
    /// Pages in the order in which they were opened.
    pub(super) pages: Vec<Page>,
    /// The page that commands act on.
    pub(super) active: Option<String>,
    pub(super) frames: HashMap<String, Frame>,
    /// What happened beside the actions since it was last asked for.
    pub(super) notes: Vec<String>,
    /// Drags that the browser handed over, as raw `DragData`.
    pub(super) drag: Option<serde_json::Value>,
    /// A file chooser that was opened while choosers are intercepted.
    pub(super) chooser: Option<Chooser>,
    /// A page has opened a window that has not arrived as a page.
    pub(super) opening: bool,
    /// The references that snapshots have given.
    pub(super) references: References,
    /// The lines of the last snapshots by name, the oldest first.
    pub(super) snapshots: Vec<(String, Vec<String>)>,
    pub(super) dialogs: Dialogs,
    pub(super) downloads: Downloads,
    /// What the steps under way expect, the innermost last.
    pub(super) expectations: Vec<Expectation>,
    /// The tab that nobody sees.
    pub(super) workbench: storage::Workplace,
    /// Origins that a tab was at, in order.
    pub(super) origins: BTreeSet<String>,
    sessions: HashMap<SessionId, String>,
}

/// A file chooser that waits for its files.
pub(super) struct Chooser {
    pub(super) session: SessionId,
    /// The backend node id of its file input.
    pub(super) input: i64,
    pub(super) multiple: bool,
}

/// A tab. Its target's id is also its main frame's.
pub(super) struct Page {
    /// The number in its id, `t1`.
    pub(super) number: u32,
    pub(super) target: String,
    pub(super) session: SessionId,
    pub(super) opener: Option<String>,
    pub(super) crashed: bool,
    /// Its crash was an error of the run that met it.
    pub(super) is_told: bool,
    /// Its frame tree has arrived: it can be used.
    pub(super) ready: bool,
    /// How many dialogs it opened in the command under way.
    pub(super) dialogs: u32,
}

impl Page {
    /// Why a page that opened so many dialogs in one command has ended.
    pub(super) fn end(dialogs: u32) -> Error {
        if dialogs > dialogs::MOST { Error::Dialogs { count: dialogs } } else { Error::PageCrashed }
    }
}

impl Tracker {
    pub(super) fn new(setup: setup::Setup, tabs: Arc<AtomicU32>, downloads: Downloads) -> Tracker {
        Tracker { setup, tabs, downloads, ..Tracker::default() }
    }

    /// The user agent to be said again where the language is told; before any page is set up.
    pub(super) fn set_agent(&mut self, agent: String) {
        self.setup.agent = Some(agent);
    }

    /// Sets the size of later pages; answers the sessions of those that are there.
    pub(super) fn set_viewport(&mut self, size: (u32, u32)) -> Vec<SessionId> {
        self.setup.viewport = Some(size);
        self.pages.iter().map(|page| page.session.clone()).collect()
    }

    /// Remembers that a tab was at an address of the web.
    pub(super) fn visit(&mut self, address: &str) {
        if self.origins.len() < storage::MOST_ORIGINS {
            self.origins.extend(storage::origin_of(address));
        }
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
                if let Some(Answer { frame_tree }) = parse(result) {
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
            "Inspector.targetCrashed" => self.crashed(connection, &session?),
            "Inspector.targetReloadedAfterCrash" => self.recovered(&session?)?,
            "Page.windowOpen" => self.opening = true,
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
                match disposition.as_deref() {
                    None | Some("currentTab") => self.frames.get_mut(&frame_id)?.navigating = true,
                    Some("newTab" | "newWindow") => self.opening = true,
                    Some(_) => {}
                }
            }
            "Page.frameStartedNavigating" => {
                self.frames.get_mut(&parse::<ByFrame>(params)?.frame_id)?.navigating = true
            }
            "Page.frameStoppedLoading" => self.frames.get_mut(&parse::<ByFrame>(params)?.frame_id)?.navigating = false,
            "Page.lifecycleEvent" => {
                let Lifecycle { frame_id, loader_id, name } = parse(params)?;
                let frame = self.frames.get_mut(&frame_id)?;
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
            "Page.javascriptDialogOpening" => self.dialog_opened(connection, &session?, parse(params)?)?,
            "Page.javascriptDialogClosed" => self.dialog_gone(&session?),
            "Browser.downloadWillBegin" => {
                let frame = self.download_began(connection, parse(params)?);
                if let Some(frame) = self.frames.get_mut(&frame) {
                    frame.navigating = false;
                }
            }
            "Page.fileChooserOpened" => {
                let ChooserOpened { mode, backend_node_id: Some(input) } = parse(params)? else { return None };
                self.chooser = Some(Chooser { session: session?, input, multiple: mode == "selectMultiple" });
            }
            "Fetch.requestPaused" => {
                let workbench = self.workbench.session()?;
                storage::answer(connection, workbench, &parse::<Paused>(params)?.request_id);
            }
            "Browser.downloadProgress" => self.download_progressed(connection, parse(params)?)?,
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
            "Runtime.executionContextsCleared" => self.forget_contexts_of(&session?),
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
}
