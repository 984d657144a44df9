//! Owns the modifiers that say what a step brings about beside its own result: `dialog`, `opens`, `download`. What
//! makes it come and how it is awaited is `run`'s and the browser's.

use bytesize::ByteSize;

use super::context::Context;
use super::flow::{self, Fields, fields_of};
use super::modifiers::name;
use super::names::Origin;
use super::problem::Span;
use super::template::Argument;
use super::yaml::{Entry, Kind, Node};
use crate::command;
use crate::selector::TextMatch;

/// The modifiers.
pub const WORDS: [&str; 3] = ["dialog", "opens", "download"];

/// The largest download that a step may ask for.
const MOST_BYTES: u64 = 10_000_000_000;

/// What a step brings about beside its own result.
#[derive(Debug, Default)]
pub struct Awaited {
    /// A dialog of the page.
    pub dialog: Option<AwaitedDialog>,
    /// A new tab.
    pub tab: Option<AwaitedTab>,
    /// A download.
    pub download: Option<AwaitedDownload>,
}

/// A dialog and its answer.
#[derive(Debug)]
pub struct AwaitedDialog {
    /// Whether it is accepted.
    pub accept: bool,
    /// What is answered to a prompt; its own suggestion when not given.
    pub text: Option<Argument>,
    /// What its message must be, in the forms of `text:`.
    pub message: Option<Argument>,
    /// The name it gets.
    pub capture: Option<String>,
}

/// A tab that opens.
#[derive(Debug)]
pub struct AwaitedTab {
    /// The name it gets.
    pub capture: Option<String>,
}

/// A download that is kept in the workspace.
#[derive(Debug)]
pub struct AwaitedDownload {
    /// The name it gets.
    pub capture: Option<String>,
    /// How large it may be; more than zero.
    pub max_bytes: Option<u64>,
}

impl Awaited {
    /// Whether there is nothing to wait for.
    pub fn is_empty(&self) -> bool {
        self.dialog.is_none() && self.tab.is_none() && self.download.is_none()
    }

    /// The names that what comes gets.
    pub fn captures(&self) -> impl Iterator<Item = &str> {
        let names = [
            self.dialog.as_ref().and_then(|dialog| dialog.capture.as_deref()),
            self.tab.as_ref().and_then(|tab| tab.capture.as_deref()),
            self.download.as_ref().and_then(|download| download.capture.as_deref()),
        ];
        names.into_iter().flatten()
    }

    /// Whether it reads the page's address or title.
    pub fn uses_page(&self) -> bool {
        let texts = self.dialog.iter().flat_map(|dialog| dialog.text.iter().chain(&dialog.message));
        texts.into_iter().any(Argument::uses_page)
    }
}

/// A name that stands in one of the modifiers.
pub type Given = (String, Span, Origin);

/// Reads one of the modifiers; answers the name that what comes gets.
pub fn read(cx: &mut Context<'_, '_>, awaited: &mut Awaited, entry: &Entry) -> Option<Given> {
    match entry.key.text.as_str() {
        "dialog" => {
            let (dialog, given) = dialog(cx, &entry.value)?;
            awaited.dialog = Some(dialog);
            given
        }
        "opens" => {
            let (given, _) = named(cx, entry, &["as"], "opens: details")?;
            awaited.tab = Some(AwaitedTab { capture: captured(&given) });
            given
        }
        _ => {
            let example = "download: { as: invoice, max_bytes: 5MB }";
            let (given, fields) = named(cx, entry, &["as", "max_bytes"], example)?;
            let limit = fields.as_ref().and_then(|fields| fields.get("max_bytes"));
            let max_bytes = limit.and_then(|node| bytes(cx, node));
            awaited.download = Some(AwaitedDownload { capture: captured(&given), max_bytes });
            given
        }
    }
}

/// The nodes of a step in which these modifiers give names.
pub fn names(step: &Node) -> impl Iterator<Item = &Node> {
    WORDS.into_iter().filter_map(|word| {
        let node = step.get(word)?;
        match node.kind {
            Kind::Map(_) => node.get("as"),
            _ => Some(node).filter(|_| word != "dialog" && node.text().is_some()),
        }
    })
}

/// Whether one of the modifiers makes sense beside a command or a word of the flow.
pub fn is_sensible(word: &str, modifier: &str) -> bool {
    let acts = command::find(word).map_or(matches!(word, "group" | "run"), |command| command.acts);
    acts && (word, modifier) != ("open_tab", "opens")
}

/// Reports the modifiers that make no sense beside this word.
pub fn check_sense(cx: &mut Context<'_, '_>, entries: &[&Entry], word: &str) {
    for Entry { key, .. } in entries {
        let what = match key.text.as_str() {
            "dialog" => "no dialog",
            "opens" => "no tab",
            "download" => "no download",
            _ => continue,
        };
        if is_sensible(word, &key.text) {
            continue;
        }
        let hint = match word {
            "open_tab" if key.text == "opens" => "it opens its tab itself: capture that with `as`",
            "if" | "for_each" | "repeat" => {
                "put it beside the step inside that does, or put that and others in a `group`"
            }
            _ => "put it beside the step that does, such as a `click`",
        };
        cx.report.error(key.span, format!("`{word}` brings about {what}"), Some(hint.into()));
    }
}

fn captured(given: &Option<Given>) -> Option<String> {
    given.as_ref().map(|(name, ..)| name.clone())
}

/// `true`, a name, or a map with the name under `as`.
fn named<'n>(
    cx: &mut Context<'_, '_>,
    entry: &'n Entry,
    keys: &'static [&'static str],
    example: &str,
) -> Option<(Option<Given>, Option<Fields<'n>>)> {
    let Entry { key, value } = entry;
    match &value.kind {
        Kind::Bool(true) => Some((None, None)),
        Kind::Map(_) => {
            let fields = fields_of(cx, value, &key.text, keys, &[], example)?;
            let given = match fields.get("as") {
                Some(node) => Some(capture(cx, node)?),
                None => None,
            };
            Some((given, Some(fields)))
        }
        Kind::Text(_) => {
            let word = WORDS.into_iter().find(|word| *word == key.text).unwrap_or_default();
            let (name, span) = name(cx, value, word)?;
            Some((Some((name, span, Origin::Beside(word))), None))
        }
        _ => {
            let word = &key.text;
            let hint = format!("write `{example}`, or `{word}: true` where nothing needs its name");
            cx.report.error(value.span, format!("`{word}` is neither a name nor `true`"), Some(hint));
            None
        }
    }
}

fn capture(cx: &mut Context<'_, '_>, node: &Node) -> Option<Given> {
    name(cx, node, "as").map(|(name, span)| (name, span, Origin::Capture))
}

fn dialog(cx: &mut Context<'_, '_>, node: &Node) -> Option<(AwaitedDialog, Option<Given>)> {
    const KEYS: [&str; 5] = ["accept", "dismiss", "text", "message", "as"];
    const EXAMPLE: &str = "dialog: { accept: true, text: Too late, message: Why }";
    const SHORT: &str = "write `dialog: accept` or `dialog: dismiss`";
    let answers = |accept| AwaitedDialog { accept, text: None, message: None, capture: None };
    match &node.kind {
        Kind::Text(word) if word == "accept" => return Some((answers(true), None)),
        Kind::Text(word) if word == "dismiss" => return Some((answers(false), None)),
        Kind::Map(_) => {}
        _ => {
            let hint = format!("{SHORT}, or `{EXAMPLE}`");
            cx.report.error(node.span, "`dialog` is neither `accept` nor `dismiss`", Some(hint));
            return None;
        }
    }
    let fields = fields_of(cx, node, "dialog", &KEYS, &[], EXAMPLE)?;
    let mut sound = true;
    for (word, other) in [("accept", "dismiss"), ("dismiss", "accept")] {
        let Some(value) = fields.get(word).filter(|value| !matches!(value.kind, Kind::Null | Kind::Bool(true))) else {
            continue;
        };
        let hint = match value.kind {
            Kind::Bool(_) => format!("write `{other}: true`"),
            Kind::Text(_) if word == "accept" => "what is typed into a prompt stands in `text`".to_owned(),
            _ => format!("write `{word}: true`"),
        };
        cx.report.error(value.span, format!("`{word}` is not `true`"), Some(hint));
        sound = false;
    }
    let accept = match (fields.get("accept"), fields.get("dismiss")) {
        (Some(_), None) => true,
        (None, Some(_)) => false,
        (None, None) => {
            // A misspelled answer is reported already.
            if node.entries().is_some_and(|entries| entries.iter().all(|entry| KEYS.contains(&entry.key.text.as_str())))
            {
                let hint = "add `accept: true` or `dismiss: true`";
                cx.report.error(node.span, "`dialog` does not say its answer", Some(hint.into()));
            }
            return None;
        }
        (Some(_), Some(second)) => {
            cx.report.error(second.span, "`dialog` has two answers", Some("keep one of them".into()));
            return None;
        }
    };
    if let Some(text) = fields.get("text").filter(|_| !accept) {
        let hint = "only what is accepted has a text: write `accept: true`";
        cx.report.error(text.span, "a dialog that is dismissed takes no `text`", Some(hint.into()));
        sound = false;
    }
    let text = fields.get("text").and_then(|node| flow::words(cx, node, "text"));
    let message = fields.get("message").and_then(|node| message(cx, node));
    let given = match fields.get("as") {
        Some(node) => Some(capture(cx, node)?),
        None => None,
    };
    sound.then(|| (AwaitedDialog { accept, text, message, capture: captured(&given) }, given))
}

fn message(cx: &mut Context<'_, '_>, node: &Node) -> Option<Argument> {
    let message = flow::words(cx, node, "message")?;
    if let Some(literal) = message.as_literal()
        && let Err(error) = TextMatch::parse(literal.as_str().unwrap_or_default())
    {
        cx.report.error(node.span, error.to_string(), error.hint().map(str::to_owned));
        return None;
    }
    Some(message)
}

/// A size: bytes, or a text such as `5MB`.
fn bytes(cx: &mut Context<'_, '_>, node: &Node) -> Option<u64> {
    let bytes = match &node.kind {
        Kind::Number(number) => number.as_u64(),
        Kind::Text(text) => text.parse::<ByteSize>().ok().map(|size| size.as_u64()),
        _ => None,
    };
    let bytes = bytes.filter(|bytes| (1..=MOST_BYTES).contains(bytes));
    if bytes.is_none() {
        let message = format!("`max_bytes` is not a size from 1 byte to {}", ByteSize(MOST_BYTES).display().si());
        cx.report.error(node.span, message, Some("write a number of bytes, or a text such as `5MB`".into()));
    }
    bytes
}
