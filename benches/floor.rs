//! The floor of each operation: the fewest protocol commands that can do the same work, over the debugging pipe.
//!
//! What an operation promises counts as its work, how we keep the promise does not. So the page's side is written by
//! hand for these very pages: candidates by tag and not by role, names by attribute, label or text and not by the
//! algorithm of accessible names, no shadow trees, no ways around obstacles. It does find all candidates, since one of two must
//! not be acted on; it checks that the element is rendered, enabled and what the pointer would hit; and it makes sure that the
//! click arrived. The snapshot's floor asks once for every element whether it is rendered and how it is styled, names it
//! by attribute, label or text, and sends one line for each that has a role.

use std::time::Instant;

use serde_json::{Value, json};

use super::{Operation, raw};

/// The bare side.
pub struct Floor {
    browser: raw::Browser,
}

/// Candidates by tag, compared by the name that their kind has on these pages.
const FIND: &str = r#"
    const found = [...document.querySelectorAll(tag)].filter((element) => {
        const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? element.textContent;
        return name.trim().replace(/\s+/g, " ") === wanted && element.checkVisibility({ visibilityProperty: true });
    });
    if (found.length !== 1) throw new Error(`${found.length} found`);
    const [element] = found;
"#;

const CLICK: &str = r#"
    if (element.matches(":disabled")) throw new Error("disabled");
    let box = element.getBoundingClientRect();
    if (box.top < 0 || box.bottom > innerHeight) {
        element.scrollIntoView({ block: "center", behavior: "instant" });
        box = element.getBoundingClientRect();
    }
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    if (!element.contains(document.elementFromPoint(x, y))) throw new Error("covered");
    globalThis.arrived = false;
    element.addEventListener("click", () => { globalThis.arrived = true; }, { once: true });
    return { x, y };
"#;

const FILL: &str = r#"
    if (element.matches(":disabled, :read-only")) throw new Error("not editable");
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) throw new Error("no box");
    element.focus({ preventScroll: true });
    element.select();
    document.execCommand("insertText", false, value);
    return element.value === value;
"#;

const SNAPSHOT: &str = r##"
    const roles = { A: "link", BUTTON: "button", H1: "heading", H3: "heading", HR: "separator", INPUT: "textbox", MAIN: "main", P: "paragraph" };
    const lines = [];
    let count = 0;
    const walk = (element, indent) => {
        if (!element.checkVisibility({ visibilityProperty: true })) return;
        const { cursor, display } = getComputedStyle(element);
        const role = roles[element.tagName];
        if (role) {
            const name = element.getAttribute("aria-label") ?? element.labels?.[0]?.textContent ?? (element.children.length ? "" : element.textContent);
            const ref = cursor === "pointer" || role === "textbox" ? ` [ref=e${count += 1}]` : "";
            lines.push(`${indent}- ${role} ${JSON.stringify(name.trim())}${ref}${element.value ? `: ${element.value}` : ""}`);
        }
        let text = "";
        for (let child = element.firstChild; child; child = child.nextSibling) {
            if (child.nodeType === 3) text += child.data;
            else if (child.nodeType === 1) walk(child, role && display === "block" ? `${indent}  ` : indent);
        }
        if (!role && text.trim()) lines.push(`${indent}- text: ${text.trim().replace(/\s+/g, " ")}`);
    };
    walk(document.body, "");
    return lines.join("\n");
"##;

impl Floor {
    pub fn start() -> Floor {
        Floor { browser: raw::Browser::start() }
    }

    pub fn open(&mut self, url: &str) {
        self.browser.open(url);
    }

    /// The milliseconds from nothing to a page that has loaded.
    pub fn first_page(url: &str) -> f64 {
        let began = Instant::now();
        let mut floor = Floor::start();
        floor.open(url);
        began.elapsed().as_secs_f64() * 1000.0
    }

    /// The milliseconds that an operation takes.
    pub fn perform(&mut self, operation: Operation, value: &str) -> f64 {
        let began = Instant::now();
        match operation {
            Operation::Click(name) => {
                let place = self.evaluate("button", name, "", CLICK);
                self.browser.click_at(&place["x"], &place["y"]);
                assert_eq!(self.browser.evaluate("globalThis.arrived"), true);
            }
            Operation::Fill(name) => assert_eq!(self.evaluate("input", name, value, FILL), true),
            Operation::GetText(name) => assert_eq!(self.evaluate("a", name, "", "return element.innerText;"), name),
            Operation::Snapshot => {
                let text = self.browser.evaluate(&format!("(() => {{ {SNAPSHOT} }})()"));
                assert!(text.as_str().is_some_and(|text| text.contains("Buy 3")));
            }
        }
        began.elapsed().as_secs_f64() * 1000.0
    }

    fn evaluate(&mut self, tag: &str, name: &str, value: &str, then: &str) -> Value {
        let [tag, name, value] = [json!(tag), json!(name), json!(value)];
        self.browser.evaluate(&format!("((tag, wanted, value) => {{ {FIND} {then} }})({tag}, {name}, {value})"))
    }
}
