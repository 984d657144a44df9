//! Owns which parts of a step are arguments of its command and which are modifiers. An argument's value is `check`'s.

use super::check;
use super::context::{Context, Dialect};
use super::form::Form;
use super::meant;
use super::modifiers;
use super::problem::{Span, did_you_mean, listed, nearest};
use super::template::Argument;
use super::vocabulary::{ArgumentKind, ArgumentRule, Rules, is_reserved};
use super::yaml::{Entry, Kind, Node};
use crate::command::{self, Definition};

/// The parts of a step, told apart.
pub struct Split<'n> {
    command: &'static Definition,
    rules: &'static Rules,
    arguments: Vec<(&'static ArgumentRule, &'n Node)>,
    /// What stands beside the arguments.
    pub modifiers: Vec<&'n Entry>,
}

impl<'n> Split<'n> {
    /// Tells arguments and modifiers apart. A command's own argument wins over the modifier of the same name.
    pub fn of(cx: &mut Context<'_, '_>, command: &'static Definition, form: &Form<'n>) -> Split<'n> {
        let mut split = Split { command, rules: Rules::of(command), arguments: Vec::new(), modifiers: Vec::new() };
        if let Some(main) = form.main {
            split.main(cx, main);
        }
        let has = |key: &str| form.beside.iter().any(|entry| entry.key.text == key);
        for entry in &form.beside {
            let key = entry.key.text.as_str();
            // The classic format's name for how long to wait.
            let renamed = form.classic && key == "timeout" && !has("duration");
            let duration = split.rules.argument("duration").filter(|_| renamed);
            if let Some(rule) = split.rules.argument(key).or(duration) {
                split.add(cx, rule, entry);
            } else if modifiers::of(cx.dialect).contains(&key) || form.classic && key == "description" {
                split.modifiers.push(entry);
            } else {
                split.unknown(cx, entry);
            }
        }
        split
    }

    /// Reads the arguments and reports those that are missing; the command's name stands at `name`.
    pub fn arguments(&self, cx: &mut Context<'_, '_>, name: Span) -> Vec<(String, Argument)> {
        for rule in self.rules.arguments.iter().filter(|rule| rule.required) {
            let given = self.arguments.iter().find(|(given, _)| given.name == rule.name);
            if given.is_none_or(|(_, node)| node.kind == Kind::Null) {
                let message = format!("`{}` needs `{}`", self.command.name, rule.name);
                let hint = match cx.dialect {
                    _ if let Some(hint) = meant::comment(cx.report.source(), name) => hint,
                    Dialect::Data => format!("its arguments are {}", listed(self.rules.names())),
                    _ => format!("for example `- {}`", self.command.example),
                };
                cx.report.error(name, message, Some(hint));
            }
        }
        let arguments = self.arguments.iter();
        arguments.map(|(rule, node)| (rule.name.clone(), check::read(cx, rule, node))).collect()
    }

    /// What stands at the command's name: its main argument, or a map of arguments.
    fn main(&mut self, cx: &mut Context<'_, '_>, main: &'n Node) {
        let rule = self.command.main.and_then(|name| self.rules.argument(name));
        match (&main.kind, rule) {
            (Kind::Null, _) => {}
            (Kind::Map(entries), Some(rule)) if self.is_structured_selector(entries, rule) => {
                self.arguments.push((rule, main));
            }
            (Kind::Map(_), Some(rule)) if rule.kind == ArgumentKind::Condition && main.get(&rule.name).is_none() => {
                self.arguments.push((rule, main));
            }
            (Kind::Map(entries), _) => {
                for entry in entries {
                    self.inner(cx, entry);
                }
            }
            (_, Some(rule)) => self.arguments.push((rule, main)),
            (_, None) => {
                let command = self.command.name;
                let names: Vec<&str> = self.rules.names().collect();
                let hint = match names.is_empty() {
                    true => format!("write `- {command}` alone"),
                    false => format!("name its arguments: {}", listed(names)),
                };
                let message = format!("`{command}` takes no value at its name");
                cx.report.error(main.span, message, Some(hint));
            }
        }
    }

    /// One entry of a map at the command's name.
    fn inner(&mut self, cx: &mut Context<'_, '_>, entry: &'n Entry) {
        let key = entry.key.text.as_str();
        match self.rules.argument(key) {
            Some(rule) => self.add(cx, rule, entry),
            None if modifiers::of(cx.dialect).contains(&key) => {
                let message = format!("`{key}` is no argument of `{}`", self.command.name);
                let hint = format!("write it beside `{}:`, not inside", self.command.name);
                cx.report.error(entry.key.span, message, Some(hint));
            }
            None => self.unknown(cx, entry),
        }
    }

    fn add(&mut self, cx: &mut Context<'_, '_>, rule: &'static ArgumentRule, entry: &'n Entry) {
        if !self.arguments.iter().any(|(given, _)| given.name == rule.name) {
            self.arguments.push((rule, &entry.value));
            return;
        }
        let main = self.command.main == Some(&rule.name);
        let hint = main.then(|| format!("it stands at `{}:`", self.command.name));
        let message = format!("`{}` is already given", rule.name);
        cx.report.error(entry.key.span, message, hint);
    }

    fn unknown(&mut self, cx: &mut Context<'_, '_>, entry: &'n Entry) {
        unknown_key(cx, entry, self.command.name, &self.rules.names().collect::<Vec<_>>());
        // What was meant is not missing, and its value has its own faults.
        let meant = nearest(&entry.key.text, self.rules.names());
        if let Some(rule) = meant.and_then(|name| self.rules.argument(name)) {
            self.arguments.push((rule, &entry.value));
        }
    }

    /// Whether a map at the command's name is the selector itself and not a map of arguments.
    fn is_structured_selector(&self, entries: &[Entry], main: &ArgumentRule) -> bool {
        const ENGINES: [&str; 10] =
            ["role", "text", "testid", "label", "placeholder", "alt", "title", "css", "xpath", "ref"];
        let is_main = |entry: &Entry| command::snake_case(&entry.key.text) == main.name;
        let is_engine = |entry: &Entry| {
            let key = entry.key.text.as_str();
            nearest(key, ENGINES).is_some() && nearest(key, self.rules.names()).is_none()
        };
        main.kind == ArgumentKind::Selector && !entries.iter().any(is_main) && entries.iter().any(is_engine)
    }
}

/// Reports a key that is neither an argument of the command nor a modifier.
pub fn unknown_key(cx: &mut Context<'_, '_>, entry: &Entry, command: &str, arguments: &[&str]) {
    let key = entry.key.text.as_str();
    if is_reserved(key) {
        let message = format!("`{key}` is not supported by this version");
        cx.report.error(entry.key.span, message, None);
        return;
    }
    let known = || arguments.iter().chain(modifiers::of(cx.dialect)).copied();
    let hint = did_you_mean(key, known()).unwrap_or_else(|| format!("known are {}", listed(known())));
    let message = format!("unknown key `{key}` for `{command}`");
    cx.report.error(entry.key.span, message, Some(hint));
}
