//! Why a command failed: what the browser says, a missing secret, a bad argument, a file that may not be used.

use std::path::PathBuf;

use crate::browser;
use crate::secrets::MissingSecrets;

/// A command's failure; `Display` says what happened.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The browser's answer.
    #[error(transparent)]
    Browser(#[from] browser::Error),
    /// Names that have no value.
    #[error(transparent)]
    Secrets(#[from] MissingSecrets),
    /// Arguments of a wrong type or name.
    #[error("bad arguments for `{command}`: {message}")]
    Arguments {
        /// The command.
        command: &'static str,
        /// What is wrong.
        message: String,
    },
    /// A path leads out of the workspace.
    #[error("`{}` is outside the workspace `{}`", path.display(), root.display())]
    OutsideWorkspace {
        /// The path as given.
        path: PathBuf,
        /// The workspace.
        root: PathBuf,
    },
    /// A file can't be read or written.
    #[error("can't use the file `{}`: {reason}", path.display())]
    File {
        /// The path as given.
        path: PathBuf,
        /// The system's words.
        reason: String,
    },
}

impl Error {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::Browser(error) => error.hint(),
            Error::Secrets(missing) => Some(missing.hint()),
            Error::Arguments { .. } => {
                Some("see the command's arguments in the tool's schema or in the README".to_owned())
            }
            Error::OutsideWorkspace { .. } => {
                Some("use a path inside it, or start the host with another `--workspace`".to_owned())
            }
            Error::File { .. } => {
                Some("check that the file exists and may be used; relative paths start at the workspace".to_owned())
            }
        }
    }
}
