//! The mouse: bursts of events at a point, each sent without waiting for the one before.

use chromiumoxide::cdp::browser_protocol::input::{
    DispatchDragEventParams, DispatchDragEventType, DispatchMouseEventParams, DispatchMouseEventType, DragData,
    MouseButton as CdpButton, SetInterceptDragsParams,
};
use serde_json::Value;

use super::act::MouseButton;
use super::connection::SessionId;
use super::keyboard::Modifiers;
use super::{Error, Link};

/// A point in the coordinates of a session's input, in CSS pixels.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) x: f64,
    pub(super) y: f64,
}

/// The protocol answers every command; nothing is needed of it.
type Acknowledged = Value;

impl Link {
    pub(super) async fn move_to(&self, session: &SessionId, point: Point, modifiers: Modifiers) -> Result<(), Error> {
        let moved = mouse(DispatchMouseEventType::MouseMoved, point, modifiers);
        self.connection.send::<Acknowledged>(Some(session), &moved).await.map(drop)
    }

    /// Moves to the point and clicks `count` times, in one burst.
    pub(super) async fn click_at(
        &self,
        session: &SessionId,
        point: Point,
        button: MouseButton,
        count: u32,
        modifiers: Modifiers,
    ) -> Result<(), Error> {
        self.connection.post(Some(session), &mouse(DispatchMouseEventType::MouseMoved, point, modifiers));
        let mut last = None;
        for number in 1..=count {
            self.connection
                .post(Some(session), &press(DispatchMouseEventType::MousePressed, point, button, number, modifiers));
            let released = press(DispatchMouseEventType::MouseReleased, point, button, number, modifiers);
            last = Some(self.connection.send::<Acknowledged>(Some(session), &released));
        }
        match last {
            Some(released) => released.await.map(drop),
            None => Ok(()),
        }
    }

    /// Presses at one point and releases at another. Where the page starts a native drag, the browser hands it over and
    /// it is carried on by drag events.
    pub(super) async fn drag(&self, session: &SessionId, from: Point, to: Point) -> Result<(), Error> {
        const STEPS: u32 = 6;
        let session = Some(session);
        let none = Modifiers::default();
        self.tracker().drag = None;
        self.connection.post(session, &SetInterceptDragsParams::new(true));
        self.connection.post(session, &mouse(DispatchMouseEventType::MouseMoved, from, none));
        self.connection
            .send::<Acknowledged>(
                session,
                &press(DispatchMouseEventType::MousePressed, from, MouseButton::Left, 1, none),
            )
            .await?;
        for step in 1..=STEPS {
            let part = f64::from(step) / f64::from(STEPS);
            let point = Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
            let mut moved = mouse(DispatchMouseEventType::MouseMoved, point, none);
            moved.button = Some(CdpButton::Left);
            moved.buttons = Some(1);
            self.connection.send::<Acknowledged>(session, &moved).await?;
            let data = self.tracker().drag.take().and_then(|data| serde_json::from_value::<DragData>(data).ok());
            if let Some(data) = data {
                for kind in
                    [DispatchDragEventType::DragEnter, DispatchDragEventType::DragOver, DispatchDragEventType::Drop]
                {
                    let event = DispatchDragEventParams::new(kind, to.x, to.y, data.clone());
                    self.connection.send::<Acknowledged>(session, &event).await?;
                }
                break;
            }
        }
        self.connection.post(session, &SetInterceptDragsParams::new(false));
        self.connection
            .send::<Acknowledged>(
                session,
                &press(DispatchMouseEventType::MouseReleased, to, MouseButton::Left, 1, none),
            )
            .await
            .map(drop)
    }
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
