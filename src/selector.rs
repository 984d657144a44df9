//! Selectors: the one grammar that names elements of a page, in text (`role:button[Sign in]`) and in structured form
//! (`{ role: button, name: Sign in }`), parsed into one syntax tree.
//!
//! Owned here: the grammar, its errors (each with the exact column and a hint), the canonical text of a selector, and
//! the JSON that the page's own code reads. Left to `browser`: finding elements, frames, strictness and waiting.
//! Nothing here knows a browser.
//!
//! ```text
//! selector = part { ">>" part }
//! part     = "role:" ROLE { "[" name-or-state "]" }
//!          | ("text:" | "testid:" | "label:" | "placeholder:" | "alt:" | "title:") value
//!          | ("has-text:" | "has-not-text:") value
//!          | "css:" CSS | "xpath:" XPATH | "ref:" REF
//!          | ("frame:" | "has:" | "has-not:" | "and:" | "or:") inner
//!          | ("right-of:" | "left-of:" | "above:" | "below:" | "near:") inner
//!          | "nth:" INTEGER | "first" | "last" | "visible"
//!          | bare                    starts with `.` `#` `[`: CSS; with `//`: XPath; otherwise a text value
//! value    = bare text               contains, ignoring case
//!          | '"' … '"'               equals; `\"` and `\\` are escapes
//!          | '"' … '"i'              contains, ignoring case: for text that bare text can't spell
//!          | "/" REGEX "/" flags     matches; flags are `i`, `m`, `s`, `u`
//! inner    = part | "(" selector ")"
//! ```
//!
//! A part looks inside of what the parts before it found; `text:` also at these elements themselves, so that
//! `role:alert >> text:Saved` finds an alert that says just this. What stands in `has:` and `has-not:` is looked for
//! inside of each element, what stands in `and:`, `or:` and the relations in the whole document.

mod classic;
mod css_lint;
mod error;
mod matching;
mod page;
mod parse;
mod part;
mod print;
mod regular_expression;
mod role;
mod schema;
mod structured;
mod suggest;
mod value;

#[cfg(test)]
mod tests;

use std::str::FromStr;

use serde_json::Value;

pub use error::SelectorError;
pub use part::{MatchKind, Part, Relation, TextMatch};
pub use role::{Role, Tristate};

/// Names elements of a page: a chain of parts, each applied to what the part before it found.
#[derive(Clone, Debug, PartialEq)]
pub struct Selector {
    parts: Vec<Part>,
}

impl Selector {
    /// Parses selector text.
    pub fn parse(source: &str) -> Result<Selector, SelectorError> {
        parse::selector(source)
    }

    /// The parts in order; there is always at least one.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// Splits at the frame parts: the selectors of the frames, outermost first, each inside the document of the frame
    /// before it, and the selector inside the innermost document.
    ///
    /// `A >> frame:B >> C` is `([A >> B], C)`.
    pub fn split_frames(&self) -> (Vec<Selector>, Selector) {
        let mut frames = Vec::new();
        let mut parts = Vec::new();
        for part in &self.parts {
            if let Part::Frame(frame) = part {
                parts.extend(frame.parts.iter().cloned());
                frames.push(Selector { parts: std::mem::take(&mut parts) });
            } else {
                parts.push(part.clone());
            }
        }
        (frames, Selector { parts })
    }

    /// The form that the page's code reads: an array with one object per part.
    ///
    /// Frame parts must have been split off with [`Selector::split_frames`]: a page can't see into another document.
    pub fn to_page(&self, test_id_attribute: &str) -> Value {
        page::parts(&self.parts, test_id_attribute)
    }

    /// The text of a selector of a classic shortcut in this grammar: there `button[type=submit]`, `h1` and `form > a` are
    /// CSS, and `text=…`, `css=…`, `xpath=…` and `nth=…` are what `:` is here.
    pub fn from_classic(source: &str) -> String {
        classic::rewritten(source)
    }

    /// If `source` holds bare text that looks like CSS (`button[type=submit]`, `div.card`, `ul > li`), the same
    /// selector with the `css:` prefix that its author may have meant.
    pub fn looks_like_css(source: &str) -> Option<String> {
        css_lint::suggestion(source)
    }
}

impl FromStr for Selector {
    type Err = SelectorError;

    fn from_str(source: &str) -> Result<Selector, SelectorError> {
        Selector::parse(source)
    }
}
