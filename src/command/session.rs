//! The session itself.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Command, Context, Error, Output};

/// End the browser; the next command starts a new one
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CloseBrowser {}

impl Command for CloseBrowser {
    const NAME: &'static str = "close_browser";
    const EXAMPLE: &'static str = "close_browser";
    const RETURNS: &'static str = "whether one was running";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        Ok(Output::of(context.session.close().await))
    }
}
