//! The mouse: bursts of events at a point, each sent without waiting for the one before.

use chromiumoxide::Command;
use chromiumoxide::cdp::browser_protocol::input::{
    DispatchMouseEventParams, DispatchMouseEventType, MouseButton as CdpButton, SetInterceptDragsParams,
};
use serde_json::{Value, json};

use super::act::{ClickOptions, MouseButton};
use super::connection::{Answer, SessionId, Verbatim};
use super::keyboard::Modifiers;
use super::{Deadline, Error, Link};

/// How many moves a drag without the browser's help takes: pages listen to them on the way.
const STEPS: u32 = 5;

/// A point in the coordinates of a session's input, in CSS pixels.
#[derive(Clone, Copy, Debug, serde::Deserialize)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The protocol answers every command; nothing is needed of it.
type Acknowledged = Value;

impl Link {
    pub(super) async fn hover_at(&self, session: &SessionId, point: Point, modifiers: Modifiers) -> Result<(), Error> {
        self.hold(session, modifiers);
        let moved = mouse(DispatchMouseEventType::MouseMoved, point, modifiers);
        let moved = self.connection.send::<Acknowledged>(Some(session), &moved);
        self.release(session, modifiers).unwrap_or(moved).await.map(drop)
    }

    /// Moves to the point and turns the wheel there.
    pub(super) async fn wheel_at(&self, session: &SessionId, point: Point, (dx, dy): (f64, f64)) -> Result<(), Error> {
        let none = Modifiers::default();
        self.connection.post(Some(session), &mouse(DispatchMouseEventType::MouseMoved, point, none));
        let mut turned = mouse(DispatchMouseEventType::MouseWheel, point, none);
        (turned.delta_x, turned.delta_y) = (Some(dx), Some(dy));
        self.connection.send::<Acknowledged>(Some(session), &turned).await.map(drop)
    }

    /// Moves to the point and clicks, in one burst unless the button is to be held for a while.
    pub(super) async fn click_at(
        &self,
        session: &SessionId,
        point: Point,
        options: &ClickOptions,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        let modifiers: Modifiers = options.modifiers.iter().copied().collect();
        self.hold(session, modifiers);
        self.connection.post(Some(session), &mouse(DispatchMouseEventType::MouseMoved, point, modifiers));
        let mut outcome = Ok(());
        let mut last = None;
        for number in 1..=options.count.max(1) {
            let event = |kind| press(kind, point, options.button, number, modifiers);
            self.connection.post(Some(session), &event(DispatchMouseEventType::MousePressed));
            let held = Held::new(self, session, event(DispatchMouseEventType::MouseReleased));
            if !options.delay.is_zero() {
                outcome = deadline.pause(options.delay).await;
            }
            last = held.release();
            if outcome.is_err() {
                break;
            }
        }
        let last = self.release(session, modifiers).or(last);
        outcome?;
        match last {
            Some(last) => last.await.map(drop),
            None => Ok(()),
        }
    }

    /// Presses at a point and moves a little, as far as a page needs to begin a drag. Where it begins a native one, the
    /// browser hands it over.
    pub(super) async fn begin_drag<'l>(&'l self, session: &SessionId, from: Point) -> Result<Drag<'l>, Error> {
        self.tracker().drag = None;
        self.connection.post(Some(session), &SetInterceptDragsParams::new(true));
        self.connection.post(Some(session), &mouse(DispatchMouseEventType::MouseMoved, from, Modifiers::default()));
        self.connection.post(
            Some(session),
            &press(DispatchMouseEventType::MousePressed, from, MouseButton::Left, 1, Modifiers::default()),
        );
        let mut drag = Drag { link: self, session: session.clone(), at: from, data: None, is_over: false };
        for distance in [3.0, 6.0] {
            drag.move_to(Point { x: from.x + distance, y: from.y + distance }).await?;
        }
        Ok(drag)
    }
}

/// A button or finger that is down. Dropped before it is released, because nobody waits any more, it goes up all the
/// same.
pub(super) struct Held<'l, C: Command> {
    link: &'l Link,
    session: &'l SessionId,
    release: Option<C>,
}

impl<'l, C: Command> Held<'l, C> {
    pub(super) fn new(link: &'l Link, session: &'l SessionId, release: C) -> Held<'l, C> {
        Held { link, session, release: Some(release) }
    }

    pub(super) fn release(mut self) -> Option<Answer<Acknowledged>> {
        self.release.take().map(|release| self.link.connection.send(Some(self.session), &release))
    }
}

impl<C: Command> Drop for Held<'_, C> {
    fn drop(&mut self) {
        if let Some(release) = self.release.take() {
            self.link.connection.post(Some(self.session), &release);
        }
    }
}

/// A drag under way. Dropped before its end, it ends where it is.
pub(super) struct Drag<'l> {
    link: &'l Link,
    session: SessionId,
    at: Point,
    /// What is dragged, as raw `DragData`, where the drag is a native one that the browser has handed over. The generated
    /// type leaves out empty lists, without which Chromium refuses it.
    pub(super) data: Option<Value>,
    is_over: bool,
}

impl Drag<'_> {
    /// Moves to a point and lets go there.
    pub(super) async fn drop_at(&mut self, to: Point) -> Result<(), Error> {
        if let Some(data) = &self.data {
            // The second `dragOver` is what a page gets that changes its mind once it has shown where the drop would go.
            for kind in ["dragEnter", "dragOver", "dragOver", "drop"] {
                self.send(&native(kind, to, data)).await?;
            }
            self.is_over = true;
            return Ok(());
        }
        let from = self.at;
        for step in 1..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            self.move_to(Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }).await?;
        }
        self.is_over = true;
        self.send(&self.release()).await
    }

    async fn move_to(&mut self, point: Point) -> Result<(), Error> {
        let mut moved = mouse(DispatchMouseEventType::MouseMoved, point, Modifiers::default());
        moved.button = Some(CdpButton::Left);
        moved.buttons = Some(1);
        self.at = point;
        self.send(&moved).await
    }

    fn release(&self) -> DispatchMouseEventParams {
        press(DispatchMouseEventType::MouseReleased, self.at, MouseButton::Left, 1, Modifiers::default())
    }

    async fn send(&self, event: &impl Command) -> Result<(), Error> {
        self.link.connection.send::<Acknowledged>(Some(&self.session), event).await.map(drop)
    }
}

impl Drop for Drag<'_> {
    fn drop(&mut self) {
        let connection = &self.link.connection;
        if !self.is_over {
            // Until a native drag has ended, the page gets no mouse events.
            match self.data.take().or_else(|| self.link.tracker().drag.take()) {
                Some(data) => connection.post(Some(&self.session), &native("dragCancel", self.at, &data)),
                None => connection.post(Some(&self.session), &self.release()),
            }
        }
        connection.post(Some(&self.session), &SetInterceptDragsParams::new(false));
    }
}

fn native(kind: &str, at: Point, data: &Value) -> Verbatim {
    let params = json!({ "type": kind, "x": at.x, "y": at.y, "data": data });
    Verbatim { method: "Input.dispatchDragEvent", params }
}

fn mouse(kind: DispatchMouseEventType, point: Point, modifiers: Modifiers) -> DispatchMouseEventParams {
    let mut event = DispatchMouseEventParams::new(kind, point.x, point.y);
    event.modifiers = Some(modifiers.bits());
    event
}

fn press(
    kind: DispatchMouseEventType,
    point: Point,
    button: MouseButton,
    count: u32,
    modifiers: Modifiers,
) -> DispatchMouseEventParams {
    let mut event = mouse(kind, point, modifiers);
    event.button = Some(match button {
        MouseButton::Left => CdpButton::Left,
        MouseButton::Middle => CdpButton::Middle,
        MouseButton::Right => CdpButton::Right,
    });
    event.click_count = Some(count.into());
    event
}
