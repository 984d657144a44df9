//! The lines of a snapshot over all documents, with the documents of iframes in their places.

use crate::browser::{Deadline, Error, Page, REFERENCE_MARK, Snapshot, SnapshotView};

/// Iframes that a snapshot goes into.
const MAX_FRAMES: usize = 30;
/// How deep iframes in iframes are followed.
const MAX_NESTING: usize = 5;
/// What one iframe may take to answer.
const FRAME_LIMIT: std::time::Duration = std::time::Duration::from_millis(500);

/// One line, without its indentation.
#[derive(Clone, Debug, Default)]
pub(super) struct Line {
    pub(super) depth: usize,
    /// From 0, what nobody should miss, to 7.
    pub(super) rank: u8,
    /// With a mark where the reference belongs.
    pub(super) text: String,
    pub(super) reference: Option<u64>,
}

/// The lines of all documents.
#[derive(Debug, Default)]
pub(super) struct Outline {
    pub(super) lines: Vec<Line>,
    /// A document was too large to be read to its end.
    pub(super) truncated: bool,
}

impl Line {
    pub(super) fn note(depth: usize, text: String) -> Line {
        Line { depth, rank: 3, text, reference: None }
    }

    /// The text with its reference, indented.
    pub(super) fn shown(&self) -> String {
        let reference = self.reference.map(|number| format!(" [ref=e{number}]")).unwrap_or_default();
        format!("{:indent$}{}", "", self.text.replacen(REFERENCE_MARK, &reference, 1), indent = 2 * self.depth)
    }

    /// The first word, by which lines of a kind are counted: the role.
    pub(super) fn kind(&self) -> &str {
        let text = self.text.trim_start_matches("- ").trim_start_matches('\'');
        let end = text.find(|character: char| !character.is_ascii_alphanumeric()).unwrap_or(text.len());
        &text[..end]
    }
}

/// The outline of what a view shows, iframes included.
pub(super) async fn read(page: &Page<'_>, view: &SnapshotView<'_>, deadline: &Deadline) -> Result<Outline, Error> {
    let mut outline = Outline::default();
    let mut entered = 0;
    let root = page.snapshot(view, deadline).await?;
    // A stack instead of recursion: each document with the lines that are still to come.
    let mut stack = vec![Document::new(root, 0, &mut outline)];
    loop {
        let nesting = stack.len();
        let Some(document) = stack.last_mut() else { break };
        let Some((number, line)) = document.lines.next() else {
            stack.pop();
            continue;
        };
        let depth = line.depth;
        outline.lines.push(line);
        let Some(owner) = document.snapshot.lines.frames.iter().find(|frame| frame.line == number) else { continue };
        let inside = if entered == MAX_FRAMES || nesting > MAX_NESTING {
            Err("too many iframes")
        } else {
            entered += 1;
            match page.frame_snapshot(&document.snapshot, owner, view, &deadline.within(FRAME_LIMIT)).await {
                Ok(snapshot) => Ok(snapshot),
                Err(error @ (Error::Cancelled | Error::Closed)) => return Err(error),
                Err(_) => Err("it gave no answer"),
            }
        };
        match inside {
            Ok(snapshot) => {
                let inner = Document::new(snapshot, depth + 1, &mut outline);
                stack.push(inner);
            }
            Err(reason) => outline.lines.push(Line::note(depth + 1, format!("- … not shown: {reason}"))),
        }
    }
    Ok(outline)
}

struct Document {
    snapshot: Snapshot,
    lines: std::iter::Enumerate<std::vec::IntoIter<Line>>,
}

impl Document {
    fn new(mut snapshot: Snapshot, indent: usize, outline: &mut Outline) -> Document {
        let text = std::mem::take(&mut snapshot.lines.text);
        let found = &snapshot.lines;
        outline.truncated |= found.truncated;
        let mut references = found.refs.iter().copied();
        let mut lines = Vec::with_capacity(found.depths.len());
        for (number, text) in text.lines().enumerate() {
            lines.push(Line {
                depth: indent + found.depths.get(number).copied().unwrap_or_default(),
                rank: found.ranks.get(number).copied().unwrap_or(3),
                reference: if text.contains(REFERENCE_MARK) { references.next() } else { None },
                text: text.to_owned(),
            });
        }
        Document { snapshot, lines: lines.into_iter().enumerate() }
    }
}
