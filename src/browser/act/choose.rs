//! Choosing options of a select element.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::super::retry::Trial;
use super::super::{Deadline, Error, Page};
use crate::selector::Selector;

/// One option of a select element; all that is given must fit.
#[derive(Clone, Debug, Default, Serialize)]
pub struct OptionChoice {
    /// Its value, else its label, else its position.
    pub any: Option<String>,
    /// Its label.
    pub label: Option<String>,
    /// Its position, from 0.
    pub index: Option<u64>,
}

#[derive(Deserialize)]
struct Selected {
    selected: Vec<String>,
}

impl Page<'_> {
    /// Selects options of a select element, none of several included; answers the labels of what is selected then.
    ///
    /// # Errors
    /// As [`Page::click`]; also when an option does not exist or is disabled.
    pub async fn select_option(
        &self,
        selector: &Selector,
        options: &[OptionChoice],
        force: bool,
        deadline: &Deadline,
    ) -> Result<Vec<String>, Error> {
        let mut trial = Trial::new("select_option", selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                self.ask::<Selected>(&place, "selectOption", json!({ "options": options, "force": force })).await
            };
            if let Some(selected) = trial.attempt(attempt).await? {
                self.settle(deadline).await?;
                return Ok(selected.selected);
            }
        }
    }
}
