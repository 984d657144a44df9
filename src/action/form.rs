//! Owns the forms of a step: a word alone, a command with its arguments beside it, the classic form; which key names
//! the command. What the other keys mean is `steps`'s.

use super::context::{Context, Dialect};
use super::flow;
use super::meant;
use super::modifiers;
use super::problem::{Span, did_you_mean, listed, nearest};
use super::vocabulary::{Rules, is_reserved};
use super::yaml::{Entry, Kind, Node};
use crate::command;

/// Performs commands given as data.
pub const PERFORM: &str = "perform";

/// A step's parts before they are given a meaning.
pub struct Form<'n> {
    /// The command's name.
    pub name: &'n str,
    /// Where the name stands.
    pub span: Span,
    /// What stands at the name.
    pub main: Option<&'n Node>,
    /// What stands beside the name.
    pub beside: Vec<&'n Entry>,
    /// Whether it is in classic form, where `description` is a label.
    pub classic: bool,
}

/// Finds the command of a step.
pub fn read<'n>(cx: &mut Context<'_, '_>, node: &'n Node) -> Option<Form<'n>> {
    let entries = match &node.kind {
        Kind::Text(name) => {
            return Some(Form { name, span: node.span, main: None, beside: Vec::new(), classic: false });
        }
        Kind::Map(entries) if !entries.is_empty() => entries,
        _ => {
            let hint = match cx.dialect {
                Dialect::Data => r#"write `{"type": "click", "selector": "role:button[Sign in]"}`"#,
                _ => "write a command and its argument: `- click: role:button[Sign in]`",
            };
            cx.report.error(node.span, "not a step", Some(hint.into()));
            return None;
        }
    };
    let head = match classic_head(cx, entries) {
        Some(head) => {
            return Some(Form {
                name: head.value.text().unwrap_or_default(),
                span: head.value.span,
                main: None,
                beside: entries.iter().filter(|entry| entry.key.text != "type").collect(),
                classic: true,
            });
        }
        None => command_head(cx, entries)?,
    };
    Some(Form {
        name: &head.key.text,
        span: head.key.span,
        main: Some(&head.value),
        beside: entries.iter().filter(|entry| entry.key != head.key).collect(),
        classic: false,
    })
}

/// The `type:` that names the command of a step in classic form.
///
/// `type` is also a command: `- type: label:Email` with its `text:` beside it. Its value decides.
fn classic_head<'n>(cx: &Context<'_, '_>, entries: &'n [Entry]) -> Option<&'n Entry> {
    let head = entries.iter().find(|entry| entry.key.text == "type")?;
    let word = head.value.text()?;
    let has = |key: &str| entries.iter().any(|entry| entry.key.text == key);
    let named = command::find(word).is_some() || word == PERFORM || flow::word(word).is_some() || is_reserved(word);
    let typing = command::find("type").map(Rules::of);
    let types = |entry: &Entry| typing.is_some_and(|rules| rules.argument(&entry.key.text).is_some());
    let mistyped = !entries.iter().any(types) && nearest(word, command_names()).is_some();
    let classic = cx.dialect != Dialect::Shortcut || named || has("selector") || mistyped;
    classic.then_some(head)
}

/// The key that names the command of a step.
fn command_head<'n>(cx: &mut Context<'_, '_>, entries: &'n [Entry]) -> Option<&'n Entry> {
    let word = |entry: &Entry| entry.key.text.clone();
    let is_command = |entry: &&Entry| {
        let word = entry.key.text.as_str();
        command::find(word).is_some() || word == PERFORM || flow::word(word).is_some()
    };
    let commands: Vec<&Entry> = entries.iter().filter(is_command).collect();
    let takes = |head: &Entry, other: &Entry| {
        let definition = command::find(&head.key.text);
        definition.is_some_and(|d| Rules::of(d).argument(&other.key.text).is_some())
    };
    let fits = |head: &&&Entry| {
        let others = commands.iter().filter(|other| other.key != head.key);
        others.into_iter().all(|other| takes(head, other))
    };
    if let Some(head) = commands.iter().find(fits) {
        return Some(head);
    }
    if let [first, second, ..] = commands.as_slice() {
        let message = format!("a step is one command, found `{}` and `{}`", word(first), word(second));
        let hint = match word(first).as_str() {
            "if" => "put it under `then`",
            _ => "start a new step with `- `",
        };
        cx.report.error(second.key.span, message, Some(hint.into()));
        return None;
    }
    let unknown = entries.iter().find(|entry| is_reserved(&entry.key.text));
    let unknown = unknown.or_else(|| {
        let modifier = |entry: &&Entry| !modifiers::of(cx.dialect).contains(&entry.key.text.as_str());
        entries.iter().find(modifier)
    });
    match unknown {
        Some(entry) => unknown_command(cx, &entry.key.text, entry.key.span),
        None => cx.report.error(
            entries.first().map_or(Span::default(), |entry| entry.key.span),
            "the step has no command",
            Some("put one first, for example `- click: role:button[Sign in]`".into()),
        ),
    }
    None
}

/// The words that may name a step.
fn command_names() -> impl Iterator<Item = &'static str> {
    command::all().iter().map(|definition| definition.name).chain(flow::WORDS.iter().map(|word| word.name))
}

/// Reports a word that is no command.
pub fn unknown_command(cx: &mut Context<'_, '_>, name: &str, span: Span) {
    let commands = || command::all().iter().map(|definition| definition.name);
    if flow::word(name).is_some() {
        let (message, hint) = match cx.dialect {
            Dialect::Data => (format!("`{name}` is a word of action files"), "give the commands one by one"),
            _ => (
                format!("`{name}` belongs into a list `steps`"),
                "rename `commands` to `steps`, which takes both forms",
            ),
        };
        cx.report.error(span, message, Some(hint.into()));
        return;
    }
    if is_reserved(name) {
        let message = format!("`{name}` is not supported by this version");
        cx.report.error(span, message, None);
        return;
    }
    let flow = command_names().filter(|_| cx.dialect == Dialect::Shortcut);
    let hint = meant::command(name)
        .or_else(|| did_you_mean(name, commands().chain(flow)))
        .or_else(|| did_you_mean(&command::snake_case(name), commands()))
        .unwrap_or_else(|| format!("the commands are {}", listed(commands())));
    let message = format!("unknown command `{name}`");
    cx.report.error(span, message, Some(hint));
}
