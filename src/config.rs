//! Options: every flag, environment variable and key of `repertoire.yaml`, defined once.
//!
//! [`table`] is the only list of options; the command line, `--help`, the environment and the file are read through
//! it, and a flag wins over the environment, the environment over the file, the file over the default. What the
//! options mean is left to the modules that get them: nothing here looks at actions, browsers or secrets, and both
//! the environment and the file's content arrive as arguments.

use std::path::PathBuf;
use std::time::Duration;

mod cli;
mod error;
mod resolve;
mod table;

pub use cli::{Demo, Invocation, Mode, New, Run, TEMPLATES, Task, Test, parse};
pub use error::{Error, Failure};
pub use resolve::{File, Lookup, Read, Surroundings};
pub use table::{Definition, Kind, table};

/// The host's options, resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// Directories of actions, in order.
    pub actions: Vec<PathBuf>,
    /// Files of secrets, in order of precedence.
    pub env_files: Vec<PathBuf>,
    /// Where screenshots are written and uploads are read.
    pub workspace: PathBuf,
    /// The browser's executable; searched for when absent.
    pub browser: Option<PathBuf>,
    /// The browser's profile; a fresh temporary one when absent.
    pub profile: Option<PathBuf>,
    /// Whether the browser shows its window.
    pub headed: bool,
    /// The DevTools endpoint of a browser that runs already.
    pub cdp_endpoint: Option<String>,
    /// What a new browser's cookies and local storage begin with.
    pub storage_state: Option<PathBuf>,
    /// The proxy of the browser.
    pub proxy: Option<String>,
    /// The language of pages.
    pub locale: Option<String>,
    /// The time zone of pages.
    pub time_zone: Option<String>,
    /// What the browser calls itself.
    pub user_agent: Option<String>,
    /// Whether a touch screen is emulated.
    pub touch: bool,
    /// Headers of every request, by name.
    pub headers: Vec<(String, String)>,
    /// The size of the page.
    pub viewport: Viewport,
    /// How long one step may take.
    pub timeout: Duration,
    /// How long one action may take.
    pub action_timeout: Duration,
    /// The attribute that `testid:` selectors read.
    pub test_id_attribute: String,
    /// How long a call waits for its turn on the session.
    pub queue_timeout: Duration,
    /// Whether a failure comes with a picture of the page.
    pub failure_screenshot: bool,
    /// What is logged to standard error.
    pub log: Level,
}

/// The size of the page in CSS pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Viewport {
    /// Width in CSS pixels.
    pub width: u32,
    /// Height in CSS pixels.
    pub height: u32,
}

/// How much is logged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Only what failed.
    Error,
    /// Also what needs attention.
    Warn,
    /// Also what happened.
    Info,
    /// Also how.
    Debug,
}

impl Level {
    /// The level's name, as written in options.
    pub fn name(self) -> &'static str {
        match self {
            Level::Error => "error",
            Level::Warn => "warn",
            Level::Info => "info",
            Level::Debug => "debug",
        }
    }
}

#[cfg(test)]
mod tests;
