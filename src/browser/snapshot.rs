//! Snapshots of documents, one at a time: what the page's side answers, references registered.
//!
//! Leaves to others: putting the documents of frames together, choosing what to show, comparing (`page`).

use serde::Deserialize;
use serde_json::{Value, json};

use super::frames::Place;
use super::references::Document;
use super::retry::Trial;
use super::{Deadline, Error, Page};
use crate::selector::{Part, Selector};

/// Stands in a line of a snapshot where the element's reference belongs.
pub const REFERENCE_MARK: char = '\u{1}';

/// Snapshots remembered for a comparison.
const MOST_REMEMBERED: usize = 8;

/// What to show of a document.
#[derive(Clone, Copy, Debug, Default)]
pub struct SnapshotView<'a> {
    /// Only this element and what is inside of it.
    pub selector: Option<&'a Selector>,
    /// What surrounds the selector's element or the focus, instead of the element itself.
    pub around: bool,
    /// `full`, `interactive` or `structure`.
    pub mode: &'a str,
    /// Where links lead.
    pub urls: bool,
    /// Where the lines are longer than this together, in characters, they are told apart by whether they are in view.
    pub budget: Option<usize>,
}

/// A snapshot of one document.
pub struct Snapshot {
    /// What it shows.
    pub lines: Lines,
    place: Place,
    /// The iframes on the way to the document.
    path: Vec<Selector>,
}

/// The lines of a snapshot, and beside them what is known of each.
#[derive(Debug, Deserialize)]
pub struct Lines {
    /// The lines, unindented.
    pub text: String,
    /// How deep each line is nested.
    pub depths: Vec<usize>,
    /// How much each line matters, from 0 to 3; 4 more outside of the viewport.
    pub ranks: Vec<u8>,
    /// The number of each reference mark in the text.
    pub refs: Vec<u64>,
    /// The iframes in it, whose documents are not part of the text.
    pub frames: Vec<SnapshotFrame>,
    /// The document is too large: its end is missing, or the references of its last elements.
    pub truncated: bool,
    next_ref: u64,
}

/// An iframe that a snapshot passes by.
#[derive(Debug, Deserialize)]
pub struct SnapshotFrame {
    /// The line that stands for it, from 0.
    pub line: usize,
    /// The number of its reference.
    #[serde(rename = "ref")]
    pub reference: Option<u64>,
    token: Value,
}

impl Page<'_> {
    /// The snapshot of the document that the view's selector leads to, or of the main frame's.
    ///
    /// # Errors
    /// [`Error::Unmet`] or [`Error::Ambiguous`].
    pub async fn snapshot(&self, view: &SnapshotView<'_>, deadline: &Deadline) -> Result<Snapshot, Error> {
        let look = || async {
            let (place, path) = match view.selector {
                Some(selector) => (self.place(selector).await?, self.way(selector)?.frames),
                None => (self.document(&[]).await?, Vec::new()),
            };
            self.outline_of(place, path, view).await
        };
        // What surrounds an element that is not there now will not be waited for.
        if view.around && view.selector.is_some() {
            return deadline.race(look()).await?;
        }
        let mut trial = match view.selector {
            Some(selector) => Trial::new("snapshot", selector, deadline),
            None => Trial::of("snapshot", "the page".to_owned(), deadline),
        };
        loop {
            if let Some(snapshot) = trial.attempt(look()).await? {
                return Ok(snapshot);
            }
        }
    }

    /// The snapshot of the document inside an iframe of another snapshot. One attempt: a frame that is not there now is
    /// no part of the picture.
    ///
    /// # Errors
    /// What keeps the document from being read.
    pub async fn frame_snapshot(
        &self,
        parent: &Snapshot,
        owner: &SnapshotFrame,
        view: &SnapshotView<'_>,
        deadline: &Deadline,
    ) -> Result<Snapshot, Error> {
        let view = SnapshotView { selector: None, around: false, ..*view };
        let look = async {
            let held = self.content_frame(&parent.place, &owner.token).await?;
            let (frame, session) = held.ok_or(Error::ContextLost)?;
            let mut path = parent.path.clone();
            path.extend(owner.reference.map(|number| Selector::from(vec![Part::Ref(format!("e{number}"))])));
            self.outline_of(Place::whole(frame, session), path, &view).await
        };
        deadline.race(look).await?
    }

    async fn outline_of(&self, place: Place, path: Vec<Selector>, view: &SnapshotView<'_>) -> Result<Snapshot, Error> {
        let first = {
            let mut tracker = self.link.tracker();
            let frame = tracker.frames.get(&place.frame).ok_or(Error::ContextLost)?;
            let context = frame.isolated.clone().ok_or(Error::ContextLost)?;
            tracker.references.reserve(Document { context, path: path.clone() })
        };
        let argument = json!({
            "mode": view.mode,
            "urls": view.urls,
            "around": view.around,
            "budget": view.budget,
            "first_ref": first,
        });
        let asked = self.ask::<Lines>(&place, "snapshot", argument).await;
        match &asked {
            Ok(lines) => self.link.tracker().references.settle(lines.next_ref),
            // The page has answered, and there was nothing to give a reference to.
            Err(Error::Blocked(_) | Error::Ambiguous { .. }) => self.link.tracker().references.settle(first),
            Err(_) => {}
        }
        Ok(Snapshot { lines: asked?, place, path })
    }

    /// Remembers the lines of a snapshot under a name, and answers those that were remembered before of the same
    /// document.
    pub fn remember_snapshot(&self, name: &str, lines: Vec<String>) -> Option<Vec<String>> {
        let (_, frame) = self.link.main_frame()?;
        let name = format!("{} {name}", frame.isolated?);
        let mut tracker = self.link.tracker();
        let known = &mut tracker.snapshots;
        let before = known.iter().position(|(known, _)| *known == name).map(|index| known.remove(index).1);
        if known.len() == MOST_REMEMBERED {
            known.remove(0);
        }
        known.push((name, lines));
        before
    }
}
