//! Owns the reading of a list of steps. Which key names a step's command is `form`'s, its arguments are `split`'s and
//! `check`'s, the flow is `flow`'s, its modifiers are `modifiers`'.

use super::awaited;
use super::context::{Context, Dialect};
use super::flow::{self, Word};
use super::form::{self, Form, PERFORM};
use super::modifiers;
use super::names::Origin;
use super::problem::Position;
use super::shortcut::{Condition, Modifiers, Step, StepKind};
use super::split::{Split, unknown_key};
use super::template::Argument;
use super::yaml::{Entry, Kind, Node};
use crate::command;

/// A file with more steps than this is refused.
const MOST_STEPS: usize = 1000;

/// Steps nested deeper than this are refused.
pub const MOST_DEPTH: usize = 8;

/// Reads a list of steps; steps with a fault are left out.
pub fn read_list(cx: &mut Context<'_, '_>, key: &str, node: &Node) -> Vec<Step> {
    let Kind::List(items) = &node.kind else {
        let message = format!("`{key}` is not a list");
        cx.report.error(node.span, message, Some("start each step with `- `".into()));
        return Vec::new();
    };
    if items.is_empty() {
        cx.report.error(node.span, format!("`{key}` has no steps"), Some("add one, for example `- get_title`".into()));
    }
    let before = cx.steps;
    cx.steps += items.len();
    if cx.steps > MOST_STEPS {
        if before <= MOST_STEPS {
            let message = format!("the file has more than {MOST_STEPS} steps");
            let hint = "move a part of them into an action of their own, and `run` it";
            cx.report.error(node.span, message, Some(hint.into()));
        }
        return Vec::new();
    }
    let steps: Vec<Step> = items.iter().enumerate().filter_map(|(index, item)| read(cx, index + 1, item)).collect();
    unreachable(cx, items, &steps);
    steps
}

/// Reads the steps inside a step.
pub fn read_inner(cx: &mut Context<'_, '_>, key: &str, node: &Node) -> Vec<Step> {
    if cx.depth == MOST_DEPTH {
        let message = format!("steps are nested more than {MOST_DEPTH} deep");
        let hint = "move the inner steps into an action of their own, and `run` it";
        cx.report.error(node.span, message, Some(hint.into()));
        return Vec::new();
    }
    cx.depth += 1;
    let steps = read_list(cx, key, node);
    cx.depth -= 1;
    steps
}

/// Warns about steps after one that always ends the action.
fn unreachable(cx: &mut Context<'_, '_>, items: &[Node], steps: &[Step]) {
    let Some(last) = steps.iter().find(|step| ends(step)) else { return };
    if let Some(next) = items.get(last.number) {
        let message =
            format!("this step is never reached: `{}` on line {} ends the action", last.word(), last.position.line);
        cx.report.warning(next.span, message, Some("remove it, or give the step that ends the action a `when`".into()));
    }
}

/// Whether a step always ends the action.
fn ends(step: &Step) -> bool {
    let certain = step.modifiers.when.as_ref().is_none_or(|when| when.constant() == Some(true));
    let list = |steps: &[Step]| steps.iter().any(ends);
    certain
        && match &step.kind {
            StepKind::Return(_) => true,
            StepKind::Fail { .. } => !step.modifiers.optional,
            StepKind::If { then, otherwise, .. } => list(then) && list(otherwise),
            StepKind::Group(steps) => !step.modifiers.optional && list(steps),
            _ => false,
        }
}

/// The names that the steps of a list give, in any place.
pub fn captures(node: &Node) -> Vec<String> {
    let Kind::List(items) = &node.kind else {
        return Vec::new();
    };
    let mut names = Vec::new();
    for item in items {
        let map = |key: &str| item.get(key).and_then(Node::entries).unwrap_or_default();
        names.extend(item.get("as").into_iter().chain(awaited::names(item)).filter_map(Node::text).map(str::to_owned));
        names.extend(map("set").iter().map(|entry| entry.key.text.clone()));
        for list in ["then", "else", "group"].into_iter().filter_map(|key| item.get(key)) {
            names.extend(captures(list));
        }
        for list in ["for_each", "repeat"].into_iter().filter_map(|key| item.get(key)?.get("steps")) {
            names.extend(captures(list));
        }
    }
    names
}

/// Reads one step.
pub fn read(cx: &mut Context<'_, '_>, number: usize, node: &Node) -> Option<Step> {
    let Some((form, kind, modifiers)) = content(cx, node) else {
        // What it would have given is no unknown name later on.
        for node in node.get("as").into_iter().chain(awaited::names(node)) {
            if let Some((name, span)) = modifiers::name(cx, node, "as") {
                cx.give(&name, span, Origin::Capture);
            }
        }
        return None;
    };
    if modifiers.when.as_ref().and_then(Condition::constant) == Some(false) {
        cx.report.warning(form.span, "this step is never performed: its `when` is always `false`", None);
    }
    let position = form.span.start.unwrap_or(Position { line: 0, column: 0 });
    Some(Step { number, position, kind, modifiers })
}

/// What a step does, and what stands beside it.
fn content<'n>(cx: &mut Context<'_, '_>, node: &'n Node) -> Option<(Form<'n>, StepKind, Modifiers)> {
    let form = form::read(cx, node)?;
    if let Some(command) = command::find(form.name) {
        let split = Split::of(cx, command, &form);
        awaited::check_sense(cx, &split.modifiers, command.name);
        let beside = modifiers::read(cx, &split.modifiers);
        let arguments = split.arguments(cx, form.span);
        return Some((form, StepKind::Command { command, arguments }, beside.given(cx)));
    }
    if cx.dialect == Dialect::Shortcut
        && let Some(word) = flow::word(form.name)
    {
        let entries = beside(cx, &form, word);
        let beside = modifiers::read(cx, &entries);
        let kind = flow::read(cx, &form, word);
        let modifiers = beside.given(cx);
        return Some((form, kind?, modifiers));
    }
    if form.name == PERFORM && cx.dialect != Dialect::Data {
        let word = Word { name: PERFORM, doc: "", example: "", parts: &[], keys: &[], captures: true };
        let entries = beside(cx, &form, &word);
        let beside = modifiers::read(cx, &entries);
        let kind = StepKind::Perform(perform(cx, form.main.unwrap_or(node))?);
        return Some((form, kind, beside.given(cx)));
    }
    form::unknown_command(cx, form.name, form.span);
    None
}

/// The modifiers beside a word of the flow; its own parts are left to it.
fn beside<'n>(cx: &mut Context<'_, '_>, form: &Form<'n>, word: &Word) -> Vec<&'n Entry> {
    let mut modifiers = Vec::new();
    for entry in &form.beside {
        let key = entry.key.text.as_str();
        if word.parts.contains(&key) {
            continue;
        }
        if key == "as" && !word.captures {
            let hint = match word.name {
                "for_each" => "it stands inside: `for_each: { in: …, as: item, steps: […] }`",
                _ => "capture with `as` in the steps inside, or collect with `set`",
            };
            cx.report.error(entry.key.span, format!("`{}` has no result to capture", word.name), Some(hint.into()));
        } else if modifiers::of(cx.dialect).contains(&key) {
            modifiers.push(*entry);
        } else {
            unknown_key(cx, entry, word.name, word.parts);
        }
    }
    awaited::check_sense(cx, &modifiers, word.name);
    modifiers
}

fn perform(cx: &mut Context<'_, '_>, main: &Node) -> Option<Argument> {
    match cx.argument_without_secrets(main, "`perform`") {
        Argument::Expression(expression) => Some(Argument::Expression(expression)),
        Argument::Null if main.kind != Kind::Null => None,
        _ => {
            let hint = "write `- perform: ${{ inputs.commands }}` with an input of the type `commands`";
            cx.report.error(main.span, "`perform` is not one expression", Some(hint.into()));
            None
        }
    }
}
