//! Acting on elements: find exactly one, wait until a person could do it, do it with real input, check that it arrived.
//!
//! One call into the page resolves the selector, checks the states and hit-tests; input goes out in one burst; a second
//! call answers whether the event reached the element. A click that hit something else is stopped before the page sees
//! it, and tried again. Here are the clicks; typing, choosing, dragging and uploading are modules of their own.

mod choose;
mod drag;
mod typing;
mod upload;
mod wheel;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

pub use choose::OptionChoice;

use super::frames::{Aim, Place};
use super::keyboard::Modifier;
use super::retry::{Obstacle, Trial};
use super::{Deadline, Error, Page};
use crate::selector::Selector;

/// How long the verdict on a click may take once a navigation has begun.
const GRACE: Duration = Duration::from_millis(300);

/// How to click, or to hover: button, count and delay are of clicks only.
#[derive(Clone, Debug, Default)]
pub struct ClickOptions {
    /// Which button.
    pub button: MouseButton,
    /// How many clicks follow each other; 0 means one.
    pub count: u32,
    /// Keys held meanwhile.
    pub modifiers: Vec<Modifier>,
    /// Skip the checks: go to the element's place whatever is there. What was there instead is noted.
    pub force: bool,
    /// Where in the element, from the top left corner inside of its border; the middle when not given.
    pub position: Option<Position>,
    /// How long the button is held.
    pub delay: Duration,
    /// Click the label instead where the element is a control that only its label shows.
    pub control: bool,
}

/// A point in an element in CSS pixels, from the top left corner inside of its border.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Position {
    /// To the right.
    pub x: f64,
    /// Down.
    pub y: f64,
}

/// A mouse button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MouseButton {
    /// The main button.
    #[default]
    Left,
    /// The wheel.
    Middle,
    /// The button of context menus.
    Right,
}

#[derive(Deserialize)]
struct Prepared {
    x: f64,
    y: f64,
    token: Value,
}

#[derive(Deserialize)]
struct Verdict {
    /// What the page was kept from doing, such as following a link into another program.
    note: Option<String>,
}

#[derive(Deserialize)]
struct Checked {
    checked: Value,
}

type Done = Map<String, Value>;

impl Page<'_> {
    /// Clicks the one element that matches.
    ///
    /// # Errors
    /// [`Error::Unmet`] when it doesn't become clickable in time, [`Error::Ambiguous`] when several match.
    pub async fn click(&self, selector: &Selector, options: &ClickOptions, deadline: &Deadline) -> Result<(), Error> {
        let mut trial = Trial::new("click", selector, deadline);
        while trial.attempt(self.click_once(selector, options, deadline)).await?.is_none() {}
        self.settle(deadline).await
    }

    async fn click_once(&self, selector: &Selector, options: &ClickOptions, deadline: &Deadline) -> Result<(), Error> {
        let place = self.place(selector).await?;
        let touch = self.options.emulation.touch && options.button == MouseButton::Left;
        let argument = json!({
            "force": options.force, "position": options.position, "control": options.control, "touch": touch,
        });
        let prepared: Prepared = self.ask(&place, "prepareClick", argument).await?;
        let aim = if options.force { Aim::Measure } else { Aim::Click };
        let point = self.for_input(&place, prepared.x, prepared.y, aim).await?;
        let clicked = match touch {
            true => self.link.tap_at(&place.session, point, options, deadline).await,
            false => self.link.click_at(&place.session, point, options, deadline).await,
        };
        let verdict = match clicked {
            Ok(()) => self.verify(&place, prepared.token, deadline).await,
            clicked => clicked,
        };
        // The events are out: a document or page that went away went because of them.
        match verdict {
            Err(error) if error.is_transient() => Ok(()),
            Err(Error::PageClosed | Error::Delivered) => Ok(()),
            verdict => verdict,
        }
    }

    /// Asks whether a click reached its element; a navigation that began with the click is answer enough.
    async fn verify(&self, place: &Place, token: Value, deadline: &Deadline) -> Result<(), Error> {
        let verdict = self.ask::<Verdict>(place, "verifyClick", json!({ "token": token }));
        if let Some(Verdict { note: Some(note) }) = self.unless_leaving(verdict, deadline).await? {
            self.link.tracker().note(note);
        }
        Ok(())
    }

    /// What the page answers after an action; none where it has begun to navigate and waits for its server, because it
    /// gives no answer meanwhile.
    async fn unless_leaving<T>(
        &self,
        answer: impl Future<Output = Result<T, Error>>,
        deadline: &Deadline,
    ) -> Result<Option<T>, Error> {
        tokio::pin!(answer);
        tokio::select! {
            biased;
            answer = &mut answer => answer.map(Some),
            () = self.navigation_began() => match deadline.within(GRACE).race(answer).await {
                Err(Error::Timeout { .. }) => Ok(None),
                answer => answer?.map(Some),
            },
        }
    }

    /// Moves the pointer onto the element.
    ///
    /// # Errors
    /// As [`Page::click`].
    pub async fn hover(&self, selector: &Selector, options: &ClickOptions, deadline: &Deadline) -> Result<(), Error> {
        let mut trial = Trial::new("hover", selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                let argument = json!({ "for": "hover", "force": options.force, "position": options.position });
                let prepared: Prepared = self.ask(&place, "prepareClick", argument).await?;
                let aim = if options.force { Aim::Measure } else { Aim::Hover };
                let point = self.for_input(&place, prepared.x, prepared.y, aim).await?;
                self.link.hover_at(&place.session, point, options.modifiers.iter().copied().collect()).await?;
                self.verify(&place, prepared.token, deadline).await
            };
            if trial.attempt(attempt).await?.is_some() {
                return Ok(());
            }
        }
    }

    /// Brings a checkbox, radio button or switch into a state: clicks it if it isn't, and waits until it is.
    ///
    /// # Errors
    /// As [`Page::click`]; also when the click doesn't change it.
    pub async fn set_checked(
        &self,
        selector: &Selector,
        checked: bool,
        force: bool,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        let action = if checked { "check" } else { "uncheck" };
        let options = ClickOptions { force, control: true, ..ClickOptions::default() };
        let mut trial = Trial::new(action, selector, deadline);
        let mut left = None;
        let mut was_mixed = false;
        loop {
            let attempt = async {
                // The click made the page go elsewhere: a box that submits its form was changed, or there is none to ask.
                let loader = self.link.main_frame().map(|(_, frame)| frame.loader);
                if left.as_ref().is_some_and(|left| *left != loader) {
                    return Ok(());
                }
                let place = self.place(selector).await?;
                let wanted = json!({ "want": checked });
                let state: Checked = self.ask(&place, "checkState", wanted.clone()).await?;
                if state.checked == Value::Bool(checked) {
                    return Ok(());
                }
                // Clicked once only: a second click would undo a change that is only slow to show. But a mixed box that has
                // become the opposite has changed, and the next click changes it on.
                if left.is_none() || (was_mixed && state.checked == Value::Bool(!checked)) {
                    was_mixed = left.is_none() && state.checked == "mixed";
                    self.click_once(selector, &options, deadline).await?;
                    left = Some(loader);
                    let state = self.ask::<Checked>(&place, "checkState", wanted);
                    let state = self.unless_leaving(state, deadline).await?;
                    if state.is_none_or(|state| state.checked == Value::Bool(checked)) {
                        return Ok(());
                    }
                }
                let state = if checked { "checked" } else { "unchecked" };
                Err(Error::Blocked(Obstacle::Missing {
                    state: state.to_owned(),
                    detail: Some("the click did not change it".to_owned()),
                    element: None,
                }))
            };
            if trial.attempt(attempt).await?.is_some() {
                return self.settle(deadline).await;
            }
        }
    }
}
