//! Acting on elements: find exactly one, wait until a person could do it, do it with real input, check that it arrived.
//!
//! One call into the page resolves the selector, checks the states and hit-tests; input goes out in one burst; a second
//! call answers whether the event reached the element. A click that hit something else is stopped before the page sees
//! it, and tried again.

use std::path::PathBuf;
use std::time::Duration;

use chromiumoxide::cdp::browser_protocol::dom::SetFileInputFilesParams;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::frames::{Located, Place};
use super::keyboard::{Chord, Modifier, Modifiers};
use super::pointer::Point;
use super::retry::{Obstacle, Trial};
use super::{Deadline, Error, Page};
use crate::selector::Selector;

/// How long the verdict on a click may take once a navigation has begun.
const GRACE: Duration = Duration::from_millis(300);

/// How to click.
#[derive(Clone, Debug, Default)]
pub struct ClickOptions {
    /// Which button.
    pub button: MouseButton,
    /// How many clicks follow each other; 0 means one.
    pub count: u32,
    /// Keys held during the click.
    pub modifiers: Vec<Modifier>,
    /// Skip the checks: click at the element's place whatever is there.
    pub force: bool,
    /// Where in the element, from its top left corner in CSS pixels; the middle when not given.
    pub position: Option<(f64, f64)>,
    /// Click the label instead where the element is a control that only its label shows.
    pub control: bool,
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

/// How an option of a select element is named.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum OptionChoice {
    /// By its `value` attribute.
    Value(String),
    /// By its label.
    Label(String),
    /// By its position, from 0.
    Index(u64),
    /// By value, else by label, else by position.
    Any(String),
}

#[derive(Deserialize)]
struct Prepared {
    x: f64,
    y: f64,
    token: Option<Value>,
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

#[derive(Deserialize)]
struct Selected {
    selected: Vec<String>,
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
        let position = options.position.map(|(x, y)| json!({ "x": x, "y": y }));
        let argument = json!({ "force": options.force, "position": position, "control": options.control });
        let prepared: Prepared = self.ask(&place, "prepareClick", argument).await?;
        let modifiers: Modifiers = options.modifiers.iter().copied().collect();
        let clicked = self
            .link
            .click_at(
                &place.session,
                place.for_input(prepared.x, prepared.y),
                options.button,
                options.count.max(1),
                modifiers,
            )
            .await;
        let verdict = match (clicked, prepared.token) {
            (Ok(()), Some(token)) if !options.force => self.verify(&place, token, deadline).await,
            (clicked, _) => clicked,
        };
        // The events are out: a document or page that went away went because of them.
        match verdict {
            Err(error) if error.is_transient() => Ok(()),
            Err(Error::PageClosed | Error::Delivered) => Ok(()),
            verdict => verdict,
        }
    }

    /// Asks whether a click reached its element. While a navigation waits for its server the page gives no answer; one
    /// that began with the click is answer enough.
    async fn verify(&self, place: &Place, token: Value, deadline: &Deadline) -> Result<(), Error> {
        let verdict = self.ask::<Verdict>(place, "verifyClick", json!({ "token": token }));
        tokio::pin!(verdict);
        let verdict = tokio::select! {
            biased;
            verdict = &mut verdict => verdict,
            () = self.navigation_began() => match deadline.within(GRACE).race(verdict).await {
                Err(Error::Timeout { .. }) => return Ok(()),
                verdict => verdict?,
            },
        };
        if let Some(note) = verdict?.note {
            self.link.tracker().note(note);
        }
        Ok(())
    }

    /// Moves the pointer onto the element.
    ///
    /// # Errors
    /// As [`Page::click`].
    pub async fn hover(&self, selector: &Selector, force: bool, deadline: &Deadline) -> Result<(), Error> {
        let mut trial = Trial::new("hover", selector, deadline);
        while trial.attempt(self.hover_once(selector, force)).await?.is_none() {}
        Ok(())
    }

    async fn hover_once(&self, selector: &Selector, force: bool) -> Result<(), Error> {
        let place = self.place(selector).await?;
        let prepared: Prepared = self.ask(&place, "prepareClick", json!({ "hover": true, "force": force })).await?;
        self.link.move_to(&place.session, place.for_input(prepared.x, prepared.y), Modifiers::default()).await
    }

    /// Replaces what is in a text field, in one round trip: focus, select, insert with trusted events, read back.
    ///
    /// # Errors
    /// As [`Page::click`]; also when the field does not take the value.
    pub async fn fill(&self, selector: &Selector, value: &str, force: bool, deadline: &Deadline) -> Result<(), Error> {
        let mut trial = Trial::new("fill", selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                self.ask::<Done>(&place, "fill", json!({ "value": value, "force": force })).await
            };
            if trial.attempt(attempt).await?.is_some() {
                return Ok(());
            }
        }
    }

    /// Types text key by key at the end of what is in the field.
    ///
    /// # Errors
    /// As [`Page::click`].
    pub async fn type_text(
        &self,
        selector: &Selector,
        text: &str,
        delay: Duration,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        let place = self.focus("type", selector, deadline).await?;
        for (index, character) in text.chars().enumerate() {
            if index > 0 && !delay.is_zero() {
                deadline.pause(delay).await?;
            }
            deadline.race(self.link.type_character(&place.session, character)).await??;
        }
        self.settle(deadline).await
    }

    /// Presses a key or chord, on an element or wherever the focus is.
    ///
    /// # Errors
    /// [`Error::Argument`] for an unknown key; otherwise as [`Page::click`].
    pub async fn press_key(&self, selector: Option<&Selector>, key: &str, deadline: &Deadline) -> Result<(), Error> {
        let chord = match (Chord::parse(key), key.chars().count()) {
            // A character that no key of the layout types is typed all the same.
            (Err(_), 1) => return self.type_where(selector, key, deadline).await,
            (chord, _) => chord?,
        };
        let session = match selector {
            Some(selector) => self.focus("press_key", selector, deadline).await?.session,
            None => self.link.page_session()?,
        };
        match deadline.race(self.link.press(&session, chord)).await? {
            Err(Error::PageClosed) => return Ok(()),
            pressed => pressed?,
        }
        self.settle(deadline).await
    }

    async fn type_where(&self, selector: Option<&Selector>, text: &str, deadline: &Deadline) -> Result<(), Error> {
        let session = match selector {
            Some(selector) => self.focus("press_key", selector, deadline).await?.session,
            None => self.link.page_session()?,
        };
        for character in text.chars() {
            deadline.race(self.link.type_character(&session, character)).await??;
        }
        Ok(())
    }

    async fn focus(&self, action: &'static str, selector: &Selector, deadline: &Deadline) -> Result<Place, Error> {
        let mut trial = Trial::new(action, selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                self.ask::<Done>(&place, "focus", json!({})).await?;
                Ok(place)
            };
            if let Some(place) = trial.attempt(attempt).await? {
                return Ok(place);
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
                // Clicked once only: a second click would undo a change that is only slow to show.
                if left.is_none() {
                    self.click_once(selector, &options, deadline).await?;
                    left = Some(loader);
                    let state: Checked = self.ask(&place, "checkState", wanted).await?;
                    if state.checked == Value::Bool(checked) {
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

    /// Selects options of a select element; answers the labels of what is selected then.
    ///
    /// # Errors
    /// As [`Page::click`]; also when an option does not exist or is disabled.
    pub async fn select_option(
        &self,
        selector: &Selector,
        options: &[OptionChoice],
        force: bool,
        deadline: &Deadline,
    ) -> Result<Vec<String>, Error> {
        let mut trial = Trial::new("select_option", selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                self.ask::<Selected>(&place, "selectOption", json!({ "options": options, "force": force })).await
            };
            if let Some(selected) = trial.attempt(attempt).await? {
                self.settle(deadline).await?;
                return Ok(selected.selected);
            }
        }
    }

    /// Drags one element onto another.
    ///
    /// # Errors
    /// As [`Page::click`], for either element.
    pub async fn drag(&self, source: &Selector, target: &Selector, deadline: &Deadline) -> Result<(), Error> {
        let from = self.reach(source, deadline).await?;
        // In the page's own session: it routes the pointer into iframes of other processes by itself.
        let session = self.link.page_session()?;
        let mut drag = deadline.race(self.link.begin_drag(&session, from)).await??;
        // Looked for while the button is held, because reaching it may scroll the source away.
        let to = self.reach(target, deadline).await?;
        deadline.race(drag.drop_at(to)).await??;
        drop(drag);
        self.settle(deadline).await
    }

    /// A point of an element on the page that the pointer reaches.
    async fn reach(&self, selector: &Selector, deadline: &Deadline) -> Result<Point, Error> {
        let mut trial = Trial::new("drag", selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                let prepared: Prepared = self.ask(&place, "prepareClick", json!({ "hover": true })).await?;
                Ok(place.on_page(prepared.x, prepared.y))
            };
            if let Some(point) = trial.attempt(attempt).await? {
                return Ok(point);
            }
        }
    }

    /// Gives files to a file input; the paths are the browser's.
    ///
    /// # Errors
    /// As [`Page::click`]; also when the element is no file input or takes only one file.
    pub async fn upload(&self, selector: &Selector, files: &[PathBuf], deadline: &Deadline) -> Result<(), Error> {
        let mut trial = Trial::new("upload_file", selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                let located: Located = self.ask(&place, "locate", json!({ "state": "attached" })).await?;
                if files.len() > 1 && !located.multiple {
                    return Err(Error::Argument {
                        message: format!("`{selector}` takes one file, {} were given", files.len()),
                        hint: "upload one file, or choose an input with the `multiple` attribute".to_owned(),
                    });
                }
                let mut upload = SetFileInputFilesParams::new(
                    files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
                );
                upload.object_id = Some(self.element(&place, &located.token).await?);
                match self.link.connection.send::<Value>(Some(&place.session), &upload).await {
                    Err(Error::Protocol { message, .. }) if message.contains("not a file input") => {
                        let element = Some(format!("<{}>", located.tag));
                        Err(Error::Blocked(Obstacle::Missing { state: "file input".to_owned(), detail: None, element }))
                    }
                    outcome => outcome.map(drop),
                }
            };
            if trial.attempt(attempt).await?.is_some() {
                return self.settle(deadline).await;
            }
        }
    }
}
