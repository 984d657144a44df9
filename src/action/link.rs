//! Owns the joining of actions that perform others: `run` and `needs` name them, and each gets the very versions that
//! the catalog holds at that moment, so that a call keeps what it began with. Reports at the caller's place what does
//! not exist, goes in a circle, goes too deep, or does not take the arguments.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::catalog::Catalog;
use super::problem::{Place, Problem, did_you_mean, listed};
use super::schema::Segment;
use super::{Action, Source};

/// Actions may perform others this deep.
pub const MOST_RUNS: usize = 8;

/// Files looked at to tell a circle.
const MOST_VISITS: usize = 1000;

/// An action that a file performs.
#[derive(Debug)]
pub struct Reference {
    /// Its name, or its file relative to the one that names it.
    pub target: String,
    /// Where it is named.
    pub place: Place,
    /// What it is given.
    pub given: Vec<Given>,
    /// The name of its outputs.
    pub capture: Option<String>,
    /// The outputs that expressions read through that name, and where.
    pub read: Vec<(String, Place)>,
}

/// An argument for another action.
#[derive(Debug)]
pub struct Given {
    /// Its name.
    pub name: String,
    /// Where the name stands.
    pub key: Place,
    /// Where the value stands.
    pub value: Place,
    /// The value, if it is known before it is performed.
    pub literal: Option<Value>,
}

/// A caller with what its references lead to.
struct Pending {
    path: PathBuf,
    action: Arc<Action>,
    targets: Vec<PathBuf>,
}

/// Joins the actions of a catalog. One that can't be joined keeps the version that `previous` could.
pub fn link(catalog: &mut Catalog, previous: &Catalog) {
    let mut pending = Vec::new();
    let mut faults: BTreeMap<PathBuf, Vec<Problem>> = BTreeMap::new();
    let mut ready: HashMap<PathBuf, Arc<Action>> = HashMap::new();
    let index = Index::of(catalog);
    let also = index.faults_of_broken_files();
    for (path, state) in &catalog.files {
        let Some(action) = &state.action else { continue };
        if action.references.is_empty() {
            ready.insert(path.clone(), action.clone());
            continue;
        }
        let resolved: Result<Vec<PathBuf>, Vec<Problem>> = index.resolve(path, action);
        match resolved {
            Ok(targets) => pending.push(Pending { path: path.clone(), action: action.clone(), targets }),
            Err(problems) => drop(faults.insert(path.clone(), problems)),
        }
    }
    catalog.problems.extend(also);
    if pending.is_empty() && faults.is_empty() {
        return;
    }
    pending.sort_by(|a, b| a.path.cmp(&b.path));
    let mut joined: HashMap<PathBuf, Arc<Action>> = HashMap::new();
    let mut lost: HashSet<PathBuf> = HashSet::new();
    let keep = |path: &Path, ready: &mut HashMap<PathBuf, Arc<Action>>, lost: &mut HashSet<PathBuf>| match previous
        .joined
        .get(path)
    {
        Some(action) => drop(ready.insert(path.to_owned(), action.clone())),
        None => drop(lost.insert(path.to_owned())),
    };
    for path in faults.keys() {
        keep(path, &mut ready, &mut lost);
    }
    // One level of depth each.
    for _ in 0..MOST_RUNS {
        let is_known = |path: &PathBuf| ready.contains_key(path) || lost.contains(path) || !catalog.has_action(path);
        let (now, later): (Vec<Pending>, Vec<Pending>) =
            pending.into_iter().partition(|caller| caller.targets.iter().all(is_known));
        pending = later;
        if now.is_empty() {
            break;
        }
        for caller in now {
            match caller.join(&ready) {
                Ok(action) => {
                    ready.insert(caller.path.clone(), action.clone());
                    joined.insert(caller.path, action);
                }
                Err(problems) => {
                    keep(&caller.path, &mut ready, &mut lost);
                    faults.insert(caller.path, problems);
                }
            }
        }
    }
    let circular: HashSet<&Path> =
        pending.iter().filter(|caller| caller.circle(&pending).is_some()).map(|caller| caller.path.as_path()).collect();
    for caller in &pending {
        faults.insert(caller.path.clone(), vec![caller.endless(&pending, &circular)]);
    }
    catalog.settle(joined, faults, previous);
}

impl Catalog {
    fn has_action(&self, path: &Path) -> bool {
        self.files.get(path).is_some_and(|state| state.action.is_some())
    }

    /// Takes over what was joined, and reports what could not be.
    fn settle(
        &mut self,
        mut joined: HashMap<PathBuf, Arc<Action>>,
        faults: BTreeMap<PathBuf, Vec<Problem>>,
        previous: &Catalog,
    ) {
        for (path, problems) in faults {
            let name = self.files.get(&path).and_then(|state| Some(state.action.as_ref()?.name.clone()));
            let owned = name.filter(|name| self.actions.get(name).is_some_and(|action| key(&action.source) == path));
            match (previous.joined.get(&path), owned) {
                (Some(action), Some(name)) => {
                    self.stale.entry(name.clone()).or_insert_with(|| problems[0].clone());
                    self.actions.insert(name, action.clone());
                }
                (None, Some(name)) => drop(self.actions.remove(&name)),
                (_, None) => {}
            }
            if let Some(action) = previous.joined.get(&path) {
                joined.insert(path, action.clone());
            }
            self.problems.extend(problems);
        }
        for (path, action) in &joined {
            if let Some(offered) = self.actions.get_mut(&action.name).filter(|offered| key(&offered.source) == *path) {
                *offered = action.clone();
            }
        }
        self.joined = joined;
    }
}

/// Where names and files lead.
struct Index<'c> {
    catalog: &'c Catalog,
    by_name: HashMap<&'c str, PathBuf>,
    by_path: HashMap<PathBuf, &'c Path>,
}

impl<'c> Index<'c> {
    fn of(catalog: &'c Catalog) -> Index<'c> {
        Index {
            catalog,
            by_name: catalog.actions.iter().map(|(name, action)| (name.as_str(), key(&action.source))).collect(),
            by_path: catalog.files.keys().map(|path| (plain(path), path.as_path())).collect(),
        }
    }

    fn resolve(&self, path: &Path, action: &Action) -> Result<Vec<PathBuf>, Vec<Problem>> {
        let mut targets = Vec::with_capacity(action.references.len());
        let mut problems = Vec::new();
        for reference in action.references.iter() {
            match self.target(path, &reference.target) {
                Ok(target) => targets.push(target),
                Err((message, hint)) => {
                    problems.push(Problem::at(&action.source.shown(), &reference.place, message, Some(hint)));
                }
            }
        }
        if problems.is_empty() { Ok(targets) } else { Err(problems) }
    }

    /// What is wrong with the actions that files with other errors name: an author wants to see all faults at once.
    fn faults_of_broken_files(&self) -> Vec<Problem> {
        let mut files: Vec<_> = self.catalog.files.iter().filter(|(_, state)| !state.unlinked.is_empty()).collect();
        files.sort_by_key(|(path, _)| *path);
        let mut problems = Vec::new();
        for (path, state) in files {
            let Some(shown) = state.problems.first().map(|problem| &problem.file) else { continue };
            for reference in state.unlinked.iter() {
                match self.target(path, &reference.target) {
                    Ok(target) => {
                        let part = self.catalog.files.get(&target).and_then(|state| state.action.as_ref());
                        problems.extend(part.into_iter().flat_map(|part| reference.misfits(shown, part)));
                    }
                    Err((message, hint)) => problems.push(Problem::at(shown, &reference.place, message, Some(hint))),
                }
            }
        }
        problems
    }

    /// The file of a target; otherwise a message and a hint.
    fn target(&self, from: &Path, target: &str) -> Result<PathBuf, (String, String)> {
        if !target.ends_with(".yaml") && !target.ends_with(".yml") {
            return self.by_name.get(target).cloned().ok_or_else(|| {
                let part = self.catalog.files.values().filter(|state| state.is_part).find_map(|state| {
                    let action = state
                        .action
                        .as_ref()
                        .filter(|action| action.name.trim_start_matches('_') == target.trim_start_matches('_'))?;
                    Some(format!(
                        "`{}` is no tool: name its file, relative to this one",
                        action.source.shown().display()
                    ))
                });
                let hint = did_you_mean(target, self.by_name.keys().copied()).or(part);
                let hint = hint.unwrap_or_else(|| "name an action, or a file that ends in `.yaml`".into());
                (format!("there is no action `{target}`"), hint)
            });
        }
        let directory = from.parent().unwrap_or(Path::new(""));
        let path = plain(&directory.join(target));
        match self.by_path.get(&path) {
            Some(found) if self.catalog.has_action(found) => Ok((*found).to_owned()),
            Some(_) => Err((format!("`{target}` has errors"), "see its own problems".to_owned())),
            None => {
                let beside = self.by_path.keys().filter(|other| other.parent() == path.parent());
                let names: Vec<&str> = beside.filter_map(|other| other.file_name()?.to_str()).collect();
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
                let hint = did_you_mean(name, names).unwrap_or_else(|| "a file is named relative to this one".into());
                Err((format!("there is no file `{target}`"), hint))
            }
        }
    }
}

impl Pending {
    /// The caller with the versions it performs.
    fn join(&self, ready: &HashMap<PathBuf, Arc<Action>>) -> Result<Arc<Action>, Vec<Problem>> {
        let shown = self.action.source.shown();
        let mut parts = BTreeMap::new();
        let mut secrets: BTreeSet<_> = self.action.secrets.clone();
        let mut problems = Vec::new();
        for (reference, target) in self.action.references.iter().zip(&self.targets) {
            let Some(part) = ready.get(target) else {
                let message = format!("`{}` can't be performed", reference.target);
                problems.push(Problem::at(&shown, &reference.place, message, Some("see its own problems".into())));
                continue;
            };
            problems.extend(reference.misfits(&shown, part));
            secrets.extend(part.secrets.iter().cloned());
            parts.insert(reference.target.clone(), part.clone());
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Arc::new(Action { parts: Arc::new(parts), secrets, ..Action::clone(&self.action) }))
    }

    /// Why a caller's references never end: a circle, one further on, or too many in a row.
    fn endless(&self, pending: &[Pending], circular: &HashSet<&Path>) -> Problem {
        let file = self.action.source.shown();
        let at = |index: usize| &self.action.references[index].place;
        if let Some((index, chain)) = self.circle(pending) {
            let message = format!("`{}` performs itself: {}", self.action.name, chain.join(" → "));
            return Problem::at(&file, at(index), message, Some("let one of them do without the other".into()));
        }
        for (index, target) in self.targets.iter().enumerate() {
            if way(target, pending, &|path| circular.contains(path)).is_some() {
                let message = format!("`{}` can't be performed", self.action.references[index].target);
                return Problem::at(&file, at(index), message, Some("see its own problems".into()));
            }
        }
        let message = format!("actions perform each other more than {MOST_RUNS} deep");
        Problem::at(&file, at(0), message, Some("let an action further up perform the others one by one".into()))
    }

    /// The reference that leads back to this caller, and the names on the way.
    fn circle(&self, pending: &[Pending]) -> Option<(usize, Vec<String>)> {
        let (index, mut way) = self
            .targets
            .iter()
            .enumerate()
            .find_map(|(index, target)| Some((index, way(target, pending, &|path| path == self.path)?)))?;
        way.push(self.action.name.clone());
        way.reverse();
        Some((index, way))
    }
}

/// The names on the shortest way from a caller to one that is wanted, backwards.
fn way(from: &Path, pending: &[Pending], wanted: &dyn Fn(&Path) -> bool) -> Option<Vec<String>> {
    let find = |path: &Path| pending.iter().find(|caller| caller.path == path);
    let mut before: HashMap<&Path, Option<&Path>> = HashMap::from([(from, None)]);
    let mut next = VecDeque::from([from]);
    while let Some(at) = next.pop_front().filter(|_| before.len() < MOST_VISITS) {
        if wanted(at) {
            let way = std::iter::successors(Some(at), |at| before.get(at).copied().flatten());
            return Some(way.filter_map(|path| Some(find(path)?.action.name.clone())).collect());
        }
        for to in find(at).into_iter().flat_map(|caller| &caller.targets) {
            if !before.contains_key(to.as_path()) {
                before.insert(to, Some(at));
                next.push_back(to);
            }
        }
    }
    None
}

impl Reference {
    /// How the arguments do not fit the action.
    fn misfits(&self, file: &Path, part: &Action) -> Vec<Problem> {
        let none = Map::new();
        let properties = part.input_schema.get("properties").and_then(Value::as_object).unwrap_or(&none);
        let required = part.input_schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let required: Vec<&str> = required.filter_map(Value::as_str).collect();
        let names = || properties.keys().map(String::as_str);
        let mut problems = Vec::new();
        let mut literals = Map::new();
        for given in &self.given {
            if !properties.contains_key(&given.name) {
                let hint = did_you_mean(&given.name, names()).unwrap_or_else(|| match properties.is_empty() {
                    true => format!("`{}` takes no arguments", part.name),
                    false => format!("`{}` takes {}", part.name, listed(names())),
                });
                let message = format!("`{}` has no input `{}`", part.name, given.name);
                problems.push(Problem::at(file, &given.key, message, Some(hint)));
            }
            let counts = |literal: &&Value| !literal.is_null() || required.contains(&given.name.as_str());
            if let Some(literal) = given.literal.as_ref().filter(counts) {
                literals.insert(given.name.clone(), literal.clone());
            }
        }
        let is_given = |name: &&str| self.given.iter().any(|given| given.name == *name);
        let missing: Vec<&str> = required.iter().copied().filter(|name| !is_given(name)).collect();
        if !missing.is_empty() {
            let message = format!("`{}` needs {}", part.name, listed(missing.iter().copied()));
            let hint = format!("add `with: {{ {}: … }}`", missing[0]);
            problems.push(Problem::at(file, &self.place, message, Some(hint)));
        }
        for violation in part.checker.check(&Value::Object(literals)) {
            let Some(Segment::Key(name)) = violation.path.first() else { continue };
            if let Some(given) = self.given.iter().find(|given| given.name == *name) {
                let message = format!("`{}`: {}", violation.path_text(), violation.message);
                problems.push(Problem::at(file, &given.value, message, None));
            }
        }
        problems.extend(self.misread(file, part));
        problems
    }

    /// Outputs that are read and that the action does not have.
    fn misread(&self, file: &Path, part: &Action) -> Vec<Problem> {
        let outputs = part.output_schema.as_ref().and_then(|schema| schema.get("properties")?.as_object());
        let Some(outputs) = outputs else { return Vec::new() };
        let names = || outputs.keys().map(String::as_str);
        let unknown = self.read.iter().filter(|(name, _)| !outputs.contains_key(name));
        let problem = |(name, place): &(String, Place)| {
            let message = format!("`{}` has no output `{name}`", part.name);
            let hint = did_you_mean(name, names()).unwrap_or_else(|| format!("its outputs are {}", listed(names())));
            Problem::at(file, place, message, Some(hint))
        };
        unknown.map(problem).collect()
    }
}

/// The key of an action's file in the catalog.
fn key(source: &Source) -> PathBuf {
    match source {
        Source::File { path, .. } => path.clone(),
        Source::Builtin(name) => Path::new("<builtin>").join(name),
    }
}

/// A path without `.` and `..`, as far as that can be told from it alone.
fn plain(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(plain.components().next_back(), Some(Component::Normal(_))) => {
                plain.pop();
            }
            component => plain.push(component),
        }
    }
    plain
}
