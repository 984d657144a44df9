//! Fingers, where a touch screen is emulated: a click is a tap then.
//! <https://chromedevtools.github.io/devtools-protocol/tot/Input/#method-dispatchTouchEvent>

use serde_json::{Value, json};

use super::act::ClickOptions;
use super::connection::{SessionId, Verbatim};
use super::keyboard::Modifiers;
use super::pointer::{Held, Point};
use super::{Deadline, Error, Link};

impl Link {
    /// Taps at the point, as often and as long as the options say.
    pub(super) async fn tap_at(
        &self,
        session: &SessionId,
        point: Point,
        options: &ClickOptions,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        let modifiers: Modifiers = options.modifiers.iter().copied().collect();
        // The generated type leaves out empty lists, without which Chromium refuses it.
        let event = |kind: &str, points: Value| {
            let params = json!({ "type": kind, "touchPoints": points, "modifiers": modifiers.bits() });
            Verbatim { method: "Input.dispatchTouchEvent", params }
        };
        for _ in 0..options.count.max(1) {
            let finger = json!([{ "x": point.x, "y": point.y }]);
            self.connection.post(Some(session), &event("touchStart", finger));
            let held = Held::new(self, session, event("touchEnd", json!([])));
            if !options.delay.is_zero() {
                deadline.pause(options.delay).await?;
            }
            if let Some(lifted) = held.release() {
                lifted.await?;
            }
        }
        Ok(())
    }
}
