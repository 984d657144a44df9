//! What people see on standard error: lines, errors with hints, and progress; colour only where a terminal shows it.

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};

use crate::mcp::response;
use crate::run::{Progress, State};
use crate::secrets::Redactor;
use crate::{browser, config, mcp};

/// Standard error, for people.
pub(super) struct Console {
    terminal: bool,
    colour: bool,
    /// Whether the cursor stands behind an unfinished line.
    unfinished: Mutex<bool>,
}

/// How a piece of text looks.
#[derive(Clone, Copy)]
pub(super) enum Style {
    Bold,
    Dim,
    Good,
    Bad,
    Caution,
}

/// An error that knows what to do about it.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub(super) struct Advice {
    pub(super) message: String,
    pub(super) hint: String,
}

impl Console {
    pub(super) fn new(environment: &dyn Fn(&str) -> Option<OsString>) -> Console {
        let terminal = std::io::stderr().is_terminal();
        let set = |name| environment(name).is_some_and(|value: OsString| !value.is_empty());
        let dumb = environment("TERM").is_some_and(|value| value == "dumb");
        Console { terminal, colour: terminal && !dumb && !set("NO_COLOR"), unfinished: Mutex::new(false) }
    }

    pub(super) fn has_colour(&self) -> bool {
        self.colour
    }

    /// The text in a style, if there is colour.
    pub(super) fn paint(&self, style: Style, text: &str) -> String {
        let code = match style {
            Style::Bold => "1",
            Style::Dim => "2",
            Style::Good => "32",
            Style::Bad => "1;31",
            Style::Caution => "33",
        };
        if self.colour { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
    }

    /// A finished line.
    pub(super) fn line(&self, text: &str) {
        let mut unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
        let start = if std::mem::take(&mut *unfinished) { "\r\x1b[2K" } else { "" };
        // Nobody reads if it fails.
        let _ = writeln!(std::io::stderr().lock(), "{start}{text}");
    }

    /// A line that the next one replaces; only on a terminal.
    pub(super) fn passing(&self, text: &str) {
        if self.terminal {
            let mut unfinished = self.unfinished.lock().unwrap_or_else(PoisonError::into_inner);
            *unfinished = true;
            let mut stderr = std::io::stderr().lock();
            let _ = write!(stderr, "\r\x1b[2K{text}");
            let _ = stderr.flush();
        }
    }

    /// A step on its way.
    pub(super) fn progress(&self, progress: &Progress, redactor: &Redactor) {
        let text = format!("  {}", response::progress(progress, redactor));
        match progress.state {
            State::Started => self.passing(&self.paint(Style::Dim, &text)),
            State::Done => self.line(&text),
            State::Skipped => self.line(&self.paint(Style::Dim, &text)),
            State::Warned => self.line(&self.paint(Style::Caution, &text)),
            State::Failed => self.line(&self.paint(Style::Bad, &text)),
        }
    }

    /// An error, its causes, and what to do.
    pub(super) fn error(&self, error: &anyhow::Error) {
        let causes: Vec<String> = error.chain().map(ToString::to_string).collect();
        self.line(&format!("{} {}", self.paint(Style::Bad, "error:"), causes.join(": ")));
        if let Some(hint) = error.chain().find_map(hint) {
            self.line(&format!("{} {hint}", self.paint(Style::Bold, "hint:")));
        }
    }
}

fn hint(error: &(dyn std::error::Error + 'static)) -> Option<String> {
    let advice = error.downcast_ref::<Advice>().map(|advice| advice.hint.clone());
    advice
        .or_else(|| error.downcast_ref::<config::Error>()?.hint())
        .or_else(|| error.downcast_ref::<browser::Error>()?.hint())
        .or_else(|| error.downcast_ref::<mcp::Error>()?.hint())
}
