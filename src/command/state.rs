//! What a sign-in leaves behind, kept in a file; the size of the page.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Command, Context, Error, Output};
use crate::browser::StorageState;

/// Save cookies and local storage, so that a later session needs no sign-in; the file is as secret as a password
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SaveState {
    /// The file in the workspace; readable by its owner only, in the form of Playwright's `storageState`
    path: PathBuf,
}

impl Command for SaveState {
    const NAME: &'static str = "save_state";
    const MAIN: Option<&'static str> = Some("path");
    const EXAMPLE: &'static str = "save_state: state/shop.json";
    const RETURNS: &'static str = "`{ path, cookies, origins }`, the latter two as numbers";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let state = context.session.storage_state(&context.deadline).await?;
        let text = serde_json::to_vec_pretty(&state)
            .map_err(|error| Error::File { path: self.path.clone(), reason: error.to_string() })?;
        // Written by way of a temporary file, which only its owner may read.
        let path = context.workspace.write(&self.path, &text)?;
        Ok(Output::of(json!({ "path": path, "cookies": state.cookies.len(), "origins": state.origins.len() })))
    }
}

/// Replace all cookies, and the local storage of the origins in a file that `save_state` or Playwright wrote
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct LoadState {
    /// The file in the workspace
    path: PathBuf,
}

impl Command for LoadState {
    const NAME: &'static str = "load_state";
    const MAIN: Option<&'static str> = Some("path");
    const EXAMPLE: &'static str = "load_state: state/shop.json";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let path = context.workspace.existing(&self.path)?;
        let state = StorageState::read(&path).map_err(|reason| Error::File { path: self.path.clone(), reason })?;
        context.session.restore(&state, &context.deadline).await?;
        Ok(Output::default())
    }
}

/// Set the size of the page, for this tab and those that open later
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SetViewport {
    /// Width in CSS pixels
    #[schemars(range(min = 1, max = 10_000))]
    width: u32,
    /// Height in CSS pixels
    #[schemars(range(min = 1, max = 10_000))]
    height: u32,
}

impl Command for SetViewport {
    const NAME: &'static str = "set_viewport";
    const EXAMPLE: &'static str = "set_viewport: { width: 390, height: 844 }";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        // Chromium takes zero for "as large as the window", which is not what was asked for.
        if ![self.width, self.height].iter().all(|side| (1..=10_000).contains(side)) {
            let message = "`width` and `height` lie between 1 and 10000".to_owned();
            return Err(Error::Arguments { command: Self::NAME, message });
        }
        context.session.set_viewport((self.width, self.height), &context.deadline).await?;
        Ok(Output::default())
    }
}
