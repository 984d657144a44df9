//! Reading elements and waiting for their states.

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::retry::{Obstacle, Trial};
use super::{Deadline, Error, Page};
use crate::selector::Selector;

/// What to read of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The text a person sees.
    Text,
    /// The value of a form control.
    Value,
    /// An attribute as written.
    Attribute(String),
}

/// A state of an element that can be waited for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ElementState {
    /// It is in the document.
    Attached,
    /// It is not in the document.
    Detached,
    /// It has a box and is not hidden.
    #[default]
    Visible,
    /// It is hidden, or not in the document.
    Hidden,
    /// It can be used.
    Enabled,
    /// It is disabled.
    Disabled,
    /// It is checked.
    Checked,
    /// It is not checked.
    Unchecked,
    /// It can be used and takes text.
    Editable,
    /// It has the focus.
    Focused,
}

#[derive(Deserialize)]
struct Read {
    value: Value,
}

#[derive(Deserialize)]
struct Counted {
    count: u64,
}

#[derive(Deserialize)]
struct Seen {
    satisfied: bool,
    #[serde(default)]
    count: u64,
    detail: Option<String>,
}

impl ElementState {
    /// Every state, in the order of the docs.
    pub const ALL: [ElementState; 10] = [
        ElementState::Attached,
        ElementState::Detached,
        ElementState::Visible,
        ElementState::Hidden,
        ElementState::Enabled,
        ElementState::Disabled,
        ElementState::Checked,
        ElementState::Unchecked,
        ElementState::Editable,
        ElementState::Focused,
    ];

    /// The state's name, as in commands and in the page.
    pub fn name(self) -> &'static str {
        match self {
            ElementState::Attached => "attached",
            ElementState::Detached => "detached",
            ElementState::Visible => "visible",
            ElementState::Hidden => "hidden",
            ElementState::Enabled => "enabled",
            ElementState::Disabled => "disabled",
            ElementState::Checked => "checked",
            ElementState::Unchecked => "unchecked",
            ElementState::Editable => "editable",
            ElementState::Focused => "focused",
        }
    }
}

impl Page<'_> {
    /// Reads the one element that matches, waiting until there is one.
    ///
    /// # Errors
    /// [`Error::Unmet`] or [`Error::Ambiguous`].
    pub async fn read(
        &self,
        action: &'static str,
        selector: &Selector,
        reading: &Reading,
        deadline: &Deadline,
    ) -> Result<Value, Error> {
        let argument = match reading {
            Reading::Text => json!({ "what": "text" }),
            Reading::Value => json!({ "what": "value" }),
            Reading::Attribute(name) => json!({ "what": "attribute", "name": name }),
        };
        let mut trial = Trial::new(action, selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                self.ask::<Read>(&place, "read", argument.clone()).await
            };
            if let Some(read) = trial.attempt(attempt).await? {
                return Ok(read.value);
            }
        }
    }

    /// How many elements match now; does not wait for any.
    ///
    /// # Errors
    /// [`Error::Unmet`] when the page does not answer.
    pub async fn count(&self, selector: &Selector, deadline: &Deadline) -> Result<u64, Error> {
        let mut trial = Trial::new("get_count", selector, deadline);
        loop {
            let attempt = async {
                let place = match self.place(selector).await {
                    // In an iframe that is not there is nothing.
                    Err(Error::Blocked(Obstacle::Absent { .. })) => return Ok(Counted { count: 0 }),
                    place => place?,
                };
                let counted: Counted = self.ask(&place, "count", json!({})).await?;
                if counted.count == 0 && self.reveal(&place, true).await? {
                    return self.ask(&place, "count", json!({})).await;
                }
                Ok(counted)
            };
            if let Some(counted) = trial.attempt(attempt).await? {
                return Ok(counted.count);
            }
        }
    }

    /// Waits until the selector's first element is in a state.
    ///
    /// # Errors
    /// [`Error::Unmet`] with what was seen instead.
    pub async fn wait_for(
        &self,
        action: &'static str,
        selector: &Selector,
        state: ElementState,
        deadline: &Deadline,
    ) -> Result<(), Error> {
        let is_absence = matches!(state, ElementState::Hidden | ElementState::Detached);
        let mut trial = Trial::new(action, selector, deadline);
        loop {
            let attempt = async {
                let place = match self.place(selector).await {
                    // An element in an iframe that is gone is gone too.
                    Err(Error::Blocked(Obstacle::Absent { .. }) | Error::StaleReference { .. }) if is_absence => {
                        return Ok(());
                    }
                    place => place?,
                };
                let wanted = json!({ "state": state.name() });
                let seen = match self.ask::<Seen>(&place, "state", wanted.clone()).await {
                    Err(Error::StaleReference { .. }) if is_absence => return Ok(()),
                    Ok(seen) if seen.count == 0 && self.reveal(&place, seen.satisfied).await? => {
                        self.ask(&place, "state", wanted).await?
                    }
                    seen => seen?,
                };
                match seen {
                    Seen { satisfied: true, .. } => Ok(()),
                    Seen { count: 0, .. } => Err(Error::Blocked(Obstacle::Absent { why: None })),
                    Seen { detail, .. } => {
                        Err(Error::Blocked(Obstacle::Missing { state: state.name().to_owned(), detail, element: None }))
                    }
                }
            };
            if trial.attempt(attempt).await?.is_some() {
                return Ok(());
            }
        }
    }

    /// Scrolls an element into view; with `x`, `y`, `dx` or `dy` in the argument its content, or that of the page, to a
    /// place or by an amount in CSS pixels. Answers where it is then.
    ///
    /// # Errors
    /// [`Error::Unmet`] or [`Error::Ambiguous`].
    pub async fn scroll(
        &self,
        selector: Option<&Selector>,
        argument: Value,
        deadline: &Deadline,
    ) -> Result<Value, Error> {
        let mut trial = match selector {
            Some(selector) => Trial::new("scroll", selector, deadline),
            None => Trial::of("scroll", "the page".to_owned(), deadline),
        };
        loop {
            let attempt = async {
                let place = match selector {
                    Some(selector) => self.place(selector).await?,
                    None => self.document(&[]).await?,
                };
                self.ask::<Map<String, Value>>(&place, "scroll", argument.clone()).await
            };
            if let Some(mut answer) = trial.attempt(attempt).await? {
                answer.remove("element");
                return Ok(Value::Object(answer));
            }
        }
    }
}
