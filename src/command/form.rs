//! Filling forms: text, keys, boxes, options, files.

use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Command, Context, Error, Misuse, Output, Time};
use crate::browser::{self, OptionChoice};
use crate::selector::Selector;

/// Replace what is in a text field, or set a date, number, colour or range
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Fill {
    /// The field
    selector: Selector,
    /// What it holds then
    #[serde(deserialize_with = "text")]
    value: String,
    /// Skip the checks of visible and enabled
    #[serde(default)]
    force: bool,
}

impl Command for Fill {
    const NAME: &'static str = "fill";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "fill: { selector: label:Email, value: ada@example.com }";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.fill(&self.selector, &self.value, self.force, &deadline).await?;
        Ok(Output::default())
    }
}

/// Type text key by key, where the caret is in a field that is being edited, else at the end of what is in it
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Type {
    /// The field
    selector: Selector,
    /// The text; a line break presses Enter
    #[serde(deserialize_with = "text")]
    value: String,
    /// Time between two keys
    delay: Option<Time>,
}

impl Command for Type {
    const NAME: &'static str = "type";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "type: { selector: label:Search, value: kettle }";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        let delay = self.delay.map_or(Duration::ZERO, |delay| delay.0);
        context.page().await?.type_text(&self.selector, &self.value, delay, &deadline).await?;
        Ok(Output::default())
    }
}

/// Empty a text field
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Clear {
    /// The field
    selector: Selector,
}

impl Command for Clear {
    const NAME: &'static str = "clear";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "clear: label:Search";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.fill(&self.selector, "", false, &deadline).await?;
        Ok(Output::default())
    }
}

/// Press a key or chord, on an element or wherever the focus is
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct PressKey {
    /// `Enter`, `Tab`, `Escape`, `ArrowDown`, `a`, `F5`, `Control+A`
    key: String,
    /// The element that gets the focus first
    selector: Option<Selector>,
    /// How often
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 100))]
    count: u32,
}

fn one() -> u32 {
    1
}

impl Command for PressKey {
    const NAME: &'static str = "press_key";
    const MAIN: Option<&'static str> = Some("key");
    const EXAMPLE: &'static str = "press_key: Enter";

    fn misuse(given: &Map<String, Value>) -> Option<Misuse> {
        let error = browser::known_key(given.get("key")?.as_str()?).err()?;
        Some(Misuse::at("key", error.to_string()))
    }

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.press_key(self.selector.as_ref(), &self.key, self.count.clamp(1, 100), &deadline).await?;
        Ok(Output::default())
    }
}

/// Check a checkbox, radio button or switch
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Check {
    /// The box
    selector: Selector,
    /// Click without the checks
    #[serde(default)]
    force: bool,
}

impl Command for Check {
    const NAME: &'static str = "check";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "check: role:checkbox[Remember me]";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.set_checked(&self.selector, true, self.force, &deadline).await?;
        Ok(Output::default())
    }
}

/// Uncheck a checkbox or switch
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Uncheck {
    /// The box
    selector: Selector,
    /// Click without the checks
    #[serde(default)]
    force: bool,
}

impl Command for Uncheck {
    const NAME: &'static str = "uncheck";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "uncheck: label:Newsletter";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.set_checked(&self.selector, false, self.force, &deadline).await?;
        Ok(Output::default())
    }
}

/// One option or several
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Options {
    One(String),
    Position(u64),
    Several(Vec<String>),
}

/// One label or several
#[derive(Deserialize, JsonSchema)]
#[serde(untagged)]
enum Labels {
    One(String),
    Several(Vec<String>),
}

/// Select options of a select element by value, label or position; of one option all that is given must fit
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct SelectOption {
    /// The select element
    selector: Selector,
    /// Value, else label, else position from 0; a list for a select of several, empty for none
    value: Option<Options>,
    /// By label only; a list for a select of several
    label: Option<Labels>,
    /// By position only, from 0
    index: Option<u64>,
}

impl Command for SelectOption {
    const NAME: &'static str = "select_option";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "select_option: { selector: label:Country, value: Ireland }";
    const RETURNS: &'static str = "the selected labels";

    fn misuse(given: &Map<String, Value>) -> Option<Misuse> {
        let is_given = ["value", "label", "index"].iter().any(|name| given.contains_key(*name));
        (!is_given).then(|| Misuse::of("one of `value`, `label` and `index` is needed"))
    }

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        if self.value.is_none() && self.label.is_none() && self.index.is_none() {
            return Err(Error::Arguments {
                command: Self::NAME,
                message: "one of `value`, `label` and `index` is needed".to_owned(),
            });
        }
        let any = |value: String| OptionChoice { any: Some(value), ..OptionChoice::default() };
        let mut several = Vec::new();
        let mut one = OptionChoice { index: self.index, ..OptionChoice::default() };
        match self.value {
            None => {}
            Some(Options::One(value)) => one.any = Some(value),
            Some(Options::Position(position)) => one.any = Some(position.to_string()),
            Some(Options::Several(values)) => several.extend(values.into_iter().map(any)),
        }
        match self.label {
            None => {}
            Some(Labels::One(label)) => one.label = Some(label),
            Some(Labels::Several(labels)) => several
                .extend(labels.into_iter().map(|label| OptionChoice { label: Some(label), ..OptionChoice::default() })),
        }
        let is_given = one.any.is_some() || one.label.is_some() || one.index.is_some();
        several.extend(is_given.then_some(one));
        let deadline = context.deadline.clone();
        let selected = context.page().await?.select_option(&self.selector, &several, false, &deadline).await?;
        Ok(Output::of(selected))
    }
}

/// One path or several
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Files {
    One(PathBuf),
    Several(Vec<PathBuf>),
}

/// Give files of the workspace to a file input, or to the file chooser that a click on something else opens
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UploadFile {
    /// The file input, its label, or what opens a file chooser
    selector: Selector,
    /// One path or a list, relative to the workspace; a directory where the input takes one; empty for no file
    files: Files,
}

impl Command for UploadFile {
    const NAME: &'static str = "upload_file";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "upload_file: { selector: label:Picture, files: [me.png] }";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let files = match self.files {
            Files::One(file) => vec![file],
            Files::Several(files) => files,
        };
        let files = files.iter().map(|file| context.workspace.existing_tree(file)).collect::<Result<Vec<_>, _>>()?;
        let deadline = context.deadline.clone();
        context.page().await?.upload(&self.selector, &files, &deadline).await?;
        Ok(Output::default())
    }
}

/// YAML reads `5` and `true` as other types; in a text field they are text.
fn text<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Scalar {
        Text(String),
        Number(serde_json::Number),
        Boolean(bool),
    }
    Ok(match Scalar::deserialize(deserializer).map_err(|_| serde::de::Error::custom("`value` is not text"))? {
        Scalar::Text(text) => text,
        Scalar::Number(number) => number.to_string(),
        Scalar::Boolean(boolean) => boolean.to_string(),
    })
}
