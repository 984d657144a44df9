//! JavaScript in the page's own world.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use serde_json::Value;

use super::{Command, Context, Error, Output};

/// Evaluate an expression, or call a function, in the page
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Evaluate {
    /// `document.title`, or a function such as `(a, b) => a + b`; a promise is awaited
    script: String,
    /// Arguments for the function, a list; secrets are passed here, never in the script
    #[serde(default)]
    #[schemars(schema_with = "anything")]
    args: Vec<Value>,
}

/// A list of anything. Some clients lose all tools over a schema that is `true`, so an empty object stands for it.
fn anything(_: &mut SchemaGenerator) -> Schema {
    json_schema!({ "type": "array", "items": {} })
}

impl Command for Evaluate {
    const NAME: &'static str = "evaluate";
    const MAIN: Option<&'static str> = Some("script");
    const EXAMPLE: &'static str = "evaluate: document.querySelectorAll('li').length";
    const RETURNS: &'static str = "the result as JSON";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        Ok(Output::of(context.page().await?.evaluate(&self.script, &self.args, &deadline).await?))
    }
}
