//! One cell of a page: an element to act on, what stands around it, and what must come of the action.

use super::random::Random;

/// What is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    Click,
    DoubleClick,
    Fill,
    Check,
    Select,
    Hover,
}

/// What makes it hard, or impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hazard {
    None,
    /// Set off by the page's script; each goes away.
    Passing(&'static str),
    Covered,
    /// Covered in the document around its iframe.
    FrameCovered,
    Disabled,
    DisabledFieldset,
    Hidden,
    Invisible,
    Empty,
    Untouchable,
    Moving,
    Twice,
    Missing,
    ReadOnly,
    NoSuchOption,
}

/// What stands around the element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapping {
    Written,
    SameOrigin,
    OtherOrigin,
    Open,
    Closed,
    Scroller,
    Scaled,
    Turned,
    Sticky,
}

/// What must come of the action.
#[derive(Debug)]
pub enum Outcome {
    /// Done, and the page has seen these events in this order, and no others.
    Done(Vec<String>),
    /// An error with these words, and the page has seen nothing.
    Refused(&'static str),
}

#[derive(Debug)]
pub struct Cell {
    pub id: String,
    pub action: Action,
    pub hazard: Hazard,
    /// Outermost first.
    pub around: Vec<Wrapping>,
    pub selector: String,
}

const PASSING: [&str; 8] = [
    "uncovered-soon",
    "shown-soon",
    "there-soon",
    "enabled-soon",
    "renewed-for-a-while",
    "dodges",
    "renewed-under-the-pointer",
    "covered-under-the-pointer",
];

impl Wrapping {
    pub fn is_frame(self) -> bool {
        matches!(self, Wrapping::Written | Wrapping::SameOrigin | Wrapping::OtherOrigin)
    }
}

impl Cell {
    pub fn random(random: &mut Random, id: String) -> Cell {
        use Action::*;
        let action = random.pick(&[Click, Click, Click, DoubleClick, Fill, Fill, Check, Check, Select, Hover]);
        let mut around = Vec::new();
        for _ in 0..random.below(4) {
            let frame = if random.once_in(4) { Wrapping::OtherOrigin } else { Wrapping::SameOrigin };
            around.push(random.pick(&[
                Wrapping::Written,
                frame,
                Wrapping::Open,
                Wrapping::Open,
                Wrapping::Scroller,
                Wrapping::Scaled,
                Wrapping::Turned,
                Wrapping::Sticky,
            ]));
        }
        // Closed roots are looked for late, so that a page has few of them.
        if random.once_in(12) {
            around.push(Wrapping::Closed);
        }
        let hazard = hazard(random, action, &around);
        let selector = selector(random, &id, action, hazard, &around);
        Cell { id, action, hazard, around, selector }
    }

    pub fn outcome(&self) -> Outcome {
        if let Some(words) = self.refusal() {
            return Outcome::Refused(words);
        }
        let events = |names: &[&str]| names.iter().map(|name| format!("{name} {}", self.id)).collect();
        const CLICK: [&str; 5] = ["pointerdown", "mousedown", "pointerup", "mouseup", "click"];
        Outcome::Done(match self.action {
            Action::Click => events(&CLICK),
            Action::DoubleClick => [events(&CLICK), events(&CLICK), events(&["dblclick"])].concat(),
            Action::Check => [events(&CLICK), events(&["input", "change"])].concat(),
            Action::Fill => events(&["input"]),
            Action::Select => events(&["input", "change"]),
            Action::Hover => Vec::new(),
        })
    }

    /// The words of the error that is right, where the action can't be done.
    fn refusal(&self) -> Option<&'static str> {
        let needs_pointer = !matches!(self.action, Action::Fill | Action::Select);
        Some(match self.hazard {
            Hazard::None | Hazard::Passing(_) => return None,
            Hazard::Covered if needs_pointer => "covered by <div#cover-c",
            Hazard::FrameCovered if needs_pointer => "covered by <div#cover-frame-",
            Hazard::Untouchable if needs_pointer => "it has `pointer-events: none`",
            Hazard::Moving if needs_pointer => "is not stable: it is moving",
            // Text and options are chosen without the pointer.
            Hazard::Covered | Hazard::FrameCovered | Hazard::Untouchable | Hazard::Moving => return None,
            Hazard::Disabled | Hazard::DisabledFieldset if self.action == Action::Hover => return None,
            Hazard::Disabled => "is not enabled",
            Hazard::DisabledFieldset => "is not enabled: disabled by <fieldset",
            Hazard::Hidden => "is not visible: `display: none`",
            Hazard::Invisible => "is not visible: `visibility: hidden`",
            Hazard::Empty => "is not visible: its box is 0 × 0 px",
            Hazard::Twice => "2 elements match",
            Hazard::Missing => "no element matches",
            Hazard::ReadOnly => "is not editable",
            Hazard::NoSuchOption => "has no such option",
        })
    }

    /// The element with what belongs to its hazard, as HTML.
    pub fn element(&self) -> String {
        let Cell { id, action, hazard, .. } = self;
        let mut attributes = format!("id={id} data-testid={id}");
        let mut style = "width: 120px; height: 24px; box-sizing: border-box; position: relative;".to_owned();
        match hazard {
            Hazard::Passing(name) => attributes += &format!(" data-hazard={name}"),
            Hazard::Covered => attributes += " data-hazard=covered",
            Hazard::Disabled => attributes += " disabled",
            Hazard::ReadOnly => attributes += " readonly",
            Hazard::Hidden => style += "display: none;",
            Hazard::Invisible => style += "visibility: hidden;",
            Hazard::Empty => style = "width: 0; height: 0; padding: 0; border: 0; appearance: none;".to_owned(),
            Hazard::Untouchable => style += "pointer-events: none;",
            Hazard::Moving => style += "animation: 0.15s linear infinite alternate move;",
            _ => {}
        }
        let attributes = format!("{attributes} style='{style}'");
        let name = name(id);
        let element = match action {
            Action::Click | Action::DoubleClick | Action::Hover => format!("<button {attributes}>{name}</button>"),
            Action::Fill => format!("<input aria-label='{name}' {attributes}>"),
            Action::Check => format!("<input type=checkbox aria-label='{name}' {attributes}>"),
            Action::Select => {
                format!("<select aria-label='{name}' {attributes}><option>None</option><option>Red</option></select>")
            }
        };
        match hazard {
            Hazard::Missing => "<button>Another</button>".to_owned(),
            Hazard::Twice => format!("{element}{element}"),
            Hazard::DisabledFieldset => format!("<fieldset disabled>{element}</fieldset>"),
            Hazard::Moving => format!("<style>@keyframes move {{ to {{ translate: 400px 0 }} }}</style>{element}"),
            _ => element,
        }
    }
}

fn name(id: &str) -> String {
    format!("Go {id}!")
}

fn hazard(random: &mut Random, action: Action, around: &[Wrapping]) -> Hazard {
    if random.once_in(2) {
        return Hazard::None;
    }
    if random.once_in(2) {
        let name = random.pick(&PASSING);
        let is_of_the_pointer = name.ends_with("pointer") || name == "dodges";
        // Typing and choosing come without a pointer, and what is replaced while it is hovered has been hovered.
        let fits = !is_of_the_pointer || matches!(action, Action::Click | Action::Check);
        return if fits { Hazard::Passing(name) } else { Hazard::None };
    }
    let hazard = random.pick(&[
        Hazard::Covered,
        Hazard::FrameCovered,
        Hazard::FrameCovered,
        Hazard::Disabled,
        Hazard::DisabledFieldset,
        Hazard::Hidden,
        Hazard::Invisible,
        Hazard::Empty,
        Hazard::Untouchable,
        Hazard::Moving,
        Hazard::Twice,
        Hazard::Missing,
        Hazard::ReadOnly,
        Hazard::NoSuchOption,
    ]);
    let fits = match hazard {
        Hazard::FrameCovered => around.iter().any(|wrapping| wrapping.is_frame()),
        Hazard::ReadOnly => action == Action::Fill,
        Hazard::NoSuchOption => action == Action::Select,
        _ => true,
    };
    if fits { hazard } else { Hazard::None }
}

fn selector(random: &mut Random, id: &str, action: Action, hazard: Hazard, around: &[Wrapping]) -> String {
    let frames = around.iter().enumerate().filter(|(_, wrapping)| wrapping.is_frame());
    let mut path: String = frames
        .map(|(depth, _)| match random.below(3) {
            0 => format!("frame:title:\"Frame {id} {depth}\" >> "),
            1 => format!("frame:css:iframe#frame-{id}-{depth} >> "),
            _ => format!("frame:#frame-{id}-{depth} >> "),
        })
        .collect();
    let role = match action {
        Action::Click | Action::DoubleClick | Action::Hover => "button",
        Action::Fill => "textbox",
        Action::Check => "checkbox",
        Action::Select => "combobox",
    };
    let name = name(id);
    // What is hidden has no role.
    let is_hidden = matches!(hazard, Hazard::Hidden | Hazard::Invisible);
    path += &match random.below(if is_hidden { 2 } else { 4 }) {
        0 => format!("testid:{id}"),
        1 => format!("css:[id={id}]"),
        2 => format!("role:{role}[{}]", name.to_lowercase()),
        _ => format!("role:{role}[\"{name}\"]"),
    };
    path
}
