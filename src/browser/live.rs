//! A browser in use: launched for the session, or one that runs already and is let go at the end.

use std::sync::atomic::AtomicU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::browser::{CloseParams, GetVersionParams};
use chromiumoxide::cdp::browser_protocol::emulation::SetTimezoneOverrideParams;
use chromiumoxide::cdp::browser_protocol::target::GetTargetsParams;
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use super::connection::Connection;
use super::downloads::Downloads;
use super::launch::{LaunchOptions, Process};
use super::setup::{self, Setup};
use super::storage::StorageState;
use super::tracker::Tracker;
use super::{Deadline, Error, Link, State, endpoint, find};

/// How long Chromium may take from its start to a usable page.
const LAUNCH_LIMIT: Duration = Duration::from_secs(30);

/// A browser and the connection to it.
pub(super) struct Live {
    // Dropped first: closing the pipe asks Chromium to end before it is killed.
    pub(super) link: Link,
    browser: Browser,
}

#[derive(Debug)]
enum Browser {
    Launched(Box<Process>),
    /// The directory that its downloads come to.
    Attached(#[expect(dead_code, reason = "removed when it is dropped")] tempfile::TempDir),
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Version {
    user_agent: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Targets {
    target_infos: Vec<Target>,
}

#[derive(Deserialize)]
struct Target {
    #[serde(rename = "type")]
    kind: String,
}

impl Live {
    /// Launches a browser or attaches to one, with a page that can be used and the state that the session begins with.
    pub(super) async fn start(
        options: &LaunchOptions,
        tabs: Arc<AtomicU32>,
        deadline: &Deadline,
    ) -> Result<Live, Error> {
        let live = match &options.endpoint {
            Some(endpoint) => Live::attach(endpoint, options, tabs, deadline).await?,
            None => Live::launch(options, tabs, deadline).await?,
        };
        if let Some(zone) = &options.emulation.time_zone {
            let session = live.link.page_session()?;
            let set = SetTimezoneOverrideParams::new(zone);
            if let Err(Error::Protocol { .. }) =
                deadline.race(live.link.connection.send::<Value>(Some(&session), &set)).await?
            {
                return Err(Error::Argument {
                    message: format!("there is no time zone `{zone}`"),
                    hint: "give `--time-zone` an IANA name such as `Europe/Zurich`".to_owned(),
                });
            }
        }
        if let Some(path) = &options.storage_state {
            let state = StorageState::read(path).map_err(|reason| Error::Argument {
                message: format!("the storage state `{}` can't be used: {reason}", path.display()),
                hint: "give `--storage-state` a file that `save_state` or Playwright wrote".to_owned(),
            })?;
            live.link.restore(&state, deadline).await?;
        }
        Ok(live)
    }

    async fn launch(options: &LaunchOptions, tabs: Arc<AtomicU32>, deadline: &Deadline) -> Result<Live, Error> {
        let path = options.path.clone();
        let executable = find(options.executable.as_deref(), &|name| path.clone().filter(|_| name == "PATH"))?;
        let (mut process, input, output) = Process::start(&executable, options)?;
        let setup = Setup {
            viewport: (!options.headed).then_some(options.viewport),
            emulation: options.emulation.clone(),
            agent: None,
        };
        let link = Link::start(input, output, Tracker::new(setup, tabs, Downloads::below(process.profile())));
        link.follow();
        match link.ready(&deadline.within(LAUNCH_LIMIT)).await {
            Ok(()) => Ok(Live { link, browser: Browser::Launched(Box::new(process)) }),
            Err(Error::Closed | Error::Timeout { .. }) => {
                // The pipe closes a moment before the exit status is there.
                drop(link);
                let _ = deadline.within(Duration::from_millis(500)).race(process.exited()).await;
                Err(process.post_mortem(options))
            }
            Err(error) => Err(error),
        }
    }

    async fn attach(
        endpoint: &str,
        options: &LaunchOptions,
        tabs: Arc<AtomicU32>,
        deadline: &Deadline,
    ) -> Result<Live, Error> {
        let failed = |reason: String| Error::Endpoint { endpoint: endpoint.to_owned(), reason };
        if options.proxy.is_some() {
            return Err(failed("a proxy can only be given to a browser of its own".to_owned()));
        }
        let downloads = tempfile::tempdir().map_err(|error| failed(error.to_string()))?;
        let (input, output) = endpoint::connect(endpoint, deadline).await?;
        let setup = Setup { viewport: None, emulation: options.emulation.clone(), agent: None };
        let link = Link::start(input, output, Tracker::new(setup, tabs, Downloads::below(downloads.path())));
        let limit = deadline.within(LAUNCH_LIMIT);
        let ready = async {
            if options.emulation.locale.is_some() {
                // The language goes with the user agent, which then has to be said too.
                let version: Version = limit.race(link.connection.send(None, &GetVersionParams::default())).await??;
                link.tracker().set_agent(version.user_agent);
            }
            link.follow();
            let targets: Targets = limit.race(link.connection.send(None, &GetTargetsParams::default())).await??;
            if !targets.target_infos.iter().any(|target| target.kind == "page") {
                link.new_tab(&limit).await?;
            }
            link.ready(&limit).await
        };
        match ready.await {
            Ok(()) => Ok(Live { link, browser: Browser::Attached(downloads) }),
            Err(Error::Closed) => Err(failed("it closed the connection".to_owned())),
            Err(error) => Err(error),
        }
    }

    /// Whether it can't be used any more.
    pub(super) fn has_ended(&mut self) -> bool {
        let ended = match &mut self.browser {
            Browser::Launched(process) => process.has_ended(),
            Browser::Attached(_) => false,
        };
        ended || self.link.tracker().closed
    }

    /// Ends a browser that was launched; lets go of another.
    pub(super) async fn end(self) {
        let Live { link, browser } = self;
        if let Browser::Launched(process) = browser {
            link.connection.post(None, &CloseParams::default());
            drop(link);
            process.end().await;
        }
    }
}

impl Link {
    fn start(
        input: impl AsyncRead + Send + Unpin + 'static,
        output: impl AsyncWrite + Send + Unpin + 'static,
        tracker: Tracker,
    ) -> Link {
        let state = Arc::new(State { tracker: Mutex::new(tracker), changed: watch::Sender::new(()) });
        let listener = state.clone();
        let connection = Connection::start(input, output, move |connection, notice| {
            if listener.lock().notice(connection, notice) {
                listener.changed.send_replace(());
            }
        });
        Link { connection, state }
    }

    /// Hears of pages from now on, and of their downloads.
    fn follow(&self) {
        self.connection.post(None, &setup::auto_attach("page"));
        let behavior = self.tracker().downloads.behavior();
        self.connection.post(None, &behavior);
    }

    /// Waits for a page that can be used.
    async fn ready(&self, deadline: &Deadline) -> Result<(), Error> {
        self.wait(deadline, |tracker| tracker.page().is_some_and(|page| page.ready).then_some(())).await
    }
}

impl std::fmt::Debug for Live {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Live").field("browser", &self.browser).finish_non_exhaustive()
    }
}
