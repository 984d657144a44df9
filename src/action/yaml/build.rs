//! Owns the way from the engine's events to a tree, within limits: depth, and the number of nodes and bytes that aliases
//! expand to.

use std::borrow::Cow;
use std::collections::HashMap;

use serde_yaml::granit_parser::{self, Event, Parser, ScalarStyle, StrInput, Tag};

use super::{Entry, Key, Kind, Node, scalar, syntax};
use crate::action::problem::{Position, Report, Span};

/// Values nested deeper than this are refused, since the readers recurse.
const MOST_DEPTH: usize = 32;
const MOST_NODES: usize = 100_000;
const MOST_SCALAR_BYTES: usize = 4 * super::MOST_BYTES;

/// A map with more keys than this is searched by an index.
const FEW_KEYS: usize = 16;

/// Where the engine saw something.
pub type Place = granit_parser::Span;

fn events(source: &str) -> Parser<'_, StrInput<'_>> {
    let options = granit_parser::options! { emit_unresolved_aliases: true };
    Parser::new_from_str_with_options(source, options)
}

/// The comments up to the first fault, each with its line.
pub fn comments(source: &str) -> Vec<(usize, String)> {
    let comment = |(event, place): (Event<'_>, Place)| match event {
        Event::Comment(text, _) => Some((place.start.line(), format!("#{}", text.trim_end()))),
        _ => None,
    };
    events(source).map_while(Result::ok).filter_map(comment).collect()
}

/// Reads one document.
pub fn tree(report: &mut Report<'_>) -> Option<Node> {
    let mut builder = Builder::default();
    let mut documents = 0;
    let mut events = events(report.source());
    while let Some(next) = events.next_event() {
        let (event, place) = match next {
            Ok(next) => next,
            Err(error) => {
                syntax::report(report, &error);
                return None;
            }
        };
        documents += usize::from(matches!(event, Event::DocumentStart(..)));
        if documents > 1 {
            syntax::second_document(report, place.start.line());
            return None;
        }
        builder.take(report, event, &place)?;
    }
    let start = Some(Position { line: 1, column: 1 });
    Some(builder.root.unwrap_or(Node { span: Span { start, length: 0 }, kind: Kind::Null }))
}

/// How much a node holds, itself counted.
#[derive(Debug, Clone, Copy)]
struct Size {
    nodes: usize,
    bytes: usize,
    depth: usize,
}

#[derive(Default)]
struct Builder {
    open: Vec<Frame>,
    /// What anchors name.
    anchors: HashMap<usize, (Node, Size)>,
    nodes: usize,
    bytes: usize,
    root: Option<Node>,
}

/// A list or map whose end has not come yet.
struct Frame {
    span: Span,
    /// Zero if it has none.
    anchor: usize,
    size: Size,
    content: Content,
}

enum Content {
    List(Vec<Node>),
    Map(Pairs),
}

#[derive(Default)]
struct Pairs {
    entries: Vec<Entry>,
    /// What was written instead, if something in it is no key.
    broken: Option<String>,
    /// A key that waits for its value; inside, `None` for one that is no key.
    key: Option<Option<Key>>,
    /// Where each key stands in `entries`, once they are many.
    index: HashMap<String, usize>,
}

impl Builder {
    /// Takes one event; `None` if there is no going on.
    fn take(&mut self, report: &mut Report<'_>, event: Event<'_>, place: &Place) -> Option<()> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let bytes = text.len();
                let node = read_scalar(report, text, style, tag.as_deref(), place);
                self.add(report, node, Size { nodes: 1, bytes, depth: 0 }, anchor)
            }
            Event::SequenceStart(_, anchor, tag) => {
                self.open(report, Content::List(Vec::new()), anchor, tag.as_deref(), place)
            }
            Event::MappingStart(_, anchor, tag) => {
                self.open(report, Content::Map(Pairs::default()), anchor, tag.as_deref(), place)
            }
            Event::SequenceEnd | Event::MappingEnd => {
                let frame = self.open.pop()?;
                let kind = match frame.content {
                    Content::List(items) => Kind::List(items),
                    // Readers get what was written, so that the fault is not followed by others.
                    Content::Map(Pairs { broken: Some(written), .. }) => Kind::Text(written),
                    Content::Map(pairs) => Kind::Map(pairs.entries),
                };
                self.add(report, Node { span: frame.span, kind }, frame.size, frame.anchor)
            }
            Event::Alias(anchor) => match self.anchors.get(&anchor) {
                Some((node, size)) => {
                    let (node, size) = (node.clone(), *size);
                    self.nodes += size.nodes;
                    self.bytes += size.bytes;
                    self.add(report, node, size, 0)
                }
                None => {
                    let hint = "write the value out: it can't hold itself";
                    report.error(span(place), "an alias inside of what it names", Some(hint.into()));
                    None
                }
            },
            Event::UnresolvedAlias(name) => {
                let written = syntax::unknown_alias(report, &name, span(place));
                let node = Node { span: span(place), kind: Kind::Text(written) };
                self.add(report, node, Size { nodes: 1, bytes: 0, depth: 0 }, 0)
            }
            _ => Some(()),
        }
    }

    fn open(
        &mut self,
        report: &mut Report<'_>,
        content: Content,
        anchor: usize,
        tag: Option<&Tag>,
        place: &Place,
    ) -> Option<()> {
        let span = Span { length: 1, ..span(place) };
        check_tag(report, tag, place);
        if self.open.len() >= MOST_DEPTH {
            too_deep(report, span);
            return None;
        }
        self.open.push(Frame { span, anchor, size: Size { nodes: 1, bytes: 0, depth: 1 }, content });
        Some(())
    }

    /// Puts a complete node where it belongs.
    fn add(&mut self, report: &mut Report<'_>, node: Node, size: Size, anchor: usize) -> Option<()> {
        self.nodes += 1;
        self.bytes += if matches!(node.kind, Kind::List(_) | Kind::Map(_)) { 0 } else { size.bytes };
        if self.nodes > MOST_NODES || self.bytes > MOST_SCALAR_BYTES {
            let message = format!("the file expands to more than {MOST_NODES} values or {MOST_SCALAR_BYTES} bytes");
            report.error(node.span, message, Some("use fewer aliases (`*name`), or divide the file".into()));
            return None;
        }
        if self.open.len() + size.depth > MOST_DEPTH {
            too_deep(report, node.span);
            return None;
        }
        if anchor != 0 {
            self.anchors.insert(anchor, (node.clone(), size));
        }
        let Some(frame) = self.open.last_mut() else {
            self.root = Some(node);
            return Some(());
        };
        frame.size.nodes += size.nodes;
        frame.size.bytes += size.bytes;
        frame.size.depth = frame.size.depth.max(size.depth + 1);
        match &mut frame.content {
            Content::List(items) => items.push(node),
            Content::Map(pairs) => pairs.add(report, node),
        }
        Some(())
    }
}

impl Pairs {
    /// Adds a key or its value, whichever is due.
    fn add(&mut self, report: &mut Report<'_>, node: Node) {
        match self.key.take() {
            None => {
                let key = self.key(report, node);
                self.key = Some(key);
            }
            Some(Some(key)) => {
                if !self.index.is_empty() {
                    self.index.insert(key.text.clone(), self.entries.len());
                }
                self.entries.push(Entry { key, value: node });
                if self.index.is_empty() && self.entries.len() > FEW_KEYS {
                    let keys = self.entries.iter().enumerate();
                    self.index = keys.map(|(at, entry)| (entry.key.text.clone(), at)).collect();
                }
            }
            Some(None) => {}
        }
    }

    /// The key that a node is, unless it can't be one.
    fn key(&mut self, report: &mut Report<'_>, node: Node) -> Option<Key> {
        let span = node.span;
        let text = match node.kind {
            Kind::Text(text) => text,
            Kind::Number(number) => number.to_string(),
            Kind::Bool(value) => value.to_string(),
            Kind::Null | Kind::List(_) | Kind::Map(_) => {
                self.broken = Some(syntax::not_a_key(report, span));
                return None;
            }
        };
        if text == "<<" {
            let hint = "repeat the keys: this YAML has no merging";
            report.error(span, "`<<` is not a key of YAML 1.2", Some(hint.into()));
            return None;
        }
        let first = match self.index.is_empty() {
            true => self.entries.iter().find(|entry| entry.key.text == text),
            false => self.index.get(&text).and_then(|at| self.entries.get(*at)),
        };
        if let Some(first) = first {
            let place = first.key.span.start.map_or_else(String::new, |start| format!(" on line {}", start.line));
            report.error(span, format!("`{text}` is already given{place}"), Some("keep one of the two".into()));
            return None;
        }
        Some(Key { span, text })
    }
}

fn too_deep(report: &mut Report<'_>, span: Span) {
    let message = format!("nested more than {MOST_DEPTH} deep");
    report.error(span, message, Some("text that starts with `[` or `{` needs quotes".into()));
}

fn read_scalar(
    report: &mut Report<'_>,
    text: Cow<'_, str>,
    style: ScalarStyle,
    tag: Option<&Tag>,
    place: &Place,
) -> Node {
    if let Some(written) = check_tag(report, tag, place) {
        return Node { span: span(place), kind: Kind::Text(written) };
    }
    let is_text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
    let span = span(place);
    let kind = match scalar::plain(&text) {
        _ if style != ScalarStyle::Plain || is_text => Kind::Text(text.into_owned()),
        Some(scalar::Plain::Value(kind)) => kind,
        Some(scalar::Plain::NotFinite) => {
            let hint = format!("write it in quotes if it is text: `\"{text}\"`");
            report.error(span, format!("`{text}` is not a finite number"), Some(hint));
            Kind::Null
        }
        None => Kind::Text(text.into_owned()),
    };
    Node { span, kind }
}

/// Tags of YAML itself say nothing new; others have no meaning here and are probably the text that is returned.
fn check_tag(report: &mut Report<'_>, tag: Option<&Tag>, place: &Place) -> Option<String> {
    let tag = tag.filter(|tag| tag.is_custom())?;
    let start = place.tag_start.map_or_else(|| span(place).start, |start| position(&start));
    Some(syntax::unknown_tag(report, &tag.original(), start))
}

pub fn position(marker: &granit_parser::Marker) -> Option<Position> {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    (marker.line() > 0).then(|| Position { line: number(marker.line()), column: number(marker.col() + 1) })
}

fn span(place: &Place) -> Span {
    let length = place.end.index().saturating_sub(place.start.index());
    Span { start: position(&place.start), length: u32::try_from(length).unwrap_or(u32::MAX) }
}
