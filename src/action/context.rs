//! Owns what a reader knows while it reads one file: the report, which names exist so far, and which dialect is read.
//! Turns scalars into arguments, with every fault at its character.

use std::collections::BTreeSet;

use super::expression::{Expression, FUNCTIONS};
use super::problem::{Report, Span, did_you_mean, listed};
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

/// A value that a step captures.
#[derive(Debug)]
struct Capture {
    name: String,
    span: Span,
    used: bool,
}

/// The state of one reading.
pub struct Context<'r, 's> {
    /// Where faults go.
    pub report: &'r mut Report<'s>,
    /// How text is read.
    pub dialect: Dialect,
    /// The inputs that expressions have read so far.
    pub used_inputs: BTreeSet<String>,
    inputs: Vec<String>,
    captures: Vec<Capture>,
    all_captures: Vec<String>,
    secrets: BTreeSet<SecretName>,
}

impl<'r, 's> Context<'r, 's> {
    /// A context for a file with these inputs, whose steps capture these names anywhere.
    pub fn new(report: &'r mut Report<'s>, dialect: Dialect, inputs: Vec<String>, all_captures: Vec<String>) -> Self {
        let used_inputs = BTreeSet::new();
        Context { report, dialect, used_inputs, inputs, captures: Vec::new(), all_captures, secrets: BTreeSet::new() }
    }

    /// Makes a captured name known to everything that is read from now on.
    pub fn capture(&mut self, name: &str, span: Span) {
        if let Some(first) = self.captures.iter().find(|capture| capture.name == name) {
            let place = first.span.start;
            let place = place.map_or_else(String::new, |p| format!(" on line {}", p.line));
            let message = format!("`{name}` is already captured{place}");
            self.report.error(span, message, Some("give each `as` its own name".into()));
            return;
        }
        self.captures.push(Capture { name: name.to_owned(), span, used: false });
    }

    /// Warns about captures that nothing reads, and returns the secrets that were named.
    pub fn finish(self) -> BTreeSet<SecretName> {
        // What reads them may be in a step that could not be understood.
        let unused = self.captures.iter().filter(|capture| !capture.used);
        for capture in unused.filter(|_| !self.report.has_errors()).collect::<Vec<_>>() {
            self.report.warning(
                capture.span,
                format!("`{}` is captured but never used", capture.name),
                Some("use it in a later step or in `outputs`, or remove the `as`".into()),
            );
        }
        self.secrets
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

    /// Reads a condition: one expression, or a plain `true` or `false`.
    pub fn condition(&mut self, node: &Node, what: &str) -> Option<Expression> {
        let hint = || Some(format!("write an expression: `{what}: ${{{{ inputs.remember }}}}`"));
        match &node.kind {
            Kind::Bool(value) => Expression::compile(&value.to_string()).ok(),
            Kind::Map(_) => {
                let message = format!("page states in `{what}` are not supported by this version");
                self.report.error(node.span, message, hint());
                None
            }
            Kind::Text(_) => match self.argument_without_secrets(node, &format!("`{what}`")) {
                Argument::Expression(expression) => Some(expression),
                Argument::Null => None,
                _ => {
                    let message = format!("`{what}` is not one expression");
                    self.report.error(node.span, message, hint());
                    None
                }
            },
            _ => {
                let message = format!("`{what}` is not an expression");
                self.report.error(node.span, message, hint());
                None
            }
        }
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

    fn expression(&mut self, node: &Node, offset: usize, source: &str) -> Option<Expression> {
        match Expression::compile(source) {
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
        let mut parts = name.split('.');
        let root = parts.next().unwrap_or_default();
        let attribute = parts.next();
        if let Some(capture) = self.captures.iter_mut().find(|capture| capture.name == root) {
            capture.used = true;
            return;
        }
        let (wrong, message, hint) = match (root, attribute) {
            ("page", None | Some("url" | "title")) => return,
            // Which of them it reads is known only when it is evaluated.
            ("inputs", None) => {
                self.used_inputs.extend(self.inputs.iter().cloned());
                return;
            }
            ("inputs", Some(input)) if self.inputs.iter().any(|known| known == input) => {
                self.used_inputs.insert(input.to_owned());
                return;
            }
            ("inputs", Some(input)) => {
                let known = self.inputs.iter().map(String::as_str);
                let hint = did_you_mean(&format!("inputs.{input}"), self.full_names().iter().map(String::as_str))
                    .or_else(|| (!self.inputs.is_empty()).then(|| format!("the inputs are {}", listed(known))));
                let hint = hint.or_else(|| Some("declare it under `inputs:`".into()));
                (format!("inputs.{input}"), format!("unknown input `{input}`"), hint)
            }
            ("page", Some(attribute)) => (
                format!("page.{attribute}"),
                format!("`page` has no `{attribute}`"),
                Some("use `page.url` or `page.title`".into()),
            ),
            _ if FUNCTIONS.contains(&root) => return,
            _ if self.all_captures.iter().any(|capture| capture == root) => (
                root.to_owned(),
                format!("`{root}` is captured by a later step"),
                Some("use it after the step that captures it".into()),
            ),
            _ => {
                let mut known = self.full_names();
                let bare = self.inputs.iter().find(|input| *input == root);
                let hint = match bare {
                    Some(input) => Some(format!("did you mean `inputs.{input}`?")),
                    None => {
                        known.extend(self.captures.iter().map(|capture| capture.name.clone()));
                        did_you_mean(name, known.iter().map(String::as_str))
                            .or_else(|| did_you_mean(root, self.captures.iter().map(|c| c.name.as_str())))
                    }
                };
                let hint = hint.or_else(|| {
                    Some(
                        "names are `inputs.…`, what an earlier step captured with `as`, `page.url` and `page.title`"
                            .into(),
                    )
                });
                (root.to_owned(), format!("unknown name `{root}`"), hint)
            }
        };
        let at = word_at(source, &wrong).unwrap_or(0);
        let span = node.span_within(self.report.source(), offset + at, wrong.chars().count());
        self.report.error(span, message, hint);
    }

    fn full_names(&self) -> Vec<String> {
        let inputs = self.inputs.iter().map(|input| format!("inputs.{input}"));
        inputs.chain(["page.url".into(), "page.title".into()]).collect()
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
