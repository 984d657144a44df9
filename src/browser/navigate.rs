//! Going to pages and waiting for them: loads, history, and the navigations that an action causes.

use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::page::{
    GetNavigationHistoryParams, NavigateParams, NavigateToHistoryEntryParams, ReloadParams, StopLoadingParams,
};
use chromiumoxide::cdp::js_protocol::runtime::TerminateExecutionParams;
use serde::Deserialize;
use serde_json::Value;
use url::Url;

use super::calls::RemoteObject;
use super::connection::SessionId;
use super::retry::{Obstacle, Trial};
use super::tracker::Frame;
use super::{Deadline, Error, Page};
use crate::selector::TextMatch;

/// How long a server may take to answer the navigation that an action has started.
const SERVER: Duration = Duration::from_secs(30);

/// How long an action waits for a page that it has opened, and for its scripts.
const PARSED: Duration = Duration::from_secs(2);

/// How long a loaded page may go on asking its server where the network's rest is waited for.
const QUIET: Duration = Duration::from_secs(10);

/// A task of the page's own later. Not a timer: those never fire in the isolated world of a sandboxed document.
const FENCE: &str = "function () { return scheduler.postTask(() => {}); }";

/// How long a page may hold up the navigation that leaves it.
const PATIENCE: Duration = Duration::from_secs(1);

/// Why a page was not left.
const STAYS: &str = "the page asked whether to leave it, and the answer was to stay";

/// How far a page must have come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LoadState {
    /// The first bytes are there.
    Commit,
    /// The document is parsed.
    DomContentLoaded,
    /// Images and styles are there too.
    #[default]
    Load,
    /// No request for half a second; not waited for longer than 10 seconds after `Load`.
    NetworkIdle,
}

/// Where a navigation ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Navigated {
    /// The address after redirects.
    pub url: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NavigateReturns {
    loader_id: Option<String>,
    error_text: Option<String>,
    #[serde(default)]
    is_download: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct History {
    current_index: i64,
    entries: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    id: i64,
}

impl LoadState {
    /// The lifecycle event's name.
    fn event(self) -> Option<&'static str> {
        match self {
            LoadState::Commit => None,
            LoadState::DomContentLoaded => Some("DOMContentLoaded"),
            LoadState::Load => Some("load"),
            LoadState::NetworkIdle => Some("networkIdle"),
        }
    }
}

impl Page<'_> {
    /// Goes to an address and waits for it to load.
    ///
    /// # Errors
    /// [`Error::Navigation`] when the address can't be opened or does not load in time.
    pub async fn navigate(&self, address: &str, until: LoadState, deadline: &Deadline) -> Result<Navigated, Error> {
        let address = checked(address)?;
        let failed = |reason: String| Error::Navigation { url: address.to_string(), reason };
        let (loader, navigations) =
            self.link.main_frame().map(|(_, frame)| (frame.loader, frame.navigations)).unwrap_or_default();
        let session = self.link.page_session()?;
        self.free(&session, deadline).await?;
        // Given up in the middle, the navigation is stopped: while it is pending the page answers nothing.
        let mut pending = Pending { page: *self, session: session.clone(), is_over: false };
        // Answered at the commit, not at once: a server that doesn't answer keeps it waiting.
        let answer = self.link.connection.send(Some(&session), &NavigateParams::new(address.as_str()));
        let returns: NavigateReturns = match deadline.race(answer).await {
            Err(Error::Timeout { limit }) => {
                return Err(failed(format!("no answer within {}", humantime::format_duration(limit))));
            }
            outcome => outcome??,
        };
        pending.is_over = true;
        if returns.is_download {
            if self.link.tracker().awaits_download() {
                return Ok(Navigated { url: self.url()? });
            }
            return Err(failed("it is a download, not a page".to_owned()));
        }
        if let Some(error) = returns.error_text.filter(|error| !error.is_empty()) {
            return Err(failed(match error.as_str() {
                "net::ERR_ABORTED" if self.link.tracker().stayed() => STAYS.to_owned(),
                "net::ERR_ABORTED" => "the server sent no page (net::ERR_ABORTED)".to_owned(),
                _ => error,
            }));
        }
        // Without a loader it is the same document, and only the fragment changes.
        let same_document = returns.loader_id.is_none();
        let began =
            |frame: &Frame| if same_document { frame.navigations > navigations } else { frame.loader != loader };
        self.loaded(address.as_str(), until, deadline, began).await?;
        Ok(Navigated { url: self.url()? })
    }

    /// Goes back (`-1`) or forward (`1`) in the tab's history and waits for the page to load.
    ///
    /// # Errors
    /// [`Error::Navigation`] when there is no such entry.
    pub async fn go(&self, step: i64, until: LoadState, deadline: &Deadline) -> Result<Navigated, Error> {
        let session = self.link.page_session()?;
        let history: History =
            deadline.race(self.link.connection.send(Some(&session), &GetNavigationHistoryParams::default())).await??;
        let wanted = usize::try_from(history.current_index + step).ok().and_then(|index| history.entries.get(index));
        let Some(entry) = wanted else {
            let reason =
                format!("there is no {} page in this tab's history", if step < 0 { "earlier" } else { "later" });
            return Err(Error::Navigation { url: self.url()?, reason });
        };
        let before = self.link.main_frame().map_or(0, |(_, frame)| frame.navigations);
        deadline
            .race(self.link.connection.send::<Value>(Some(&session), &NavigateToHistoryEntryParams::new(entry.id)))
            .await??;
        self.loaded("the page in history", until, deadline, |frame| frame.navigations > before).await?;
        Ok(Navigated { url: self.url()? })
    }

    /// Loads the page again.
    ///
    /// # Errors
    /// [`Error::Navigation`] when it does not load in time.
    pub async fn reload(&self, until: LoadState, deadline: &Deadline) -> Result<Navigated, Error> {
        let before = self.link.main_frame().map(|(_, frame)| frame.loader).unwrap_or_default();
        let session = self.link.page_session()?;
        deadline.race(self.link.connection.send::<Value>(Some(&session), &ReloadParams::default())).await??;
        self.loaded(&self.url()?, until, deadline, |frame| frame.loader != before).await?;
        Ok(Navigated { url: self.url()? })
    }

    /// Waits until the current page has come as far as asked.
    ///
    /// # Errors
    /// [`Error::Navigation`] when it does not in time.
    pub async fn wait_for_load(&self, until: LoadState, deadline: &Deadline) -> Result<(), Error> {
        self.loaded(&self.url()?, until, deadline, |_| true).await
    }

    /// Waits until the page's address matches.
    ///
    /// # Errors
    /// [`Error::Unmet`] with the address that was seen.
    pub async fn wait_for_url(&self, wanted: &TextMatch, deadline: &Deadline) -> Result<String, Error> {
        let mut trial = Trial::of("wait_for_url", format!("an address that matches `{}`", wanted.text()), deadline);
        loop {
            let attempt = async {
                let url = self.url()?;
                if wanted.matches(&url) {
                    Ok(url)
                } else {
                    Err(Error::Blocked(Obstacle::Waiting { seen: format!("the page is at `{url}`") }))
                }
            };
            if let Some(url) = trial.attempt(attempt).await? {
                return Ok(url);
            }
        }
    }

    /// The page's address, with its fragment. Costs nothing: the browser reports it.
    ///
    /// # Errors
    /// [`Error::PageClosed`] when there is no page.
    pub fn url(&self) -> Result<String, Error> {
        self.link.main_frame().map(|(_, frame)| frame.url).ok_or(Error::PageClosed)
    }

    /// The document's title.
    ///
    /// # Errors
    /// [`Error::Unmet`] when the page does not answer.
    pub async fn title(&self, deadline: &Deadline) -> Result<String, Error> {
        let mut trial = Trial::of("get_title", "the title".to_owned(), deadline);
        loop {
            let attempt = async {
                let (frame, _) = self.link.main_frame().ok_or(Error::PageClosed)?;
                let title: RemoteObject =
                    self.invoke_isolated(&frame, "function () { return document.title; }").await?;
                Ok(title.value.as_str().unwrap_or_default().to_owned())
            };
            if let Some(title) = trial.attempt(attempt).await? {
                return Ok(title);
            }
        }
    }

    /// Ends a script that keeps the page busy: it would hold up the navigation that leaves it, and once that is under
    /// way Chromium holds back what could end the script.
    async fn free(&self, session: &SessionId, deadline: &Deadline) -> Result<(), Error> {
        let Some((frame, _)) = self.link.main_frame() else { return Ok(()) };
        self.free_frame(&frame, session, deadline).await
    }

    /// The same for one frame's process.
    async fn free_frame(&self, frame: &str, session: &SessionId, deadline: &Deadline) -> Result<(), Error> {
        let answers = deadline.within(PATIENCE).race(self.invoke_isolated(frame, "function () {}")).await;
        match answers {
            Err(Error::Cancelled) => Err(Error::Cancelled),
            Err(Error::Timeout { .. }) => {
                self.link.connection.post(Some(session), &TerminateExecutionParams::default());
                self.link.tracker().note("ended a script that kept the page busy".to_owned());
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Ends the scripts that kept an earlier command from its answer and still run. Costs nothing where every command
    /// got one.
    pub(super) async fn free_abandoned(&self, deadline: &Deadline) -> Result<(), Error> {
        for session in self.link.connection.take_abandoned() {
            let frame = self.link.tracker().frames.iter().find_map(|(id, frame)| {
                (frame.session.as_ref() == Some(&session) && frame.isolated.is_some() && !frame.navigating)
                    .then(|| id.clone())
            });
            if let Some(frame) = frame {
                self.free_frame(&frame, &session, deadline).await?;
            }
        }
        Ok(())
    }

    /// Waits for the navigation that an action has started, until its document is there. Costs one round trip when
    /// there is none.
    pub(super) async fn settle(&self, deadline: &Deadline) -> Result<(), Error> {
        let fenced = async {
            // A window that the action opened may be the active page by now, and have no frame yet.
            let Some((frame, _)) = self.link.main_frame() else { return Ok(()) };
            // By the answer a navigation that the page's handlers asked for has been reported.
            tokio::select! {
                fenced = self.invoke_isolated(&frame, FENCE) => fenced.map(drop),
                () = self.navigation_began() => Ok(()),
            }
        };
        match deadline.race(fenced).await {
            Err(Error::Cancelled) => return Err(Error::Cancelled),
            Ok(Err(Error::Closed)) => return Err(Error::Closed),
            _ => {}
        }
        // A window that the action opened is told of before it arrives; one that was blocked never does.
        let soon = deadline.within(PARSED);
        if self.link.wait(&soon, |tracker| (!tracker.opening).then_some(())).await.is_err() {
            self.link.tracker().opening = false;
        }
        let (url, session) = (self.url().unwrap_or_default(), self.link.page_session()?);
        let mut pending = Pending { page: *self, session, is_over: false };
        let answered = deadline.at_least(SERVER);
        let settled = self.link.wait(&answered, |tracker| {
            let page = tracker.page()?;
            let frame = tracker.frames.get(&page.target)?;
            // A tab that the action opened begins with an empty document.
            let is_empty = page.opener.is_some() && frame.navigations == 0 && !frame.lifecycle.contains("load");
            (page.crashed || !frame.navigating && !is_empty).then_some(())
        });
        match settled.await {
            Err(Error::Timeout { limit }) => {
                let limit = humantime::format_duration(limit);
                let reason = format!("the action was done, and the server has not answered within {limit}");
                Err(Error::Navigation { url, reason })
            }
            Ok(()) => {
                pending.is_over = true;
                // Deferred scripts listen for events only then; a page that never comes so far is used as it is.
                let limit = deadline.at_least(PARSED).within(PARSED);
                match self.wait_for_load(LoadState::DomContentLoaded, &limit).await {
                    Err(Error::Navigation { .. } | Error::PageCrashed) => Ok(()),
                    outcome => outcome,
                }
            }
            Err(error) => {
                pending.is_over = true;
                Err(error)
            }
        }
    }

    /// Ends when the active page has begun to navigate.
    pub(super) async fn navigation_began(&self) {
        let mut changes = self.link.state.changed.subscribe();
        loop {
            {
                let tracker = self.link.tracker();
                let frame = tracker.page().and_then(|page| tracker.frames.get(&page.target));
                if frame.is_none_or(|frame| frame.navigating) {
                    return;
                }
            }
            if changes.changed().await.is_err() {
                return;
            }
        }
    }

    /// A page that never stops asking its server is used all the same.
    async fn loaded(
        &self,
        address: &str,
        until: LoadState,
        deadline: &Deadline,
        began: impl Fn(&Frame) -> bool,
    ) -> Result<(), Error> {
        if until != LoadState::NetworkIdle {
            return self.came(address, until, deadline, began).await;
        }
        self.came(address, LoadState::Load, deadline, began).await?;
        let limit = deadline.within(QUIET);
        match self.came(address, until, &limit, |_| true).await {
            Err(Error::Navigation { .. }) if !deadline.remaining().is_zero() => {
                let quiet = humantime::format_duration(QUIET);
                self.link.tracker().note(format!("`{address}` was still loading something {quiet} after `load`"));
                Ok(())
            }
            outcome => outcome,
        }
    }

    async fn came(
        &self,
        address: &str,
        until: LoadState,
        deadline: &Deadline,
        began: impl Fn(&Frame) -> bool,
    ) -> Result<(), Error> {
        let mut seen = Vec::new();
        let outcome = self.link.wait(deadline, |tracker| {
            let page = tracker.page()?;
            if page.crashed {
                return Some(Err(Error::PageCrashed));
            }
            let frame = tracker.frames.get(&page.target)?;
            if !began(frame) {
                let stays = || Err(Error::Navigation { url: address.to_owned(), reason: STAYS.to_owned() });
                return tracker.stayed().then(stays);
            }
            if until.event().is_none_or(|event| frame.lifecycle.contains(event)) {
                return Some(Ok(()));
            }
            seen = ["DOMContentLoaded", "load"].into_iter().filter(|event| frame.lifecycle.contains(*event)).collect();
            None
        });
        match outcome.await {
            Err(Error::Timeout { limit }) => {
                let limit = humantime::format_duration(limit);
                let event = until.event().unwrap_or("commit");
                let seen =
                    if seen.is_empty() { "nothing of it".to_owned() } else { format!("only `{}`", seen.join("`, `")) };
                Err(Error::Navigation {
                    url: address.to_owned(),
                    reason: format!("`{event}` did not come within {limit}, {seen} did"),
                })
            }
            outcome => outcome?,
        }
    }
}

/// A navigation that was asked for and not answered.
struct Pending<'s> {
    page: Page<'s>,
    session: SessionId,
    is_over: bool,
}

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        if !self.is_over {
            self.page.link.connection.post(Some(&self.session), &StopLoadingParams::default());
        }
    }
}

/// Takes absolute http, https, about and data addresses.
fn checked(address: &str) -> Result<Url, Error> {
    let bad =
        |reason: &str, hint: String| Error::Argument { message: format!("can't open `{address}`: {reason}"), hint };
    let url = Url::parse(address).map_err(|error| match error {
        url::ParseError::RelativeUrlWithoutBase => {
            bad("it is not an absolute address", format!("write `https://{}`", address.trim_start_matches('/')))
        }
        error => bad(&error.to_string(), "write an absolute address such as `https://example.com/path`".to_owned()),
    })?;
    match url.scheme() {
        "http" | "https" | "about" | "data" => Ok(url),
        scheme if url.cannot_be_a_base() && address.contains('.') => {
            Err(bad(&format!("`{scheme}:` is not a scheme of pages"), format!("write `http://{address}`")))
        }
        scheme => {
            Err(bad(&format!("`{scheme}:` addresses are not opened"), "open an `http:` or `https:` address".to_owned()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_pages_are_opened() {
        let refused = |address| {
            let error = checked(address).expect_err("refused");
            format!("{error} | {}", error.hint().unwrap_or_default())
        };
        assert_eq!(
            refused("shop.example/login"),
            "can't open `shop.example/login`: it is not an absolute address | write `https://shop.example/login`"
        );
        assert_eq!(
            refused("localhost.test:3000"),
            "can't open `localhost.test:3000`: `localhost.test:` is not a scheme of pages | write `http://localhost.test:3000`"
        );
        assert_eq!(
            refused("file:///etc/passwd"),
            "can't open `file:///etc/passwd`: `file:` addresses are not opened | open an `http:` or `https:` address"
        );
        assert_eq!(
            refused("javascript:alert(1)"),
            "can't open `javascript:alert(1)`: `javascript:` addresses are not opened | open an `http:` or `https:` address"
        );
        assert!(checked("https://shop.example").is_ok());
    }
}
