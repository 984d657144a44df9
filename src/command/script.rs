//! JavaScript in the page's own world.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::{Command, Context, Error, Output};

/// One argument or several
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Arguments {
    Several(Vec<Value>),
    One(Value),
}

/// Evaluate an expression, or call a function, in the page
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Evaluate {
    /// `document.title`, or a function such as `(a, b) => a + b`; a promise is awaited
    script: String,
    /// Arguments for the function; secrets are passed here, never in the script
    args: Option<Arguments>,
}

impl Command for Evaluate {
    const NAME: &'static str = "evaluate";
    const MAIN: Option<&'static str> = Some("script");
    const EXAMPLE: &'static str = "evaluate: document.querySelectorAll('li').length";
    const RETURNS: &'static str = "the result as JSON";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let arguments = match self.args {
            None => Vec::new(),
            Some(Arguments::Several(arguments)) => arguments,
            Some(Arguments::One(argument)) => vec![argument],
        };
        let deadline = context.deadline.clone();
        Ok(Output::of(context.page().await?.evaluate(&self.script, &arguments, &deadline).await?))
    }
}
