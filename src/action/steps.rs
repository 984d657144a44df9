//! Owns the reading of steps: their forms (a word, a command with its arguments beside it, the classic form), their
//! modifiers, and which command they are. One argument's value is `check`'s.

use super::check;
use super::context::{Context, Dialect};
use super::duration;
use super::problem::{Position, Span, did_you_mean, listed, nearest};
use super::shortcut::{Step, StepKind};
use super::template::Argument;
use super::vocabulary::{ArgumentKind, MODIFIERS, Rules, is_reserved};
use super::yaml::{Entry, Kind, Node};
use crate::command::{self, Definition};

/// Performs commands given as data.
const PERFORM: &str = "perform";

/// A file with more steps than this is refused.
const MOST_STEPS: usize = 1000;

/// Reads a list of steps; steps with a fault are left out.
pub fn read_list(cx: &mut Context<'_, '_>, key: &str, node: &Node) -> Vec<Step> {
    let Kind::List(items) = &node.kind else {
        let message = format!("`{key}` is not a list");
        cx.report
            .error(node.span, message, Some("start each step with `- `".into()));
        return Vec::new();
    };
    if items.is_empty() {
        cx.report
            .error(node.span, format!("`{key}` has no steps"), Some("add one, for example `- get_title`".into()));
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
    let form = form(cx, node)?;
    let mut step = Step {
        number,
        position: node.span.start.unwrap_or(Position { line: 0, column: 0 }),
        kind: StepKind::Perform(Argument::Null),
        capture: None,
        when: None,
        optional: false,
        timeout: None,
        label: None,
    };
    let mut capture = None;
    let beside;
    match command::find(form.name) {
        Some(definition) => {
            let split = split(cx, definition, &form);
            let arguments = arguments(cx, definition, &form, &split.arguments);
            step.kind = StepKind::Command {
                command: definition,
                arguments,
            };
            beside = split.modifiers;
        }
        None if form.name == PERFORM && cx.dialect != Dialect::Data => {
            step.kind = StepKind::Perform(perform(cx, node, form.main)?);
            let known = |entry: &&Entry| {
                let modifier = MODIFIERS.contains(&entry.key.text.as_str());
                if !modifier {
                    unknown_key(cx, entry, "beside `perform`", &[]);
                }
                modifier
            };
            beside = form.beside.iter().copied().filter(known).collect();
        }
        None => {
            unknown_command(cx, form.name, form.span);
            return None;
        }
    }
    for entry in beside {
        match entry.key.text.as_str() {
            "as" => capture = capture_name(cx, &entry.value),
            modifier => read_modifier(cx, &mut step, modifier, &entry.value),
        }
    }
    // Only what follows may use the name.
    if let Some((name, span)) = capture {
        cx.capture(&name, span);
        step.capture = Some(name);
    }
    Some(step)
}

/// A step's parts before they are given a meaning.
struct Form<'n> {
    name: &'n str,
    span: Span,
    main: Option<&'n Node>,
    beside: Vec<&'n Entry>,
    classic: bool,
}

fn form<'n>(cx: &mut Context<'_, '_>, node: &'n Node) -> Option<Form<'n>> {
    let entries = match &node.kind {
        Kind::Text(name) => {
            return Some(Form {
                name,
                span: node.span,
                main: None,
                beside: Vec::new(),
                classic: false,
            });
        }
        Kind::Map(entries) if !entries.is_empty() => entries,
        _ => {
            let hint = "write a command and its argument: `- click: role:button[Sign in]`";
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
    let named = command::find(word).is_some() || word == PERFORM || is_reserved(word);
    let mistyped = !has("text") && nearest(word, command_names()).is_some();
    let classic = cx.dialect != Dialect::Shortcut || named || has("selector") || mistyped;
    classic.then_some(head)
}

/// The key that names the command of a step.
fn command_head<'n>(cx: &mut Context<'_, '_>, entries: &'n [Entry]) -> Option<&'n Entry> {
    let word = |entry: &Entry| entry.key.text.clone();
    let is_command = |entry: &&Entry| command::find(&entry.key.text).is_some() || entry.key.text == PERFORM;
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
        cx.report
            .error(second.key.span, message, Some("start a new step with `- `".into()));
        return None;
    }
    let unknown = entries.iter().find(|entry| is_reserved(&entry.key.text));
    let unknown = unknown.or_else(|| {
        let modifier = |entry: &&Entry| !MODIFIERS.contains(&entry.key.text.as_str());
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

fn command_names() -> impl Iterator<Item = &'static str> {
    command::all().iter().map(|definition| definition.name)
}

fn unknown_command(cx: &mut Context<'_, '_>, name: &str, span: Span) {
    if is_reserved(name) {
        let message = format!("`{name}` is not supported by this version");
        cx.report.error(span, message, None);
        return;
    }
    let hint = did_you_mean(name, command_names())
        .or_else(|| did_you_mean(&command::snake_case(name), command_names()))
        .unwrap_or_else(|| format!("the commands are {}", listed(command_names())));
    let message = format!("unknown command `{name}`");
    cx.report.error(span, message, Some(hint));
}

fn unknown_key(cx: &mut Context<'_, '_>, entry: &Entry, place: &str, arguments: &[&str]) {
    let key = entry.key.text.as_str();
    if is_reserved(key) {
        let message = format!("`{key}` is not supported by this version");
        cx.report.error(entry.key.span, message, None);
        return;
    }
    let known = || arguments.iter().copied().chain(MODIFIERS);
    let hint = did_you_mean(key, known()).unwrap_or_else(|| format!("known are {}", listed(known())));
    let message = format!("unknown key `{key}` {place}");
    cx.report.error(entry.key.span, message, Some(hint));
}

/// What stands in a step, told apart.
struct Split<'n> {
    arguments: Vec<(&'n str, Span, &'n Node)>,
    modifiers: Vec<&'n Entry>,
}

/// Tells arguments and modifiers apart. A command's own argument wins over the modifier of the same name.
fn split<'n>(cx: &mut Context<'_, '_>, definition: &'static Definition, form: &Form<'n>) -> Split<'n> {
    let rules = Rules::of(definition);
    let mut split = Split {
        arguments: Vec::new(),
        modifiers: Vec::new(),
    };
    if let Some(main) = form.main {
        main_argument(cx, definition, form, main, &mut split);
    }
    let names: Vec<&str> = rules.names().collect();
    let has = |key: &str| form.beside.iter().any(|entry| entry.key.text == key);
    for entry in &form.beside {
        let key = entry.key.text.as_str();
        let classic_duration = form.classic && key == "timeout" && !has("duration");
        if let Some(rule) = rules.argument(key) {
            if let Some(first) = split.arguments.iter().find(|(name, ..)| *name == rule.name) {
                let message = format!("`{}` is already given", first.0);
                let hint = definition.main.filter(|main| *main == first.0);
                let hint = hint.map(|_| format!("it stands at `{}:`", definition.name));
                cx.report.error(entry.key.span, message, hint);
                continue;
            }
            split.arguments.push((&rule.name, entry.key.span, &entry.value));
        } else if let Some(rule) = rules.argument("duration").filter(|_| classic_duration) {
            split.arguments.push((&rule.name, entry.key.span, &entry.value));
        } else if MODIFIERS.contains(&key) || form.classic && key == "description" {
            split.modifiers.push(entry);
        } else {
            unknown_key(cx, entry, &format!("for `{}`", definition.name), &names);
        }
    }
    split
}

/// What stands at the command's name: its main argument, or a map of arguments.
fn main_argument<'n>(
    cx: &mut Context<'_, '_>,
    definition: &'static Definition,
    form: &Form<'n>,
    main: &'n Node,
    split: &mut Split<'n>,
) {
    let rules = Rules::of(definition);
    let main_rule = definition.main.and_then(|name| rules.argument(name));
    let names: Vec<&str> = rules.names().collect();
    match (&main.kind, main_rule) {
        (Kind::Null, _) => {}
        (Kind::Map(entries), rule) => {
            if let Some(rule) = rule.filter(|rule| {
                rule.kind == ArgumentKind::Selector && is_structured_selector(entries, rules, &rule.name)
            }) {
                split.arguments.push((&rule.name, main.span, main));
                return;
            }
            for entry in entries {
                match rules.argument(&entry.key.text) {
                    Some(rule) => split.arguments.push((&rule.name, entry.key.span, &entry.value)),
                    None if MODIFIERS.contains(&entry.key.text.as_str()) => cx.report.error(
                        entry.key.span,
                        format!("`{}` is no argument of `{}`", entry.key.text, definition.name),
                        Some(format!("write it beside `{}:`, not inside", definition.name)),
                    ),
                    None => unknown_key(cx, entry, &format!("for `{}`", definition.name), &names),
                }
            }
        }
        (_, Some(rule)) => split.arguments.push((&rule.name, main.span, main)),
        (_, None) => {
            let hint = match names.is_empty() {
                true => format!("write `- {}` alone", definition.name),
                false => format!("name its arguments: {}", listed(names)),
            };
            let message = format!("`{}` takes no value at its name", form.name);
            cx.report.error(main.span, message, Some(hint));
        }
    }
}

/// Whether a map at a command's name is the selector itself and not a map of the command's arguments.
fn is_structured_selector(entries: &[Entry], rules: &Rules, main: &str) -> bool {
    const ENGINES: [&str; 10] = [
        "role", "text", "testid", "label", "placeholder", "alt", "title", "css", "xpath", "ref",
    ];
    let is_main = |entry: &Entry| command::snake_case(&entry.key.text) == main;
    let is_engine = |entry: &Entry| {
        ENGINES.contains(&entry.key.text.as_str()) && rules.argument(&entry.key.text).is_none()
    };
    !entries.iter().any(is_main) && entries.iter().any(is_engine)
}

fn arguments(
    cx: &mut Context<'_, '_>,
    definition: &'static Definition,
    form: &Form<'_>,
    given: &[(&str, Span, &Node)],
) -> Vec<(String, Argument)> {
    let rules = Rules::of(definition);
    for rule in rules.arguments.iter().filter(|rule| rule.required) {
        let present = |(name, _, node): &&(&str, Span, &Node)| *name == rule.name && node.kind != Kind::Null;
        if given.iter().find(present).is_none() {
            let hint = (!definition.example.is_empty()).then(|| format!("for example `{}`", one_line(definition.example)));
            let message = format!("`{}` needs `{}`", definition.name, rule.name);
            cx.report.error(form.span, message, hint);
        }
    }
    let read = given.iter().filter_map(|(name, _, node)| {
        let rule = rules.argument(name)?;
        Some((rule.name.clone(), check::read(cx, rule, node)))
    });
    read.collect()
}

fn one_line(example: &str) -> String {
    example.lines().map(str::trim).collect::<Vec<_>>().join(" ")
}

fn perform(cx: &mut Context<'_, '_>, node: &Node, main: Option<&Node>) -> Option<Argument> {
    let main = main.unwrap_or(node);
    match cx.argument_without_secrets(main, "`perform`") {
        Argument::Expression(expression) => Some(Argument::Expression(expression)),
        _ => {
            let hint = "write `- perform: ${{ inputs.commands }}` with an input of the type `commands`";
            cx.report
                .error(main.span, "`perform` is not one expression", Some(hint.into()));
            None
        }
    }
}

fn capture_name(cx: &mut Context<'_, '_>, node: &Node) -> Option<(String, Span)> {
    const TAKEN: [&str; 16] = [
        "inputs", "page", "secrets", "range", "dict", "true", "false", "none", "and", "or", "not", "in", "is", "if",
        "else", "loop",
    ];
    let hint = || Some("use letters, digits and `_`, for example `as: account`".into());
    let Some(name) = node.text() else {
        cx.report.error(node.span, "`as` is not a name", hint());
        return None;
    };
    let mut characters = name.chars();
    let valid = characters.next().is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && characters.all(|c| c.is_ascii_alphanumeric() || c == '_');
    if !valid {
        cx.report
            .error(node.span, format!("`{name}` can't be a name"), hint());
        return None;
    }
    if TAKEN.contains(&name.to_lowercase().as_str()) {
        let message = format!("`{name}` has a meaning of its own");
        cx.report
            .error(node.span, message, Some("choose another name".into()));
        return None;
    }
    Some((name.to_owned(), node.span))
}

fn read_modifier(cx: &mut Context<'_, '_>, step: &mut Step, modifier: &str, node: &Node) {
    match modifier {
        "when" => step.when = cx.condition(node, "when"),
        "timeout" => step.timeout = read_timeout(cx, node),
        "optional" => match node.kind {
            Kind::Bool(value) => step.optional = value,
            _ => cx.report.error(
                node.span,
                "`optional` is neither `true` nor `false`",
                Some("for a condition use `when`".into()),
            ),
        },
        // `label`, and the classic `description`.
        name => match node.text() {
            Some(text) if cx.dialect == Dialect::Data || !(text.contains("${{") || text.contains("$<<")) => {
                step.label = Some(text.to_owned());
            }
            Some(_) => {
                let message = format!("`{name}` is plain text, without expressions and secrets");
                cx.report.error(node.span, message, None);
            }
            None => cx.report.error(node.span, format!("`{name}` is not text"), None),
        },
    }
}

/// Reads a time limit, of a step or of a whole action.
pub fn read_timeout(cx: &mut Context<'_, '_>, node: &Node) -> Option<std::time::Duration> {
    match duration::parse(&node.to_json()) {
        Ok(limit) if limit.is_zero() => {
            cx.report
                .error(node.span, "`timeout` is zero", Some("leave it out for the default".into()));
            None
        }
        Ok(limit) => Some(limit),
        Err(error) => {
            cx.report
                .error(node.span, format!("`timeout`: {error}"), Some(error.hint()));
            None
        }
    }
}
