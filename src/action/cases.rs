//! Owns the reading of test files: `login.test.yaml` holds cases for `login.yaml`. What a case gives and expects is
//! known here; performing it is left to others.

mod compare;

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::{Map, Value};

use super::context::{Context, Dialect};
use super::expression::{ExpressionError, Scope};
use super::modifiers;
use super::names::Origin;
use super::problem::{Position, Problem, Report, Span, did_you_mean, listed, nearest};
use super::template::Argument;
use super::yaml::{self, Entry, Kind, Node};
use crate::secrets::SecretName;
use crate::selector::TextMatch;

pub use compare::{difference, differences};

const KEYS: [&str; 6] = ["fixture", "url", "inputs", "secrets", "timeout", "cases"];
const CASE_KEYS: [&str; 9] = ["name", "fixture", "url", "inputs", "secrets", "timeout", "outputs", "text", "error"];
const EXAMPLE: &str = "cases: [{ name: signs in, outputs: { account: Ada } }]";
/// Cases of one file.
const MOST_CASES: usize = 1000;

/// One call of an action, and what must come of it.
#[derive(Debug)]
pub struct Case {
    /// What people call it.
    pub name: String,
    /// Where it stands in its file.
    pub position: Position,
    /// Where its pages are.
    pub pages: Pages,
    /// The secrets that are set, to made-up values.
    pub secrets: Vec<(SecretName, String)>,
    /// How long one step may take, unless it says otherwise.
    pub timeout: Option<Duration>,
    /// What must come of it.
    pub expected: Expected,
    inputs: Vec<(String, Argument)>,
}

/// Where the pages of a case are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pages {
    /// The action knows by itself.
    Own,
    /// In a directory that is served for the case.
    Fixture(PathBuf),
    /// At an address.
    Url(String),
}

/// What must come of a case.
#[derive(Debug)]
pub enum Expected {
    /// It succeeds with these outputs, or with this text; what is not named may be anything.
    Success {
        /// The outputs.
        outputs: Map<String, Value>,
        /// What it answers where it declares no outputs.
        text: Option<Value>,
    },
    /// It fails.
    Failure {
        /// The author's code.
        code: Option<String>,
        /// What the message holds, or matches.
        message: Option<TextMatch>,
    },
}

/// The name of the action's file, if a file's name is that of a test.
pub fn tested(file: &Path) -> Option<PathBuf> {
    let name = file.file_name()?.to_str()?;
    let (stem, extension) = name.rsplit_once('.').filter(|(_, end)| matches!(*end, "yaml" | "yml"))?;
    Some(file.with_file_name(format!("{}.{extension}", stem.strip_suffix(".test")?)))
}

/// Reads the text of a test file, which people know as `shown` and which stands in `directory`.
///
/// # Errors
/// Every problem of the file.
pub fn read(shown: &Path, directory: &Path, text: &str) -> Result<Vec<Case>, Vec<Problem>> {
    let mut report = Report::new(shown, text);
    let cases = file(&mut report, directory);
    match report.has_errors() {
        true => Err(report.finish()),
        false => Ok(cases.unwrap_or_default()),
    }
}

impl Case {
    /// The inputs, with the address of the case's pages where they ask for it.
    pub fn inputs(&self, url: &str) -> Result<Map<String, Value>, ExpressionError> {
        let mut scope = Scope::default();
        scope.set("url", &url.into());
        self.inputs.iter().map(|(name, argument)| Ok((name.clone(), argument.value(&scope)?))).collect()
    }
}

/// What a file says for all of its cases.
struct Common<'n> {
    pages: Pages,
    inputs: Option<&'n Node>,
    secrets: Vec<(SecretName, String)>,
    timeout: Option<Duration>,
}

fn file(report: &mut Report<'_>, directory: &Path) -> Option<Vec<Case>> {
    let tree = yaml::parse(report)?;
    let Some(entries) = tree.entries() else {
        let message = if tree.kind == Kind::Null { "the file is empty" } else { "the file is not a map" };
        report.error(tree.span, message, Some(format!("for example `{EXAMPLE}`")));
        return None;
    };
    known(report, entries, &KEYS, "a test");
    let common = Common {
        pages: pages(report, &tree, directory).unwrap_or(Pages::Own),
        inputs: tree.get("inputs"),
        secrets: tree.get("secrets").map(|node| secrets(report, node)).unwrap_or_default(),
        timeout: timeout(report, &tree),
    };
    let list = match tree.get("cases").map(|node| (&node.kind, node.span)) {
        Some((Kind::List(items), _)) if !items.is_empty() && items.len() <= MOST_CASES => items,
        Some((Kind::List(items), span)) if items.len() > MOST_CASES => {
            let hint = "divide the file into several";
            report.error(span, format!("the file has more than {MOST_CASES} cases"), Some(hint.into()));
            return None;
        }
        Some((_, span)) => {
            report.error(span, "`cases` is not a list of cases", Some(format!("for example `{EXAMPLE}`")));
            return None;
        }
        None => {
            let span = Span { length: 0, ..tree.span };
            report.error(span, "the file has no `cases`", Some(format!("for example `{EXAMPLE}`")));
            return None;
        }
    };
    let mut cases: Vec<Case> = Vec::with_capacity(list.len());
    for node in list {
        let Some(case) = case(report, node, &common, directory) else { continue };
        if cases.iter().any(|other| other.name == case.name) {
            let span = node.get("name").map_or(node.span, |name| name.span);
            let message = format!("`{}` is already the name of a case", case.name);
            report.error(span, message, Some("give each case its own name".into()));
        }
        cases.push(case);
    }
    Some(cases)
}

fn case(report: &mut Report<'_>, node: &Node, common: &Common<'_>, directory: &Path) -> Option<Case> {
    let Some(entries) = node.entries() else {
        report.error(node.span, "the case is not a map", Some(format!("for example `{EXAMPLE}`")));
        return None;
    };
    known(report, entries, &CASE_KEYS, "a case");
    let Some(name) = node.get("name").and_then(Node::text).map(str::trim).filter(|name| !name.is_empty()) else {
        let span = node.get("name").map_or(node.span, |name| name.span);
        if !entries.iter().any(|entry| entry.key.text != "name" && nearest(&entry.key.text, ["name"]).is_some()) {
            report.error(span, "the case has no name", Some("say what it shows, `name: signs in`".into()));
        }
        return None;
    };
    let mut given: Vec<(String, Argument)> = Vec::new();
    for inputs in [common.inputs, node.get("inputs")].into_iter().flatten() {
        for (name, argument) in self::inputs(report, inputs) {
            given.retain(|(other, _)| *other != name);
            given.push((name, argument));
        }
    }
    let mut secrets = common.secrets.clone();
    for (name, value) in node.get("secrets").map(|node| self::secrets(report, node)).unwrap_or_default() {
        secrets.retain(|(other, _)| *other != name);
        secrets.push((name, value));
    }
    Some(Case {
        name: name.to_owned(),
        position: node.span.start.unwrap_or(Position { line: 1, column: 1 }),
        pages: pages(report, node, directory).unwrap_or_else(|| common.pages.clone()),
        secrets,
        timeout: timeout(report, node).or(common.timeout),
        expected: expected(report, node, entries)?,
        inputs: given,
    })
}

fn known(report: &mut Report<'_>, entries: &[Entry], keys: &[&'static str], what: &str) {
    for Entry { key, .. } in entries.iter().filter(|entry| !keys.contains(&entry.key.text.as_str())) {
        let hint = did_you_mean(&key.text, keys.iter().copied());
        let hint = hint.unwrap_or_else(|| format!("known are {}", listed(keys.iter().copied())));
        report.error(key.span, format!("unknown key `{}` for {what}", key.text), Some(hint));
    }
}

/// `fixture`, a directory beside the file, or `url`.
fn pages(report: &mut Report<'_>, node: &Node, directory: &Path) -> Option<Pages> {
    let mut text = |key: &str| {
        let node = node.get(key)?;
        if node.text().is_none() {
            report.error(node.span, format!("`{key}` is not text"), None);
        }
        Some((node.span, node.text()?))
    };
    match (text("fixture"), text("url")) {
        (Some(_), Some((span, _))) => {
            let hint = "keep one of the two";
            report.error(span, "the pages are in a `fixture` or at a `url`, not both", Some(hint.into()));
            None
        }
        (Some((span, path)), None) => {
            let fixture = directory.join(path);
            if !fixture.is_dir() {
                let hint = "name a directory with HTML files, relative to this file";
                report.error(span, format!("there is no directory `{path}`"), Some(hint.into()));
            }
            Some(Pages::Fixture(fixture))
        }
        (None, Some((span, url))) => {
            if !url.starts_with("http://") && !url.starts_with("https://") {
                let message = format!("`{url}` is not an absolute address");
                report.error(span, message, Some("write it with `http://` or `https://`".into()));
            }
            Some(Pages::Url(url.trim_end_matches('/').to_owned()))
        }
        (None, None) => None,
    }
}

fn timeout(report: &mut Report<'_>, node: &Node) -> Option<Duration> {
    let mut cx = Context::new(report, Dialect::Shortcut, Vec::new(), Vec::new());
    modifiers::read_timeout(&mut cx, node.get("timeout")?)
}

fn inputs(report: &mut Report<'_>, node: &Node) -> Vec<(String, Argument)> {
    let Some(entries) = node.entries() else {
        report.error(node.span, "`inputs` is not a map", Some("write one `name: value` per line".into()));
        return Vec::new();
    };
    let mut cx = Context::new(report, Dialect::Shortcut, Vec::new(), Vec::new());
    cx.give("url", Span::default(), Origin::Variable);
    let read = |entry: &Entry| (entry.key.text.clone(), cx.argument_without_secrets(&entry.value, "a test's inputs"));
    entries.iter().map(read).collect()
}

fn secrets(report: &mut Report<'_>, node: &Node) -> Vec<(SecretName, String)> {
    let Some(entries) = node.entries() else {
        report.error(node.span, "`secrets` is not a map", Some("write one `NAME: made-up value` per line".into()));
        return Vec::new();
    };
    let mut secrets = Vec::with_capacity(entries.len());
    for Entry { key, value } in entries {
        let Ok(name) = key.text.parse::<SecretName>() else {
            let message = format!("`{}` can't be the name of a secret", key.text);
            report.error(key.span, message, Some("use letters, digits and `_`".into()));
            continue;
        };
        match &value.kind {
            Kind::Text(text) => secrets.push((name, text.clone())),
            Kind::Number(_) | Kind::Bool(_) => {
                let written = value.written(report.source());
                secrets.push((name, written.unwrap_or_else(|| value.to_json().to_string())));
            }
            _ => report.error(value.span, format!("`{name}` is not text"), Some("write a made-up value".into())),
        }
    }
    secrets
}

fn expected(report: &mut Report<'_>, node: &Node, entries: &[Entry]) -> Option<Expected> {
    if let Some(error) = node.get("error") {
        if let Some(other) = entries.iter().find(|entry| matches!(entry.key.text.as_str(), "outputs" | "text")) {
            let message = format!("`{}` has no place beside `error`", other.key.text);
            report.error(other.key.span, message, Some("a run that fails has no outputs".into()));
        }
        return failure(report, error);
    }
    let outputs = match node.get("outputs") {
        None => Map::new(),
        Some(node) => match node.to_json() {
            Value::Object(outputs) => outputs,
            _ => {
                report.error(node.span, "`outputs` is not a map", Some("write one `name: value` per line".into()));
                return None;
            }
        },
    };
    Some(Expected::Success { outputs, text: node.get("text").map(Node::to_json) })
}

/// `error: bad_credentials`, or with words of its message.
fn failure(report: &mut Report<'_>, node: &Node) -> Option<Expected> {
    const EXAMPLE: &str = "write its code, `error: bad_credentials`, or `error: { message: wrong password }`";
    if let Some(code) = node.text() {
        return Some(Expected::Failure { code: Some(code.to_owned()), message: None });
    }
    let Some(entries) = node.entries().filter(|entries| !entries.is_empty()) else {
        report.error(node.span, "`error` says neither a code nor a message", Some(EXAMPLE.into()));
        return None;
    };
    known(report, entries, &["code", "message"], "`error`");
    let mut text = |key: &str| {
        let node = node.get(key)?;
        if node.text().is_none() {
            report.error(node.span, format!("`{key}` is not text"), Some(EXAMPLE.into()));
        }
        Some((node.span, node.text()?))
    };
    let code = text("code").map(|(_, code)| code.to_owned());
    let message = match text("message").map(|(span, text)| (span, TextMatch::parse(text))) {
        Some((span, Err(error))) => {
            report.error(span, error.to_string(), error.hint().map(str::to_owned));
            None
        }
        Some((_, Ok(message))) => Some(message),
        None => None,
    };
    Some(Expected::Failure { code, message })
}
