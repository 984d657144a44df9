//! Owns how a fault in a file is recorded and shown: where it is, the line itself with a marker, and what to do.
//! Which faults exist is the readers' business.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

use unicode_width::UnicodeWidthStr;

use crate::secrets::SecretName;

/// A place in a file, counted from 1; columns count characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line.
    pub line: u32,
    /// The character in the line.
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// A place and the number of characters a marker should cover; `length` 0 means that only the start is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// Where it starts; `None` for what does not come from a file.
    pub start: Option<Position>,
    /// How many characters it covers.
    pub length: u32,
}

/// A place of a file with the line it points into.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// Where it is.
    pub span: Span,
    /// The whole line.
    pub line_text: Option<String>,
}

/// Whether a problem keeps its action from being offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The file's action can't be used.
    Error,
    /// The action works, but probably not as its author thinks.
    Warning,
}

/// One fault of one file, complete enough to be shown without the file.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Problem {
    /// The file as people know it: relative to the directory that was given.
    pub file: PathBuf,
    /// Where in the file; `None` if the whole file or directory is meant.
    pub position: Option<Position>,
    /// How many characters the marker covers.
    pub length: u32,
    /// Whether the action is kept from being offered.
    pub severity: Severity,
    /// What is wrong, in one line.
    pub message: String,
    /// What to do next.
    pub hint: Option<String>,
    /// The line that `position` points into.
    pub line_text: Option<String>,
}

impl Problem {
    /// A problem of a whole file or directory.
    pub fn of_file(file: &Path, severity: Severity, message: impl Into<String>, hint: Option<String>) -> Self {
        Problem {
            file: file.to_owned(),
            position: None,
            length: 0,
            severity,
            message: message.into(),
            hint,
            line_text: None,
        }
    }

    /// A warning about secrets, at the place where a file first names one of them.
    pub fn first_of(file: &Path, text: &str, names: &[SecretName], message: String, hint: String) -> Self {
        let mut report = Report::new(file, text);
        let place = report.source().lines().enumerate().find_map(|(index, line)| {
            let code = line.split(" #").next().filter(|line| !line.trim_start().starts_with('#'))?;
            let named = |name: &SecretName| {
                let at = code.find(&format!("$<<{name}")).map(|at| at + 3);
                let at = at.or_else(|| code.find(&format!("${{{{{name}}}}}")).map(|at| at + 3))?;
                let column = u32::try_from(code[..at].chars().count() + 1).ok()?;
                let start = Position { line: u32::try_from(index + 1).ok()?, column };
                Some(Span { start: Some(start), length: u32::try_from(name.as_str().len()).ok()? })
            };
            names.iter().filter_map(named).min_by_key(|span| span.start)
        });
        report.warning(place.unwrap_or_default(), message.clone(), Some(hint.clone()));
        let found = report.finish().into_iter().next();
        found.unwrap_or_else(|| Problem::of_file(file, Severity::Warning, message, Some(hint)))
    }

    /// Where the marker ends: the character behind the last one it covers.
    pub fn end(&self) -> Option<Position> {
        let start = self.position?;
        let width = self.line_text.as_ref().map_or(0, |text| text.chars().count());
        let last = u32::try_from(width + 1).unwrap_or(u32::MAX).max(start.column);
        Some(Position { column: start.column.saturating_add(self.length.max(1)).min(last), ..start })
    }

    /// An error at a place of a file.
    pub fn at(file: &Path, place: &Place, message: impl Into<String>, hint: Option<String>) -> Self {
        Problem {
            position: place.span.start,
            length: place.span.length,
            line_text: place.line_text.clone(),
            ..Problem::of_file(file, Severity::Error, message, hint)
        }
    }

    /// `file:line:column`, as editors and terminals turn into a link.
    pub fn location(&self) -> String {
        match self.position {
            Some(position) => format!("{}:{position}", self.file.display()),
            None => self.file.display().to_string(),
        }
    }
}

/// A line longer than this is shown as a window around the marker.
const WINDOW: usize = 160;

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kind = match self.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        writeln!(f, "{kind}: {}", self.message)?;
        let digits = self.position.map_or(1, |position| position.line.to_string().len());
        write!(f, "{}--> {}", " ".repeat(digits), self.location())?;
        if let (Some(position), Some(text)) = (self.position, &self.line_text) {
            let number = position.line;
            let gutter = " ".repeat(digits);
            let (shown, offset) = window(text, position.column as usize - 1);
            let (before, marked) = split(&shown, offset, self.length as usize);
            // Letters of some scripts and emoji take two columns of a terminal.
            let marker = "^".repeat(marked.width().max(1));
            write!(f, "\n{gutter} |\n{number} | {shown}\n{gutter} | {}{marker}", " ".repeat(before.width()))?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n  hint: {hint}")?;
        }
        Ok(())
    }
}

/// The part of a line around a character, and where that character stands in it. Control characters, tabs among
/// them, take one column each, so that the marker stays below what it means.
fn window(text: &str, at: usize) -> (String, usize) {
    let plain = |c: char| if c.is_control() { ' ' } else { c };
    let count = text.chars().count();
    if count <= WINDOW {
        return (text.chars().map(plain).collect(), at.min(count));
    }
    let start = at.saturating_sub(WINDOW / 2);
    let mut shown = String::new();
    if start > 0 {
        shown.push('…');
    }
    shown.extend(text.chars().skip(start).take(WINDOW).map(plain));
    if start + WINDOW < count {
        shown.push('…');
    }
    (shown, at.min(count) - start + usize::from(start > 0))
}

/// The text before a character, and as many characters from there on.
fn split(text: &str, at: usize, count: usize) -> (&str, &str) {
    let byte = |text: &str, index| text.char_indices().nth(index).map_or(text.len(), |(byte, _)| byte);
    let (before, rest) = text.split_at(byte(text, at));
    (before, &rest[..byte(rest, count)])
}

/// Collects the problems of one file while it is read.
#[derive(Debug)]
pub struct Report<'a> {
    file: &'a Path,
    source: &'a str,
    problems: Vec<Problem>,
    seen: HashSet<Problem>,
}

/// More problems than this in one file are not reported.
const MOST_PROBLEMS: usize = 100;

impl<'a> Report<'a> {
    /// An empty report on `file`, whose whole text is `source`; a byte order mark is no part of it.
    pub fn new(file: &'a Path, source: &'a str) -> Self {
        let source = source.strip_prefix('\u{feff}').unwrap_or(source);
        Report { file, source, problems: Vec::new(), seen: HashSet::new() }
    }

    /// Records a fault that keeps the action from being offered.
    pub fn error(&mut self, span: Span, message: impl Into<String>, hint: Option<String>) {
        self.add(Severity::Error, span, message.into(), hint);
    }

    /// Records something that works, but probably not as meant.
    pub fn warning(&mut self, span: Span, message: impl Into<String>, hint: Option<String>) {
        self.add(Severity::Warning, span, message.into(), hint);
    }

    /// Whether anything recorded so far is an error.
    pub fn has_errors(&self) -> bool {
        self.errors() > 0
    }

    /// How many of the problems recorded so far are errors.
    pub fn errors(&self) -> usize {
        self.problems.iter().filter(|problem| problem.severity == Severity::Error).count()
    }

    /// A place with its line, for a fault that is found once the file is no longer at hand.
    pub fn place(&self, span: Span) -> Place {
        Place { span, line_text: span.start.and_then(|p| line(self.source, p.line)) }
    }

    /// The text the report is about.
    pub fn source(&self) -> &'a str {
        self.source
    }

    /// All problems in the order of their places.
    pub fn finish(mut self) -> Vec<Problem> {
        self.problems.sort_by_key(|problem| problem.position);
        self.problems
    }

    /// An alias (`*name`) repeats its target's problems at the same place: each is kept once.
    fn add(&mut self, severity: Severity, span: Span, message: String, hint: Option<String>) {
        let problem = Problem {
            file: self.file.to_owned(),
            position: span.start,
            length: span.length,
            severity,
            message,
            hint,
            line_text: span.start.and_then(|p| line(self.source, p.line)),
        };
        if self.problems.len() < MOST_PROBLEMS && self.seen.insert(problem.clone()) {
            self.problems.push(problem);
        }
    }
}

fn line(source: &str, number: u32) -> Option<String> {
    let index = usize::try_from(number.checked_sub(1)?).ok()?;
    source.lines().nth(index).map(str::to_owned)
}

/// The candidate that was probably meant by a mistyped word.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<String> {
    nearest(word, candidates).map(|best| format!("did you mean `{best}`?"))
}

/// The candidate nearest to a word, if one is near enough to be what was meant.
pub fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    let limit = (word.chars().count() / 3).max(1);
    candidates
        .into_iter()
        .map(|candidate| (strsim::damerau_levenshtein(&word, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Several words for a reader: `` `a`, `b`, `c` ``.
pub fn listed<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_shows_its_line() {
        let source = "steps:\n  - clik: role:button[Sign in]\n";
        let mut report = Report::new(Path::new("shop/login.yaml"), source);
        let start = Position { line: 2, column: 5 };
        let span = Span { start: Some(start), length: 4 };
        for _ in 0..2 {
            report.error(span, "unknown command `clik`", did_you_mean("clik", ["click", "fill"]));
        }
        let problems = report.finish();
        assert_eq!(problems.len(), 1, "the same problem at the same place is one problem");
        insta::assert_snapshot!(problems[0], @r"
        error: unknown command `clik`
         --> shop/login.yaml:2:5
          |
        2 |   - clik: role:button[Sign in]
          |     ^^^^
          hint: did you mean `click`?
        ");
    }

    #[test]
    fn the_marker_stands_below_wide_letters() {
        let source = "  - clik: 東京 x\n";
        let mut report = Report::new(Path::new("a.yaml"), source);
        report.error(Span { start: Some(Position { line: 1, column: 11 }), length: 2 }, "wide", None);
        report.error(Span { start: Some(Position { line: 1, column: 14 }), length: 9 }, "behind", None);
        let problems: Vec<String> = report.finish().iter().map(ToString::to_string).collect();
        insta::assert_snapshot!(problems.join("\n"), @r"
        error: wide
         --> a.yaml:1:11
          |
        1 |   - clik: 東京 x
          |           ^^^^
        error: behind
         --> a.yaml:1:14
          |
        1 |   - clik: 東京 x
          |                ^
        ");
    }

    #[test]
    fn a_long_line_is_shown_as_a_window() {
        let text = format!("{}x{}", "a".repeat(500), "b".repeat(500));
        let (shown, at) = window(&text, 500);
        assert_eq!(shown.chars().nth(at), Some('x'));
        assert_eq!(shown.chars().count(), WINDOW + 2);
    }

    #[test]
    fn only_near_words_are_suggested() {
        assert_eq!(nearest("selektor", ["selector", "value"]), Some("selector"));
        assert_eq!(nearest("teh", ["the"]), Some("the"));
        assert_eq!(nearest("colour", ["selector", "value"]), None);
    }
}
