//! The `snapshot` of a page: options, notes about what is missing, and the comparison with the last one.

use super::budget::{choose, limit_references};
use super::outline::{self, Line};
use super::{changes, tokens};
use crate::browser::{Deadline, Error, Page, SnapshotView};
use crate::selector::Selector;

/// Deeper lines are left out unless asked for, and never deeper than this.
const MAX_DEPTH: usize = 50;
/// Tokens set aside for the notes.
const NOTES: usize = 70;

/// How much of the page to show.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Mode {
    /// Everything that informs.
    #[default]
    Full,
    /// What can be acted on, and the containers around it.
    Interactive,
    /// Landmarks, headings, dialogs and iframes: what to choose a part from.
    Structure,
}

/// What a snapshot shows.
#[derive(Clone, Debug, Default)]
pub struct SnapshotOptions {
    /// Only this element and what is inside of it.
    pub selector: Option<Selector>,
    /// How much of it.
    pub mode: Mode,
    /// How many levels.
    pub depth: Option<usize>,
    /// Where links lead.
    pub urls: bool,
    /// How many elements get a reference, the most important ones.
    pub max_refs: Option<usize>,
    /// How many tokens it may take.
    pub max_tokens: Option<usize>,
    /// Only what changed since the last snapshot of the same document with the same options.
    pub diff: bool,
}

impl Mode {
    /// Its name in commands and in the page.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Full => "full",
            Mode::Interactive => "interactive",
            Mode::Structure => "structure",
        }
    }
}

/// The accessibility snapshot of the page, or of the part that a selector matches, with the documents of iframes in place.
///
/// # Errors
/// What the browser answers for the page itself; an iframe that can't be read is left out with a note in its place.
pub async fn snapshot(page: &Page<'_>, options: &SnapshotOptions, deadline: &Deadline) -> Result<String, Error> {
    let view = SnapshotView {
        selector: options.selector.as_ref(),
        mode: options.mode.name(),
        urls: options.urls,
        // A token is seldom less than two characters.
        budget: options.max_tokens.map(|tokens| 2 * tokens),
        ..SnapshotView::default()
    };
    let outline = outline::read(page, &view, deadline).await?;
    let whole: Vec<String> = outline.lines.iter().map(Line::shown).collect();
    let name = format!("{} {} {:?}", view.mode, view.urls, options.selector.as_ref().map(Selector::to_string));
    let before = page.remember_snapshot(&name, whole.clone());
    let tokens = options.max_tokens.unwrap_or(usize::MAX);
    let mut notes = Vec::new();
    if outline.truncated {
        notes.push("# this document is too large to be read to its end: choose a part with `selector`".to_owned());
    }
    if options.diff {
        match before {
            None => notes.push("# nothing to compare with yet: this is all of it".to_owned()),
            Some(before) => match changes::between(&before, &whole) {
                None => return Ok("no change".to_owned()),
                Some(lines) if cost(&lines) + NOTES <= tokens => return Ok(lines.join("\n")),
                Some(_) => notes.push("# more has changed than fits: this is what is there now".to_owned()),
            },
        }
    }
    Ok(fitted(outline.lines, options, tokens, notes))
}

/// The lines that fit, and behind them the notes as far as they do.
fn fitted(mut lines: Vec<Line>, options: &SnapshotOptions, tokens: usize, mut notes: Vec<String>) -> String {
    let depth = options.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
    if let Some(most) = options.max_refs {
        let without = limit_references(&mut lines, most);
        if without > 0 {
            notes.push(format!("# {without} elements have no reference: raise `max_refs`"));
        }
    }
    let total = lines.len();
    let room = |notes: &[String]| tokens.saturating_sub(cost(notes));
    if choose(&lines, depth, room(&notes)).is_some() {
        let note = |left_out: usize| {
            format!(
                "# {left_out} of {total} lines are left out: show a part with `selector` (such as `ref:e12`), or raise `depth` or `max_tokens`"
            )
        };
        notes.push(note(total));
        let chosen = choose(&lines, depth, room(&notes)).unwrap_or_default();
        notes.pop();
        notes.push(note(chosen.left_out));
        lines = chosen.lines;
    }
    let mut shown: Vec<String> = lines.iter().map(Line::shown).collect();
    shown.extend(notes);
    while cost(&shown) > tokens && shown.pop().is_some() {}
    shown.join("\n")
}

fn cost(lines: &[String]) -> usize {
    lines.iter().map(|line| tokens::estimate(line) + 1).sum()
}
