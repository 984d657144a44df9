//! The store: which value a name has now, and which values may never be shown.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use thiserror::Error;

use super::env_file::{EnvFile, EnvFileProblem};
use super::redactor::{MIN_LENGTH, Redactor};
use super::{SecretName, Tree};

/// Secrets that are named but not set anywhere, all of one request together.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}", self.what())]
pub struct MissingSecrets {
    /// The names, in alphabetical order.
    pub names: Vec<SecretName>,
    /// Those among them that are set to an empty value, which counts as none.
    pub empty: Vec<SecretName>,
    /// The `.env` file to put them in, if there is one.
    pub env_file: Option<PathBuf>,
    /// What is wrong with the `.env` files: maybe the lines that would have set them.
    pub problems: Vec<EnvFileProblem>,
}

impl MissingSecrets {
    /// Where to set them.
    pub fn hint(&self) -> String {
        let lines: Vec<String> = self.names.iter().map(|name| format!("`{name}=…`")).collect();
        let lines = lines.join(", ");
        let set = match &self.env_file {
            Some(path) => format!("put {lines} into `{}`, or set it in the host's environment", path.display()),
            None => format!("set {lines} in the host's environment"),
        };
        match self.problems.first() {
            Some(problem) => format!("a file of secrets is broken at {problem}: {}; otherwise {set}", problem.hint),
            None => set,
        }
    }

    fn what(&self) -> String {
        let absent: Vec<String> =
            self.names.iter().filter(|name| !self.empty.contains(name)).map(|name| format!("`{name}`")).collect();
        let absent = match absent.as_slice() {
            [] => None,
            [name] => Some(format!("a secret is not set: {name}")),
            names => Some(format!("secrets are not set: {}", names.join(", "))),
        };
        let empty = self.empty.iter().map(|name| format!("`{name}` is set to nothing"));
        absent.into_iter().chain(empty).collect::<Vec<_>>().join("; ")
    }
}

/// The secrets: `.env` files first, an earlier file before a later one, then the environment.
///
/// Its `Debug` prints names only.
pub struct Store {
    lookup: Box<Lookup>,
    state: Mutex<State>,
}

/// Answers for names that no file sets.
type Lookup = dyn Fn(&str) -> Option<String> + Send + Sync;

struct State {
    files: Vec<EnvFile>,
    watched: BTreeSet<SecretName>,
    /// Every value that may have been seen, rotated ones included.
    seen: Vec<(SecretName, SecretString)>,
    redactor: Arc<Redactor>,
}

impl Store {
    /// Opens the store and reads the `.env` files; what is wrong with them is told by [`Store::refresh`].
    ///
    /// `lookup` answers for names that no file sets, usually from the environment.
    pub fn new(env_files: Vec<PathBuf>, lookup: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Store {
        let files = env_files.into_iter().map(EnvFile::new).collect();
        let state = State { files, watched: BTreeSet::new(), seen: Vec::new(), redactor: Arc::default() };
        let store = Store { lookup: Box::new(lookup), state: Mutex::new(state) };
        store.refresh();
        store
    }

    /// Rereads the `.env` files whose bytes changed, and tells what is wrong with any of them now.
    ///
    /// A missing file is no problem and sets nothing; of one with bad lines the others count; one that can't be read
    /// keeps what it last said.
    pub fn refresh(&self) -> Vec<EnvFileProblem> {
        let mut state = self.state();
        state.files.iter_mut().for_each(EnvFile::refresh);
        let watched: Vec<SecretName> = state.watched.iter().cloned().collect();
        self.see(&mut state, &watched);
        state.problems()
    }

    /// Turns a tree into the value it stands for, all secrets in place, for use at once.
    pub fn resolve(&self, tree: &Tree) -> Result<Value, MissingSecrets> {
        let names: Vec<SecretName> = tree.names().into_iter().collect();
        let mut state = self.state();
        self.check(&state, &names)?;
        self.see(&mut state, &names);
        Ok(tree
            .render(&|name| self.value(&state, name).map(|value| value.expose_secret().to_owned()).unwrap_or_default()))
    }

    /// Checks that all of these names are set, to more than an empty value.
    ///
    /// # Errors
    /// [`MissingSecrets`] with every name that isn't.
    pub fn require<'a>(&self, names: impl IntoIterator<Item = &'a SecretName>) -> Result<(), MissingSecrets> {
        self.check(&self.state(), names)
    }

    /// The names among these that nothing sets.
    pub fn missing<'a>(&self, names: impl IntoIterator<Item = &'a SecretName>) -> Vec<SecretName> {
        self.require(names).err().map(|missing| missing.names).unwrap_or_default()
    }

    fn check<'a>(&self, state: &State, names: impl IntoIterator<Item = &'a SecretName>) -> Result<(), MissingSecrets> {
        let missing: BTreeSet<&SecretName> =
            names.into_iter().filter(|name| self.value(state, name).is_none()).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let names: Vec<SecretName> = missing.into_iter().cloned().collect();
        let is_given = |name: &&SecretName| self.values(state, name).next().is_some();
        Err(MissingSecrets {
            empty: names.iter().filter(is_given).cloned().collect(),
            names,
            env_file: state.files.first().map(|file| file.path().to_owned()),
            problems: state.problems(),
        })
    }

    /// Redacts the values of these names from now on, whether they are used or not.
    pub fn watch_names(&self, names: impl IntoIterator<Item = SecretName>) {
        let names: Vec<SecretName> = names.into_iter().collect();
        let mut state = self.state();
        self.see(&mut state, &names);
        state.watched.extend(names);
    }

    /// The redactor for all values known by now; it does not change, so take it at the moment of use.
    pub fn redactor(&self) -> Arc<Redactor> {
        Arc::clone(&self.state().redactor)
    }

    /// Notes the current values of names as values that may never be shown.
    fn see(&self, state: &mut State, names: &[SecretName]) {
        let before = state.seen.len();
        for name in names {
            let Some(value) = self.value(state, name) else { continue };
            let text = value.expose_secret();
            let is_known = state.seen.iter().any(|(known, seen)| known == name && seen.expose_secret() == text);
            if is_known {
                continue;
            }
            if text.chars().count() < MIN_LENGTH {
                tracing::warn!(secret = %name, "the value is shorter than {MIN_LENGTH} characters: it is hidden only where it stands alone");
            }
            state.seen.push((name.clone(), value));
        }
        if state.seen.len() > before {
            state.redactor = Arc::new(Redactor::new(&state.seen));
        }
    }

    /// The value of a name; an empty one counts as none, so that a line to be filled in is not typed as nothing.
    fn value(&self, state: &State, name: &SecretName) -> Option<SecretString> {
        self.values(state, name).find(|value| !value.expose_secret().is_empty())
    }

    /// What the files and the environment say about a name.
    fn values(&self, state: &State, name: &SecretName) -> impl Iterator<Item = SecretString> {
        let from_files = state.files.iter().filter_map(|file| file.get(name.as_str()).cloned());
        let from_environment = std::iter::once_with(|| (self.lookup)(name.as_str())).flatten();
        from_files.chain(from_environment.map(SecretString::from))
    }

    /// The state, even after a panic elsewhere: every change to it is complete in itself.
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn problems(&self) -> Vec<EnvFileProblem> {
        self.files.iter().flat_map(EnvFile::problems).cloned().collect()
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        let names: BTreeSet<&str> = state.files.iter().flat_map(EnvFile::names).map(String::as_str).collect();
        f.debug_struct("Store").field("in_files", &names).field("watched", &state.watched).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use serde_json::json;

    use super::*;
    use crate::secrets::Text;

    fn name(name: &str) -> SecretName {
        name.parse().expect("a valid name")
    }

    fn tree(source: &str) -> Tree {
        Tree::Text(Text::parse(source).expect("a template"))
    }

    fn environment(name: &str) -> Option<String> {
        match name {
            "HOME_TOKEN" => Some("from-environment".to_owned()),
            "PASSWORD" => Some("environment-password".to_owned()),
            _ => None,
        }
    }

    fn resolved(store: &Store, source: &str) -> Result<Value, String> {
        store.resolve(&tree(source)).map_err(|missing| format!("{missing}\nhint: {}", missing.hint()))
    }

    /// Files come before the environment, earlier files before later ones.
    #[test]
    fn sources_have_an_order() {
        let directory = tempfile::tempdir().expect("a directory");
        let (first, second) = (directory.path().join("a.env"), directory.path().join("b.env"));
        fs::write(&first, "PASSWORD='p$w'\n").expect("written");
        fs::write(&second, "PASSWORD=second\nOTHER=other\n").expect("written");
        let store = Store::new(vec![first.clone(), directory.path().join("none.env"), second], environment);
        assert_eq!(
            resolved(&store, "$<<PASSWORD>> $<<OTHER>> $<<HOME_TOKEN>>"),
            Ok(json!("p$w other from-environment"))
        );
        assert_eq!(
            resolved(&store, "$<<NOPE>> $<<PASSWORD>> $<<ABSENT>>"),
            Err(format!(
                "secrets are not set: `ABSENT`, `NOPE`\n\
                 hint: put `ABSENT=…`, `NOPE=…` into `{}`, or set it in the host's environment",
                first.display()
            ))
        );
        assert_eq!(
            resolved(&Store::new(vec![], |_| None), "$<<A>>"),
            Err("a secret is not set: `A`\nhint: set `A=…` in the host's environment".to_owned())
        );
        assert_eq!(store.missing(&[name("PASSWORD"), name("ABSENT"), name("ABSENT")]), [name("ABSENT")]);
    }

    /// A value is put in once: what it holds is never read as a template, and neither is data.
    #[test]
    fn values_are_not_templates() {
        let values = |name: &str| (name == "A").then(|| "$<<B>>".to_owned());
        let store = Store::new(vec![], values);
        assert_eq!(resolved(&store, "[$<<A>>]"), Ok(json!("[$<<B>>]")));
        let data = json!({ "k": ["$<<A>>", 1] });
        assert_eq!(store.resolve(&Tree::from_json(data.clone())), Ok(data));
    }

    /// An edited file counts at once, without its bad lines; old values stay hidden.
    #[test]
    fn files_are_reread() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(".env");
        let store = Store::new(vec![path.clone()], |_| None);
        store.watch_names([name("PASSWORD")]);
        assert_eq!((store.refresh(), store.redactor().is_empty()), (vec![], true));

        fs::write(&path, "PASSWORD=first-one").expect("written");
        assert_eq!(store.refresh(), []);
        assert_eq!(store.redactor().text("first-one"), "<secret:PASSWORD>");
        fs::write(&path, "PASSWORD=second-one").expect("written");
        assert_eq!(store.refresh(), []);
        assert_eq!(store.redactor().text("first-one, second-one"), "<secret:PASSWORD>, <secret:PASSWORD>");

        fs::write(&path, "USER=ada-lovelace\nPASSWORD=third one\nPIN=\n").expect("written");
        let problem = EnvFileProblem {
            path: path.clone(),
            line: Some(2),
            message: "not an assignment".to_owned(),
            hint: "write `NAME=value`; put a value with spaces, quotes or `\\` between single quotes",
        };
        assert_eq!((store.refresh(), store.refresh()), (vec![problem.clone()], vec![problem]));
        assert_eq!(resolved(&store, "$<<USER>>"), Ok(json!("ada-lovelace")));
        let shown = path.display();
        assert_eq!(
            resolved(&store, "$<<USER>> $<<PASSWORD>> $<<PIN>>"),
            Err(format!(
                "a secret is not set: `PASSWORD`; `PIN` is set to nothing\n\
                 hint: a file of secrets is broken at {shown}:2: not an assignment: write `NAME=value`; put a value with \
                 spaces, quotes or `\\` between single quotes; otherwise put `PASSWORD=…`, `PIN=…` into `{shown}`, or \
                 set it in the host's environment"
            ))
        );

        fs::write(&path, "bad\n".repeat(9)).expect("written");
        let problems: Vec<String> = store.refresh().iter().map(ToString::to_string).collect();
        assert_eq!((problems.len(), &problems[5]), (6, &format!("{shown}: 4 more lines can't be read")));

        fs::remove_file(&path).expect("removed");
        assert_eq!((store.refresh(), store.missing(&[name("PASSWORD")])), (vec![], vec![name("PASSWORD")]));
        assert_eq!(store.redactor().text("second-one"), "<secret:PASSWORD>");

        fs::write(&path, "PASSWORD=fourth-one").expect("written");
        assert_eq!(store.refresh(), []);
        fs::remove_file(&path).expect("removed");
        fs::create_dir(&path).expect("a directory in its place");
        let problems: Vec<String> = store.refresh().iter().map(ToString::to_string).collect();
        assert_eq!(problems, [format!("{}: can't read the file: not a regular file", path.display())]);
        assert_eq!(resolved(&store, "$<<PASSWORD>>"), Ok(json!("fourth-one")));
    }

    /// An empty value counts as none, and the next place that has the name is asked.
    #[test]
    fn empty_values_are_not_set() {
        let directory = tempfile::tempdir().expect("a directory");
        let path = directory.path().join(".env");
        fs::write(&path, "PASSX=\nPASSWORD=''\n").expect("written");
        let store = Store::new(vec![path], environment);
        assert_eq!(resolved(&store, "$<<PASSWORD>>"), Ok(json!("environment-password")));
        let missing = store.require(&[name("PASSX")]).expect_err("it is empty");
        assert_eq!(missing.to_string(), "`PASSX` is set to nothing");
    }

    /// Whatever has been resolved is hidden, even unwatched; nothing prints a value.
    #[test]
    fn used_values_are_hidden() {
        let store = Store::new(vec![], environment);
        assert_eq!(store.redactor().text("from-environment"), "from-environment");
        assert_eq!(resolved(&store, "$<<HOME_TOKEN>>"), Ok(json!("from-environment")));
        assert_eq!(store.redactor().text("from-environment"), "<secret:HOME_TOKEN>");
        assert_eq!(format!("{store:?}"), "Store { in_files: {}, watched: {}, .. }");
        assert_eq!(format!("{:?}", store.redactor()), r#"Redactor { names: {"HOME_TOKEN"}, .. }"#);
        fn shared<T: Send + Sync>(_: &T) {}
        shared(&store);
    }
}
