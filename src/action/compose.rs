//! Owns the reading of how actions are put together in one file: `run`, `needs`, `finally`, `errors`. Whether the
//! actions named exist and take the arguments is `link`'s, which sees them all.

use super::conditions;
use super::context::Context;
use super::flow::{self, Fields, fields_of};
use super::link::{Given, Reference};
use super::problem::{Position, Span};
use super::shortcut::{Modifiers, Rule, Step, StepKind};
use super::steps;
use super::template::Argument;
use super::yaml::{Kind, Node};

/// Reads what `run` performs.
pub fn run(cx: &mut Context<'_, '_>, target: &Node, with: Option<&Node>) -> Option<StepKind> {
    let arguments = with.map(|node| arguments(cx, node)).unwrap_or_default();
    let name = target.text().map(str::trim).filter(|name| !name.is_empty() && !name.contains("${{"));
    let Some(name) = name else {
        let hint = "name it as it is in the files, `- run: shop_login`, or by its file, `- run: _login.yaml`";
        cx.report.error(target.span, "`run` does not name an action", Some(hint.into()));
        return None;
    };
    let place = cx.report.place(target.span);
    let given = arguments.iter().zip(with.and_then(Node::entries).unwrap_or_default());
    let given = given.map(|((name, argument), entry)| Given {
        name: name.clone(),
        key: cx.report.place(entry.key.span),
        value: cx.report.place(entry.value.span),
        literal: argument.as_literal(),
    });
    let given = given.collect();
    cx.references.push(Reference { target: name.to_owned(), place, given, capture: None, read: Vec::new() });
    Some(StepKind::Run { target: name.to_owned(), arguments })
}

fn arguments(cx: &mut Context<'_, '_>, node: &Node) -> Vec<(String, Argument)> {
    let Some(entries) = node.entries() else {
        let hint = "write `with: { email: \"${{ inputs.email }}\" }`";
        cx.report.error(node.span, "`with` is not a map of arguments", Some(hint.into()));
        return Vec::new();
    };
    let mut read = Vec::with_capacity(entries.len());
    for entry in entries {
        let argument = cx.argument(&entry.value);
        if let Some(name) = argument.secret_names().first() {
            let hint = "name the secret in the action that types it";
            let message = format!("a secret can't be an argument of an action: `$<<{name}>>`");
            cx.report.error(entry.value.span, message, Some(hint.into()));
        }
        read.push((entry.key.text.clone(), argument));
    }
    read
}

/// Reads `needs`: the actions that are performed before the steps.
pub fn needs(cx: &mut Context<'_, '_>, node: &Node) -> Vec<Step> {
    const EXAMPLE: &str = "needs: [{ run: shop_login, unless: { visible: testid:session } }]";
    let Kind::List(items) = &node.kind else {
        cx.report.error(node.span, "`needs` is not a list", Some(format!("for example `{EXAMPLE}`")));
        return Vec::new();
    };
    let mut read = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        let fields = match item.kind {
            Kind::Text(_) => None,
            _ => match fields_of(cx, item, "needs", &["run", "with", "unless"], &["run"], EXAMPLE) {
                Some(fields) => Some(fields),
                None => continue,
            },
        };
        let get = |key| fields.as_ref().and_then(|fields: &Fields<'_>| fields.get(key));
        let mut modifiers = Modifiers::default();
        if let Some(unless) = get("unless") {
            modifiers.unless = conditions::read(cx, unless, "unless");
        }
        if let Some(kind) = run(cx, get("run").unwrap_or(item), get("with")) {
            read.push(Step { number: index + 1, position: position(item.span), kind, modifiers });
        }
    }
    read
}

/// Reads `finally`.
pub fn finally(cx: &mut Context<'_, '_>, node: &Node) -> Vec<Step> {
    cx.names.after_failure(true);
    cx.in_finally = true;
    let steps = steps::read_list(cx, "finally", node);
    cx.in_finally = false;
    cx.names.after_failure(false);
    steps
}

/// Reads `errors`: what failures mean.
pub fn errors(cx: &mut Context<'_, '_>, node: &Node) -> Vec<Rule> {
    const EXAMPLE: &str = "errors: [{ when: { visible: text:Wrong password }, code: bad_credentials, message: the shop rejected the password }]";
    let Kind::List(items) = &node.kind else {
        cx.report.error(node.span, "`errors` is not a list", Some(format!("for example `{EXAMPLE}`")));
        return Vec::new();
    };
    cx.names.after_failure(true);
    let mut rules = Vec::with_capacity(items.len());
    for item in items {
        let keys = &["when", "code", "message", "hint"];
        let Some(fields) = fields_of(cx, item, "errors", keys, &["when", "code", "message"], EXAMPLE) else { continue };
        let when = fields.get("when").and_then(|node| conditions::read(cx, node, "when"));
        let code = fields.get("code").and_then(|node| flow::code(cx, node));
        let message = fields.get("message").and_then(|node| flow::words(cx, node, "message"));
        let hint = fields.get("hint").and_then(|node| flow::words(cx, node, "hint"));
        if let (Some(when), Some(code), Some(message)) = (when, code, message) {
            rules.push(Rule { when, code, message, hint });
        }
    }
    cx.names.after_failure(false);
    rules
}

fn position(span: Span) -> Position {
    span.start.unwrap_or(Position { line: 0, column: 0 })
}
