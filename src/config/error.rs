//! What can be wrong with options, and where it came from.

use std::fmt;
use std::path::PathBuf;

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The flag of this name.
    Flag(String),
    /// The environment variable of this name.
    Variable(String),
    /// The key in this file.
    File {
        /// The key.
        key: String,
        /// The file.
        file: PathBuf,
    },
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Flag(name) => write!(f, "`--{name}`"),
            Source::Variable(name) => write!(f, "the environment variable `{name}`"),
            Source::File { key, file } => write!(f, "`{key}` in `{}`", file.display()),
        }
    }
}

/// A problem with an option.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum Error {
    /// A value is not what the option takes.
    #[error("{source_} takes {expected}: `{value}`")]
    Value {
        /// Where the value came from.
        source_: Source,
        /// What the option takes.
        expected: &'static str,
        /// The value.
        value: String,
    },
    /// The file has a key that is no option.
    #[error("unknown option in `{}`: `{key}`", file.display())]
    Unknown {
        /// The key.
        key: String,
        /// The file.
        file: PathBuf,
        /// The option that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A path that an option names does not exist.
    #[error("{source_} names a path that does not exist: `{}`", path.display())]
    Absent {
        /// Where the path came from.
        source_: Source,
        /// The path.
        path: PathBuf,
    },
    /// A path given as an argument does not exist.
    #[error("there is no such file or directory: `{}`", path.display())]
    Missing {
        /// The path.
        path: PathBuf,
    },
    /// No directory of actions was given and there is none at the default place.
    #[error("there is no directory of actions: `{}`", looked.display())]
    NoActions {
        /// The default place.
        looked: PathBuf,
    },
    /// `repertoire.yaml` could not be read.
    #[error("{0}")]
    File(String),
}

impl Error {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Error::Unknown { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            Error::Unknown { .. } => Some("`repertoire serve --help` lists the options".to_owned()),
            Error::NoActions { .. } => {
                Some("name one with `--actions DIR`, create `actions` here, or try `repertoire demo` first".to_owned())
            }
            Error::Value { .. } | Error::Absent { .. } | Error::Missing { .. } | Error::File(_) => None,
        }
    }
}

/// Why a command line did not become a task.
#[derive(Debug)]
pub enum Failure {
    /// Help, the version or a usage error: print it and leave with its exit code.
    Usage(clap::Error),
    /// An option's value is wrong.
    Options(Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Options(error)
    }
}

impl From<clap::Error> for Failure {
    fn from(error: clap::Error) -> Failure {
        Failure::Usage(error)
    }
}
