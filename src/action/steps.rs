//! Owns the reading of a list of steps. Which key names a step's command is `form`'s, its arguments are `split`'s and
//! `check`'s, its modifiers are `modifiers`'.

use super::context::{Context, Dialect};
use super::form::{self, Form, PERFORM};
use super::modifiers;
use super::problem::Position;
use super::shortcut::{Step, StepKind};
use super::split::{Split, unknown_key};
use super::template::Argument;
use super::yaml::{Entry, Kind, Node};
use crate::command;

/// A file with more steps than this is refused.
const MOST_STEPS: usize = 1000;

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
    if items.len() > MOST_STEPS {
        let message = format!("`{key}` has {} steps, more than {MOST_STEPS}", items.len());
        cx.report.error(node.span, message, None);
        return Vec::new();
    }
    let steps = items.iter().enumerate();
    steps.filter_map(|(index, item)| read(cx, index + 1, item)).collect()
}

/// The names that the steps of a list capture, in any place.
pub fn captures(node: &Node) -> Vec<String> {
    let Kind::List(items) = &node.kind else {
        return Vec::new();
    };
    let capture = |item: &Node| item.get("as")?.text().map(str::to_owned);
    items.iter().filter_map(capture).collect()
}

/// Reads one step.
pub fn read(cx: &mut Context<'_, '_>, number: usize, node: &Node) -> Option<Step> {
    let Some((form, kind, beside)) = command(cx, node) else {
        // What it would have captured is no unknown name later on.
        if let Some((name, span)) = node.get("as").and_then(|node| modifiers::capture_name(cx, node)) {
            cx.capture(&name, span);
        }
        return None;
    };
    let mut step = Step {
        number,
        position: form.span.start.unwrap_or(Position { line: 0, column: 0 }),
        kind,
        capture: None,
        when: None,
        optional: false,
        timeout: None,
        label: None,
    };
    let mut capture = None;
    for entry in beside {
        match entry.key.text.as_str() {
            "as" => capture = modifiers::capture_name(cx, &entry.value),
            modifier => modifiers::read(cx, &mut step, modifier, &entry.value),
        }
    }
    // Only what follows may use the name.
    if let Some((name, span)) = capture {
        cx.capture(&name, span);
        step.capture = Some(name);
    }
    Some(step)
}

/// What a step does, and the modifiers beside it.
fn command<'n>(cx: &mut Context<'_, '_>, node: &'n Node) -> Option<(Form<'n>, StepKind, Vec<&'n Entry>)> {
    let form = form::read(cx, node)?;
    if let Some(command) = command::find(form.name) {
        let split = Split::of(cx, command, &form);
        let arguments = split.arguments(cx, form.span);
        let modifiers = split.modifiers;
        return Some((form, StepKind::Command { command, arguments }, modifiers));
    }
    if form.name == PERFORM && cx.dialect != Dialect::Data {
        let kind = StepKind::Perform(perform(cx, form.main.unwrap_or(node))?);
        let (modifiers, unknown): (Vec<&Entry>, Vec<&Entry>) =
            form.beside.iter().partition(|entry| modifiers::of(cx.dialect).contains(&entry.key.text.as_str()));
        for entry in unknown {
            unknown_key(cx, entry, PERFORM, &[]);
        }
        return Some((form, kind, modifiers));
    }
    form::unknown_command(cx, form.name, form.span);
    None
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
