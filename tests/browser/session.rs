//! What happens around a page: tabs, dialogs, downloads, crashes.

mod crashes;
mod dialogs;
mod downloads;
mod expectations;
mod tabs;

use repertoire::browser::{ClickOptions, Error, Expected, Fulfilled, Session};

use crate::support::{deadline, element};

/// Longer than anything that is waited for.
const LIMIT: u64 = 15_000;

async fn click(session: &mut Session, selector: &str) -> Result<(), Error> {
    let limit = deadline(LIMIT);
    session.page(&limit).await?.click(&element(selector), &ClickOptions::default(), &limit).await
}

/// Clicks with an expectation, as a step with a modifier does.
async fn click_expecting(
    session: &mut Session,
    selector: &str,
    expected: Expected,
    limit: u64,
) -> Result<Fulfilled, Error> {
    let limit = deadline(limit);
    let expecting = session.expect(expected, &limit).await?;
    session.page(&limit).await?.click(&element(selector), &ClickOptions::default(), &limit).await?;
    session.fulfil(expecting, &limit).await
}

/// An error in one line, with what to do about it.
fn words(error: &Error) -> String {
    let text = error.to_string();
    let first = text.lines().next().unwrap_or_default();
    error.hint().map_or(first.to_owned(), |hint| format!("{first} | {hint}"))
}
