//! Actions: files that become tools. Owned here: the language of YAML shortcuts, inputs and outputs as JSON Schema,
//! expressions, loading whole directories, and the catalog that results.
//!
//! Loading never fails as a whole: it gives a [`Catalog`] with every action that is sound and a [`Problem`] for
//! everything that is not, at its line and column. Nothing here runs an action or knows a browser: a [`Shortcut`] is
//! steps with rendered arguments, performed by `run`.
//!
//! The way through: `walk` finds files → `load` decides what is read → `yaml` makes positioned trees → `file` reads
//! the head, `inputs`, `steps` and `outputs` the rest, all through one `context` that knows which names exist →
//! `link` joins the actions that perform others → `catalog` holds the result.

mod arguments;
mod awaited;
mod builtin;
mod cases;
mod catalog;
mod check;
mod compose;
mod conditions;
mod context;
mod convert;
mod data;
mod declaration;
mod editor;
mod expression;
mod file;
mod flow;
mod foresight;
mod form;
mod inputs;
mod link;
mod load;
mod meant;
mod modifiers;
mod names;
mod outputs;
mod problem;
mod scan;
mod schema;
mod shortcut;
mod split;
mod steps;
mod template;
mod vocabulary;
mod walk;
pub mod yaml;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::secrets::SecretName;

pub use arguments::ArgumentErrors;
pub use awaited::{Awaited, AwaitedDialog, AwaitedDownload, AwaitedTab};
pub use cases::{Case, Expected, Pages, difference, differences, read as read_cases, tested};
pub use catalog::Catalog;
pub use convert::{ConvertError, convert};
pub use data::{CommandOptions, DataError, DataStep, steps_from_data};
pub use editor::schema as editor_schema;
pub use expression::{Expression, ExpressionError, Scope};
pub use flow::{MOST_ROUNDS, WORDS, Word};
pub use foresight::Foresight;
pub use load::{LoadRequest, can_be_named, load};
pub use outputs::{Output, OutputError};
pub use problem::{Position, Problem, Severity, did_you_mean};
pub use shortcut::{Condition, End, Modifiers, Retry, Rule, Shortcut, Step, StepKind};
pub use template::Argument;
pub use walk::test_files;

/// One action, ready to be offered and performed.
#[derive(Debug, Clone)]
pub struct Action {
    /// The tool's name: `^[a-z][a-z0-9_]{0,39}$`.
    pub name: String,
    /// A short title for people.
    pub title: Option<String>,
    /// What it does, for agents; never empty.
    pub description: String,
    /// What a client may assume about it.
    pub annotations: Annotations,
    /// The schema of the arguments: a 2020-12 object without `$ref`.
    pub input_schema: Arc<Map<String, Value>>,
    /// The schema of the outputs, if there are any.
    pub output_schema: Option<Arc<Map<String, Value>>>,
    /// Where it comes from.
    pub source: Source,
    /// The first twelve digits of its content's SHA-256.
    pub version: String,
    /// How long one run may take.
    pub timeout: Option<Duration>,
    /// What it does.
    pub body: Body,
    checker: Arc<schema::Checker>,
    secrets: BTreeSet<SecretName>,
    /// The actions that its steps name.
    references: Arc<[link::Reference]>,
    /// These actions as they were when the catalog was made.
    parts: Arc<BTreeMap<String, Arc<Action>>>,
}

/// What a client may assume about an action; `None` is left to the client's default.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// What it changes can't be undone.
    pub destructive: Option<bool>,
    /// Performing it twice is the same as once.
    pub idempotent: Option<bool>,
    /// It speaks with more than one closed system.
    pub open_world: Option<bool>,
}

/// Where an action comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// Compiled into the binary, under this name.
    Builtin(&'static str),
    /// A file.
    File {
        /// How to open it.
        path: PathBuf,
        /// Relative to the directory that was given.
        shown: PathBuf,
    },
}

/// What an action does.
#[derive(Debug, Clone)]
pub enum Body {
    /// A YAML workflow.
    Shortcut(Arc<Shortcut>),
}

impl Action {
    /// The action that a `run` of its steps performs.
    pub fn part(&self, target: &str) -> Option<&Arc<Action>> {
        self.parts.get(target)
    }

    /// The secrets that it and the actions it performs name.
    pub fn secret_names(&self) -> &BTreeSet<SecretName> {
        &self.secrets
    }
}

impl Source {
    /// The source as people know it.
    pub fn shown(&self) -> PathBuf {
        match self {
            Source::Builtin(name) => PathBuf::from(format!("<builtin>/{name}.yaml")),
            Source::File { shown, .. } => shown.clone(),
        }
    }

    /// The source as it is told apart from another: in full if the two come from different directories.
    fn beside(&self, other: &Source) -> PathBuf {
        match (self, other) {
            (Source::File { path, shown }, Source::File { path: other_path, shown: other_shown })
                if root(path, shown) != root(other_path, other_shown) =>
            {
                path.clone()
            }
            _ => self.shown(),
        }
    }
}

/// The directory that was given, of a path and its part below.
fn root<'a>(path: &'a Path, shown: &Path) -> Option<&'a Path> {
    path.ancestors().nth(shown.components().count())
}
