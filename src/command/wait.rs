//! Waiting for what a page does by itself.

use std::time::Duration;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::{Map, Value};

use super::navigation::WaitUntil;
use super::{Command, Context, Error, Misuse, Output, Time};
use crate::browser::ElementState;
use crate::selector::{Part, Selector, TextMatch};

/// Wait until a text is visible on the page
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitForText {
    /// The text, or a part of it; case does not matter
    text: String,
}

impl Command for WaitForText {
    const NAME: &'static str = "wait_for_text";
    const MAIN: Option<&'static str> = Some("text");
    const EXAMPLE: &'static str = "wait_for_text: Thank you";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let selector = Selector::from(vec![Part::Text(TextMatch::contains(self.text)), Part::Visible]);
        let deadline = context.deadline.clone();
        context.page().await?.wait_for(Self::NAME, &selector, ElementState::Visible, &deadline).await?;
        Ok(Output::default())
    }
}

/// Wait until an element is in a state
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitForSelector {
    /// The element; where several match, the first one counts
    selector: Selector,
    /// `attached`, `detached`, `visible`, `hidden`, `enabled`, `disabled`, `checked` or `unchecked`
    #[serde(default)]
    #[schemars(schema_with = "states")]
    state: ElementState,
}

/// The browser knows the states, and nothing of schemas.
fn states(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "string", "enum": ElementState::ALL.map(ElementState::name) })
}

impl Command for WaitForSelector {
    const NAME: &'static str = "wait_for_selector";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "wait_for_selector: { selector: testid:spinner, state: hidden }";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.wait_for(Self::NAME, &self.selector, self.state, &deadline).await?;
        Ok(Output::default())
    }
}

/// Wait until the page's address contains a text or matches a `/regular expression/`
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitForUrl {
    /// A part of the address, `"the whole address"` in quotes, or `/a pattern/`
    url: String,
}

impl Command for WaitForUrl {
    const NAME: &'static str = "wait_for_url";
    const MAIN: Option<&'static str> = Some("url");
    const EXAMPLE: &'static str = "wait_for_url: /orders?page=2";
    const RETURNS: &'static str = "the address";
    const TIMEOUT: Option<Duration> = Some(Duration::from_secs(30));

    fn misuse(given: &Map<String, Value>) -> Option<Misuse> {
        Misuse::of_pattern(given, "url")
    }

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let wanted = TextMatch::parse(&self.url)
            .map_err(|error| Error::Arguments { command: Self::NAME, message: error.to_string() })?;
        let deadline = context.deadline.clone();
        Ok(Output::of(context.page().await?.wait_for_url(&wanted, &deadline).await?))
    }
}

/// Wait until the page has come so far; `networkidle` goes on after 10 seconds in any case, with a note
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitForLoad {
    /// `domcontentloaded`, `load` or `networkidle`
    #[serde(default)]
    state: WaitUntil,
}

impl Command for WaitForLoad {
    const NAME: &'static str = "wait_for_load";
    const MAIN: Option<&'static str> = Some("state");
    const EXAMPLE: &'static str = "wait_for_load: networkidle";
    const TIMEOUT: Option<Duration> = Some(Duration::from_secs(30));

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.wait_for_load(self.state.into(), &deadline).await?;
        Ok(Output::default())
    }
}

/// Wait for a fixed time; waiting for a state is faster and steadier
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct WaitForTimeout {
    /// Milliseconds, or `2s`
    duration: Time,
}

impl Command for WaitForTimeout {
    const NAME: &'static str = "wait_for_timeout";
    const MAIN: Option<&'static str> = Some("duration");
    const EXAMPLE: &'static str = "wait_for_timeout: 500ms";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        // The time asked for is the step's own limit.
        context.overall.pause(self.duration.0).await?;
        Ok(Output::default())
    }
}
