//! Owns the reading of the flow: `if`, `for_each`, `repeat`, `group`, `set`, `return`, `fail`. The steps inside are
//! `steps`'s, conditions `conditions`'s, `run` is `compose`'s.

use super::compose;
use super::conditions;
use super::context::Context;
use super::form::Form;
use super::modifiers::{self, is_name};
use super::names::Origin;
use super::problem::{Span, did_you_mean, listed};
use super::shortcut::{Condition, End, Step, StepKind};
use super::steps;
use super::template::{Argument, Template};
use super::yaml::{Entry, Kind, Node};

/// A word of the flow.
#[derive(Debug)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub doc: &'static str,
    /// A step in YAML, as the docs show it.
    pub example: &'static str,
    /// What stands beside it that is no modifier.
    pub parts: &'static [&'static str],
    /// The keys of its map, where it takes one.
    pub keys: &'static [&'static str],
    /// Whether `as` captures its result.
    pub captures: bool,
}

/// Rounds of one loop.
pub const MOST_ROUNDS: u64 = 10_000;

/// Every word, in the order of the docs.
pub const WORDS: [Word; 8] = [
    Word {
        name: "if",
        doc: "Perform one list of steps or the other",
        example: "{ if: { visible: testid:banner }, then: [{ click: testid:close }], else: [get_title] }",
        parts: &["then", "else"],
        keys: &[],
        captures: false,
    },
    Word {
        name: "for_each",
        doc: "Perform steps for every item of a list; `index` counts from 0",
        example: "for_each: { in: [Kettle, Mug], as: product, steps: [{ click: \"role:link[${{ product }}]\" }] }",
        parts: &[],
        keys: &["in", "as", "index", "steps"],
        captures: false,
    },
    Word {
        name: "repeat",
        doc: "Perform steps `while` a condition holds before a round, or `until` one holds after it, `max` times at most",
        example: "repeat: { max: 20, while: { visible: \"role:link[Next]\" }, steps: [{ click: \"role:link[Next]\" }] }",
        parts: &[],
        keys: &["max", "while", "until", "index", "steps"],
        captures: false,
    },
    Word {
        name: "group",
        doc: "Perform steps under one modifier",
        example: "{ group: [reload, { click: \"role:button[Pay]\" }], retry: 3 }",
        parts: &[],
        keys: &[],
        captures: false,
    },
    Word {
        name: "run",
        doc: "Perform another action, by its name or by its file",
        example: "{ run: shop_login, with: { remember: true }, as: session }",
        parts: &["with"],
        keys: &[],
        captures: true,
    },
    Word {
        name: "set",
        doc: "Give values to names; a name may be set again",
        example: "set: { total: 0, rows: [] }",
        parts: &[],
        keys: &[],
        captures: false,
    },
    Word {
        name: "return",
        doc: "End the action, with these outputs or with those it declares",
        example: "return: { placed: false }",
        parts: &[],
        keys: &[],
        captures: false,
    },
    Word {
        name: "fail",
        doc: "End the action with a failure in your own words",
        example: "fail: { code: sold_out, message: \"${{ inputs.product }} is sold out\" }",
        parts: &[],
        keys: &["code", "message", "hint"],
        captures: false,
    },
];

/// The word of this name.
pub fn word(name: &str) -> Option<&'static Word> {
    WORDS.iter().find(|word| word.name == name)
}

/// Reads what a word of the flow does; its modifiers are read.
pub fn read(cx: &mut Context<'_, '_>, form: &Form<'_>, word: &'static Word) -> Option<StepKind> {
    if word.name == "return" && cx.in_finally {
        let hint = "how the action ended is settled by then; skip steps with `when`";
        cx.report.error(form.span, "`return` can't stand in `finally`", Some(hint.into()));
    }
    let part = |name: &str| form.beside.iter().find(|entry| entry.key.text == name).map(|entry| &entry.value);
    let Some(main) = form.main.filter(|main| main.kind != Kind::Null) else {
        if word.name == "return" {
            return Some(StepKind::Return(None));
        }
        let hint = format!("for example `- {}`", word.example);
        cx.report.error(form.span, format!("`{}` stands alone", word.name), Some(hint));
        return None;
    };
    match word.name {
        "if" => branches(cx, form.span, main, part("then"), part("else")),
        "for_each" => for_each(cx, main),
        "repeat" => repeat(cx, main),
        "group" => Some(StepKind::Group(steps::read_inner(cx, "group", main))),
        "run" => compose::run(cx, main, part("with")),
        "set" => set(cx, main),
        "return" => returned(cx, main),
        _ => fail(cx, main),
    }
}

fn branches(
    cx: &mut Context<'_, '_>,
    at: Span,
    condition: &Node,
    then: Option<&Node>,
    otherwise: Option<&Node>,
) -> Option<StepKind> {
    let read = conditions::read(cx, condition, "if");
    let Some(then) = then else {
        let hint = "add `then:` with a list of steps, or put the condition of a single step into its `when`";
        cx.report.error(at, "`if` needs `then`", Some(hint.into()));
        return None;
    };
    let constant = read.as_ref().and_then(Condition::constant);
    for (branch, dead) in [(Some(then), Some(false)), (otherwise, Some(true))] {
        if let Some(branch) = branch.filter(|_| constant == dead) {
            let message = format!("these steps are never performed: the condition is always `{}`", dead == Some(true));
            cx.report.warning(branch.span, message, None);
        }
    }
    let mark = cx.names.mark();
    let then = steps::read_inner(cx, "then", then);
    cx.names.other_branch(mark);
    let before = then.len();
    let mut otherwise = otherwise.map(|node| steps::read_inner(cx, "else", node)).unwrap_or_default();
    cx.names.join(mark);
    for step in &mut otherwise {
        step.number += before;
    }
    Some(StepKind::If { condition: read?, then, otherwise })
}

fn for_each(cx: &mut Context<'_, '_>, node: &Node) -> Option<StepKind> {
    let fields = fields(cx, node, "for_each", &["in", "as", "steps"])?;
    let list = fields.get("in")?;
    let items = match cx.argument_without_secrets(list, "`in`") {
        items @ (Argument::Expression(_) | Argument::List(_)) => Some(items),
        Argument::Null if list.kind != Kind::Null => None,
        _ => {
            let hint = "write an expression, `in: ${{ inputs.products }}`, or a list, `in: [Kettle, Mug]`";
            cx.report.error(list.span, "`in` is not a list", Some(hint.into()));
            None
        }
    };
    let item = fields.get("as").and_then(|node| modifiers::name(cx, node, "as"));
    let index = fields.get("index").and_then(|node| modifiers::name(cx, node, "index"));
    let steps = in_loop(cx, fields.get("steps")?, [item.clone(), index.clone()], |_, steps| steps);
    Some(StepKind::ForEach { items: items?, item: item?.0, index: index.map(|index| index.0), steps })
}

fn repeat(cx: &mut Context<'_, '_>, node: &Node) -> Option<StepKind> {
    let fields = fields(cx, node, "repeat", &["max", "steps"])?;
    let limit = fields.get("max")?;
    let max = match (&limit.kind, cx.argument_without_secrets(limit, "`max`")) {
        (Kind::Number(number), max) if number.as_u64().is_some_and(|max| (1..=MOST_ROUNDS).contains(&max)) => Some(max),
        (_, max @ Argument::Expression(_)) => Some(max),
        _ => {
            let message = format!("`max` is not a whole number from 1 to {MOST_ROUNDS}");
            cx.report.error(limit.span, message, Some("say how many rounds there are at most, `max: 50`".into()));
            None
        }
    };
    if let (Some(_), Some(until)) = (fields.get("while"), fields.get("until")) {
        let hint = "keep one of the two; `not`, `any` and `all` combine conditions";
        cx.report.error(until.span, "`repeat` takes `while` or `until`, not both", Some(hint.into()));
    }
    let index = fields.get("index").and_then(|node| modifiers::name(cx, node, "index"));
    let (steps, end) = in_loop(cx, fields.get("steps")?, [None, index.clone()], |cx, steps| {
        let end = match (fields.get("while"), fields.get("until")) {
            (Some(node), _) => conditions::read(cx, node, "while").map(End::While),
            (None, Some(node)) => conditions::read(cx, node, "until").map(End::Until),
            (None, None) => None,
        };
        (steps, end)
    });
    Some(StepKind::Repeat { max: max?, end, index: index.map(|index| index.0), steps })
}

/// Reads the steps of a loop, and with `then` what else sees its names.
fn in_loop<'r, 's, T>(
    cx: &mut Context<'r, 's>,
    node: &Node,
    own: [Option<(String, Span)>; 2],
    then: impl FnOnce(&mut Context<'r, 's>, Vec<Step>) -> T,
) -> T {
    let own: Vec<(String, Span)> = own.into_iter().flatten().collect();
    for (name, span) in &own {
        cx.give(name, *span, Origin::Loop);
    }
    cx.names.foresee(steps::captures(node));
    let steps = steps::read_inner(cx, "steps", node);
    let read = then(cx, steps);
    cx.names.leave_loop(&own.into_iter().map(|(name, _)| name).collect::<Vec<_>>());
    read
}

fn set(cx: &mut Context<'_, '_>, node: &Node) -> Option<StepKind> {
    let Some(entries) = node.entries().filter(|entries| !entries.is_empty()) else {
        let hint = "write `- set: { total: 0 }`";
        cx.report.error(node.span, "`set` is not a map of names", Some(hint.into()));
        return None;
    };
    let mut values = Vec::with_capacity(entries.len());
    for Entry { key, value } in entries {
        let argument = cx.argument_without_secrets(value, "`set`");
        if is_name(cx, &key.text, key.span, "set") {
            values.push((key.text.clone(), argument));
            cx.give(&key.text, key.span, Origin::Variable);
        }
    }
    Some(StepKind::Set(values))
}

fn returned(cx: &mut Context<'_, '_>, node: &Node) -> Option<StepKind> {
    let Some(entries) = node.entries() else {
        let hint = "write `- return` alone, or with outputs: `- return: { placed: false }`";
        cx.report.error(node.span, "`return` is not a map of outputs", Some(hint.into()));
        return None;
    };
    let mut values = Vec::with_capacity(entries.len());
    for Entry { key, value } in entries {
        if let Some(declared) = &cx.outputs
            && !declared.contains(&key.text)
        {
            let names = || declared.iter().map(String::as_str);
            let hint =
                did_you_mean(&key.text, names()).unwrap_or_else(|| format!("the outputs are {}", listed(names())));
            cx.report.error(key.span, format!("unknown output `{}`", key.text), Some(hint));
        }
        values.push((key.text.clone(), cx.argument_without_secrets(value, "`return`")));
    }
    Some(StepKind::Return(Some(values)))
}

fn fail(cx: &mut Context<'_, '_>, node: &Node) -> Option<StepKind> {
    if let Kind::Map(_) = node.kind {
        let fields = fields(cx, node, "fail", &["message"])?;
        let code = fields.get("code").and_then(|node| code(cx, node));
        let message = words(cx, fields.get("message")?, "message")?;
        let hint = fields.get("hint").and_then(|node| words(cx, node, "hint"));
        return Some(StepKind::Fail { code, message, hint });
    }
    Some(StepKind::Fail { code: None, message: words(cx, node, "fail")?, hint: None })
}

/// A code of the author's: a word that programs compare.
pub fn code(cx: &mut Context<'_, '_>, node: &Node) -> Option<String> {
    let code = node.text().filter(|code| {
        (1..=64).contains(&code.len())
            && code.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
    });
    if code.is_none() {
        let hint = "use up to 64 letters, digits, `_`, `-` and `.`, such as `bad_credentials`";
        cx.report.error(node.span, "`code` is not a word", Some(hint.into()));
    }
    code.map(str::to_owned)
}

/// Text for people, in which expressions may stand.
pub fn words(cx: &mut Context<'_, '_>, node: &Node, what: &str) -> Option<Argument> {
    match &node.kind {
        Kind::Text(_) => Some(cx.argument_without_secrets(node, &format!("`{what}`"))),
        Kind::Number(_) | Kind::Bool(_) => Some(Argument::Text(Template::literal(&node.to_json().to_string()))),
        _ => {
            cx.report.error(node.span, format!("`{what}` is not text"), None);
            None
        }
    }
}

/// The entries of a word's map.
pub struct Fields<'n>(&'n [Entry]);

impl<'n> Fields<'n> {
    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'n Node> {
        self.0.iter().find(|entry| entry.key.text == key).map(|entry| &entry.value)
    }
}

/// Checks the keys of a word's map.
fn fields<'n>(cx: &mut Context<'_, '_>, node: &'n Node, name: &str, required: &[&str]) -> Option<Fields<'n>> {
    let word = word(name)?;
    fields_of(cx, node, name, word.keys, required, word.example)
}

/// Checks the keys of a map: only known ones, and all that are required.
pub fn fields_of<'n>(
    cx: &mut Context<'_, '_>,
    node: &'n Node,
    name: &str,
    keys: &'static [&'static str],
    required: &[&str],
    example: &str,
) -> Option<Fields<'n>> {
    let Some(entries) = node.entries() else {
        let message = format!("`{name}` is not a map of {}", listed(keys.iter().copied()));
        cx.report.error(node.span, message, Some(format!("for example `- {example}`")));
        return None;
    };
    for Entry { key, .. } in entries.iter().filter(|entry| !keys.contains(&entry.key.text.as_str())) {
        let hint = match modifiers::of(cx.dialect).contains(&key.text.as_str()) {
            true => format!("write it beside `{name}:`, not inside"),
            false => did_you_mean(&key.text, keys.iter().copied())
                .unwrap_or_else(|| format!("known are {}", listed(keys.iter().copied()))),
        };
        cx.report.error(key.span, format!("unknown key `{}` for `{name}`", key.text), Some(hint));
    }
    let fields = Fields(entries);
    let missing: Vec<&str> = required.iter().copied().filter(|key| fields.get(key).is_none()).collect();
    for key in &missing {
        cx.report.error(node.span, format!("`{name}` needs `{key}`"), Some(format!("for example `- {example}`")));
    }
    missing.is_empty().then_some(fields)
}
