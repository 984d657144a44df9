//! A browser session without a host, for scenarios of the browser module.

use std::time::Duration;

use repertoire::browser::{Deadline, Error, LaunchOptions, LoadState, Page, Session};
use repertoire::selector::Selector;
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::Site;

pub fn session() -> Session {
    Session::new(LaunchOptions { path: std::env::var("PATH").ok(), ..LaunchOptions::default() })
}

pub fn deadline(milliseconds: u64) -> Deadline {
    Deadline::after(Duration::from_millis(milliseconds), CancellationToken::new())
}

pub fn element(selector: &str) -> Selector {
    Selector::parse(selector).expect("a selector")
}

/// A page of the site with this body, loaded.
pub async fn open<'s>(session: &'s mut Session, site: &Site, body: &str) -> Page<'s> {
    site.set("/", body);
    let page = session.page(&deadline(30_000)).await.expect("a page");
    page.navigate(&site.url("/"), LoadState::Load, &deadline(10_000)).await.expect("navigated");
    page
}

pub async fn evaluate(page: &Page<'_>, script: &str) -> Value {
    page.evaluate(script, &[], &deadline(10_000)).await.expect("evaluated")
}

/// An error without what was tried and how often, which depends on the machine.
pub fn without_attempts(error: &Error) -> String {
    let told = error.to_string();
    let is_count =
        |line: &str| line.starts_with("  ") && line.trim_start().starts_with(|first: char| first.is_ascii_digit());
    let lines: Vec<&str> = told.lines().filter(|line| !is_count(line) && !line.contains(": waited ")).collect();
    lines.join("\n")
}
