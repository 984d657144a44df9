//! Owns the catalog: all actions at one moment, immutable, with the problems found and what is stale.
//! Building one from directories is `load`'s; publishing it is left to `watch`.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use super::Action;
use super::link::Reference;
use super::problem::Problem;
use crate::secrets::SecretName;

/// All actions at one moment. The default is empty.
#[derive(Debug, Default)]
pub struct Catalog {
    pub(super) actions: BTreeMap<String, Arc<Action>>,
    pub(super) problems: Vec<Problem>,
    pub(super) stale: BTreeMap<String, Problem>,
    /// What is known of every file, for the next load.
    pub(super) files: HashMap<PathBuf, FileState>,
    /// The actions that perform others, joined with them, by their files.
    pub(super) joined: HashMap<PathBuf, Arc<Action>>,
}

/// The result of reading one file.
#[derive(Debug, Clone)]
pub(super) struct FileState {
    /// The hash of the content that was read last; `None` if it could not be read.
    pub hash: Option<[u8; 32]>,
    /// The action of the newest content that had no errors.
    pub action: Option<Arc<Action>>,
    /// What is wrong with the newest content.
    pub problems: Vec<Problem>,
    /// The actions that the newest content names, where it has errors of its own.
    pub unlinked: Arc<[Reference]>,
    /// Whether it is a part of other actions and no tool.
    pub is_part: bool,
}

impl Catalog {
    /// The action of this name.
    pub fn get(&self, name: &str) -> Option<&Arc<Action>> {
        self.actions.get(name)
    }

    /// All actions in the order of their names.
    pub fn actions(&self) -> impl Iterator<Item = &Arc<Action>> {
        self.actions.values()
    }

    /// All problems: by directory, then by path, then by place; at the end those of actions that perform others.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Why the last good version of an action is serving and not its newest content.
    pub fn stale(&self, name: &str) -> Option<&Problem> {
        self.stale.get(name)
    }

    /// The secrets that any action names.
    pub fn secret_names(&self) -> BTreeSet<SecretName> {
        let names = self.actions.values().flat_map(|action| action.secret_names());
        names.cloned().collect()
    }

    /// Whether a client would see the same list of tools: names, titles, descriptions, schemas, annotations.
    pub fn same_tools(&self, other: &Catalog) -> bool {
        let same = |(a, b): (&Arc<Action>, &Arc<Action>)| {
            Arc::ptr_eq(a, b)
                || a.name == b.name
                    && a.title == b.title
                    && a.description == b.description
                    && a.annotations == b.annotations
                    && a.input_schema == b.input_schema
                    && a.output_schema == b.output_schema
        };
        self.actions.len() == other.actions.len() && self.actions.values().zip(other.actions.values()).all(same)
    }
}
