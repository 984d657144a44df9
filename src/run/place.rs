//! Where a step stands among the others: its number with those of the steps around it.

/// The list of steps that is being performed.
#[derive(Clone, Debug, Default)]
pub(super) struct Place {
    /// What stands before the numbers of its steps in the whole run: `3.`, or `finally.`.
    all: String,
    /// The same within the action.
    own: String,
    /// The round of the loop around it.
    round: Option<usize>,
}

/// A step's numbers.
#[derive(Clone, Debug)]
pub(super) struct Id {
    /// In the whole run.
    pub(super) all: String,
    /// Within its action.
    pub(super) own: String,
}

impl Place {
    /// A list that is not the action's `steps`.
    pub(super) fn named(&self, name: &str) -> Place {
        Place { all: format!("{}{name}.", self.all), own: format!("{name}."), ..self.clone() }
    }

    /// The steps inside a step.
    pub(super) fn inside(&self, id: &Id, round: Option<usize>) -> Place {
        Place { all: format!("{}.", id.all), own: format!("{}.", id.own), round }
    }

    /// The steps of another action that a step performs.
    pub(super) fn of_action(id: &Id) -> Place {
        Place { all: format!("{}.", id.all), own: String::new(), round: None }
    }

    /// The numbers of one of its steps.
    pub(super) fn id(&self, number: usize) -> Id {
        let round = self.round.map(|round| format!("[{round}]")).unwrap_or_default();
        Id { all: format!("{}{number}{round}", self.all), own: format!("{}{number}{round}", self.own) }
    }

    /// Whether its steps are those of the action that was called.
    pub(super) fn is_outermost(&self) -> bool {
        self.all.is_empty()
    }
}
