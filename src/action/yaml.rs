//! Owns the YAML engine: text → a tree in which every key and value knows its place. Nothing else names the engine.
//! What the keys mean is left to the readers.
//!
//! The tree is made from the engine's events and not through serde: that is three times as fast, takes no stack, and
//! tells plain text from quoted.

mod build;
mod scalar;
mod syntax;

use serde_json::{Map, Number, Value};

use super::problem::{Position, Problem, Report, Span};
use super::schema::Segment;

/// A value and its place.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// Where the value is written; for an alias, where its target is.
    pub span: Span,
    /// The value.
    pub kind: Kind,
}

/// A YAML value. Plain `5` is a number, quoted `"5"` is text.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Kind {
    /// Nothing, or `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A whole or decimal number.
    Number(Number),
    /// A scalar that is nothing of the above, or quoted.
    Text(String),
    /// A sequence.
    List(Vec<Node>),
    /// A mapping, in the order it is written.
    Map(Vec<Entry>),
}

/// One key of a mapping with its value.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: Key,
    /// The value.
    pub value: Node,
}

/// A key and its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Key {
    /// Where the key is written.
    pub span: Span,
    /// The key itself.
    pub text: String,
}

/// Files above this size are not read.
pub const MOST_BYTES: usize = 1024 * 1024;

/// Reads one document; syntax errors and duplicate keys go to the report.
///
/// Returns `None` if there is no tree to go on with.
pub fn parse(report: &mut Report<'_>) -> Option<Node> {
    let source = report.source();
    if source.len() > MOST_BYTES {
        let message = format!("the file has {} bytes, more than {MOST_BYTES}", source.len());
        report.error(Span::default(), message, Some("divide it into several actions".into()));
        return None;
    }
    build::tree(report)
}

/// The comments of a document, each with its line; those behind a fault are left out.
pub fn comments(source: &str) -> Vec<(usize, String)> {
    build::comments(source)
}

/// A line of a file from a place on, without a comment.
fn rest_of_line(source: &str, start: Option<Position>) -> String {
    let Some(start) = start else { return String::new() };
    let line = source.lines().nth(start.line as usize - 1).unwrap_or_default();
    let rest: String = line.chars().skip(start.column as usize - 1).collect();
    rest.split(" #").next().unwrap_or_default().trim().to_owned()
}

/// Reads `repertoire.yaml`: a map of options, empty if the file is.
pub fn read_options(file: &std::path::Path, text: &str) -> Result<Map<String, Value>, Problem> {
    let mut report = Report::new(file, text);
    let tree = parse(&mut report);
    let mut options = Map::new();
    match tree.map(|node| (node.span, node.to_json())) {
        Some((_, Value::Object(map))) => options = map,
        Some((_, Value::Null)) | None => {}
        Some((span, _)) => {
            report.error(span, "the file is not a map of options", Some("write one `name: value` per line".into()))
        }
    }
    match report.finish().into_iter().next() {
        Some(problem) => Err(problem),
        None => Ok(options),
    }
}

impl Node {
    /// The value of a key, if this is a map that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        let entry = self.entries()?.iter().find(|entry| entry.key.text == key)?;
        Some(&entry.value)
    }

    /// The keys and values, if this is a map.
    pub fn entries(&self) -> Option<&[Entry]> {
        match &self.kind {
            Kind::Map(entries) => Some(entries),
            _ => None,
        }
    }

    /// The text, if this is one.
    pub fn text(&self) -> Option<&str> {
        match &self.kind {
            Kind::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The part that a path leads to.
    pub fn at(&self, path: &[Segment]) -> Option<&Node> {
        path.iter().try_fold(self, |node, segment| match (segment, &node.kind) {
            (Segment::Key(key), _) => node.get(key),
            (Segment::Index(index), Kind::List(items)) => items.get(*index),
            _ => None,
        })
    }

    /// Where the keys and scalars in it stand: line, column, length in characters.
    pub fn scalars(&self) -> Vec<(u32, u32, u32)> {
        let place = |span: Span| span.start.map(|start| (start.line, start.column, span.length));
        match &self.kind {
            Kind::List(items) => items.iter().flat_map(Node::scalars).collect(),
            Kind::Map(entries) => {
                let both =
                    |entry: &Entry| place(entry.key.span).into_iter().chain(entry.value.scalars()).collect::<Vec<_>>();
                entries.iter().flat_map(both).collect()
            }
            _ => place(self.span).into_iter().collect(),
        }
    }

    /// The same value without places.
    pub fn to_json(&self) -> Value {
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(value) => Value::Bool(*value),
            Kind::Number(value) => Value::Number(value.clone()),
            Kind::Text(value) => Value::String(value.clone()),
            Kind::List(items) => items.iter().map(Node::to_json).collect(),
            Kind::Map(entries) => entries.iter().map(|entry| (entry.key.text.clone(), entry.value.to_json())).collect(),
        }
    }

    /// A tree of a value that does not come from a file.
    pub fn from_json(value: &Value) -> Node {
        let kind = match value {
            Value::Null => Kind::Null,
            Value::Bool(value) => Kind::Bool(*value),
            Value::Number(value) => Kind::Number(value.clone()),
            Value::String(value) => Kind::Text(value.clone()),
            Value::Array(items) => Kind::List(items.iter().map(Node::from_json).collect()),
            Value::Object(map) => {
                let entry = |(key, value): (&String, &Value)| Entry {
                    key: Key { span: Span::default(), text: key.clone() },
                    value: Node::from_json(value),
                };
                Kind::Map(map.iter().map(entry).collect())
            }
        };
        Node { span: Span::default(), kind }
    }

    /// Where a key or a text in it stands.
    pub fn named(&self, word: &str) -> Option<Span> {
        let entries = self.entries()?.iter();
        let of_entry = |entry: &Entry| match &entry.value {
            _ if entry.key.text == word => Some(entry.key.span),
            value if value.text() == Some(word) => Some(value.span),
            value => value.named(word),
        };
        entries.into_iter().find_map(of_entry)
    }

    /// What stands in the file from its start to the end of the line.
    pub fn rest_of_line(&self, source: &str) -> String {
        rest_of_line(source, self.span.start)
    }

    /// A scalar as it is written in the file, if it stands on one line.
    pub fn written(&self, source: &str) -> Option<String> {
        let start = self.span.start?;
        let line = source.lines().nth(start.line as usize - 1)?;
        let skipped = line.chars().skip(start.column as usize - 1);
        let written: String = skipped.take(self.span.length as usize).collect();
        (written.chars().count() == self.span.length as usize).then_some(written)
    }

    /// Where the `offset`th byte of this scalar's text stands in the file.
    ///
    /// Exact for scalars on one line and for literal blocks (`|`); otherwise the place of the whole scalar.
    pub fn span_within(&self, source: &str, offset: usize, length: usize) -> Span {
        self.locate(source, offset).map(|start| Span { start: Some(start), length: length as u32 }).unwrap_or(self.span)
    }

    fn locate(&self, source: &str, offset: usize) -> Option<Position> {
        let text = self.text()?;
        let before = text.get(..offset)?;
        let start = self.span.start?;
        let line_of = |number: u32| source.lines().nth(number as usize - 1);
        let line = line_of(start.line)?;
        let (at, _) = line.char_indices().nth(start.column as usize - 1)?;
        let written = &line[at..];
        let unquoted = written.trim_start_matches(['"', '\'']);
        let quotes = written.len() - unquoted.len();
        if quotes <= 1 && unquoted.starts_with(text) {
            return Some(Position {
                line: start.line,
                column: start.column + (quotes + before.chars().count()) as u32,
            });
        }
        // A literal block: every line of the text stands at the column of the first.
        let above = before.matches('\n').count();
        let last = before.rsplit('\n').next().unwrap_or("");
        let number = start.line + above as u32;
        let text_line = text.lines().nth(above)?;
        let indent = start.column as usize - 1;
        let written: String = line_of(number)?.chars().skip(indent).collect();
        (written == text_line).then(|| Position { line: number, column: (indent + last.chars().count()) as u32 + 1 })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn problems(text: &str) -> Vec<String> {
        let mut report = Report::new(Path::new("a.yaml"), text);
        parse(&mut report);
        report.finish().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn places_kinds_and_aliases() {
        let text = "a: \"5\"\nb: 5\nc: &x {k: né}\nd: [*x, no, ~, 0123]\n";
        let mut report = Report::new(Path::new("a.yaml"), text);
        let tree = parse(&mut report).expect("it is valid");
        assert_eq!(report.finish(), []);
        assert_eq!(
            tree.to_json(),
            serde_json::json!({"a": "5", "b": 5, "c": {"k": "né"}, "d": [{"k": "né"}, "no", null, "0123"]})
        );
        let inner = tree.get("c").and_then(|c| c.get("k")).expect("it is there");
        let span = inner.span_within(text, "né".len(), 1);
        assert_eq!(span.start, Some(Position { line: 3, column: 13 }));
    }

    #[test]
    fn places_inside_quotes_and_blocks() {
        let text = "a: 'é b'\nb: |\n  one\n  two x\nc: >\n  fold\n  ed\n";
        let mut report = Report::new(Path::new("a.yaml"), text);
        let tree = parse(&mut report).expect("it is valid");
        let place = |key: &str, part: &str| {
            let node = tree.get(key).expect("it is there");
            let offset = node.text().and_then(|t| t.find(part)).expect("it is there");
            node.span_within(text, offset, 1).start.map(|p| p.to_string())
        };
        assert_eq!(place("a", "b").as_deref(), Some("1:7"));
        assert_eq!(place("b", "x").as_deref(), Some("4:7"));
        assert_eq!(place("c", "ed").as_deref(), Some("6:3"), "a folded block is one place");
    }

    #[test]
    fn broken_documents_are_one_problem_at_the_right_place() {
        insta::assert_snapshot!(problems("a: 1\n\tb: 2\n").join("\n"), @r"
        error: a tab can't indent YAML
         --> a.yaml:2:1
          |
        2 |  b: 2
          | ^
          hint: indent with spaces
        ");
        insta::assert_snapshot!(problems("a: 1\nb: c: d\n").join("\n"), @r#"
        error: a colon inside a text
         --> a.yaml:2:5
          |
        2 | b: c: d
          |     ^
          hint: write the text in quotes: `"c: d"`
        "#);
        insta::assert_snapshot!(problems("steps:\n  - get_title\n\n    as: title\n").join("\n"), @r"
        error: a key below `get_title`, which has no colon
         --> a.yaml:2:5
          |
        2 |   - get_title
          |     ^
          hint: a command with keys below it needs a colon: `- get_title:`
        ");
        insta::assert_snapshot!(problems("a: 1\n---\nb: 2\n").join("\n"), @r"
        error: the file holds more than one document
         --> a.yaml:2:1
          |
        2 | ---
          | ^^^
          hint: write one action per file: `---` begins another
        ");
        insta::assert_snapshot!(problems("a: 1\nb: 2\na: 3\n").join("\n"), @r"
        error: `a` is already given on line 1
         --> a.yaml:3:1
          |
        3 | a: 3
          | ^
          hint: keep one of the two
        ");
    }

    #[test]
    fn hostile_documents_end_in_a_problem() {
        let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
        for n in 1..10 {
            let items = vec![format!("*a{}", n - 1); 10].join(", ");
            bomb.push_str(&format!("a{n}: &a{n} [{items}]\n"));
        }
        assert_eq!(problems(&bomb).len(), 1);
        assert_eq!(problems(&"[".repeat(100_000)).len(), 1);
        assert_eq!(problems(&"- ".repeat(100_000)).len(), 1);
        assert_eq!(problems(&"a".repeat(MOST_BYTES + 1)).len(), 1);
        assert_eq!(problems("a: \u{0}\n").len(), 1);
        assert_eq!(problems("? [a]\n: b\n").len(), 1);
    }

    #[test]
    fn options_are_a_map() {
        let file = Path::new("repertoire.yaml");
        assert_eq!(read_options(file, "# none\n"), Ok(Map::new()));
        let map = read_options(file, "headed: true\n").expect("it is a map");
        assert_eq!(Value::Object(map), serde_json::json!({"headed": true}));
        insta::assert_snapshot!(read_options(file, "- headed\n").expect_err("it is a list"), @r"
        error: the file is not a map of options
         --> repertoire.yaml:1:1
          |
        1 | - headed
          | ^
          hint: write one `name: value` per line
        ");
    }
}
