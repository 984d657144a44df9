//! Reading single facts: of the page, of an element.

use schemars::JsonSchema;
use serde::Deserialize;

use super::{Command, Context, Error, Output};
use crate::browser::Reading;
use crate::selector::Selector;

/// The address of the page
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetUrl {}

impl Command for GetUrl {
    const NAME: &'static str = "get_url";
    const EXAMPLE: &'static str = "get_url";
    const RETURNS: &'static str = "text";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        Ok(Output::of(context.page().await?.url()?))
    }
}

/// The title of the page
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetTitle {}

impl Command for GetTitle {
    const NAME: &'static str = "get_title";
    const EXAMPLE: &'static str = "get_title";
    const RETURNS: &'static str = "text";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        Ok(Output::of(context.page().await?.title(&deadline).await?))
    }
}

/// The text of an element as a person sees it
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetText {
    /// The element
    selector: Selector,
}

impl Command for GetText {
    const NAME: &'static str = "get_text";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "get_text: testid:order-number";
    const RETURNS: &'static str = "text";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        Ok(Output::of(context.page().await?.read(Self::NAME, &self.selector, &Reading::Text, &deadline).await?))
    }
}

/// The value of a form control
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetValue {
    /// The control
    selector: Selector,
}

impl Command for GetValue {
    const NAME: &'static str = "get_value";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "get_value: label:Quantity";
    const RETURNS: &'static str = "text";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        Ok(Output::of(context.page().await?.read(Self::NAME, &self.selector, &Reading::Value, &deadline).await?))
    }
}

/// An attribute of an element as written in the page
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetAttribute {
    /// The element
    selector: Selector,
    /// The attribute's name
    attribute: String,
}

impl Command for GetAttribute {
    const NAME: &'static str = "get_attribute";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "get_attribute: { selector: \"role:link[Invoice]\", attribute: href }";
    const RETURNS: &'static str = "text, null without the attribute";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        let reading = Reading::Attribute(self.attribute);
        Ok(Output::of(context.page().await?.read(Self::NAME, &self.selector, &reading, &deadline).await?))
    }
}

/// How many elements match now, without waiting
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct GetCount {
    /// The elements
    selector: Selector,
}

impl Command for GetCount {
    const NAME: &'static str = "get_count";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "get_count: role:listitem";
    const RETURNS: &'static str = "a number";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        Ok(Output::of(context.page().await?.count(&self.selector, &deadline).await?))
    }
}
