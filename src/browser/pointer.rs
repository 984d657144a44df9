//! The mouse: bursts of events at a point, each sent without waiting for the one before.

use chromiumoxide::Command;
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
#[derive(Clone, Copy, Debug, serde::Deserialize)]
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

    /// Presses at a point and moves a little, as far as a page needs to begin a drag. Where it begins a native one, the
    /// browser hands it over.
    pub(super) async fn begin_drag<'l>(&'l self, session: &SessionId, from: Point) -> Result<Drag<'l>, Error> {
        self.tracker().drag = None;
        self.connection.post(Some(session), &SetInterceptDragsParams::new(true));
        self.connection.post(Some(session), &mouse(DispatchMouseEventType::MouseMoved, from, Modifiers::default()));
        let mut drag = Drag { link: self, session: session.clone(), at: from, is_over: false };
        drag.send(press(DispatchMouseEventType::MousePressed, from, MouseButton::Left, 1, Modifiers::default()))
            .await?;
        for distance in [3.0, 6.0] {
            drag.move_to(Point { x: from.x + distance, y: from.y + distance }).await?;
        }
        Ok(drag)
    }
}

/// A drag under way. Dropped before its end, it lets the button go.
pub(super) struct Drag<'l> {
    link: &'l Link,
    session: SessionId,
    at: Point,
    is_over: bool,
}

impl Drag<'_> {
    /// Moves to a point and lets go there.
    pub(super) async fn drop_at(&mut self, to: Point) -> Result<(), Error> {
        const STEPS: u32 = 5;
        let from = self.at;
        for step in 1..=STEPS {
            let data = self.link.tracker().drag.take().and_then(|data| serde_json::from_value::<DragData>(data).ok());
            if let Some(data) = data {
                for kind in
                    [DispatchDragEventType::DragEnter, DispatchDragEventType::DragOver, DispatchDragEventType::Drop]
                {
                    self.send(DispatchDragEventParams::new(kind, to.x, to.y, data.clone())).await?;
                }
                self.at = to;
                break;
            }
            let part = f64::from(step) / f64::from(STEPS);
            self.move_to(Point { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }).await?;
        }
        self.is_over = true;
        self.send(press(DispatchMouseEventType::MouseReleased, to, MouseButton::Left, 1, Modifiers::default())).await
    }

    async fn move_to(&mut self, point: Point) -> Result<(), Error> {
        let mut moved = mouse(DispatchMouseEventType::MouseMoved, point, Modifiers::default());
        moved.button = Some(CdpButton::Left);
        moved.buttons = Some(1);
        self.at = point;
        self.send(moved).await
    }

    async fn send(&self, event: impl Command) -> Result<(), Error> {
        self.link.connection.send::<Acknowledged>(Some(&self.session), &event).await.map(drop)
    }
}

impl Drop for Drag<'_> {
    fn drop(&mut self) {
        let connection = &self.link.connection;
        if !self.is_over {
            let released =
                press(DispatchMouseEventType::MouseReleased, self.at, MouseButton::Left, 1, Modifiers::default());
            connection.post(Some(&self.session), &released);
        }
        connection.post(Some(&self.session), &SetInterceptDragsParams::new(false));
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
