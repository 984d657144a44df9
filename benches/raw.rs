//! Bare protocol commands over the debugging pipe, and nothing around them but what a page needs to be used.

use serde_json::{Value, json};

#[path = "../tests/support/devtools.rs"]
mod devtools;

pub struct Browser {
    browser: devtools::Browser,
}

impl Browser {
    pub fn start() -> Browser {
        Browser { browser: devtools::Browser::start() }
    }

    /// Opens a page and waits until it has loaded.
    pub fn open(&mut self, url: &str) {
        self.forget();
        self.browser.call("Page.navigate", json!({ "url": url }));
        self.wait("Page.loadEventFired");
    }

    /// Forgets the events so far, so that none of this page passes for one of the next.
    pub fn forget(&mut self) {
        self.browser.forget_events();
    }

    /// Waits for an event, unless it has come already.
    pub fn wait(&mut self, event: &str) {
        self.browser.wait(event);
    }

    /// Moves, presses and releases, all on their way before the first is acknowledged.
    pub fn click_at(&mut self, x: &Value, y: &Value) {
        let mut last = 0;
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let mut event = json!({ "type": kind, "x": x, "y": y });
            if kind != "mouseMoved" {
                event["button"] = json!("left");
                event["clickCount"] = json!(1);
            }
            last = self.browser.send("Input.dispatchMouseEvent", event);
        }
        self.browser.answer(last);
    }

    /// The value of an expression, null where it throws.
    pub fn evaluate(&mut self, expression: &str) -> Value {
        self.browser.evaluate(expression)
    }
}
