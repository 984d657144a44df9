//! The step loop of a shortcut, and of commands given as data.

use std::time::Instant;

use serde_json::{Map, Value, json};

use super::steps::{self, failure, is_final};
use super::{Failure, Outcome, Progress, Settings, State, StepReport};
use crate::action::{Action, Argument, DataStep, Scope, Shortcut, Step, StepKind, steps_from_data};
use crate::browser::{Deadline, Session};
use crate::command::{Call, Context, Output, Workspace};
use crate::secrets::Store;

/// The longest value that a failure's list of captured values shows, in characters.
const MAX_VALUE: usize = 300;

/// One action being performed.
pub(super) struct Performance<'a> {
    pub(super) action: &'a Action,
    pub(super) session: &'a mut Session,
    pub(super) store: &'a Store,
    pub(super) workspace: &'a Workspace,
    pub(super) settings: &'a Settings,
    pub(super) overall: Deadline,
    pub(super) progress: &'a (dyn Fn(Progress) + Send + Sync),
    pub(super) outcome: Outcome,
}

/// How a step ended that did not fail.
enum Ended {
    Done(Value),
    Skipped,
    Warned,
}

impl Performance<'_> {
    pub(super) async fn shortcut(&mut self, shortcut: &Shortcut, arguments: &Map<String, Value>) {
        // All of them, before anything is sent: half a login helps nobody.
        if let Err(missing) = self.store.require(self.action.secret_names()) {
            self.outcome.failure = Some(Failure::new(&missing.to_string(), Some(missing.hint())));
            return;
        }
        let mut scope = Scope::new(arguments);
        let mut captured = Map::new();
        let mut last = Value::Null;
        for step in &shortcut.steps {
            let total = shortcut.steps.len();
            match self.step(step, total, &mut scope).await {
                Ok(ended) => {
                    let value = match ended {
                        Ended::Done(value) => value,
                        Ended::Skipped | Ended::Warned => Value::Null,
                    };
                    if let Some(name) = &step.capture {
                        scope.set(name, &value);
                        captured.insert(name.clone(), shortened(&value));
                    }
                    last = value;
                }
                Err(failure) => {
                    let location = format!("{}:{}", self.action.source.shown().display(), step.position.line);
                    self.outcome.failure =
                        Some(Failure { step: Some(step.number), location: Some(location), ..failure });
                    self.outcome.outputs.extend(captured);
                    return;
                }
            }
        }
        self.report(shortcut, scope, last).await;
    }

    /// What the action answers once its steps are done.
    async fn report(&mut self, shortcut: &Shortcut, mut scope: Scope, last: Value) {
        if shortcut.outputs.is_empty() {
            match last {
                Value::Null => {}
                Value::Object(fields)
                    if matches!(shortcut.steps.last().map(|step| &step.kind), Some(StepKind::Perform(_))) =>
                {
                    self.outcome.outputs = fields
                }
                // A picture speaks for itself.
                _ if !self.outcome.images.is_empty() => {}
                Value::String(text) => self.outcome.text = Some(text),
                value => self.outcome.text = Some(value.to_string()),
            }
            return;
        }
        if shortcut.outputs_use_page() {
            self.set_page(&mut scope).await;
        }
        match shortcut.outputs(&scope) {
            Ok(outputs) => self.outcome.outputs = outputs,
            Err(error) => {
                self.outcome.failure = Some(Failure::new(&error.to_string(), error.hint().map(str::to_owned)))
            }
        }
    }

    async fn step(&mut self, step: &Step, total: usize, scope: &mut Scope) -> Result<Ended, Failure> {
        if step.uses_page() {
            self.set_page(scope).await;
        }
        let began = Instant::now();
        let expression =
            |error: crate::action::ExpressionError| Failure::new(&error.to_string(), error.hint().map(str::to_owned));
        if let Some(condition) = &step.when
            && !condition.is_true(scope).map_err(expression)?
        {
            let text = step.label.clone().unwrap_or_else(|| name(step).to_owned());
            self.tell(step.number, total, &text, State::Skipped, began);
            return Ok(Ended::Skipped);
        }
        match &step.kind {
            StepKind::Command { command, .. } => {
                let arguments = step.arguments(scope).map_err(expression)?;
                let call = Call { command, arguments };
                let text = steps::words(step.label.as_deref(), command, &call.arguments);
                self.call(&call, step.number, total, &text, step.timeout, step.optional).await
            }
            StepKind::Perform(argument) => self.data(argument, scope).await,
        }
    }

    /// Performs one command and reports it.
    async fn call(
        &mut self,
        call: &Call,
        number: usize,
        total: usize,
        text: &str,
        timeout: Option<std::time::Duration>,
        optional: bool,
    ) -> Result<Ended, Failure> {
        let began = Instant::now();
        (self.progress)(Progress {
            step: number,
            steps: total,
            text: text.to_owned(),
            state: State::Started,
            elapsed: std::time::Duration::ZERO,
        });
        let context = Context {
            session: &mut *self.session,
            store: self.store,
            workspace: self.workspace,
            deadline: self.overall.clone(),
            overall: self.overall.clone(),
        };
        match steps::run(call, timeout, self.settings.step_timeout, context).await {
            Ok(Output { value, pictures, notes }) => {
                self.outcome.images.extend(pictures);
                self.outcome.warnings.extend(notes.into_iter().map(|note| format!("step {number}: {note}")));
                self.tell(number, total, text, State::Done, began);
                Ok(Ended::Done(value))
            }
            Err(error) if optional && !is_final(&error) => {
                let failure = failure(&error, &self.overall);
                self.outcome
                    .warnings
                    .push(format!("step {number} ({text}) failed and is optional: {}", failure.message));
                self.tell(number, total, text, State::Warned, began);
                Ok(Ended::Warned)
            }
            Err(error) => {
                self.tell(number, total, text, State::Failed, began);
                let failure = failure(&error, &self.overall);
                Err(Failure {
                    message: format!("step {number} ({}): {}", call.command.name, failure.message),
                    ..failure
                })
            }
        }
    }

    /// Performs commands given as data, until the first that fails; answers the classic result fields.
    async fn data(&mut self, argument: &Argument, scope: &Scope) -> Result<Ended, Failure> {
        let list = argument.render(scope).map_err(|error| Failure::new(&error.to_string(), None))?;
        let commands = steps_from_data(&list.to_masked_json()).map_err(|error| {
            Failure::new(
                &error.faults.join("\n"),
                Some("see the schema of `commands`; nothing was performed".to_owned()),
            )
        })?;
        let total = commands.len();
        let mut results = Vec::with_capacity(total);
        let mut failed = None;
        for (index, DataStep { command, arguments, options }) in commands.into_iter().enumerate() {
            let number = index + 1;
            let call = Call { command, arguments };
            let text = steps::words(options.label.as_deref(), command, &call.arguments);
            let warnings = self.outcome.warnings.len();
            match self.call(&call, number, total, &text, options.timeout, options.optional).await {
                Ok(Ended::Done(value)) => {
                    results.push(json!({ "step": number, "type": command.name, "success": true, "result": value }))
                }
                Ok(_) => {
                    let error = self.outcome.warnings.get(warnings).cloned().unwrap_or_default();
                    results.push(json!({ "step": number, "type": command.name, "success": false, "error": error }));
                }
                Err(failure) => {
                    results.push(
                        json!({ "step": number, "type": command.name, "success": false, "error": failure.message }),
                    );
                    failed = Some(failure);
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

    fn tell(&mut self, number: usize, total: usize, text: &str, state: State, began: Instant) {
        let elapsed = began.elapsed();
        self.outcome.steps.push(StepReport { number, text: text.to_owned(), state, elapsed });
        (self.progress)(Progress { step: number, steps: total, text: text.to_owned(), state, elapsed });
    }

    async fn set_page(&mut self, scope: &mut Scope) {
        let (url, title) = self.page().await;
        scope.set_page(&url, &title);
    }

    /// Address and title of the page; empty where there is no browser, which is not started for them.
    async fn page(&mut self) -> (String, String) {
        if !self.session.is_running() {
            return (String::new(), String::new());
        }
        let deadline = self.overall.within(self.settings.step_timeout);
        match self.session.page(&deadline).await {
            Ok(page) => (page.url().unwrap_or_default(), page.title(&deadline).await.unwrap_or_default()),
            Err(_) => (String::new(), String::new()),
        }
    }
}

fn name(step: &Step) -> &'static str {
    match &step.kind {
        StepKind::Command { command, .. } => command.name,
        StepKind::Perform(_) => "perform",
    }
}

/// A captured value as a failure shows it.
fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > MAX_VALUE => {
            Value::String(text.chars().take(MAX_VALUE).chain(['…']).collect())
        }
        value => value.clone(),
    }
}
