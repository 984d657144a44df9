//! Going to pages.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Command, Context, Error, Output};
use crate::browser::{LoadState, Navigated};

/// Pages of the outside world take their time.
const LOAD: Option<Duration> = Some(Duration::from_secs(30));

/// How far the page must have come
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum WaitUntil {
    Commit,
    DomContentLoaded,
    #[default]
    Load,
    NetworkIdle,
}

impl From<WaitUntil> for LoadState {
    fn from(until: WaitUntil) -> LoadState {
        match until {
            WaitUntil::Commit => LoadState::Commit,
            WaitUntil::DomContentLoaded => LoadState::DomContentLoaded,
            WaitUntil::Load => LoadState::Load,
            WaitUntil::NetworkIdle => LoadState::NetworkIdle,
        }
    }
}

fn arrived(navigated: Navigated) -> Output {
    Output::of(json!({ "url": navigated.url }))
}

/// Open an address and wait until the page has loaded
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Navigate {
    /// Absolute address, `https://…`
    url: String,
    /// Go on at `commit`, `domcontentloaded`, `load` or `networkidle`
    #[serde(default)]
    wait_until: WaitUntil,
}

impl Command for Navigate {
    const NAME: &'static str = "navigate";
    const MAIN: Option<&'static str> = Some("url");
    const EXAMPLE: &'static str = "navigate: https://shop.example/login";
    const RETURNS: &'static str = "`{ url }` after redirects";
    const TIMEOUT: Option<Duration> = LOAD;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        let page = context.page().await?;
        Ok(arrived(page.navigate(&self.url, self.wait_until.into(), &deadline).await?))
    }
}

/// Go back to the previous page of the tab
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NavigateBack {
    /// Go on at `commit`, `domcontentloaded`, `load` or `networkidle`
    #[serde(default)]
    wait_until: WaitUntil,
}

impl Command for NavigateBack {
    const NAME: &'static str = "navigate_back";
    const EXAMPLE: &'static str = "navigate_back";
    const RETURNS: &'static str = "`{ url }`";
    const TIMEOUT: Option<Duration> = LOAD;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        Ok(arrived(context.page().await?.go(-1, self.wait_until.into(), &deadline).await?))
    }
}

/// Go forward to the next page of the tab
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct NavigateForward {
    /// Go on at `commit`, `domcontentloaded`, `load` or `networkidle`
    #[serde(default)]
    wait_until: WaitUntil,
}

impl Command for NavigateForward {
    const NAME: &'static str = "navigate_forward";
    const EXAMPLE: &'static str = "navigate_forward";
    const RETURNS: &'static str = "`{ url }`";
    const TIMEOUT: Option<Duration> = LOAD;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        Ok(arrived(context.page().await?.go(1, self.wait_until.into(), &deadline).await?))
    }
}

/// Load the page again
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Reload {
    /// Go on at `commit`, `domcontentloaded`, `load` or `networkidle`
    #[serde(default)]
    wait_until: WaitUntil,
}

impl Command for Reload {
    const NAME: &'static str = "reload";
    const EXAMPLE: &'static str = "reload";
    const RETURNS: &'static str = "`{ url }`";
    const TIMEOUT: Option<Duration> = LOAD;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        Ok(arrived(context.page().await?.reload(self.wait_until.into(), &deadline).await?))
    }
}
