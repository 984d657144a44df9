//! A browser session without a host, for scenarios of the browser module.

use std::time::Duration;

use repertoire::browser::{Deadline, LaunchOptions, Session};
use repertoire::selector::Selector;
use tokio_util::sync::CancellationToken;

pub fn session() -> Session {
    Session::new(LaunchOptions { path: std::env::var("PATH").ok(), ..LaunchOptions::default() })
}

pub fn deadline(milliseconds: u64) -> Deadline {
    Deadline::after(Duration::from_millis(milliseconds), CancellationToken::new())
}

pub fn element(selector: &str) -> Selector {
    Selector::parse(selector).expect("a selector")
}
