//! What a step expects beside its own result: a dialog, a tab, a download.
//!
//! Armed before the act and collected after it: whatever comes in between is taken down by the connection's reader, so
//! that nothing is lost. The innermost expectation that still wants one takes it.

use std::sync::Arc;
use std::time::Duration;

use super::dialogs::{Dialog, DialogReply, ExpectedDialog, told};
use super::downloads::{DownloadLimit, Downloaded, Progress};
use super::tabs::Tab;
use super::tracker::Tracker;
use super::{Deadline, Error, Link, Page, Session};

/// What a step expects.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// A dialog, and its answer.
    pub dialog: Option<ExpectedDialog>,
    /// A new tab, which becomes the active one.
    pub opens: bool,
    /// A download.
    pub download: Option<DownloadLimit>,
}

/// What came of an expectation.
#[derive(Debug, Default)]
pub struct Fulfilled {
    /// The dialog that was answered.
    pub dialog: Option<Dialog>,
    /// The tab that was opened, ready and active.
    pub opened: Option<Tab>,
    /// The complete download.
    pub download: Option<Downloaded>,
}

/// An armed expectation. Dropped without [`Session::fulfil`], it expects no longer.
#[must_use = "what is expected is collected with `Session::fulfil`"]
pub struct Expecting {
    link: Link,
    id: u64,
    expected: Expected,
}

/// Why an expectation was not fulfilled.
#[derive(Debug, thiserror::Error)]
pub enum Unfulfilled {
    /// No dialog came.
    #[error("no dialog opened within {}", humantime::format_duration(*.0))]
    NoDialog(Duration),
    /// Another dialog came; it was dismissed.
    #[error("another dialog ({}) opened and was dismissed; one with `{wanted}` was expected: {}", .dialog.kind.name(), .dialog.message)]
    OtherDialog {
        /// The text that its message should have matched.
        wanted: String,
        /// The dialog that came.
        dialog: Dialog,
    },
    /// No tab came.
    #[error("no tab opened within {}", humantime::format_duration(*.0))]
    NoTab(Duration),
    /// A tab came and went.
    #[error("a tab opened and closed again by itself")]
    TabClosed,
    /// No download came.
    #[error("no download began within {}", humantime::format_duration(*.0))]
    NoDownload(Duration),
    /// The download began and did not end well.
    #[error("the download of `{name}` failed: {reason}")]
    Download {
        /// The suggested file name.
        name: String,
        /// How it ended.
        reason: String,
    },
}

impl Unfulfilled {
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Unfulfilled::NoDialog(_) => {
                "check with a screenshot whether it is a part of the page: only `alert`, `confirm`, `prompt` and the question before leaving a page are dialogs"
            }
            Unfulfilled::OtherDialog { .. } => "correct the expected message, or leave it out to take any dialog",
            Unfulfilled::NoTab(_) => {
                "see with `tabs` what is open: the page may have used the same tab, or the browser blocked a window that no click asked for"
            }
            Unfulfilled::TabClosed => "where its address is a file, expect a download instead",
            Unfulfilled::NoDownload(_) => {
                "see with `snapshot` and `tabs` whether the file opened in the page or in a new tab"
            }
            Unfulfilled::Download { .. } => {
                "try again; a longer `timeout` or a larger `max_bytes` of the step allows for more"
            }
        }
    }
}

/// The part of an expectation that takes events in.
pub(super) struct Expectation {
    id: u64,
    expected: Expected,
    /// One came, collected or not.
    has_dialog: bool,
    dialog: Option<Dialog>,
    opened: Option<String>,
    download: Option<Arc<str>>,
}

impl Session {
    /// Begins to expect; the act that brings it about comes next.
    ///
    /// # Errors
    /// As [`Session::page`].
    pub async fn expect(&mut self, expected: Expected, deadline: &Deadline) -> Result<Expecting, Error> {
        let link = self.page(deadline).await?.link.clone();
        let id = link.tracker().arm(expected.clone());
        Ok(Expecting { link, id, expected })
    }

    /// Collects what was expected, waiting for what has not come yet.
    ///
    /// # Errors
    /// [`Error::Unfulfilled`] when it doesn't come in time or is another, [`Error::PageCrashed`] and [`Error::Closed`]
    /// when it can't come any more.
    pub async fn fulfil(&mut self, expecting: Expecting, deadline: &Deadline) -> Result<Fulfilled, Error> {
        let mut fulfilled = Fulfilled::default();
        if let Some(wanted) = &expecting.expected.dialog {
            let dialog = expecting.dialog(deadline).await?;
            if let Some(message) = wanted.message.as_ref().filter(|message| !message.matches(&dialog.message)) {
                return Err(Unfulfilled::OtherDialog { wanted: message.text().to_owned(), dialog }.into());
            }
            fulfilled.dialog = Some(dialog);
        }
        if expecting.expected.download.is_some() {
            fulfilled.download = Some(expecting.download(deadline).await?);
        }
        if expecting.expected.opens {
            let target = expecting.opened(deadline).await?;
            fulfilled.opened = Some(self.arrive(&target, deadline).await?);
        }
        Ok(fulfilled)
    }

    /// Makes a tab that was opened the active one and waits for its first document.
    async fn arrive(&mut self, target: &str, deadline: &Deadline) -> Result<Tab, Error> {
        let gone = |session: &Session| !session.live.as_ref().is_some_and(|live| live.link.tracker().activate(target));
        if gone(self) {
            return Err(Unfulfilled::TabClosed.into());
        }
        let page: Page<'_> = self.page(deadline).await?;
        let settled = page.settle(deadline).await;
        if gone(self) {
            return Err(Unfulfilled::TabClosed.into());
        }
        settled?;
        self.active_tab(deadline).await
    }
}

impl Expecting {
    async fn dialog(&self, deadline: &Deadline) -> Result<Dialog, Error> {
        self.wait(deadline, Unfulfilled::NoDialog, |tracker, own| {
            tracker.expectations.iter_mut().find(|expectation| expectation.id == own)?.dialog.take().map(Ok)
        })
        .await
    }

    async fn opened(&self, deadline: &Deadline) -> Result<String, Error> {
        self.wait(deadline, Unfulfilled::NoTab, |tracker, own| {
            tracker.expectations.iter().find(|expectation| expectation.id == own)?.opened.clone().map(Ok)
        })
        .await
    }

    async fn download(&self, deadline: &Deadline) -> Result<Downloaded, Error> {
        let mut under_way = None;
        let outcome = self
            .wait(deadline, Unfulfilled::NoDownload, |tracker, own| {
                let guid = tracker.expectations.iter().find(|expectation| expectation.id == own)?.download.clone()?;
                match tracker.download(&guid)? {
                    Progress::Complete(downloaded) => Some(Ok(downloaded)),
                    Progress::Failed { name, reason } => Some(Err(Unfulfilled::Download { name, reason }.into())),
                    Progress::Under { name, received } => {
                        under_way = Some((name, received));
                        None
                    }
                }
            })
            .await;
        match (outcome, under_way) {
            (Err(Error::Unfulfilled(Unfulfilled::NoDownload(limit))), Some((name, received))) => {
                let limit = humantime::format_duration(limit);
                let reason = format!("not complete within {limit}, {received} bytes were there");
                Err(Unfulfilled::Download { name, reason }.into())
            }
            (outcome, _) => outcome,
        }
    }

    async fn wait<T>(
        &self,
        deadline: &Deadline,
        missed: impl FnOnce(Duration) -> Unfulfilled,
        mut look: impl FnMut(&mut Tracker, u64) -> Option<Result<T, Error>>,
    ) -> Result<T, Error> {
        let came = self.link.wait(deadline, |tracker| {
            look(tracker, self.id).or_else(|| match tracker.page() {
                Some(page) if page.crashed => Some(Err(super::tracker::Page::end(page.dialogs))),
                _ => None,
            })
        });
        match came.await {
            Err(Error::Timeout { limit }) => Err(missed(limit).into()),
            came => came?,
        }
    }
}

impl Drop for Expecting {
    fn drop(&mut self) {
        self.link.tracker().disarm(&self.link, self.id);
    }
}

impl Tracker {
    fn arm(&mut self, expected: Expected) -> u64 {
        let id = self.expectations.iter().map(|expectation| expectation.id).max().unwrap_or(0) + 1;
        self.expectations.push(Expectation {
            id,
            expected,
            has_dialog: false,
            dialog: None,
            opened: None,
            download: None,
        });
        id
    }

    /// What came and was not collected is told in the notes.
    fn disarm(&mut self, link: &Link, id: u64) {
        let Some(index) = self.expectations.iter().position(|expectation| expectation.id == id) else { return };
        let Expectation { expected, dialog, download, .. } = self.expectations.remove(index);
        if let (Some(expected), Some(dialog)) = (expected.dialog, dialog) {
            self.note(told(&dialog, &expected.reply_to(&dialog), "as the step expected"));
        }
        if let Some(guid) = download {
            self.release_download(&link.connection, &guid);
        }
    }

    /// The answer to a dialog, where a step expects one.
    pub(super) fn expects_dialog(&mut self, dialog: &Dialog) -> Option<DialogReply> {
        self.expectations.iter_mut().rev().find_map(|expectation| {
            let reply = expectation.expected.dialog.as_ref()?.reply_to(dialog);
            if expectation.has_dialog {
                return None;
            }
            expectation.has_dialog = true;
            expectation.dialog = Some(dialog.clone());
            Some(reply)
        })
    }

    /// Whether a step expects a tab that was opened.
    pub(super) fn expects_tab(&mut self, target: &str) -> bool {
        let wanting = |expectation: &&mut Expectation| expectation.expected.opens && expectation.opened.is_none();
        let expectation = self.expectations.iter_mut().rev().find(wanting);
        expectation.is_some_and(|expectation| expectation.opened.replace(target.to_owned()).is_none())
    }

    /// The limit of a download, where a step expects one.
    pub(super) fn expects_download(&mut self, guid: &Arc<str>) -> Option<DownloadLimit> {
        self.expectations.iter_mut().rev().find_map(|expectation| {
            let limit = expectation.expected.download?;
            if expectation.download.is_some() {
                return None;
            }
            expectation.download = Some(guid.clone());
            Some(limit)
        })
    }

    /// Whether a step expects a download, which a navigation may turn into.
    pub(super) fn awaits_download(&self) -> bool {
        self.expectations.iter().any(|expectation| expectation.expected.download.is_some())
    }
}

impl ExpectedDialog {
    /// A dialog with another message than the expected one is dismissed.
    fn reply_to(&self, dialog: &Dialog) -> DialogReply {
        if self.message.as_ref().is_none_or(|message| message.matches(&dialog.message)) {
            self.reply.clone()
        } else {
            DialogReply::Dismiss
        }
    }
}
