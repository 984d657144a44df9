//! Owns the reading of one YAML file into an action: its head, and which of the readers reads which part.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

use super::context::{Context, Dialect};
use super::problem::{Report, Span, did_you_mean, listed, nearest};
use super::schema::Checker;
use super::shortcut::Shortcut;
use super::vocabulary::is_reserved;
use super::yaml::{self, Entry, Kind, Node};
use super::{Action, Annotations, Body, Source, compose, inputs, modifiers, outputs, steps};

/// The keys of a file.
pub const KEYS: [&str; 11] = [
    "name",
    "title",
    "description",
    "annotations",
    "inputs",
    "timeout",
    "needs",
    "steps",
    "finally",
    "errors",
    "outputs",
];

/// Keys of the head that a list of classic commands takes; the others are those of `steps`.
const CLASSIC_KEYS: [&str; 7] = ["name", "title", "description", "annotations", "inputs", "timeout", "outputs"];

/// The list of steps of a classic file.
pub const COMMANDS: &str = "commands";

/// What other tools call our keys.
const OTHER_WORDS: [(&[&str], &str); 5] = [
    (&["variables", "vars", "params", "parameters", "arguments", "args", "input"], "inputs"),
    (&["tasks", "actions", "script", "flow", "step", "command"], "steps"),
    (&["output", "results", "result", "returns", "exports"], "outputs"),
    (&["summary", "about", "desc", "help"], "description"),
    (&["id"], "name"),
];

/// Some clients cut a longer description.
const LONGEST_DESCRIPTION: usize = 2000;
/// The schemas of one tool may take this many bytes of a model's context.
const LARGEST_SCHEMA: usize = 16 * 1024;
const LONGEST_NAME: usize = 40;

/// Names of the host's own tools.
pub const HOST_TOOLS: [&str; 2] = ["list_actions", "run_action"];

/// Reads one file. The action is `None` exactly if the report has errors. A file that `is_part` of others is no tool:
/// any name will do.
pub fn read(
    report: &mut Report<'_>,
    source: Source,
    default_name: &str,
    version: &str,
    is_part: bool,
) -> Option<Action> {
    let tree = yaml::parse(report)?;
    let Some(entries) = tree.entries() else {
        let hint = "start with `description:` and `steps:`";
        let message = match tree.kind {
            Kind::Null => "the file is empty",
            _ => "the file is not a map",
        };
        report.error(tree.span, message, Some(hint.into()));
        return None;
    };
    check_keys(report, &tree, entries);
    let name = if is_part { default_name.to_owned() } else { name(report, &tree, default_name) };
    let title = text(report, &tree, "title");
    let description = match is_part {
        true => text(report, &tree, "description").unwrap_or_else(|| name.clone()),
        false => description(report, &tree, title.as_deref(), &name),
    };
    let annotations = annotations(report, &tree);
    let declared = tree.get("inputs").map(|node| inputs::read(report, node));
    let declared = declared.unwrap_or_default();

    let body = tree.get("steps").map(|node| ("steps", node, Dialect::Shortcut));
    let body = body.or_else(|| tree.get(COMMANDS).map(|node| (COMMANDS, node, Dialect::Classic)));
    let Some((key, list, dialect)) = body else {
        let hint = "add `steps:` with one command per line, for example `- get_title`";
        report.error(Span { length: 0, ..tree.span }, "the file has no `steps`", Some(hint.into()));
        return None;
    };
    let mut cx = Context::new(report, dialect, declared.names(), steps::captures(list));
    let names = |entries: &[Entry]| entries.iter().map(|entry| entry.key.text.clone()).collect();
    cx.outputs = tree.get("outputs").and_then(Node::entries).map(names);
    let needs = tree.get("needs").map(|node| compose::needs(&mut cx, node)).unwrap_or_default();
    let steps = steps::read_list(&mut cx, key, list);
    let finally = tree.get("finally").map(|node| compose::finally(&mut cx, node)).unwrap_or_default();
    let errors = tree.get("errors").map(|node| compose::errors(&mut cx, node)).unwrap_or_default();
    let outputs = tree.get("outputs").map(|node| outputs::read(&mut cx, node)).unwrap_or_default();
    let timeout: Option<Duration> = tree.get("timeout").and_then(|node| modifiers::read_timeout(&mut cx, node));
    declared.warn_unused(cx.report, cx.names.used_inputs());
    let (secrets, references) = cx.finish();

    let input_schema = declared.schema();
    let output_schema = outputs::schema(&outputs);
    if report.has_errors() {
        return None;
    }
    let checker = checker(report, &tree, &input_schema, output_schema.as_ref());
    if report.has_errors() {
        return None;
    }
    Some(Action {
        name,
        title,
        description,
        annotations,
        input_schema: Arc::new(input_schema),
        output_schema: output_schema.map(Arc::new),
        source,
        version: version.to_owned(),
        timeout,
        body: Body::Shortcut(Arc::new(Shortcut { needs, steps, finally, errors, outputs })),
        checker: Arc::new(checker),
        secrets,
        references: references.into(),
        parts: Arc::default(),
    })
}

fn check_keys(report: &mut Report<'_>, tree: &Node, entries: &[Entry]) {
    let is_classic = tree.get(COMMANDS).is_some();
    for Entry { key, .. } in entries {
        let word = key.text.as_str();
        if KEYS.contains(&word) {
            if !CLASSIC_KEYS.contains(&word) && word != "steps" && tree.get("steps").is_none() && is_classic {
                let hint = "rename `commands` to `steps`, which takes both forms";
                report.error(key.span, format!("`{word}` belongs to a file with `steps`"), Some(hint.into()));
            }
            continue;
        }
        if word == COMMANDS {
            if tree.get("steps").is_some() {
                let hint = "move its steps to `steps`, which takes both forms";
                report.error(key.span, "a file has `steps` or `commands`, not both", Some(hint.into()));
            }
            continue;
        }
        if is_reserved(word) {
            report.error(key.span, format!("`{word}` is not supported by this version"), None);
            continue;
        }
        let others = OTHER_WORDS.iter().find(|other| other.0.contains(&word)).map(|other| other.1);
        let hint = others.map(|meant| format!("did you mean `{meant}`?")).or_else(|| did_you_mean(word, KEYS));
        let hint = hint.unwrap_or_else(|| format!("known are {}", listed(KEYS)));
        report.error(key.span, format!("unknown key `{word}`"), Some(hint));
    }
}

/// Whether every client takes this as the name of a tool.
pub fn is_tool_name(name: &str) -> bool {
    let mut characters = name.chars();
    name.len() <= LONGEST_NAME
        && characters.next().is_some_and(|c| c.is_ascii_lowercase())
        && characters.all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}

fn name(report: &mut Report<'_>, tree: &Node, default: &str) -> String {
    let (name, span) = match tree.get("name") {
        Some(node) => match node.text() {
            Some(name) => (name, node.span),
            None => {
                report.error(node.span, "`name` is not text", None);
                return default.to_owned();
            }
        },
        None => (default, Span::default()),
    };
    let hint = || {
        let rule = format!("start with a letter, then up to {} of `a-z`, `0-9` and `_`", LONGEST_NAME - 1);
        match tree.get("name") {
            Some(_) => rule,
            None => format!("give the file a `name:`; {rule}"),
        }
    };
    if !is_tool_name(name) {
        report.error(span, format!("`{name}` can't be the name of a tool"), Some(hint()));
    } else if HOST_TOOLS.contains(&name) {
        let message = format!("`{name}` is the name of a tool of the host");
        report.error(span, message, Some("choose another name".into()));
    }
    name.to_owned()
}

fn text(report: &mut Report<'_>, tree: &Node, key: &str) -> Option<String> {
    let node = tree.get(key)?;
    match &node.kind {
        Kind::Text(text) => Some(text.trim().to_owned()),
        _ => {
            report.error(node.span, format!("`{key}` is not text"), None);
            None
        }
    }
}

fn description(report: &mut Report<'_>, tree: &Node, title: Option<&str>, name: &str) -> String {
    let text = text(report, tree, "description").unwrap_or_default();
    if text.chars().count() > LONGEST_DESCRIPTION {
        let span = tree.get("description").map_or(Span::default(), |node| node.span);
        let message = format!("the description has more than {LONGEST_DESCRIPTION} characters");
        report.error(span, message, Some("say it in a few sentences: agents read it with every request".into()));
    }
    if !text.is_empty() {
        return text;
    }
    let meant = |entry: &Entry| nearest(&entry.key.text, ["description"]).is_some();
    if tree.get("commands").is_none() && !tree.entries().unwrap_or_default().iter().any(meant) {
        let start = tree.span.start;
        let hint = "say in one sentence what it does and when to use it: agents choose by it";
        report.warning(Span { start, length: 0 }, "the action has no description", Some(hint.into()));
    }
    match title {
        Some(title) => title.to_owned(),
        None => format!("Perform `{name}`"),
    }
}

fn annotations(report: &mut Report<'_>, tree: &Node) -> Annotations {
    const NAMES: [&str; 4] = ["readOnly", "destructive", "idempotent", "openWorld"];
    let mut annotations = Annotations::default();
    let Some(node) = tree.get("annotations") else {
        return annotations;
    };
    let Some(entries) = node.entries() else {
        let hint = "write `annotations: { readOnly: true }`";
        report.error(node.span, "`annotations` is not a map", Some(hint.into()));
        return annotations;
    };
    for Entry { key, value } in entries {
        let field = match key.text.as_str() {
            "readOnly" | "read_only" => &mut annotations.read_only,
            "destructive" => &mut annotations.destructive,
            "idempotent" => &mut annotations.idempotent,
            "openWorld" | "open_world" => &mut annotations.open_world,
            other => {
                let hint = did_you_mean(other, NAMES.into_iter().chain(["read_only", "open_world"]));
                let hint = hint.unwrap_or_else(|| format!("known are {}", listed(NAMES)));
                report.error(key.span, format!("unknown annotation `{other}`"), Some(hint));
                continue;
            }
        };
        match value.kind {
            Kind::Bool(value) => *field = Some(value),
            _ => {
                let message = format!("`{}` is neither `true` nor `false`", key.text);
                report.error(value.span, message, None);
            }
        }
    }
    annotations
}

/// The check of arguments, unless the schemas are too large for a model.
fn checker(
    report: &mut Report<'_>,
    tree: &Node,
    input: &Map<String, Value>,
    output: Option<&Map<String, Value>>,
) -> Checker {
    let place = |key: &str| tree.get(key).map_or(Span::default(), |node| node.span);
    let input = Value::Object(input.clone());
    let output = output.cloned().map(Value::Object);
    for (key, schema) in [("inputs", Some(&input)), ("outputs", output.as_ref())] {
        let size = schema.map_or(0, |schema| schema.to_string().len());
        if size > LARGEST_SCHEMA && !takes_commands(tree) {
            let message = format!("`{key}` makes a schema of {size} bytes, more than {LARGEST_SCHEMA}");
            report.error(place(key), message, Some("declare less, or shorten the descriptions".into()));
        }
    }
    Checker::new(input)
}

/// The vocabulary's own schema is not the author's to shorten.
fn takes_commands(tree: &Node) -> bool {
    let inputs = tree.get("inputs").and_then(Node::entries).unwrap_or_default();
    let is_commands = |node: &Node| node.text() == Some("commands");
    inputs.iter().any(|entry| is_commands(&entry.value) || entry.value.get("type").is_some_and(is_commands))
}
