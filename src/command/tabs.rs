//! The tabs of the browser.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Command, Context, Error, Output};
use crate::browser::{LoadState, Tab, TabChoice};
use crate::selector::TextMatch;

/// A tab as steps and calls know it.
pub fn tab_value(tab: Tab) -> Value {
    json!({ "id": tab.id, "url": tab.url, "title": tab.title, "active": tab.active, "opener": tab.opener })
}

/// List the open tabs in the order of opening
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Tabs {}

impl Command for Tabs {
    const NAME: &'static str = "tabs";
    const EXAMPLE: &'static str = "tabs";
    const RETURNS: &'static str = "a list of `{ id, url, title, active, opener }`";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let tabs = context.session.tabs(&context.deadline).await?;
        Ok(Output::of(tabs.into_iter().map(tab_value).collect::<Vec<_>>()))
    }
}

/// Open a tab, which the next commands act on
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct OpenTab {
    /// Absolute address to open in it; an empty page when not given
    url: Option<String>,
}

impl Command for OpenTab {
    const NAME: &'static str = "open_tab";
    const MAIN: Option<&'static str> = Some("url");
    const EXAMPLE: &'static str = "open_tab: https://shop.example/orders";
    const RETURNS: &'static str = "the tab, `{ id, url, title, active, opener }`";
    const TIMEOUT: Option<Duration> = Some(Duration::from_secs(30));

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let tab = context.session.open_tab(self.url.as_deref(), LoadState::Load, &context.deadline).await?;
        Ok(Output::of(tab_value(tab)))
    }
}

/// Act on another tab from now on, named by its id, its address or its title
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SwitchTab {
    /// Its id, such as `t2`
    id: Option<String>,
    /// A part of its address, `"the whole address"` in quotes, or `/a pattern/`
    url: Option<String>,
    /// A part of its title, `"the whole title"` in quotes, or `/a pattern/`
    title: Option<String>,
}

impl Command for SwitchTab {
    const NAME: &'static str = "switch_tab";
    const MAIN: Option<&'static str> = Some("id");
    const EXAMPLE: &'static str = "switch_tab: { title: Invoice }";
    const RETURNS: &'static str = "the tab, `{ id, url, title, active, opener }`";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let bad = |message: String| Error::Arguments { command: Self::NAME, message };
        let text = |text: &str| TextMatch::parse(text).map_err(|error| bad(error.to_string()));
        let choice = match (self.id, self.url, self.title) {
            (Some(id), None, None) => TabChoice::Id(id),
            (None, Some(url), None) => TabChoice::Url(text(&url)?),
            (None, None, Some(title)) => TabChoice::Title(text(&title)?),
            _ => return Err(bad("give one of `id`, `url` and `title`".to_owned())),
        };
        Ok(Output::of(tab_value(context.session.switch_tab(&choice, &context.deadline).await?)))
    }
}

/// Close a tab; the next commands act on the one that opened it, or on the last one that is open
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CloseTab {
    /// Its id, such as `t2`; the active tab when not given
    id: Option<String>,
}

impl Command for CloseTab {
    const NAME: &'static str = "close_tab";
    const MAIN: Option<&'static str> = Some("id");
    const EXAMPLE: &'static str = "close_tab";
    const RETURNS: &'static str = "the tab that is active then";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let choice = self.id.map(TabChoice::Id);
        Ok(Output::of(tab_value(context.session.close_tab(choice.as_ref(), &context.deadline).await?)))
    }
}
