//! What a mouse does.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Command, Context, Error, Output};
use crate::browser::{self, ClickOptions};
use crate::selector::Selector;

/// A mouse button
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Button {
    #[default]
    Left,
    Middle,
    Right,
}

/// A key held during the click
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
enum Modifier {
    Alt,
    Control,
    Meta,
    Shift,
}

/// A point in an element, in CSS pixels from its top left corner
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Position {
    /// To the right
    x: f64,
    /// Down
    y: f64,
}

/// Click an element once it is visible, enabled, still and not covered
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Click {
    /// The element
    selector: Selector,
    /// `left`, `middle` or `right`
    #[serde(default)]
    button: Button,
    /// 2 for a double click
    #[serde(default = "one")]
    #[schemars(range(min = 1, max = 3))]
    click_count: u32,
    /// Keys held: `Alt`, `Control`, `Meta`, `Shift`
    #[serde(default)]
    modifiers: Vec<Modifier>,
    /// Where in the element, from its top left corner in CSS pixels; its middle when not given
    position: Option<Position>,
    /// Click at the element's place without the checks
    #[serde(default)]
    force: bool,
}

fn one() -> u32 {
    1
}

impl Command for Click {
    const NAME: &'static str = "click";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "click: role:button[Sign in]";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let options = ClickOptions {
            button: match self.button {
                Button::Left => browser::MouseButton::Left,
                Button::Middle => browser::MouseButton::Middle,
                Button::Right => browser::MouseButton::Right,
            },
            count: self.click_count.clamp(1, 3),
            modifiers: self
                .modifiers
                .iter()
                .map(|modifier| match modifier {
                    Modifier::Alt => browser::Modifier::Alt,
                    Modifier::Control => browser::Modifier::Control,
                    Modifier::Meta => browser::Modifier::Meta,
                    Modifier::Shift => browser::Modifier::Shift,
                })
                .collect(),
            force: self.force,
            position: self.position.map(|position| (position.x, position.y)),
            control: false,
        };
        let deadline = context.deadline.clone();
        context.page().await?.click(&self.selector, &options, &deadline).await?;
        Ok(Output::default())
    }
}

/// Move the pointer onto an element
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Hover {
    /// The element
    selector: Selector,
    /// Move there without the checks
    #[serde(default)]
    force: bool,
}

impl Command for Hover {
    const NAME: &'static str = "hover";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "hover: role:menuitem[Products]";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.hover(&self.selector, self.force, &deadline).await?;
        Ok(Output::default())
    }
}

/// Drag one element onto another
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Drag {
    /// The element to drag
    selector: Selector,
    /// Where to drop it
    target_selector: Selector,
}

impl Command for Drag {
    const NAME: &'static str = "drag";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "drag: { selector: testid:card, target_selector: testid:done }";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        context.page().await?.drag(&self.selector, &self.target_selector, &deadline).await?;
        Ok(Output::default())
    }
}

/// Scroll an element into view, or the page or an element's content to a place or by an amount in CSS pixels
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Scroll {
    /// The element to bring into view, or whose content is scrolled
    selector: Option<Selector>,
    /// Scroll to this distance from the left
    x: Option<f64>,
    /// Scroll to this distance from the top
    y: Option<f64>,
    /// Scroll by this much to the right
    dx: Option<f64>,
    /// Scroll by this much down
    dy: Option<f64>,
}

impl Command for Scroll {
    const NAME: &'static str = "scroll";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "scroll: { dy: 600 }";
    const RETURNS: &'static str = "`{ x, y, moved }`";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let mut argument = Map::new();
        for (name, value) in [("x", self.x), ("y", self.y), ("dx", self.dx), ("dy", self.dy)] {
            argument.extend(value.map(|value| (name.to_owned(), Value::from(value))));
        }
        if argument.is_empty() && self.selector.is_none() {
            let message = "one of `selector`, `x`, `y`, `dx` and `dy` is needed".to_owned();
            return Err(Error::Arguments { command: Self::NAME, message });
        }
        let deadline = context.deadline.clone();
        let page = context.page().await?;
        Ok(Output::of(page.scroll(self.selector.as_ref(), Value::Object(argument), &deadline).await?))
    }
}
