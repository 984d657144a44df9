//! Random pages of nested frames, shadow roots, overlays and animations: what is done reaches the right element with the
//! right events and nothing else, and where an error is told the page has seen nothing and its words are true.
//!
//! The page itself is the witness: it logs every event in every document. A failure names the seed of its page; with
//! `STRESS_SEEDS=7` or `STRESS_SEEDS=1-20` only such pages are tried.

mod cell;
pub mod page;
mod random;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use repertoire::browser::{self, ClickOptions, LoadState, OptionChoice};
use tokio::task::JoinSet;

use self::cell::{Action, Cell, Outcome};
use self::page::Page;
use crate::support::{Site, deadline, element, evaluate, session};

const PAGES: u64 = 500;
/// Waiting for errors leaves a processor to others.
const SESSIONS: usize = 2;
/// What can be done is done long before.
const DONE: u64 = 6_000;
/// What can't be done is tried this long.
const REFUSED: u64 = 250;

#[tokio::test(flavor = "multi_thread")]
async fn actions_on_random_pages_do_what_they_say() {
    let (first, last) = std::env::var("STRESS_SEEDS").map_or((1, PAGES), |seeds| {
        let (first, last) = seeds.split_once('-').unwrap_or((&seeds, &seeds));
        (first.parse().expect("a seed"), last.parse().expect("a seed"))
    });
    let next = Arc::new(AtomicU64::new(first));
    let site = Arc::new(Site::start().await);
    let mut workers = JoinSet::new();
    for _ in 0..SESSIONS {
        workers.spawn(work(site.clone(), next.clone(), last));
    }
    let failures: Vec<String> = workers.join_all().await.into_iter().flatten().collect();
    assert!(failures.is_empty(), "{} failures\n{}", failures.len(), failures.join("\n"));
}

/// Tries one page after the other until there are no more.
async fn work(site: Arc<Site>, next: Arc<AtomicU64>, last: u64) -> Vec<String> {
    let mut session = session();
    let mut failures = Vec::new();
    loop {
        let seed = next.fetch_add(1, Ordering::Relaxed);
        if seed > last {
            session.close().await;
            return failures;
        }
        let random = Page::random(seed, &site);
        let page = session.page(&deadline(30_000)).await.expect("a page");
        page.navigate(&site.url(&random.path), LoadState::Load, &deadline(DONE)).await.expect("navigated");
        for (number, cell) in random.cells.iter().enumerate() {
            if let Err(failure) = try_cell(&page, cell).await {
                // What was done before may matter.
                failures.push(format!("seed {seed}: {failure}\n  {:?}", &random.cells[..=number]));
            }
        }
    }
}

async fn try_cell(page: &browser::Page<'_>, cell: &Cell) -> Result<(), String> {
    let outcome = cell.outcome();
    let mut answer = match &outcome {
        Outcome::Done(_) => act(page, cell, DONE).await,
        Outcome::Refused(_) => act(page, cell, REFUSED).await,
    };
    // On a busy machine the first look may not have come to its end.
    if let (Outcome::Refused(words), Err(told)) = (&outcome, &answer)
        && !told.contains(words)
    {
        answer = act(page, cell, REFUSED * 12).await;
    }
    let log = evaluate(page, "collect()").await;
    let seen: Vec<String> = serde_json::from_value(log).map_err(|error| error.to_string())?;
    // A field that was filled tells of its change once the focus leaves it, or once it is replaced.
    let is_late =
        |event: &str| event.starts_with("change ") && (cell.action == Action::Fill || !event.ends_with(&cell.id));
    let pressed: Vec<&String> =
        seen.iter().filter(|event| !event.starts_with("mouseover ") && !is_late(event)).collect();
    match (outcome, answer) {
        (Outcome::Done(events), Ok(())) if pressed.iter().copied().eq(&events) => match cell.action {
            Action::Hover if !seen.contains(&format!("mouseover {}", cell.id)) => Err(format!("not hovered: {seen:?}")),
            _ => Ok(()),
        },
        (Outcome::Done(events), Ok(())) => Err(format!("done, with events {pressed:?} instead of {events:?}")),
        (Outcome::Done(_), Err(told)) => Err(format!("not done: {told}\n  seen {pressed:?}")),
        (Outcome::Refused(words), Ok(())) => Err(format!("done, though `{words}`; seen {pressed:?}")),
        (Outcome::Refused(words), Err(told)) if !told.contains(words) => Err(format!("`{words}` expected: {told}")),
        (Outcome::Refused(_), Err(_)) if pressed.is_empty() => Ok(()),
        (Outcome::Refused(_), Err(told)) => Err(format!("{told}\n  yet the page saw {pressed:?}")),
    }
}

async fn act(page: &browser::Page<'_>, cell: &Cell, limit: u64) -> Result<(), String> {
    let (selector, limit) = (element(&cell.selector), deadline(limit));
    let clicks = |count| ClickOptions { count, ..ClickOptions::default() };
    let choice = OptionChoice {
        label: Some(if cell.hazard == cell::Hazard::NoSuchOption { "Blue" } else { "Red" }.to_owned()),
        ..OptionChoice::default()
    };
    let answer = match cell.action {
        Action::Click => page.click(&selector, &clicks(1), &limit).await,
        Action::DoubleClick => page.click(&selector, &clicks(2), &limit).await,
        Action::Fill => page.fill(&selector, "text", false, &limit).await,
        Action::Check => page.set_checked(&selector, true, false, &limit).await,
        Action::Select => page.select_option(&selector, &[choice], false, &limit).await.map(drop),
        Action::Hover => page.hover(&selector, &ClickOptions::default(), &limit).await,
    };
    answer.map_err(|error| error.to_string())
}
