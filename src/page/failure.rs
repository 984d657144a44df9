//! The page around a failed step, for the report: small, quick, and nothing rather than an error.

use std::time::Duration;

use super::budget::choose;
use super::outline::{self, Line};
use crate::browser::{Deadline, Page, SnapshotView};
use crate::selector::Selector;

/// What a look after a failure may take.
const LIMIT: Duration = Duration::from_secs(2);

/// What surrounds the element of a failed step (the nearest landmark, dialog, form or item), or the page as it is in the
/// viewport where the selector matches nothing. At most `tokens` long; empty when the page does not answer in time.
pub async fn around_failure(
    page: &Page<'_>,
    selector: Option<&Selector>,
    tokens: usize,
    deadline: &Deadline,
) -> String {
    let limit = deadline.renewed(LIMIT);
    let view =
        SnapshotView { selector, around: true, mode: "full", budget: Some(2 * tokens), ..SnapshotView::default() };
    let look = async {
        let (view, outline) = match outline::read(page, &view, &limit).await {
            Err(_) if selector.is_some() => {
                let view = SnapshotView { selector: None, ..view };
                (view, outline::read(page, &view, &limit).await.ok()?)
            }
            outline => (view, outline.ok()?),
        };
        if choose(&outline.lines, usize::MAX, tokens).is_none() {
            return Some(outline);
        }
        // Of what is too much, what can be acted on says most about the next step.
        let view = SnapshotView { mode: "interactive", ..view };
        Some(outline::read(page, &view, &limit).await.unwrap_or(outline))
    };
    let Ok(Some(outline)) = limit.race(look).await else { return String::new() };
    let lines = choose(&outline.lines, usize::MAX, tokens).map_or(outline.lines, |chosen| chosen.lines);
    lines.iter().map(Line::shown).collect::<Vec<_>>().join("\n")
}
