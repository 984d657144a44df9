//! What a mouse does.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::{Command, Context, Error, Misuse, Output, Time};
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
    /// Command on macOS, Control elsewhere
    ControlOrMeta,
    Meta,
    Shift,
}

impl From<Modifier> for browser::Modifier {
    fn from(modifier: Modifier) -> browser::Modifier {
        match modifier {
            Modifier::Alt => browser::Modifier::Alt,
            Modifier::Control => browser::Modifier::Control,
            Modifier::ControlOrMeta => browser::Modifier::CONTROL_OR_META,
            Modifier::Meta => browser::Modifier::Meta,
            Modifier::Shift => browser::Modifier::Shift,
        }
    }
}

/// A point in an element, in CSS pixels from the top left corner inside of its border
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Position {
    /// To the right
    x: f64,
    /// Down
    y: f64,
}

impl From<Position> for browser::Position {
    fn from(Position { x, y }: Position) -> browser::Position {
        browser::Position { x, y }
    }
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
    /// Keys held: `Alt`, `Control`, `Meta`, `Shift`, `ControlOrMeta`
    #[serde(default)]
    modifiers: Vec<Modifier>,
    /// Where in the element, in CSS pixels from the top left corner inside of its border; its middle when not given
    position: Option<Position>,
    /// How long the button is held
    delay: Option<Time>,
    /// Click at the element's place without waiting until it is visible, enabled, still and uncovered; a warning tells what got the click instead
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
            modifiers: self.modifiers.into_iter().map(browser::Modifier::from).collect(),
            force: self.force,
            position: self.position.map(browser::Position::from),
            delay: self.delay.map_or(Duration::ZERO, |delay| delay.0),
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
    /// Keys held meanwhile: `Alt`, `Control`, `Meta`, `Shift`, `ControlOrMeta`
    #[serde(default)]
    modifiers: Vec<Modifier>,
    /// Where in the element, in CSS pixels from the top left corner inside of its border; its middle when not given
    position: Option<Position>,
    /// Move there without waiting until it is visible, still and uncovered; a warning tells what is there instead
    #[serde(default)]
    force: bool,
}

impl Command for Hover {
    const NAME: &'static str = "hover";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "hover: role:menuitem[Products]";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        let options = ClickOptions {
            modifiers: self.modifiers.into_iter().map(browser::Modifier::from).collect(),
            position: self.position.map(browser::Position::from),
            force: self.force,
            ..ClickOptions::default()
        };
        context.page().await?.hover(&self.selector, &options, &deadline).await?;
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
    /// Where to take hold, in CSS pixels from the top left corner inside of the element's border; its middle when not given
    position: Option<Position>,
    /// Where to let go, in CSS pixels from the top left corner inside of the target's border; its middle when not given
    target_position: Option<Position>,
}

impl Command for Drag {
    const NAME: &'static str = "drag";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "drag: { selector: testid:card, target_selector: testid:done }";

    async fn run(self, context: &mut Context<'_>) -> Result<Output, Error> {
        let deadline = context.deadline.clone();
        let source = (&self.selector, self.position.map(browser::Position::from));
        let target = (&self.target_selector, self.target_position.map(browser::Position::from));
        context.page().await?.drag(source, target, &deadline).await?;
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
    /// Turn the mouse wheel over `selector` by `dx` and `dy`, for pages that listen to it
    #[serde(default)]
    wheel: bool,
}

impl Command for Scroll {
    const NAME: &'static str = "scroll";
    const MAIN: Option<&'static str> = Some("selector");
    const EXAMPLE: &'static str = "scroll: { dy: 600 }";
    const RETURNS: &'static str = "`{ x, y, moved }`";

    fn misuse(given: &Map<String, Value>) -> Option<Misuse> {
        let places = ["selector", "x", "y", "dx", "dy"];
        let is_given = places.iter().any(|name| given.contains_key(*name));
        (!is_given).then(|| Misuse::of("one of `selector`, `x`, `y`, `dx` and `dy` is needed"))
    }

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
        if self.wheel {
            let (Some(selector), None, None) = (&self.selector, self.x, self.y) else {
                let message = "a wheel is turned over a `selector`, by `dx` and `dy`".to_owned();
                return Err(Error::Arguments { command: Self::NAME, message });
            };
            let by = (self.dx.unwrap_or(0.0), self.dy.unwrap_or(0.0));
            return Ok(Output::of(context.page().await?.wheel(selector, by, &deadline).await?));
        }
        let page = context.page().await?;
        Ok(Output::of(page.scroll(self.selector.as_ref(), Value::Object(argument), &deadline).await?))
    }
}
