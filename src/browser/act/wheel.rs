//! Turning the mouse wheel over an element, for pages that listen to it.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::super::frames::Aim;
use super::super::retry::Trial;
use super::super::{Deadline, Error, Page};
use super::Prepared;
use crate::selector::Selector;

#[derive(Deserialize)]
struct Readied {
    #[serde(flatten)]
    prepared: Prepared,
    /// How far everything around the element was scrolled.
    before: String,
}

impl Page<'_> {
    /// Turns the wheel by `dx` to the right and `dy` down, in CSS pixels, with the pointer on an element. Answers how far
    /// what it scrolls is scrolled then, once it stands still, and whether it moved.
    ///
    /// # Errors
    /// As [`Page::hover`].
    pub async fn wheel(&self, selector: &Selector, (dx, dy): (f64, f64), deadline: &Deadline) -> Result<Value, Error> {
        let mut trial = Trial::new("scroll", selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                let Readied { prepared, before } = self.ask(&place, "prepareWheel", json!({})).await?;
                let point = self.for_input(&place, prepared.x, prepared.y, Aim::Hover).await?;
                self.link.wheel_at(&place.session, point, (dx, dy)).await?;
                let argument = json!({ "token": prepared.token, "before": before, "dx": dx, "dy": dy });
                self.ask::<Map<String, Value>>(&place, "verifyWheel", argument).await
            };
            if let Some(mut answer) = trial.attempt(attempt).await? {
                answer.remove("element");
                return Ok(Value::Object(answer));
            }
        }
    }
}
