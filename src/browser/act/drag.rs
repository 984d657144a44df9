//! Dragging one element onto another: with the mouse alone, or natively where the page begins such a drag.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::super::frames::{Aim, Place};
use super::super::pointer::{Drag, Point};
use super::super::retry::{Obstacle, Trial};
use super::super::{Deadline, Error, Page};
use super::{Position, Prepared};
use crate::selector::Selector;

/// How long the browser may take to hand over a drag that the page has begun.
const HANDED_OVER: Duration = Duration::from_secs(2);

#[derive(Deserialize)]
struct Pressed {
    /// The page has begun a native drag.
    native: bool,
}

#[derive(Deserialize)]
struct Dropped {
    taken: bool,
    element: String,
}

impl Page<'_> {
    /// Drags one element onto another, from and to a position in each; their middles where none is given.
    ///
    /// # Errors
    /// As [`Page::click`], for either element; also when a native drag ends on something that does not take it.
    pub async fn drag(
        &self,
        (source, from): (&Selector, Option<Position>),
        (target, to): (&Selector, Option<Position>),
        deadline: &Deadline,
    ) -> Result<(), Error> {
        let mut trial = Trial::new("drag", source, deadline);
        let (mut drag, native) = loop {
            if let Some(begun) = trial.attempt(self.begin_drag(source, from)).await? {
                break begun;
            }
        };
        if native {
            drag.data = Some(self.link.wait(&deadline.within(HANDED_OVER), |tracker| tracker.drag.take()).await?);
        }
        // Looked for while the button is held, because reaching it may scroll the source away.
        let mut trial = Trial::new("drag", target, deadline);
        let (place, token, point) = loop {
            if let Some(reached) = trial.attempt(self.reach(target, to, "drop")).await? {
                break reached;
            }
        };
        deadline.race(drag.drop_at(point)).await??;
        drop(drag);
        if native {
            trial.attempt(self.verify_drop(&place, &token)).await?;
        }
        self.settle(deadline).await
    }

    /// Presses on the source and moves as far as a page needs to begin a drag; answers whether it has begun a native one.
    async fn begin_drag(&self, source: &Selector, from: Option<Position>) -> Result<(Drag<'_>, bool), Error> {
        let (place, token, point) = self.reach(source, from, "drag").await?;
        // In the page's own session: it routes the pointer into iframes of other processes by itself.
        let session = self.link.page_session()?;
        let drag = self.link.begin_drag(&session, point).await?;
        let pressed: Pressed = self.ask(&place, "verifyDrag", json!({ "token": token })).await?;
        Ok((drag, pressed.native))
    }

    /// A point of an element on the page that the pointer reaches.
    async fn reach(
        &self,
        selector: &Selector,
        position: Option<Position>,
        purpose: &str,
    ) -> Result<(Place, Value, Point), Error> {
        let place = self.place(selector).await?;
        let prepared: Prepared =
            self.ask(&place, "prepareClick", json!({ "for": purpose, "position": position })).await?;
        let point = self.on_page(&place, prepared.x, prepared.y, Aim::Hover).await?;
        Ok((place, prepared.token, point))
    }

    async fn verify_drop(&self, place: &Place, token: &Value) -> Result<(), Error> {
        match self.ask::<Dropped>(place, "verifyDrop", json!({ "token": token })).await {
            Ok(Dropped { taken: false, element }) => Err(Error::Refused(Obstacle::Missing {
                state: "a drop target".to_owned(),
                detail: Some("it did not take what was dropped".to_owned()),
                element: Some(element),
            })),
            // The drop made the page go elsewhere.
            Err(error) if error.is_transient() => Ok(()),
            outcome => outcome.map(drop),
        }
    }
}
