//! What can go wrong with the browser, as data: `Display` says what happened, [`Error::hint`] what to do about it.

use std::borrow::Cow;
use std::path::PathBuf;
use std::time::Duration;

use super::expect::Unfulfilled;
use super::retry::{Obstacle, Unmet};
use crate::selector::Selector;

/// A failure of the session or of one operation on a page.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No browser could be found.
    #[error("no Chromium, Chrome or Edge was found; looked in {}", tried.join(", "))]
    NoBrowser {
        /// Where was looked.
        tried: Vec<String>,
    },
    /// The given executable can't be used.
    #[error("the browser `{}` can't be used: {reason}", path.display())]
    BadBrowser {
        /// The path as given.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// Chromium was started and did not come up.
    #[error("Chromium did not start: {reason}")]
    Launch {
        /// What was seen, with the last lines of its error output.
        reason: String,
    },
    /// The profile directory is used by another process.
    #[error("the profile `{}` is in use{}", path.display(), holder.as_ref().map(|holder| format!(" by {holder}")).unwrap_or_default())]
    ProfileInUse {
        /// The profile directory.
        path: PathBuf,
        /// Host and process id of the holder, as far as the lock tells.
        holder: Option<String>,
    },
    /// A browser that runs already can't be reached.
    #[error("can't use the browser at `{endpoint}`: {reason}")]
    Endpoint {
        /// The endpoint as given.
        endpoint: String,
        /// What was met.
        reason: String,
    },
    /// A browser could not be installed.
    #[error("no browser could be installed: {reason}")]
    Install {
        /// Each way that was tried, and how it ended.
        reason: String,
    },
    /// The browser ended while it was needed.
    #[error("the browser has ended")]
    Closed,
    /// The page's process crashed.
    #[error("the page has crashed")]
    PageCrashed,
    /// The page was closed.
    #[error("the page was closed")]
    PageClosed,
    /// The process of an iframe crashed.
    #[error("an iframe of the page has crashed")]
    FrameCrashed,
    /// The page opened dialogs in a loop and was ended.
    #[error("the page opened {count} dialogs one after the other and was ended")]
    Dialogs {
        /// How many in one command.
        count: u32,
    },
    /// A tab asked whether to leave it, and the answer was to stay.
    #[error("the tab stays open: its question whether to leave the page was dismissed")]
    TabStayed,
    /// What a step expected did not come.
    #[error(transparent)]
    Unfulfilled(#[from] Unfulfilled),
    /// The deadline passed.
    #[error("timed out after {}", humantime::format_duration(*limit))]
    Timeout {
        /// The time that was given.
        limit: Duration,
    },
    /// The call was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// Chromium refused a protocol command.
    #[error("Chromium refused `{method}`: {message}")]
    Protocol {
        /// The command's name.
        method: Cow<'static, str>,
        /// Chromium's words.
        message: String,
    },
    /// The document went away while a call into it was under way; tried again by the retry loop.
    #[error("the document went away")]
    ContextLost,
    /// Something was in the way of one attempt; never leaves the retry loop.
    #[error("{0}")]
    #[expect(private_interfaces, reason = "made and taken by the retry loop only")]
    Blocked(Obstacle),
    /// What an action needs and waiting can't bring; the retry loop tells its story at once.
    #[error("{0}")]
    #[expect(private_interfaces, reason = "made and taken by the retry loop only")]
    Refused(Obstacle),
    /// The first of several clicks arrived and another missed: trying again would click once too often. Never leaves
    /// the module.
    #[error("a part of the clicks arrived")]
    Delivered,
    /// What came closest where nothing matched; asked for once the time is up, never leaves the module.
    #[error("no element matches")]
    NearMisses(Vec<String>),
    /// The element did not become what the operation needs.
    #[error("{0}")]
    Unmet(Box<Unmet>),
    /// Several elements match where one is needed.
    #[error("{count} elements match `{selector}`, but it must be exactly one{}", listed(*count, candidates))]
    Ambiguous {
        /// The selector as written.
        selector: String,
        /// How many elements match.
        count: u64,
        /// For the first few: a selector that is unique, and the element.
        candidates: Vec<String>,
    },
    /// The element that a snapshot gave a reference to is not there any more.
    #[error("`ref:{reference}` no longer exists: {reason}")]
    StaleReference {
        /// The reference, such as `e12`.
        reference: String,
        /// What has become of it.
        reason: &'static str,
    },
    /// The page can't evaluate the selector.
    #[error("the selector `{selector}` is not valid: {message}")]
    BadSelector {
        /// The selector as written.
        selector: String,
        /// The page's words.
        message: String,
    },
    /// The address can't be opened.
    #[error("can't open `{url}`: {reason}")]
    Navigation {
        /// The address.
        url: String,
        /// What Chromium or our own check says.
        reason: String,
    },
    /// An evaluated script threw.
    #[error("the script threw: {0}")]
    Script(String),
    /// An argument has the right type and an impossible value.
    #[error("{message}")]
    Argument {
        /// What is wrong with it.
        message: String,
        /// What to write instead.
        hint: String,
    },
}

impl Error {
    /// What the person or agent who reads the error can do.
    pub fn hint(&self) -> Option<String> {
        let hint = match self {
            Error::NoBrowser { .. } => "run `repertoire browser install`, or give the executable with `--browser PATH`",
            Error::BadBrowser { .. } => "give the path of a Chromium, Chrome or Edge executable with `--browser PATH`",
            Error::Launch { .. } => {
                "run the browser by hand with `--headless=new --dump-dom about:blank` to see what it needs; `--browser PATH` takes another one"
            }
            Error::ProfileInUse { .. } => "end that browser, or give another directory with `--profile`",
            Error::Endpoint { .. } => {
                "start the browser with `--remote-debugging-port=9222 --user-data-dir=DIR` and give `http://127.0.0.1:9222`"
            }
            Error::Install { .. } => {
                "install Chromium, Chrome or Edge by hand; it is found on PATH, or given with `--browser PATH`"
            }
            Error::Closed => {
                "call again: the next call starts a new browser, with a new profile unless `--profile` is set"
            }
            Error::Dialogs { .. } => "avoid what starts the loop; the next step gets a page that works",
            Error::FrameCrashed => "`reload` the page",
            Error::TabStayed => "accept the dialog, or save what the page holds first",
            Error::Unfulfilled(unfulfilled) => unfulfilled.hint(),
            Error::PageCrashed | Error::PageClosed => {
                "call again, starting with `navigate`: the next step gets a page that works"
            }
            Error::Timeout { .. } => "give the step a longer `timeout`, or wait for what it depends on first",
            Error::Unmet(unmet) => return unmet.hint(),
            Error::StaleReference { .. } => "take a new `snapshot` and use a reference that it shows",
            Error::Ambiguous { .. } => "use one of these selectors, add `>> nth:0`, or narrow it with `PARENT >> …`",
            Error::Navigation { reason, .. } if reason.contains("ERR_CONNECTION_REFUSED") => {
                "nothing listens there: is the server running?"
            }
            Error::Navigation { reason, .. } if reason.contains("ERR_NAME_NOT_RESOLVED") => {
                "the host name can't be resolved: check its spelling"
            }
            Error::Argument { hint, .. } => return Some(hint.clone()),
            _ => return None,
        };
        Some(hint.to_owned())
    }

    /// The element that something was to be done with, where that is known.
    pub fn about(&self) -> Option<&Selector> {
        match self {
            Error::Unmet(unmet) => unmet.about(),
            _ => None,
        }
    }

    /// Whether the retry loop may try again after it.
    pub(super) fn is_transient(&self) -> bool {
        match self {
            Error::ContextLost => true,
            // Chromium's words for a document that is being replaced; it has no codes for them.
            Error::Protocol { message, .. } => [
                "Cannot find context",
                "Execution context was destroyed",
                "navigated or closed",
                "uniqueContextId not found",
                "Could not find node",
                "Cannot find object",
                "Frame with the given",
            ]
            .iter()
            .any(|words| message.contains(words)),
            _ => false,
        }
    }
}

/// The candidates, each on a line of its own, and how many more there are.
fn listed(count: u64, candidates: &[String]) -> String {
    let mut lines: String = candidates.iter().map(|candidate| format!("\n  {candidate}")).collect();
    let more = usize::try_from(count).unwrap_or(usize::MAX).saturating_sub(candidates.len());
    if more > 0 {
        lines.push_str(&format!("\n  and {more} more"));
    }
    lines
}
