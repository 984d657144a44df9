//! Naming elements to people: the selector that finds exactly one element, and what came closest to a selector that
//! finds none, in whichever frame.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::calls::Near;
use super::frames::{Entered, Place, Way};
use super::retry::Trial;
use super::{Deadline, Error, Page};
use crate::selector::Selector;

/// Documents that are searched for what was not found where it was looked for.
const MAX_DOCUMENTS: usize = 20;
/// Near misses that are told.
const MAX_NEAR: usize = 5;

#[derive(Deserialize)]
struct Unique {
    selector: String,
}

/// What one document holds.
#[derive(Deserialize)]
struct Survey {
    /// What the selector finds in it.
    found: Vec<Near>,
    frames: Vec<FrameElement>,
}

#[derive(Deserialize)]
struct FrameElement {
    token: Value,
    selector: String,
    element: String,
}

impl Page<'_> {
    /// A selector for the one element that `selector` matches, such as `ref:e12`: one that finds only this element now
    /// and most likely will tomorrow. It prefers test ids, then role and name, label, text, short CSS, and leads through
    /// iframes.
    ///
    /// # Errors
    /// [`Error::Unmet`] or [`Error::Ambiguous`].
    pub async fn selector_for(&self, selector: &Selector, deadline: &Deadline) -> Result<Selector, Error> {
        let mut trial = Trial::new("selector", selector, deadline);
        loop {
            if let Some(unique) = trial.attempt(self.unique_selector(selector)).await? {
                return Ok(unique);
            }
        }
    }

    async fn unique_selector(&self, selector: &Selector) -> Result<Selector, Error> {
        let Way { frames, rest, .. } = self.way(selector)?;
        let mut place = self.main_document()?;
        for owner in &frames {
            let unique = self.unique_in(&mut place, owner).await?;
            place = self.enter(place, &unique).await?;
        }
        let unique = self.unique_in(&mut place, &rest).await?;
        parsed(&format!("{}{unique}", place.path))
    }

    async fn unique_in(&self, place: &mut Place, selector: &Selector) -> Result<Selector, Error> {
        self.select(place, selector);
        let Unique { selector } = self.ask(place, "selectorFor", json!({})).await?;
        parsed(&selector)
    }

    /// Adds to an error what only a last look at the page can tell: what came closest to a selector without a match.
    pub async fn explain(&self, error: Error, selector: &Selector, deadline: &Deadline) -> Error {
        let mut unmet = match error {
            Error::Unmet(unmet) if unmet.is_absent() => unmet,
            error => return error,
        };
        // What is found by the end of the time counts.
        let _ = deadline.race(self.near_misses(selector, &mut unmet.near)).await;
        unmet.near.truncate(MAX_NEAR);
        Error::Unmet(unmet)
    }

    async fn near_misses(&self, selector: &Selector, near: &mut Vec<String>) -> Result<(), Error> {
        let Way { frames, rest, .. } = self.way(selector)?;
        let mut place = self.main_document()?;
        for owner in &frames {
            match self.enter(place.clone(), owner).await {
                Ok(inner) => place = inner,
                Err(_) => {
                    self.select(&mut place, owner);
                    near.extend(self.near_in(&place, "enter").await);
                    return Ok(());
                }
            }
        }
        self.select(&mut place, &rest);
        let mut in_place = self.near_in(&place, "locate").await;
        let elsewhere = self.elsewhere(&place.frame, &rest, near).await;
        // A match in another frame most likely is what was meant.
        in_place.truncate(if near.is_empty() { MAX_NEAR } else { 1 });
        near.extend(in_place);
        elsewhere
    }

    async fn near_in(&self, place: &Place, method: &str) -> Vec<String> {
        match self.ask::<Map<String, Value>>(place, method, json!({ "near": true })).await {
            Err(Error::NearMisses(near)) => near,
            _ => Vec::new(),
        }
    }

    /// What the selector finds in the page's documents other than the frame's.
    async fn elsewhere(&self, frame: &str, selector: &Selector, near: &mut Vec<String>) -> Result<(), Error> {
        let mut documents = vec![self.main_document()?];
        let mut next = 0;
        while let Some(place) = documents.get(next) {
            let mut place = place.clone();
            next += 1;
            self.select(&mut place, selector);
            let Ok(survey) = self.ask::<Survey>(&place, "survey", json!({})).await else { continue };
            if place.frame != frame {
                let why = if place.path.is_empty() { "it is in the page itself" } else { "it is in this iframe" };
                near.extend(survey.found.into_iter().map(|found| found.because(why).line(&place.path)));
            }
            for FrameElement { token, selector, element } in survey.frames {
                if documents.len() == MAX_DOCUMENTS {
                    break;
                }
                let entered = Entered { holds: true, token, element, inside: None };
                if let Ok(inner) = self.enter_at(place.clone(), &parsed(&selector)?, entered).await {
                    documents.push(inner);
                }
            }
        }
        Ok(())
    }
}

/// The generator writes the grammar; were it wrong for one element, that element would merely have no selector.
fn parsed(selector: &str) -> Result<Selector, Error> {
    Selector::parse(selector)
        .map_err(|error| Error::BadSelector { selector: selector.to_owned(), message: error.to_string() })
}
