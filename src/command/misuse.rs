//! Arguments that each have the right type and still can't do: what is found before anything is performed. Which they
//! are is each command's own.

use serde_json::{Map, Value};

use crate::selector::TextMatch;

/// Arguments that can't do, each of its right type.
#[derive(Debug, PartialEq)]
pub struct Misuse {
    /// The argument that is wrong; the command as a whole where there is none.
    pub argument: Option<&'static str>,
    /// What is wrong.
    pub message: String,
}

impl Misuse {
    pub(super) fn of(message: impl Into<String>) -> Misuse {
        Misuse { argument: None, message: message.into() }
    }

    pub(super) fn at(argument: &'static str, message: impl Into<String>) -> Misuse {
        Misuse { argument: Some(argument), message: message.into() }
    }

    /// An argument that is no text to look for, if its value is known.
    pub(super) fn of_pattern(given: &Map<String, Value>, argument: &'static str) -> Option<Misuse> {
        let error = TextMatch::parse(given.get(argument)?.as_str()?).err()?;
        Some(Misuse::at(argument, error.to_string()))
    }
}
