//! Owns the words for YAML that can't be read. The engine knows where it gave up and why; here is what the author most
//! likely did, and what to write instead.

use serde_yaml::granit_parser::{ErrorKind, ScanError};

use super::{build, rest_of_line};
use crate::action::problem::{Position, Report, Span};
use crate::command;

/// What is said of a fault, and where if not where the engine gave up.
struct Fault {
    message: String,
    hint: String,
    start: Option<Position>,
    length: u32,
}

fn fault(message: impl Into<String>, hint: impl Into<String>) -> Fault {
    Fault { message: message.into(), hint: hint.into(), start: None, length: 1 }
}

impl Fault {
    /// The same at the character with this index in a line.
    fn at(mut self, line: usize, index: usize) -> Fault {
        let number = |n: usize| u32::try_from(n + 1).unwrap_or(u32::MAX);
        self.start = Some(Position { line: number(line), column: number(index) });
        self
    }
}

/// The lines of a file around a fault; lines and characters count from 0.
struct Scene<'s> {
    lines: Vec<&'s str>,
    line: usize,
    column: usize,
}

/// Reports what the engine could not read.
pub fn report(report: &mut Report<'_>, error: &ScanError) {
    let marker = error.marker();
    let lines: Vec<&str> = report.source().lines().collect();
    let scene = Scene { lines, line: marker.line().saturating_sub(1), column: marker.col() };
    let fault = scene.fault(error.kind()).unwrap_or_else(|| {
        fault(
            format!("not valid YAML: {}", error.info().lines().next().unwrap_or_default()),
            "text needs quotes if it holds `: ` or ` #`, or starts with one of ``[]{}*&!|>%@` ``",
        )
    });
    let start = fault.start.or_else(|| build::position(marker));
    report.error(Span { start: inside(report.source(), start), length: fault.length }, fault.message, Some(fault.hint));
}

/// A place that exists: the engine may give up behind the end.
fn inside(source: &str, start: Option<Position>) -> Option<Position> {
    let start = start?;
    let count = source.lines().count().max(1);
    if start.line as usize <= count {
        return Some(start);
    }
    let last = source.lines().last().unwrap_or_default().chars().count();
    Some(Position { line: u32::try_from(count).unwrap_or(u32::MAX), column: u32::try_from(last + 1).unwrap_or(1) })
}

/// Reports that a second document begins.
pub fn second_document(report: &mut Report<'_>, line: usize) {
    let lines = report.source().lines().enumerate().take(line);
    let mark = lines.filter(|(_, text)| text.starts_with("---")).last().map_or(line, |(index, _)| index + 1);
    let start = Some(Position { line: u32::try_from(mark).unwrap_or(u32::MAX), column: 1 });
    let hint = "write one action per file: `---` begins another";
    report.error(Span { start, length: 3 }, "the file holds more than one document", Some(hint.into()));
}

/// Reports `*name` without a `&name` above it; returns the text as it is written.
pub fn unknown_alias(report: &mut Report<'_>, name: &str, span: Span) -> String {
    let written = rest_of_line(report.source(), span.start);
    let hint = format!("text that starts with `*` needs quotes: {}", quoted(&written));
    report.error(span, format!("`*{name}` repeats nothing: no value above is named `&{name}`"), Some(hint));
    written
}

/// Reports `!name`; returns the text as it is written.
pub fn unknown_tag(report: &mut Report<'_>, tag: &str, start: Option<Position>) -> String {
    let written = rest_of_line(report.source(), start);
    let hint = format!("text that starts with `!` needs quotes: {}", quoted(&written));
    let length = u32::try_from(tag.chars().count()).unwrap_or(1);
    report.error(Span { start, length }, format!("unknown tag `{tag}`"), Some(hint));
    written
}

/// Reports a list or a map where a key belongs; returns the text as it is written.
pub fn not_a_key(report: &mut Report<'_>, span: Span) -> String {
    let written = rest_of_line(report.source(), span.start);
    let hint = match written.strip_prefix('{').and_then(|text| text.split_once("}}")) {
        Some((inner, _)) => {
            let inner = inner.trim_start_matches('{').trim();
            format!("an expression begins with `$`: `${{{{ {inner} }}}}`")
        }
        None => "text that starts with `{` or `[` needs quotes".into(),
    };
    report.error(span, "a key must be text", Some(hint));
    written
}

impl Scene<'_> {
    fn fault(&self, kind: &ErrorKind) -> Option<Fault> {
        use ErrorKind as Kind;
        if let Some((line, index)) = self.tab_in_indent() {
            return Some(fault("a tab can't indent YAML", "indent with spaces").at(line, index));
        }
        let found = self.text().chars().nth(self.column);
        Some(match kind {
            Kind::UnexpectedCharacter { character: '\0' } => fault("the control character U+0000", "save it as UTF-8"),
            Kind::UnexpectedCharacter { character } if character.is_control() => fault(
                format!("the control character U+{:04X}", u32::from(*character)),
                "remove it; in double quotes it can be written with a backslash",
            ),
            Kind::UnexpectedCharacter { character } => self.needs_quotes(*character),
            Kind::MissingAnchorOrAliasName
            | Kind::MissingTagUri
            | Kind::InvalidTagTerminator
            | Kind::UnclosedVerbatimTag
            | Kind::InvalidTagEscape
            | Kind::UndeclaredTagHandle
            | Kind::InvalidGlobalTagCharacter
            | Kind::InvalidBlockScalarHeader
            | Kind::ZeroBlockScalarIndent => self.needs_quotes(found?),
            Kind::UnexpectedEofBlockMapping
            | Kind::UnexpectedEofBlockSequence
            | Kind::UnexpectedEof
            | Kind::ExpectedNodeContent
                if found.is_some_and(|c| ",]}".contains(c)) =>
            {
                self.needs_quotes(found?)
            }
            Kind::MappingValueNotAllowed | Kind::InvalidColonPlacement | Kind::InvalidMappingValueWhitespace => {
                self.unexpected_colon()
            }
            Kind::SimpleKeyExpected | Kind::InvalidSimpleKey => fault(
                "a key without its colon",
                "write `key: value`; text of several lines stands below `key: |`, indented",
            )
            .at(self.line, self.indent(self.line)),
            Kind::ExpectedBlockMappingKey if self.text().trim_start().starts_with('-') => fault(
                "a list item where a key belongs",
                self.like("indent the list by the same amount as its other items"),
            )
            .at(self.line, self.indent(self.line)),
            Kind::ExpectedBlockMappingKey | Kind::InvalidIndentation | Kind::InvalidBlockScalarIndent => {
                fault("the indentation fits no line above", self.like("indent it like the line it belongs to"))
                    .at(self.line, self.indent(self.line))
            }
            Kind::ExpectedBlockSequenceEntry => {
                fault("a key where a list item belongs", "start it with `- `, or indent it below its item")
                    .at(self.line, self.indent(self.line))
            }
            Kind::BlockSequenceEntryNotAllowed => fault(
                "a list can't begin behind a key",
                format!("put each `- ` on a line of its own; text needs quotes: {}", quoted(&self.rest(self.column))),
            ),
            Kind::UnclosedQuotedScalar | Kind::InvalidQuotedScalarIndent | Kind::DocumentIndicatorInQuotedScalar => {
                self.open_quote()
            }
            Kind::InvalidTrailingSingleQuotedScalar => self.behind_quotes('\''),
            Kind::InvalidTrailingDoubleQuotedScalar => self.behind_quotes('"'),
            Kind::UnknownQuotedScalarEscape | Kind::InvalidQuotedScalarHexEscape => self.escape()?,
            Kind::UnclosedFlowCollection { open } => {
                let close = if *open == '[' { ']' } else { '}' };
                let hint = format!("end it with `{close}`; text that starts with `{open}` needs quotes");
                fault(format!("`{open}` is never closed"), hint)
            }
            Kind::MismatchedFlowCollectionEnd { open, close } => {
                let right = if *open == '[' { ']' } else { '}' };
                fault(format!("`{open}` is closed by `{close}`"), format!("close it with `{right}`"))
            }
            Kind::MisplacedFlowCollectionEnd => {
                let found = found.unwrap_or(']');
                fault(format!("`{found}` closes nothing"), "remove it, or put the text in quotes")
            }
            Kind::ExpectedFlowMappingSeparator | Kind::ExpectedFlowSequenceSeparator
                if let Some(fault) = self.bare_expression().or_else(|| self.open_bracket()) =>
            {
                fault
            }
            Kind::ExpectedFlowMappingSeparator | Kind::ExpectedFlowSequenceSeparator => fault(
                "what stands in brackets is not separated",
                "put a comma between two values, and quotes around text that has one",
            ),
            _ => return None,
        })
    }

    fn text(&self) -> &str {
        self.lines.get(self.line).copied().unwrap_or_default()
    }

    /// A line from this character on, without a comment.
    fn rest(&self, column: usize) -> String {
        let rest: String = self.text().chars().skip(column).collect();
        rest.split(" #").next().unwrap_or_default().trim().to_owned()
    }

    fn indent(&self, line: usize) -> usize {
        self.lines.get(line).map_or(0, |text| text.chars().take_while(|c| *c == ' ').count())
    }

    /// Lines above the fault that say something, the nearest first.
    fn above(&self) -> impl Iterator<Item = (usize, &str)> {
        let lines = self.lines.iter().enumerate().take(self.line).rev();
        lines.map(|(index, text)| (index, *text)).filter(|(_, text)| {
            let text = text.trim();
            !text.is_empty() && !text.starts_with('#')
        })
    }

    /// The engine stops where the line before ends, in words about scanning.
    fn tab_in_indent(&self) -> Option<(usize, usize)> {
        (self.line..self.line + 2).find_map(|line| {
            let text = self.lines.get(line)?;
            let indent = text.len() - text.trim_start().len();
            text[..indent].chars().position(|c| c == '\t').map(|index| (line, index))
        })
    }

    fn needs_quotes(&self, first: char) -> Fault {
        let hint = format!("write it in quotes: {}", quoted(&self.rest(self.column)));
        fault(format!("text can't begin with `{first}`"), hint)
    }

    /// A colon where there is already a value.
    fn unexpected_colon(&self) -> Fault {
        let before: String = self.text().chars().take(self.column).collect();
        let value = before.find(": ").map(|at| before[..at].chars().count() + 2);
        if let Some(value) = value {
            return fault("a colon inside a text", format!("write the text in quotes: {}", quoted(&self.rest(value))));
        }
        let own = self.indent(self.line);
        let Some((line, text)) = self.above().next().filter(|(line, _)| self.indent(*line) < own) else {
            if let Some(fault) = self.glued_colon() {
                return fault;
            }
            return fault("a key can't stand here", self.like("indent it like the keys it belongs to"));
        };
        let item = text.trim().strip_prefix("- ").map(str::trim).filter(|word| command::find(word).is_some());
        if let Some(command) = item {
            let hint = format!("a command with keys below it needs a colon: `- {command}:`");
            return fault(format!("a key below `{command}`, which has no colon"), hint)
                .at(line, text.chars().take_while(|c| " -".contains(*c)).count());
        }
        let hint = format!("indent it by {}, like line {}", spaces(self.indent(line)), line + 1);
        fault("a key below a value", hint).at(self.line, own)
    }

    /// An expression in `{ }` without quotes, whose braces are taken for more of these.
    fn bare_expression(&self) -> Option<Fault> {
        let text = self.text();
        let found = text.match_indices("${{").map(|(at, _)| (at, text[..at].chars().count()));
        let (at, column) = found.into_iter().find(|(_, column)| column.abs_diff(self.column) < 2)?;
        let end = text[at..].find("}}").map_or(text.len(), |end| at + end + 2);
        let hint = format!("write it in quotes: `\"{}\"`", &text[at..end]);
        Some(fault("an expression between brackets needs quotes", hint).at(self.line, column))
    }

    /// The bracket above that is closed nowhere.
    fn open_bracket(&self) -> Option<Fault> {
        let (line, text) = self.above().next()?;
        let (column, open) = text.chars().enumerate().filter(|(_, c)| matches!(c, '{' | '[')).last()?;
        let close = if open == '[' { ']' } else { '}' };
        let count = |bracket| self.lines[line..].iter().map(|text| text.matches(bracket).count()).sum::<usize>();
        let here = text.matches(open).count() > text.matches(close).count() && count(open) > count(close);
        here.then(|| fault(format!("`{open}` is never closed"), format!("end it with `{close}`")).at(line, column))
    }

    /// A key above whose colon has no space behind it: `description:Signs in`.
    fn glued_colon(&self) -> Option<Fault> {
        let (line, text) = self.above().next()?;
        let (key, value) = text.trim().split_once(':')?;
        let is_key = key.chars().all(|c| c.is_alphanumeric() || c == '_') && !value.is_empty() && !text.contains(": ");
        let column = text.chars().take_while(|c| *c != ':').count();
        let hint = format!("write `{key}: {value}`");
        is_key.then(|| fault("a colon without a space behind it", hint).at(line, column))
    }

    /// Which line above it may have been meant to stand in line with.
    fn like(&self, otherwise: &str) -> String {
        let own = self.indent(self.line);
        let near = self.above().min_by_key(|(line, _)| self.indent(*line).abs_diff(own));
        match near {
            Some((line, _)) => format!("indent it by {}, like line {}", spaces(self.indent(line)), line + 1),
            None => otherwise.to_owned(),
        }
    }

    /// Where the quote that is never closed was opened.
    fn open_quote(&self) -> Fault {
        let starts = |text: &str| {
            let at = text.find(['"', '\''])?;
            let quote = text[at..].chars().next()?;
            let begins = text[..at].ends_with([' ', '[', '{', ',']);
            (begins && text.matches(quote).count() % 2 == 1).then(|| (text[..at].chars().count(), quote))
        };
        let here = self.text().chars().nth(self.column).filter(|c| matches!(c, '"' | '\''));
        let found = match here {
            Some(quote) => Some((self.line, self.column, quote)),
            None => self.above().find_map(|(line, text)| starts(text).map(|(column, quote)| (line, column, quote))),
        };
        let quote = found.map_or('"', |found| found.2);
        let fault = fault("the quote is never closed", format!("end the text with `{quote}`"));
        match found {
            Some((line, column, _)) => fault.at(line, column),
            None => fault,
        }
    }

    /// Text behind the end of a quoted text: another quote in it, or only a part in quotes.
    fn behind_quotes(&self, quote: char) -> Fault {
        let text = self.text();
        let begin = text.find(quote).unwrap_or(0);
        let whole = text[begin..].trim_end();
        let inner = &whole[quote.len_utf8()..];
        match inner.strip_suffix(quote) {
            Some(inner) if quote == '\'' => {
                fault("a `'` inside single quotes ends the text", format!("use double quotes: {}", quoted(inner)))
            }
            Some(inner) => {
                fault("a `\"` inside double quotes ends the text", format!("use single quotes: `'{inner}'`"))
            }
            None => {
                let plain: String = whole.chars().filter(|c| *c != quote).collect();
                fault("text goes on behind its quotes", format!("put all of it in quotes: {}", quoted(&plain)))
            }
        }
    }

    /// The escape that YAML does not know, in the double-quoted text that begins here.
    fn escape(&self) -> Option<Fault> {
        const KNOWN: &str = "0abt\tnvfre \"/\\N_LPxuU";
        let (line, text) = self.lines.iter().enumerate().skip(self.line).find(|(_, text)| text.contains('\\'))?;
        let characters: Vec<char> = text.chars().collect();
        let mut at = if line == self.line { self.column } else { 0 };
        while let Some(pair) = characters.get(at..at + 2) {
            if pair[0] == '\\' && !KNOWN.contains(pair[1]) {
                let message = format!("`\\{}` means nothing in double quotes", pair[1]);
                let hint = "use single quotes, where a backslash is itself, or double it";
                return Some(Fault { length: 2, ..fault(message, hint).at(line, at) });
            }
            at += if pair[0] == '\\' { 2 } else { 1 };
        }
        None
    }
}

fn spaces(count: usize) -> String {
    match count {
        0 => "no spaces".into(),
        1 => "1 space".into(),
        _ => format!("{count} spaces"),
    }
}

/// A text in double quotes as it would be written, shortened for a sentence.
fn quoted(text: &str) -> String {
    const MOST: usize = 60;
    let short: String = text.chars().take(MOST).collect();
    let more = if short.len() < text.len() { "…" } else { "" };
    format!("`{}`", serde_json::Value::from(format!("{short}{more}")))
}
