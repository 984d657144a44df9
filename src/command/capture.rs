//! The page as a whole: snapshot and screenshot.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::json;

use super::{Command, Context, Error, Output};
use crate::browser::{Clip, ImageFormat};
use crate::page::{self, SnapshotOptions};
use crate::selector::Selector;

/// How much of the page a snapshot shows
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Mode {
    #[default]
    Full,
    Interactive,
    Structure,
}

/// The page as assistive technology sees it: roles, names, states and references that `ref:e12` selects
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Snapshot {
    /// Only the part within this element
    selector: Option<Selector>,
    /// `full`; `interactive`: what can be acted on; `structure`: landmarks, headings, dialogs and iframes
    #[serde(default)]
    mode: Mode,
    /// How many levels
    #[schemars(range(min = 1))]
    depth: Option<usize>,
    /// Show where links lead
    #[serde(default)]
    urls: bool,
    /// How many elements get a reference, the most important ones first
    max_refs: Option<usize>,
    /// How many tokens it may take; what matters least is left out, with a note
    #[serde(default = "max_tokens")]
    #[schemars(range(min = 100))]
    max_tokens: usize,
    /// Only what has changed since the last snapshot with the same arguments
    #[serde(default)]
    diff: bool,
}

/// What fits into one answer.
fn max_tokens() -> usize {
    8_000
}

impl Command for Snapshot {
    const NAME: &'static str = "snapshot";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "snapshot: role:main";
    const RETURNS: &'static str = "text";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        let options = SnapshotOptions {
            selector: self.selector,
            mode: match self.mode {
                Mode::Full => page::Mode::Full,
                Mode::Interactive => page::Mode::Interactive,
                Mode::Structure => page::Mode::Structure,
            },
            depth: self.depth,
            urls: self.urls,
            max_refs: self.max_refs,
            max_tokens: Some(self.max_tokens),
            diff: self.diff,
        };
        let page = context.page().await?;
        Ok(Output::of(page::snapshot(&page, &options, &deadline).await?))
    }
}

/// The format of a picture
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    #[default]
    Png,
    Jpeg,
}

/// Take a picture of the viewport, the whole page or one element
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Screenshot {
    /// Write it to this file in the workspace instead of answering it
    path: Option<PathBuf>,
    /// The page from top to bottom instead of the viewport
    #[serde(default)]
    full_page: bool,
    /// Only this element
    selector: Option<Selector>,
    /// `png` or `jpeg`
    #[serde(default)]
    format: Format,
    /// Of a JPEG, 0 to 100
    #[serde(default = "quality")]
    #[schemars(range(max = 100))]
    quality: u8,
}

fn quality() -> u8 {
    80
}

impl Command for Screenshot {
    const NAME: &'static str = "screenshot";
    const MAIN: Option<&'static str> = Some("path");
    const EXAMPLE: &'static str = "screenshot: { path: cart.png, full_page: true }";
    const RETURNS: &'static str = "`{ path, bytes }`, or the picture";
    const ACTS: bool = false;

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let clip = match (self.selector, self.full_page) {
            (Some(selector), _) => Clip::Element(selector),
            (None, true) => Clip::FullPage,
            (None, false) => Clip::Viewport,
        };
        let named_jpeg = self
            .path
            .as_ref()
            .and_then(|path| path.extension())
            .is_some_and(|extension| extension == "jpg" || extension == "jpeg");
        let format = if named_jpeg || matches!(self.format, Format::Jpeg) {
            ImageFormat::Jpeg(self.quality)
        } else {
            ImageFormat::Png
        };
        let deadline = context.deadline.clone();
        let picture = context.page().await?.screenshot(&clip, format, &deadline).await?;
        let bytes = picture.data.len();
        match &self.path {
            None => {
                Ok(Output { value: json!({ "mime_type": picture.mime_type, "bytes": bytes }), pictures: vec![picture] })
            }
            Some(path) => {
                let written = context.workspace.write(path, &picture.data)?;
                Ok(Output::of(json!({ "path": written, "bytes": bytes })))
            }
        }
    }
}
