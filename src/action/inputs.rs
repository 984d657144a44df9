//! Owns `inputs:`: what an action is called with. How a single value is declared is `declaration`'s.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::declaration::{self, Properties, Role};
use super::problem::{Report, Span};
use super::yaml::{Entry, Node};
use crate::secrets::Text;

/// The declared inputs.
#[derive(Debug, Default)]
pub struct Inputs {
    /// Their names in the order of the file, and where they stand.
    declared: Vec<(String, Span)>,
    properties: Properties,
}

impl Inputs {
    /// The names in the order of the file. A faulty input is still known, so that expressions which use it are no
    /// further problems.
    pub fn names(&self) -> Vec<String> {
        self.declared.iter().map(|(name, _)| name.clone()).collect()
    }

    /// Warns about inputs that are not among those which an expression reads.
    pub fn warn_unused(&self, report: &mut Report<'_>, used: &BTreeSet<String>) {
        // What reads them may be in a part that could not be understood.
        if report.errors() > 0 {
            return;
        }
        for (name, span) in self.declared.iter().filter(|(name, _)| !used.contains(name)) {
            let read = if name.contains(['-', '.']) { format!("inputs['{name}']") } else { format!("inputs.{name}") };
            let message = format!("the input `{name}` is never used");
            report.warning(*span, message, Some(format!("write `${{{{ {read} }}}}` where it belongs, or remove it")));
        }
    }

    /// The schema of all arguments.
    pub fn schema(&self) -> Map<String, Value> {
        self.properties.schema(Role::Input)
    }
}

/// Reads `inputs:`.
pub fn read(report: &mut Report<'_>, node: &Node) -> Inputs {
    let Some(entries) = node.entries() else {
        let hint = "write one `name: type` per line";
        report.error(node.span, "`inputs` is not a map", Some(hint.into()));
        return Inputs::default();
    };
    for default in entries.iter().filter_map(|entry| entry.value.get("default")) {
        let names = default.text().and_then(|text| Text::parse(text).ok()).map(|text| text.names()).unwrap_or_default();
        if let Some(name) = names.first() {
            let hint = "an input is sent by a client: leave it out, and write the secret where it is typed";
            report.error(default.span, format!("a secret can't be a default: `$<<{name}>>`"), Some(hint.into()));
        }
    }
    let declared = |entry: &Entry| (entry.key.text.clone(), entry.key.span);
    Inputs {
        declared: entries.iter().map(declared).collect(),
        properties: declaration::properties(report, entries, Role::Input, "an input", None),
    }
}
