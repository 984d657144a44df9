//! Entering text: filling a field at once, typing stroke by stroke, pressing keys.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::frames::Place;
use super::super::keyboard::Chord;
use super::super::retry::Trial;
use super::super::{Deadline, Error, Page};
use super::Done;
use crate::selector::Selector;

#[derive(Deserialize)]
struct Filled {
    /// The element is focused with all of its content selected, and the text is still to be inserted.
    insert: Option<Value>,
}

impl Page<'_> {
    /// Replaces what is in a field. A field takes one round trip: focus, select, insert, read back. An editor takes two
    /// more, because it is told of the text beforehand only by the browser's own input.
    ///
    /// # Errors
    /// As [`Page::click`]; also when the field does not take the value.
    pub async fn fill(&self, selector: &Selector, value: &str, force: bool, deadline: &Deadline) -> Result<(), Error> {
        let mut trial = Trial::new("fill", selector, deadline);
        while trial.attempt(self.fill_once(selector, value, force)).await?.is_none() {}
        Ok(())
    }

    async fn fill_once(&self, selector: &Selector, value: &str, force: bool) -> Result<(), Error> {
        let place = self.place(selector).await?;
        let filled: Filled = self.ask(&place, "fill", json!({ "value": value, "force": force })).await?;
        let Some(token) = filled.insert else { return Ok(()) };
        self.link.insert_text(&place.session, value).await?;
        match self.ask::<Done>(&place, "verifyFill", json!({ "token": token, "value": value })).await {
            // The text is in: a document that went away went because of it.
            Err(error) if error.is_transient() => Ok(()),
            outcome => outcome.map(drop),
        }
    }

    /// Types text stroke by stroke: where the caret is in a field that is being edited, else at the end of what is in it.
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
        match self.link.enter_text(&place.session, text, delay, deadline).await {
            // A key closed it.
            Err(Error::PageClosed) => return Ok(()),
            Err(error) if error.is_transient() => {}
            typed => typed?,
        }
        self.settle(deadline).await
    }

    /// Presses a key or chord `count` times, on an element or wherever the focus is.
    ///
    /// # Errors
    /// [`Error::Argument`] for an unknown key; otherwise as [`Page::click`].
    pub async fn press_key(
        &self,
        selector: Option<&Selector>,
        key: &str,
        count: u32,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        let chord = match Chord::parse(key) {
            // A character that no key of the layout types is typed all the same.
            Err(_) if key.chars().count() == 1 => None,
            chord => Some(chord?),
        };
        let session = match selector {
            Some(selector) => self.focus("press_key", selector, deadline).await?.session,
            None => self.link.page_session()?,
        };
        for _ in 0..count.max(1) {
            let pressed = match chord {
                Some(chord) => deadline.race(self.link.press(&session, chord)).await?,
                None => self.link.enter_text(&session, key, Duration::ZERO, deadline).await,
            };
            match pressed {
                Err(Error::PageClosed) => return Ok(()),
                Err(error) if error.is_transient() => break,
                pressed => pressed?,
            }
        }
        self.settle(deadline).await
    }

    async fn focus(&self, action: &'static str, selector: &Selector, deadline: &Deadline) -> Result<Place, Error> {
        let mut trial = Trial::new(action, selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                self.ask::<Done>(&place, "focus", json!({ "typing": action == "type" })).await?;
                Ok(place)
            };
            if let Some(place) = trial.attempt(attempt).await? {
                return Ok(place);
            }
        }
    }
}
