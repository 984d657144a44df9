//! The syntax tree: the parts of a selector and the ways to match text.

use super::{Role, Selector};

/// One step of a selector.
#[derive(Clone, Debug, PartialEq)]
pub enum Part {
    /// Elements with an ARIA role, `role:button[Sign in]`.
    Role(Role),
    /// The smallest elements with a text, `text:Welcome`.
    Text(TextMatch),
    /// Elements with a test id, `testid:pay`.
    TestId(TextMatch),
    /// Form controls by the text of their label, `label:Email`.
    Label(TextMatch),
    /// Form controls by their placeholder, `placeholder:Search`.
    Placeholder(TextMatch),
    /// Elements by their alternative text, `alt:Logo`.
    Alt(TextMatch),
    /// Elements by their `title` attribute, `title:Close`.
    Title(TextMatch),
    /// Elements that match a CSS selector, open shadow roots included.
    Css(String),
    /// Elements that an XPath expression finds.
    Xpath(String),
    /// An element of the latest snapshot, `ref:e12`.
    Ref(String),
    /// Goes on inside the document of an iframe, `frame:title:Payment`.
    Frame(Selector),
    /// The element at an index from 0; negative indexes count from the end, so that -1 is the last.
    Nth(i32),
    /// Keeps visible elements.
    Visible,
    /// Keeps elements that contain a match of the selector.
    Has(Selector),
    /// Keeps elements that contain no match of the selector.
    HasNot(Selector),
    /// Keeps elements that contain a text.
    HasText(TextMatch),
    /// Keeps elements that do not contain a text.
    HasNotText(TextMatch),
    /// Keeps elements that the selector matches too.
    And(Selector),
    /// Adds the elements that the selector matches, in document order.
    Or(Selector),
    /// Keeps elements that stand in a relation to a match of the selector, nearest first.
    Layout {
        /// Where the kept elements stand.
        relation: Relation,
        /// What they stand beside.
        selector: Selector,
    },
}

impl Part {
    /// Whether the part only works on what the parts before it found.
    pub fn is_filter(&self) -> bool {
        matches!(
            self,
            Part::Nth(_)
                | Part::Visible
                | Part::Has(_)
                | Part::HasNot(_)
                | Part::HasText(_)
                | Part::HasNotText(_)
                | Part::And(_)
                | Part::Or(_)
                | Part::Layout { .. }
        )
    }

    /// The selector inside this one, of the kinds that have one.
    pub(super) fn inner(&self) -> Option<&Selector> {
        match self {
            Part::Frame(inner)
            | Part::Has(inner)
            | Part::HasNot(inner)
            | Part::And(inner)
            | Part::Or(inner)
            | Part::Layout { selector: inner, .. } => Some(inner),
            _ => None,
        }
    }
}

/// A text to look for and how to compare it.
#[derive(Clone, Debug, PartialEq)]
pub struct TextMatch {
    pub(super) kind: MatchKind,
    pub(super) text: String,
    pub(super) flags: String,
}

impl TextMatch {
    /// Matches a text that contains this one, ignoring case.
    pub fn contains(text: impl Into<String>) -> TextMatch {
        TextMatch { kind: MatchKind::Contains, text: text.into(), flags: String::new() }
    }

    pub(super) fn exact(text: impl Into<String>) -> TextMatch {
        TextMatch { kind: MatchKind::Exact, text: text.into(), flags: String::new() }
    }

    /// How the text is compared.
    pub fn kind(&self) -> MatchKind {
        self.kind
    }

    /// The text, or the pattern of a regular expression.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The flags of a regular expression, in alphabetical order; otherwise empty.
    pub fn flags(&self) -> &str {
        &self.flags
    }
}

/// How a text is compared, with its white space folded; a regular expression may also match it as it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatchKind {
    /// The text contains this one, ignoring case.
    Contains,
    /// The whole text equals this one, case included.
    Exact,
    /// The text matches this regular expression.
    Regex,
}

impl MatchKind {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            MatchKind::Contains => "contains",
            MatchKind::Exact => "exact",
            MatchKind::Regex => "regex",
        }
    }
}

/// Where an element stands, seen from another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// To the right of it.
    RightOf,
    /// To the left of it.
    LeftOf,
    /// Above it.
    Above,
    /// Below it.
    Below,
    /// Close to it on any side.
    Near,
}

impl Relation {
    pub(super) const ALL: [Relation; 5] =
        [Relation::RightOf, Relation::LeftOf, Relation::Above, Relation::Below, Relation::Near];

    /// The relation's name in selector text and in the page form.
    pub fn as_str(self) -> &'static str {
        match self {
            Relation::RightOf => "right-of",
            Relation::LeftOf => "left-of",
            Relation::Above => "above",
            Relation::Below => "below",
            Relation::Near => "near",
        }
    }
}
