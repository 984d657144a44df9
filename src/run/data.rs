//! Performing commands given as data, as an agent hands them to `browser_session`.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::perform::{Frame, Nested, Performance};
use super::place::Place;
use super::{FailedStep, Failure, State, steps};
use crate::action::{DataStep, steps_from_data};
use crate::command::{Call, Definition};

impl Performance<'_> {
    /// Performs commands until the first that fails and isn't optional. Answers the classic result fields, also as what
    /// a failure had captured.
    pub(super) fn data<'s>(
        &'s mut self,
        list: &'s Value,
        frame: &'s mut Frame<'_>,
    ) -> Nested<'s, Result<Map<String, Value>, Box<Failure>>> {
        Box::pin(async move {
            let commands = steps_from_data(list).map_err(|error| {
                let hint = "see the schema of `commands`; nothing was performed".to_owned();
                Failure::new(&error.faults.join("\n"), Some(hint))
            })?;
            let total = commands.len();
            let mut results = Vec::with_capacity(total);
            let mut failed = None;
            for (index, DataStep { command, arguments, options, warnings }) in commands.into_iter().enumerate() {
                let (number, began) = (index + 1, Instant::now());
                let id = Place::default().id(number);
                self.top = (number, total);
                self.outcome.warnings.extend(warnings.into_iter().map(|warning| format!("step {number}: {warning}")));
                let call = Call { command, arguments };
                let text = steps::words(options.label.as_deref(), command, &call.arguments);
                let report = self.begin(&id, &text);
                let failure = match self.call(&call, options.timeout, &frame.clock, &format!("step {number}: ")).await {
                    Ok(value) => {
                        self.end(report, State::Done, began);
                        results.push(result(number, command, Ok(value)));
                        continue;
                    }
                    Err(failure) => failure,
                };
                results.push(result(number, command, Err(&failure.message)));
                if options.optional && !self.is_over(frame) {
                    self.end(report, State::Warned, began);
                    let warning = format!("step {number} ({text}) failed and is optional: {}", failure.message);
                    self.outcome.warnings.push(warning);
                    continue;
                }
                self.end(report, State::Failed, began);
                failed = Some(failure.of_step(FailedStep {
                    id: id.own,
                    word: command.name.to_owned(),
                    text,
                    label: options.label,
                    action: frame.action.name.clone(),
                    place: None,
                    elapsed: began.elapsed(),
                }));
                break;
            }
            let succeeded = results.iter().filter(|result| result["success"] == true).count();
            let (url, title) = self.page(&frame.clock).await;
            let summary = Map::from_iter([
                ("totalCommands".to_owned(), json!(total)),
                ("succeeded".to_owned(), json!(succeeded)),
                ("failed".to_owned(), json!(results.len() - succeeded)),
                ("finalUrl".to_owned(), json!(url)),
                ("finalTitle".to_owned(), json!(title)),
                ("results".to_owned(), Value::Array(results)),
            ]);
            match failed {
                None => Ok(summary),
                Some(failure) => {
                    frame.captured.extend(summary);
                    Err(failure)
                }
            }
        })
    }
}

fn result(step: usize, command: &Definition, outcome: Result<Value, &str>) -> Value {
    let kind = command.name;
    match outcome {
        Ok(value) => json!({ "step": step, "type": kind, "success": true, "result": value }),
        Err(error) => json!({ "step": step, "type": kind, "success": false, "error": error }),
    }
}
