//! Owns what a reader knows while it reads one file: the report, the names, and which dialect is read. Turns scalars
//! into arguments, with every fault at its character.

use std::collections::BTreeSet;

use super::expression::Expression;
use super::link::Reference;
use super::meant;
use super::names::{Names, Origin, Unknown};
use super::problem::{Place, Report, Span};
use super::scan::{self, scan};
use super::template::{Argument, Piece, Template};
use super::yaml::{Kind, Node};
use crate::secrets::{SecretName, Text};

/// How text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// A shortcut: `${{ … }}` are expressions, `$<<NAME>>` are secrets.
    Shortcut,
    /// A file of classic commands, where `${{NAME}}` is a secret too.
    Classic,
    /// Commands of a tool call: text is text.
    Data,
}

/// The state of one reading.
pub struct Context<'r, 's> {
    /// Where faults go.
    pub report: &'r mut Report<'s>,
    /// How text is read.
    pub dialect: Dialect,
    /// Which names exist.
    pub names: Names,
    /// The declared outputs, if there are any.
    pub outputs: Option<Vec<String>>,
    /// How many steps were read.
    pub steps: usize,
    /// How deep the steps being read are nested.
    pub depth: usize,
    /// The actions that steps perform, for the check of them all together.
    pub references: Vec<Reference>,
    /// What is read belongs to `finally`.
    pub in_finally: bool,
    /// What expressions read of captured values: the name, its attribute, and where.
    read: Vec<(String, String, Place)>,
    secrets: BTreeSet<SecretName>,
}

impl<'r, 's> Context<'r, 's> {
    /// A context for a file with these inputs, whose steps give these names in any place.
    pub fn new(report: &'r mut Report<'s>, dialect: Dialect, inputs: Vec<String>, anywhere: Vec<String>) -> Self {
        Context {
            report,
            dialect,
            names: Names::new(inputs, anywhere),
            outputs: None,
            steps: 0,
            depth: 0,
            references: Vec::new(),
            in_finally: false,
            read: Vec::new(),
            secrets: BTreeSet::new(),
        }
    }

    /// Makes a name known to everything that is read from now on.
    pub fn give(&mut self, name: &str, span: Span, origin: Origin) {
        if let Err(message) = self.names.give(name, span, origin) {
            let hint = match origin {
                Origin::Loop => "give the loop another name",
                _ => "give each `as` its own name; `set` may change a name",
            };
            self.report.error(span, message, Some(hint.into()));
        }
    }

    /// Warns about names that nothing reads; returns the secrets that were named and the actions that are performed.
    pub fn finish(mut self) -> (BTreeSet<SecretName>, Vec<Reference>) {
        for reference in &mut self.references {
            let Some(name) = reference.capture.as_deref().filter(|name| self.names.is_given_once(name)) else {
                continue;
            };
            let read = self.read.iter().filter(|(captured, ..)| captured == name);
            reference.read = read.map(|(_, attribute, place)| (attribute.clone(), place.clone())).collect();
        }
        self.names.finish(self.report);
        (self.secrets, self.references)
    }

    /// Reads a value in which templates may stand.
    pub fn argument(&mut self, node: &Node) -> Argument {
        match &node.kind {
            Kind::Null => Argument::Null,
            Kind::Bool(value) => Argument::Bool(*value),
            Kind::Number(value) => Argument::Number(value.clone()),
            Kind::Text(text) => self.text(node, text),
            Kind::List(items) => Argument::List(items.iter().map(|item| self.argument(item)).collect()),
            Kind::Map(entries) => {
                let pair = |entry: &super::yaml::Entry| (entry.key.text.clone(), self.argument(&entry.value));
                Argument::Map(entries.iter().map(pair).collect())
            }
        }
    }

    /// Reads a value in which secrets have no place; `what` says where it stands.
    pub fn argument_without_secrets(&mut self, node: &Node, what: &str) -> Argument {
        let argument = self.argument(node);
        if let Some(name) = argument.secret_names().first() {
            self.report.error(
                node.span,
                format!("a secret can't be used in {what}: `$<<{name}>>`"),
                Some("secrets belong in the arguments of commands that type them".into()),
            );
        }
        argument
    }

    fn text(&mut self, node: &Node, text: &str) -> Argument {
        if self.dialect == Dialect::Data {
            return Argument::Text(Template::literal(text));
        }
        let pieces = match scan(text) {
            Ok(pieces) => pieces,
            Err(scan::Unclosed(at)) => {
                let span = node.span_within(self.report.source(), at, 3);
                self.report.error(span, "`${{` is not closed", Some("end it with `}}`".into()));
                return Argument::Null;
            }
        };
        let alone = pieces.len() == 1;
        let mut sound = true;
        let mut read = Vec::with_capacity(pieces.len());
        for piece in pieces {
            match piece {
                scan::Piece::Literal(offset, literal) => {
                    self.other_braces(node, offset, literal);
                    let parsed = self.secrets(node, offset, literal);
                    read.push(Piece::Literal(parsed));
                }
                scan::Piece::Expression(_, inner)
                    if self.dialect == Dialect::Classic && is_secret_name(inner.trim()) =>
                {
                    let parsed = self.secrets(node, 0, &format!("$<<{}>>", inner.trim()));
                    read.push(Piece::Literal(parsed));
                }
                scan::Piece::Expression(offset, inner) => {
                    let leading = inner.len() - inner.trim_start().len();
                    match self.expression(node, offset + leading, inner) {
                        Some(expression) if alone => return Argument::Expression(expression),
                        Some(expression) => read.push(Piece::Expression(expression)),
                        None => sound = false,
                    }
                }
            }
        }
        // What is left of a faulty text would look like a literal and be judged as one.
        match sound {
            true => Argument::Text(Template::new(read)),
            false => Argument::Null,
        }
    }

    fn secrets(&mut self, node: &Node, offset: usize, literal: &str) -> Text {
        match Text::parse(literal) {
            Ok(text) => {
                self.secrets.extend(text.names());
                text
            }
            Err(error) => {
                let before = literal.char_indices().nth(error.offset).map_or(literal.len(), |(at, _)| at);
                let span = node.span_within(self.report.source(), offset + before, error.length);
                self.report.error(span, error.to_string(), Some(error.hint().to_owned()));
                Text::default()
            }
        }
    }

    /// Warns about an expression in the braces of other tools: it is plain text.
    fn other_braces(&mut self, node: &Node, offset: usize, literal: &str) {
        if self.dialect != Dialect::Shortcut {
            return;
        }
        for (at, written, inner) in meant::expressions(literal) {
            let root = inner.split('.').next().unwrap_or_default();
            let is_known = match inner.split_once('.') {
                Some(("inputs" | "page", _)) => self.names.check(inner).is_ok(),
                _ => written.starts_with("{{") && self.names.is_visible(root) && self.names.check(inner).is_ok(),
            };
            if is_known {
                let span = node.span_within(self.report.source(), offset + at, written.chars().count());
                let hint = format!("write `${{{{ {inner} }}}}`");
                self.report.warning(span, format!("`{written}` is plain text, not an expression"), Some(hint));
            }
        }
    }

    fn expression(&mut self, node: &Node, offset: usize, source: &str) -> Option<Expression> {
        match Expression::compile(source) {
            Ok(expression) if expression.source().contains("$<<") => {
                let at = expression.source().find("$<<").unwrap_or_default();
                let span = node.span_within(self.report.source(), offset + at, 3);
                let hint = "write it outside of `${{ … }}`, in the argument of the command that types it";
                self.report.error(span, "a secret can't be part of an expression", Some(hint.into()));
                None
            }
            Ok(expression) => {
                for name in expression.names() {
                    self.check_name(node, offset, expression.source(), name);
                }
                Some(expression)
            }
            Err(error) => {
                let at = offset + error.offset;
                let length = error.length.max(1);
                let span = node.span_within(self.report.source(), at, length);
                let hint = error.hint.clone();
                self.report.error(span, error.to_string(), hint);
                None
            }
        }
    }

    fn check_name(&mut self, node: &Node, offset: usize, source: &str, name: &str) {
        if let Err(Unknown { part, message, hint }) = self.names.check(name) {
            let span = self.named(node, offset, source, &part);
            self.report.error(span, message, hint);
        } else if let Some((root, rest)) = name.split_once('.')
            && self.references.iter().any(|reference| reference.capture.as_deref() == Some(root))
        {
            let attribute = rest.split('.').next().unwrap_or_default();
            let span = self.named(node, offset, source, &format!("{root}.{attribute}"));
            self.read.push((root.to_owned(), attribute.to_owned(), self.report.place(span)));
        }
    }

    /// Where a name stands in an expression.
    fn named(&self, node: &Node, offset: usize, source: &str, name: &str) -> Span {
        let at = word_at(source, name).unwrap_or(0);
        node.span_within(self.report.source(), offset + at, name.chars().count())
    }
}

fn is_secret_name(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|first| first.is_ascii_alphabetic() || first == b'_')
        && bytes.all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// Where a name stands in an expression, not as part of a longer one.
fn word_at(source: &str, word: &str) -> Option<usize> {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    source.match_indices(word).map(|(at, _)| at).find(|&at| {
        let before = source[..at].chars().next_back();
        let after = source[at + word.len()..].chars().next();
        !before.is_some_and(|c| part(c) || c == '.') && !after.is_some_and(part)
    })
}
