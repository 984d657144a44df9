//! Performing commands given as data, as an agent hands them to `browser_session`.

use serde_json::{Value, json};

use super::Failure;
use super::perform::{Ended, Options, Performance, Place};
use super::steps;
use crate::action::{Argument, DataStep, Scope, steps_from_data};
use crate::command::{Call, Definition};

impl Performance<'_> {
    /// Performs commands until the first that fails and isn't optional. Answers the classic result fields, also as the
    /// outputs of a failure.
    pub(super) async fn data(&mut self, list: &Argument, scope: &Scope) -> Result<Ended, Failure> {
        let list = list.value(scope).map_err(|error| Failure::new(&error.to_string(), None))?;
        let commands = steps_from_data(&list).map_err(|error| {
            let hint = "see the schema of `commands`; nothing was performed".to_owned();
            Failure::new(&error.faults.join("\n"), Some(hint))
        })?;
        let total = commands.len();
        let mut results = Vec::with_capacity(total);
        let mut failed = None;
        for (index, DataStep { command, arguments, options, warnings }) in commands.into_iter().enumerate() {
            let place = Place { number: index + 1, total };
            self.outcome
                .warnings
                .extend(warnings.into_iter().map(|warning| format!("step {}: {warning}", place.number)));
            let call = Call { command, arguments };
            let text = steps::words(options.label.as_deref(), command, &call.arguments);
            let options = Options { timeout: options.timeout, optional: options.optional };
            match self.call(&call, place, &text, options).await {
                Ok(Ended::Done(value)) => results.push(result(place, command, Ok(value))),
                Ok(Ended::Warned(message)) => results.push(result(place, command, Err(&message))),
                Ok(Ended::Skipped) => {}
                Err(failure) => {
                    results.push(result(place, command, Err(&failure.message)));
                    failed = Some(failure.of_step(place.number, command.name));
                    break;
                }
            }
        }
        let succeeded = results.iter().filter(|result| result["success"] == true).count();
        let (url, title) = self.page().await;
        let summary = json!({
            "totalCommands": total,
            "succeeded": succeeded,
            "failed": results.len() - succeeded,
            "finalUrl": url,
            "finalTitle": title,
            "results": results,
        });
        match (failed, summary) {
            (None, summary) => Ok(Ended::Done(summary)),
            (Some(failure), Value::Object(summary)) => {
                self.outcome.outputs = summary;
                Err(failure)
            }
            (Some(failure), _) => Err(failure),
        }
    }
}

fn result(place: Place, command: &Definition, outcome: Result<Value, &str>) -> Value {
    let (step, kind) = (place.number, command.name);
    match outcome {
        Ok(value) => json!({ "step": step, "type": kind, "success": true, "result": value }),
        Err(error) => json!({ "step": step, "type": kind, "success": false, "error": error }),
    }
}
