//! Owns what can be said of a run before it begins: which names have a value already, and arguments with those values
//! filled in. What only the page can tell stays as it is written.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::expression::{Expression, ExpressionError, Scope};
use super::shortcut::Condition;
use super::template::Argument;
use crate::secrets::Tree;

/// The names of an action before it runs.
#[derive(Debug, Clone)]
pub struct Foresight {
    scope: Scope,
    /// Names, or paths such as `inputs.email`, whose values are not known.
    unknown: BTreeSet<String>,
}

impl Foresight {
    /// With the inputs that are known; of the others only the names.
    pub fn new(inputs: &Map<String, Value>, unknown_inputs: &[String]) -> Foresight {
        let unknown = unknown_inputs.iter().map(|name| format!("inputs.{name}"));
        Foresight { scope: Scope::new(inputs), unknown: unknown.chain(["page".to_owned()]).collect() }
    }

    /// In the middle of a run, where every name has its value.
    pub fn of(scope: &Scope) -> Foresight {
        Foresight { scope: scope.clone(), unknown: BTreeSet::new() }
    }

    /// Gives a name a value that is known.
    pub fn set(&mut self, name: &str, value: &Value) {
        self.unknown.remove(name);
        self.scope.set(name, value);
    }

    /// Makes a name one whose value is not known.
    pub fn forget(&mut self, name: &str) {
        self.unknown.insert(name.to_owned());
    }

    /// The argument with what is known filled in.
    pub fn tree(&self, argument: &Argument) -> Result<Tree, ExpressionError> {
        argument.render_where(&self.scope, &|expression| self.knows(expression))
    }

    /// The argument's value, if all of it is known.
    pub fn value(&self, argument: &Argument) -> Option<Value> {
        argument.expressions().iter().all(|expression| self.knows(expression)).then_some(())?;
        argument.value(&self.scope).ok()
    }

    /// Whether a condition holds, if that is known.
    pub fn holds(&self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Expression(expression) if self.knows(expression) => expression.is_true(&self.scope).ok(),
            _ => None,
        }
    }

    fn knows(&self, expression: &Expression) -> bool {
        let leads = |from: &str, to: &str| to.strip_prefix(from).is_some_and(|rest| rest.starts_with('.'));
        let touches = |name: &String| {
            self.unknown.iter().any(|unknown| name == unknown || leads(unknown, name) || leads(name, unknown))
        };
        !expression.names().iter().any(touches)
    }
}
