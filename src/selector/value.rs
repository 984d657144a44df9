//! The parser of values: text in its forms, CSS and XPath up to their end, references.
//!
//! A separator counts only outside quotes, regular expressions and brackets, so each kind of value knows its own end.

use super::parse::Parser;
use super::part::{MatchKind, TextMatch};
use super::print::quoted;
use super::{SelectorError, css_lint, regular_expression};

/// What ends a value.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    /// `>>`, the `)` of a group, or the end of the text.
    Part,
    /// `]`.
    Bracket,
    /// Only the end of the text: the value of a structured selector.
    Whole,
}

/// A language that is passed on, and read only as far as needed to find its end.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Css,
    Xpath,
}

impl Parser {
    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(self.position)
    }

    pub(super) fn peek_at(&self, position: usize) -> Option<char> {
        self.source.get(position).copied()
    }

    pub(super) fn looking_at(&self, text: &str) -> bool {
        text.chars().enumerate().all(|(index, character)| self.peek_at(self.position + index) == Some(character))
    }

    pub(super) fn skip_space(&mut self) {
        while self.peek().is_some_and(char::is_whitespace) {
            self.position += 1;
        }
    }

    pub(super) fn at_end(&self, end: End) -> bool {
        match (self.peek(), end) {
            (None, _) => true,
            (Some(']'), End::Bracket) => true,
            (Some(')'), End::Part) => self.groups > 0,
            (Some('>'), End::Part) => self.looking_at(">>"),
            _ => false,
        }
    }

    /// How many characters are left in this part, without white space at its end.
    pub(super) fn rest_of_part(&self) -> usize {
        let rest = &self.source[self.position..];
        let stop = rest.windows(2).position(|pair| pair == ['>', '>']).unwrap_or(rest.len());
        let stop = match rest[..stop].iter().position(|character| *character == ')') {
            Some(close) if self.groups > 0 => close,
            _ => stop,
        };
        rest[..stop].iter().rposition(|character| !character.is_whitespace()).map_or(0, |last| last + 1)
    }

    /// How to write what stands from a position on as plain text, for hints.
    pub(super) fn as_text(&self, start: usize) -> String {
        let rest: String = self.source[start..].iter().collect();
        let text = rest.split(">>").next().unwrap_or_default().trim();
        format!("{}i", quoted(text))
    }

    /// A text value; `bare` says how text without quotes is compared.
    pub(super) fn text(&mut self, end: End, bare: MatchKind) -> Result<TextMatch, SelectorError> {
        self.skip_space();
        let start = self.position;
        let value = match self.peek() {
            Some('"') => self.quoted()?,
            Some('/') => self.regular_expression()?,
            _ => {
                return Ok(TextMatch { kind: bare, text: self.bare_text(end)?, flags: String::new() });
            }
        };
        let after = self.position;
        self.skip_space();
        if self.at_end(end) {
            return Ok(value);
        }
        let delimiter = if value.kind == MatchKind::Regex { "regular expression" } else { "closing quote" };
        Err(SelectorError::new(
            self.position,
            1,
            format!("unexpected `{}` after the {delimiter}", self.source[self.position]),
            match self.peek() {
                Some('i') if self.position == after => "only one `i` may follow".to_owned(),
                _ => format!("to find this text write `{}`", self.as_text(start)),
            },
        ))
    }

    /// Text as it stands, up to its end; brackets of the kind that could end it must be balanced.
    fn bare_text(&mut self, end: End) -> Result<String, SelectorError> {
        let start = self.position;
        let (open, close) = match end {
            End::Bracket => ('[', ']'),
            _ => ('(', ')'),
        };
        let mut depth = 0usize;
        while let Some(character) = self.peek() {
            if depth == 0 && self.at_end(end) || end == End::Part && self.looking_at(">>") {
                break;
            }
            if character == open {
                depth += 1;
            } else if character == close {
                depth = depth.saturating_sub(1);
            }
            self.position += 1;
        }
        let text: String = self.source[start..self.position].iter().collect();
        let text = text.trim();
        if text.is_empty() {
            return Err(SelectorError::new(
                start,
                self.position - start,
                "the text is empty",
                "write the text to find",
            ));
        }
        Ok(text.to_owned())
    }

    fn quoted(&mut self) -> Result<TextMatch, SelectorError> {
        let start = self.position;
        let mut text = String::new();
        loop {
            self.position += 1;
            match self.peek() {
                Some('"') => break,
                Some('\\') if matches!(self.peek_at(self.position + 1), Some('"' | '\\')) => {
                    self.position += 1;
                    text.extend(self.peek());
                }
                Some(character) => text.push(character),
                None => {
                    return Err(SelectorError::new(
                        start,
                        self.source.len() - start,
                        "`\"` is never closed",
                        format!("close it with `\"`; for text that holds quotes write `{}`", self.as_text(start)),
                    ));
                }
            }
        }
        self.position += 1;
        if self.peek() != Some('i') {
            return Ok(TextMatch::exact(text));
        }
        if text.is_empty() {
            return Err(SelectorError::new(start, 3, "every text contains `\"\"`", "write the text to find"));
        }
        self.position += 1;
        Ok(TextMatch::contains(text))
    }

    fn regular_expression(&mut self) -> Result<TextMatch, SelectorError> {
        let start = self.position;
        let mut pattern = String::new();
        let mut in_class = false;
        loop {
            self.position += 1;
            match (self.peek(), self.peek_at(self.position + 1)) {
                (Some('/'), _) if !in_class => break,
                (Some('\\'), Some(escaped)) => {
                    self.position += 1;
                    if escaped != '/' {
                        pattern.push('\\');
                    }
                    pattern.push(escaped);
                }
                (Some(character), _) => {
                    in_class = if in_class { character != ']' } else { character == '[' };
                    pattern.push(character);
                }
                (None, _) => {
                    return Err(SelectorError::new(
                        start,
                        self.source.len() - start,
                        "the regular expression is never closed",
                        format!("close it with `/`; to find this text write `{}`", self.as_text(start)),
                    ));
                }
            }
        }
        self.position += 1;
        let flags_start = self.position;
        while self.peek().is_some_and(|character| character.is_ascii_alphanumeric()) {
            self.position += 1;
        }
        let flags: String = self.source[flags_start..self.position].iter().collect();
        let flags = regular_expression::canonical_flags(&flags).map_err(|message| {
            let hint =
                format!("the flags are `i`, `m`, `s` and `u`; to find this text write `{}`", self.as_text(start));
            SelectorError::new(flags_start, self.position - flags_start, message, hint)
        })?;
        regular_expression::check(&pattern, &flags)
            .map_err(|(message, hint)| SelectorError::new(start, self.position - start, message, hint))?;
        Ok(TextMatch { kind: MatchKind::Regex, text: pattern, flags })
    }

    /// CSS or XPath, up to a separator outside quotes and brackets.
    pub(super) fn foreign(&mut self, end: End, language: Language) -> Result<String, SelectorError> {
        let start = self.position;
        let mut open: Vec<usize> = Vec::new();
        while let Some(character) = self.peek() {
            if open.is_empty() && self.at_end(end) {
                break;
            }
            if self.looking_at(">>") && (open.is_empty() || language == Language::Xpath) {
                let hint = match end {
                    End::Whole => "use `within` for the outer selector",
                    _ => "close the brackets before `>>`, or write `(xpath:…` if `(` opens a group",
                };
                return Err(SelectorError::new(self.position, 2, "`>>` can't stand here", hint));
            }
            match character {
                '"' | '\'' => self.skip_string(language)?,
                '\\' if language == Language::Css => self.position += 1,
                '(' | '[' => open.push(self.position),
                ')' | ']' => {
                    let matching = if character == ')' { '(' } else { '[' };
                    if open.pop().is_none_or(|opening| self.source[opening] != matching) {
                        return Err(SelectorError::new(
                            self.position,
                            1,
                            format!("`{character}` closes nothing"),
                            format!("remove it, or open it with `{matching}`"),
                        ));
                    }
                }
                _ => {}
            }
            self.position = (self.position + 1).min(self.source.len());
        }
        if let Some(&opening) = open.last() {
            let bracket = self.source[opening];
            let closing = if bracket == '(' { ')' } else { ']' };
            return Err(SelectorError::new(
                opening,
                1,
                format!("`{bracket}` is never closed"),
                format!("close it with `{closing}`; to find this text write `{}`", self.as_text(start)),
            ));
        }
        let text: String = self.source[start..self.position].iter().collect();
        let text = text.trim();
        let backslashes = text.len() - text.trim_end_matches('\\').len();
        if language == Language::Css && backslashes % 2 == 1 {
            let place = start + text.chars().count().saturating_sub(1);
            return Err(SelectorError::new(place, 1, "a `\\` escapes nothing", "write the escaped character after it"));
        }
        if text.is_empty() {
            return Err(SelectorError::new(start, 0, "the selector is empty", "write the CSS or XPath to find"));
        }
        if language == Language::Css
            && let Some((place, name, filter)) = css_lint::foreign_pseudo_class(text)
        {
            let place = start + text[..place].chars().count();
            return Err(SelectorError::new(
                place,
                name.len() + 1,
                format!("`:{name}` is not CSS"),
                format!("write a part of its own after the CSS: `css:… >> {filter}`"),
            ));
        }
        Ok(text.to_owned())
    }

    /// Moves to the closing quote of a string of CSS or XPath.
    fn skip_string(&mut self, language: Language) -> Result<(), SelectorError> {
        let start = self.position;
        let quote = self.peek();
        loop {
            self.position += 1;
            match self.peek() {
                None => {
                    return Err(SelectorError::new(
                        start,
                        self.source.len() - start,
                        format!("`{}` is never closed", self.source[start]),
                        "close the quote",
                    ));
                }
                Some('\\') if language == Language::Css => self.position += 1,
                character if character == quote => return Ok(()),
                _ => {}
            }
        }
    }

    /// The name of an element in a snapshot.
    pub(super) fn reference(&mut self, end: End) -> Result<String, SelectorError> {
        let start = self.position;
        while !self.at_end(end) {
            self.position += 1;
        }
        let text: String = self.source[start..self.position].iter().collect();
        let text = text.trim();
        let is_name = text.starts_with(|character: char| character.is_ascii_alphabetic())
            && text.chars().all(|character| character.is_ascii_alphanumeric() || matches!(character, '_' | '-'));
        if is_name {
            return Ok(text.to_owned());
        }
        Err(SelectorError::new(
            start,
            text.chars().count(),
            format!("`{text}` is not a reference"),
            "write a reference of the latest snapshot, such as `ref:e12`",
        ))
    }
}
