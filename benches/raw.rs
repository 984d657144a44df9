//! The floor: a login as a handful of protocol commands over the debugging pipe, nothing around them.

use std::time::{Duration, Instant};

use serde_json::json;

#[path = "../tests/support/devtools.rs"]
mod devtools;

pub struct Browser {
    browser: devtools::Browser,
}

impl Browser {
    pub fn start() -> Browser {
        Browser { browser: devtools::Browser::start() }
    }

    /// The seven steps of `examples/actions/shop/login.yaml` without its condition.
    pub fn login(&mut self, shop: &str) -> (String, Duration) {
        let start = Instant::now();
        self.browser.forget_events();
        self.browser.call("Page.navigate", json!({ "url": format!("{shop}/logout") }));
        self.browser.wait("Page.loadEventFired");
        self.click(
            "Array.from(document.querySelectorAll('button')).find(b => b.textContent.trim() === 'Accept cookies')",
        );
        self.fill("input[type=email]", "ada@example.com");
        self.fill("input[type=password]", "correct horse battery");
        self.browser.forget_events();
        self.click("Array.from(document.querySelectorAll('button')).find(b => b.textContent.trim() === 'Sign in')");
        self.browser.wait("Page.domContentEventFired");
        let text = self.browser.evaluate("document.querySelector('[data-testid=account]').innerText");
        let elapsed = start.elapsed();
        // Not part of it: an event of this page must not pass for one of the next.
        self.browser.wait("Page.loadEventFired");
        (text.as_str().expect("the account").to_owned(), elapsed)
    }

    fn fill(&mut self, css: &str, value: &str) {
        let (css, value) = (json!(css), json!(value));
        self.browser.evaluate(&format!(
            "(() => {{ const e = document.querySelector({css}); e.focus(); e.select(); document.execCommand('insertText', false, {value}); }})()"
        ));
    }

    fn click(&mut self, element: &str) {
        let place = self.browser.evaluate(&format!(
            "(() => {{ const r = {element}.getBoundingClientRect(); return {{ x: r.x + r.width / 2, y: r.y + r.height / 2 }}; }})()"
        ));
        let mut last = 0;
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"] {
            let mut event = json!({ "type": kind, "x": place["x"], "y": place["y"] });
            if kind != "mouseMoved" {
                event["button"] = json!("left");
                event["clickCount"] = json!(1);
            }
            last = self.browser.send("Input.dispatchMouseEvent", event);
        }
        self.browser.answer(last);
    }
}
