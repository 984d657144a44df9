//! The one browser session: transport, launch and relaunch, pages and frames, input, waiting, the injected bundle.
//!
//! Owns chromiumoxide: its protocol types, browser detection, fetcher and key table. The transport, the state of pages
//! and the way of acting are our own, because the library's `Page` and `Element` neither wait nor check what they hit,
//! and its typed event stream stops decoding on newer Chromium versions.
//!
//! Cost is counted in round trips to the page (about 0.4 ms) and frames (16.7 ms): an operation asks the page once to
//! find, check and prepare, sends input in one burst, and asks once whether it arrived.
//!
//! Leaves to others: command names and arguments (`command`), secrets (`secrets`), what a page says (`page`).

mod act;
mod calls;
mod condition;
mod connection;
mod deadline;
mod dialogs;
mod discover;
mod downloads;
mod emulation;
mod endpoint;
mod error;
mod evaluate;
mod expect;
mod explain;
mod frames;
mod install;
mod keyboard;
mod launch;
mod live;
mod navigate;
mod picture;
mod pointer;
mod read;
mod references;
mod retry;
mod setup;
mod shadow;
mod snapshot;
mod storage;
mod surrogates;
mod tabs;
mod touch;
mod tracker;

use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::browser::GetVersionParams;
use chromiumoxide::cdp::browser_protocol::target::CloseTargetParams;
use tokio::sync::watch;

pub use act::{ClickOptions, MouseButton, OptionChoice, Position};
pub use condition::{Condition, TextTest};
pub use deadline::Deadline;
pub use dialogs::{Dialog, DialogKind, DialogReply, ExpectedDialog};
pub use discover::find;
pub use downloads::{DownloadLimit, Downloaded};
pub use emulation::Emulation;
pub use error::Error;
pub use expect::{Expected, Expecting, Fulfilled, Unfulfilled};
pub use install::install;
pub use keyboard::Modifier;
pub use launch::LaunchOptions;
pub use navigate::{LoadState, Navigated};
pub use picture::{Clip, ImageFormat, Picture};
pub use read::{ElementState, Reading};
pub use retry::Unmet;
pub use snapshot::{Lines, REFERENCE_MARK, Snapshot, SnapshotFrame, SnapshotView};
pub use storage::{Cookie, Entry, OriginState, StorageState};
pub use tabs::{Tab, TabChoice};

use connection::{Connection, SessionId};
use live::Live;
use tracker::Tracker;

/// How long a browser may take for its first answer to a run.
const ALIVE: Duration = Duration::from_secs(5);

/// The one persistent browser session. The browser is launched by the first call that needs it, reused, and launched
/// anew after it ended.
#[derive(Debug)]
pub struct Session {
    options: LaunchOptions,
    live: Option<Live>,
    launches: u64,
    /// The last browser ended by itself, and nobody was told yet.
    lost: bool,
    /// The run under way has used the browser.
    in_use: bool,
    /// How many tabs were opened, in every browser of the session.
    tabs: Arc<AtomicU32>,
}

/// The connection and what it has told.
#[derive(Clone)]
struct Link {
    connection: Connection,
    state: Arc<State>,
}

struct State {
    tracker: Mutex<Tracker>,
    changed: watch::Sender<()>,
}

/// The page that commands act on: the active tab, whichever that is at the moment of each operation.
#[derive(Clone, Copy)]
pub struct Page<'s> {
    link: &'s Link,
    options: &'s LaunchOptions,
}

impl Session {
    /// A session that has no browser yet.
    pub fn new(options: LaunchOptions) -> Session {
        Session { options, live: None, launches: 0, lost: false, in_use: false, tabs: Arc::default() }
    }

    /// The active page; launches the browser when there is none, and opens a page when there is none that works.
    ///
    /// # Errors
    /// What keeps the browser from starting, or [`Error::Timeout`] and [`Error::Cancelled`].
    pub async fn page(&mut self, deadline: &Deadline) -> Result<Page<'_>, Error> {
        self.link(deadline).await?;
        let Some(live) = &self.live else { return Err(Error::Closed) };
        let page = Page { link: &live.link, options: &self.options };
        live.link.tracker().begin_command(&live.link.connection);
        live.link.usable_page(deadline, self.in_use).await?;
        self.in_use = true;
        page.free_abandoned(deadline).await?;
        Ok(page)
    }

    /// The connection to the browser, which is launched when there is none.
    async fn link(&mut self, deadline: &Deadline) -> Result<Link, Error> {
        if self.live.take_if(|live| live.has_ended()).is_some() {
            self.lost = true;
        }
        // What a run has done so far is gone with the browser: a new, empty one must not pass for it.
        if self.lost && std::mem::take(&mut self.in_use) {
            return Err(Error::Closed);
        }
        let live = match self.live.take() {
            Some(live) => live,
            None => {
                let live = Live::start(&self.options, self.tabs.clone(), deadline).await?;
                if std::mem::take(&mut self.lost) {
                    live.link.tracker().note("the browser had ended and was started anew".to_owned());
                }
                self.launches += 1;
                live
            }
        };
        Ok(self.live.insert(live).link.clone())
    }

    /// Begins a run: a browser that has ended since the last one is replaced without an error, and one that ends from
    /// now on is told to the run that meets it. Costs one round trip.
    pub async fn begin_run(&mut self, deadline: &Deadline) {
        self.in_use = false;
        let Some(live) = &self.live else { return };
        // A kill takes a moment to show at the process and at the pipe; an answer is sure.
        let answer = live.link.connection.send::<serde_json::Value>(None, &GetVersionParams::default());
        if matches!(deadline.within(ALIVE).race(answer).await, Ok(Err(_)) | Err(Error::Timeout { .. })) {
            self.live = None;
            self.lost = true;
        }
    }

    /// Ends a run: a dialog that opens from now on stays open until the next command.
    pub fn end_run(&mut self) {
        if let Some(live) = &self.live {
            live.link.tracker().idle();
        }
    }

    /// Whether a browser is running.
    pub fn is_running(&self) -> bool {
        self.live.as_ref().is_some_and(|live| !live.link.tracker().closed)
    }

    /// How often a browser was launched.
    pub fn launches(&self) -> u64 {
        self.launches
    }

    /// The address of the active page; `None` without a browser. Costs nothing: the browser reports it.
    pub fn url(&self) -> Option<String> {
        self.live.as_ref()?.link.main_frame().map(|(_, frame)| frame.url)
    }

    /// What happened beside the actions since this was last asked: dialogs that were answered, tabs that opened,
    /// downloads that failed, a browser or page that was replaced. Words of pages in it are untrusted.
    pub fn take_notes(&mut self) -> Vec<String> {
        self.live.as_ref().map(|live| std::mem::take(&mut live.link.tracker().notes)).unwrap_or_default()
    }

    /// Sets the size of the page in CSS pixels, for the open tabs and for those that open later.
    ///
    /// # Errors
    /// As [`Session::page`].
    pub async fn set_viewport(&mut self, size: (u32, u32), deadline: &Deadline) -> Result<(), Error> {
        let link = self.page(deadline).await?.link.clone();
        let sessions = link.tracker().set_viewport(size);
        let asked: Vec<_> = sessions
            .iter()
            .map(|session| link.connection.send::<serde_json::Value>(Some(session), &emulation::size(size)))
            .collect();
        for answer in asked {
            deadline.race(answer).await??;
        }
        Ok(())
    }

    /// Ends the browser, if one runs; one that was there before the session is only let go. Answers whether one was.
    pub async fn close(&mut self) -> bool {
        self.in_use = false;
        let Some(live) = self.live.take() else { return false };
        live.end().await;
        true
    }
}

impl Link {
    fn tracker(&self) -> MutexGuard<'_, Tracker> {
        self.state.lock()
    }

    /// Waits until `look` finds what it looks for. It is called after every change, so it must be quick.
    async fn wait<T>(&self, deadline: &Deadline, mut look: impl FnMut(&mut Tracker) -> Option<T>) -> Result<T, Error> {
        let mut changes = self.state.changed.subscribe();
        loop {
            {
                let mut tracker = self.tracker();
                if let Some(found) = look(&mut tracker) {
                    return Ok(found);
                }
                if tracker.closed {
                    return Err(Error::Closed);
                }
            }
            if deadline.race(changes.changed()).await?.is_err() {
                return Err(Error::Closed);
            }
        }
    }

    /// Makes sure that there is an active page that works.
    async fn usable_page(&self, deadline: &Deadline, in_use: bool) -> Result<(), Error> {
        loop {
            let crashed = match self.tracker().page_mut() {
                Some(page) if page.ready && !page.crashed => return Ok(()),
                // Told once to the run that meets it; what comes next gets a new page.
                Some(page) if page.crashed && in_use && !page.is_told => {
                    page.is_told = true;
                    return Err(tracker::Page::end(page.dialogs));
                }
                Some(page) if page.crashed => Some(page.target.clone()),
                Some(_) => None,
                None => Some(String::new()),
            };
            if let Some(crashed) = crashed {
                self.new_tab(deadline).await?;
                if !crashed.is_empty() {
                    self.tracker().note("the page had crashed, and a new one was opened".to_owned());
                    self.connection.post(None, &CloseTargetParams::new(crashed));
                }
            }
            // It may close itself before it is ready.
            self.wait(deadline, |tracker| tracker.page().is_none_or(|page| page.ready || page.crashed).then_some(()))
                .await?;
        }
    }

    /// The active page's main frame, with its id.
    fn main_frame(&self) -> Option<(String, tracker::Frame)> {
        let tracker = self.tracker();
        let page = tracker.page()?;
        tracker.frames.get(&page.target).map(|frame| (page.target.clone(), frame.clone()))
    }

    fn session_of(&self, target: &str) -> Option<SessionId> {
        self.tracker().pages.iter().find(|page| page.target == target).map(|page| page.session.clone())
    }

    fn page_session(&self) -> Result<SessionId, Error> {
        self.tracker().page().map(|page| page.session.clone()).ok_or(Error::PageClosed)
    }
}

impl State {
    fn lock(&self) -> MutexGuard<'_, Tracker> {
        self.tracker.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
