//! Owns how a fault in a file is recorded and shown: where it is, the line itself with a marker, and what to do.
//! Which faults exist is the readers' business.

use std::collections::HashSet;
use std::fmt;
use std::path::{Path, PathBuf};

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
            let rest = shown.chars().count().saturating_sub(offset).max(1);
            let marker = "^".repeat((self.length as usize).clamp(1, rest));
            write!(f, "\n{gutter} |\n{number} | {shown}\n{gutter} | {}{marker}", " ".repeat(offset))?;
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
    /// An empty report on `file`, whose whole text is `source`.
    pub fn new(file: &'a Path, source: &'a str) -> Self {
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
    let line = source.lines().nth(index)?;
    Some(line.trim_start_matches('\u{feff}').to_owned())
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
