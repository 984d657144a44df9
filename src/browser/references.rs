//! The references of snapshots: which document each number was given in, and the way there.
//!
//! A number names one element for good: it is never given again, in no frame and after no navigation. The element itself
//! is known to its document only (`injected/registry.js`), which keeps the number for as long as the element lives.

use crate::selector::Selector;

/// Numbers that one snapshot of a document may give, as in `injected/snapshot.js`.
const MOST_NEW: u64 = 10_000;
/// Runs of numbers that are remembered.
const MOST_RANGES: usize = 1_000;

/// The numbers given so far.
#[derive(Debug, Default)]
pub(super) struct References {
    given: u64,
    ranges: Vec<Range>,
}

/// A run of numbers that were given in one document.
#[derive(Debug)]
struct Range {
    first: u64,
    last: u64,
    document: Document,
}

/// A document that references lead into.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Document {
    /// The isolated world's unique id: it ends with the document.
    pub(super) context: String,
    /// The iframes on the way to it.
    pub(super) path: Vec<Selector>,
}

impl References {
    /// Sets numbers aside for a snapshot of a document and answers the first of them. They stay set aside when the
    /// answer gets lost: the page may have used them.
    pub(super) fn reserve(&mut self, document: Document) -> u64 {
        let first = self.given + 1;
        self.given += MOST_NEW;
        if self.ranges.len() == MOST_RANGES {
            self.ranges.remove(0);
        }
        self.ranges.push(Range { first, last: self.given, document });
        first
    }

    /// Takes back what the last snapshot has not used: its next number would be `next`.
    pub(super) fn settle(&mut self, next: u64) {
        let Some(range) = self.ranges.pop() else { return };
        let last = next.saturating_sub(1).clamp(range.first - 1, range.last);
        self.given = last;
        match self.ranges.last_mut() {
            Some(before) if before.document == range.document && before.last + 1 == range.first => before.last = last,
            _ if last >= range.first => self.ranges.push(Range { last, ..range }),
            _ => {}
        }
    }

    /// The document that a reference was given in.
    pub(super) fn document_of(&self, reference: &str) -> Option<&Document> {
        let number: u64 = reference.strip_prefix('e')?.parse().ok()?;
        let range = self.ranges.iter().rev().find(|range| (range.first..=range.last).contains(&number))?;
        Some(&range.document)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn document(context: &str) -> Document {
        Document { context: context.to_owned(), path: Vec::new() }
    }

    #[test]
    fn a_number_is_given_once() {
        let mut references = References::default();
        assert_eq!(references.reserve(document("a")), 1);
        references.settle(4);
        assert_eq!(references.reserve(document("a")), 4);
        references.settle(6);
        assert_eq!(references.ranges.len(), 1);
        // Nothing new.
        assert_eq!(references.reserve(document("b")), 6);
        references.settle(6);
        // An answer that was lost.
        assert_eq!(references.reserve(document("b")), 6);
        let after = references.reserve(document("c"));
        assert_eq!(after, 6 + MOST_NEW);
        references.settle(after + 1);
        let contexts = ["e1", "e5", "e6", "e10005", "e10006", "e10007", "e0", "x1", "e", "e99999999999999999999"]
            .map(|reference| references.document_of(reference).map(|document| document.context.as_str()));
        assert_eq!(contexts, [Some("a"), Some("a"), Some("b"), Some("b"), Some("c"), None, None, None, None, None]);
    }
}
