//! The one error of a selector: what is wrong, where, and what to write instead.

use thiserror::Error;

/// Why a text is not a selector, with the place in it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{message}")]
pub struct SelectorError {
    /// Where the wrong piece starts, in characters from 0.
    pub offset: usize,
    /// How many characters are wrong; 0 where something is missing.
    pub length: usize,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub hint: Option<String>,
}

impl SelectorError {
    pub(super) fn new(offset: usize, length: usize, message: impl Into<String>, hint: impl Into<String>) -> Self {
        SelectorError { offset, length, message: message.into(), hint: Some(hint.into()) }
    }

    /// What to write instead, where that is known.
    pub fn hint(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// The whole error in one line, for places that have room for nothing else.
    pub(super) fn in_one_line(&self, source: &str) -> String {
        let place = format!("{} at column {} of the selector `{source}`", self.message, self.offset + 1);
        match &self.hint {
            Some(hint) => format!("{place}: {hint}"),
            None => place,
        }
    }
}
