//! The step loop of a shortcut: conditions, captures, what is reported in the end.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::steps::{self, failure, is_final};
use super::{Failure, Outcome, Progress, Settings, State, StepReport};
use crate::action::{Action, ExpressionError, Scope, Shortcut, Step, StepKind};
use crate::browser::{Deadline, Session};
use crate::command::{Call, Context, Definition, Output, Workspace};
use crate::secrets::Store;

/// The longest value that a failure's list of captured values shows, in characters.
const MAX_VALUE: usize = 300;

/// How long a page that is busy may hold up its address and title.
const FACTS: Duration = Duration::from_millis(500);

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

/// A step's number, and how many there are.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub(super) number: usize,
    pub(super) total: usize,
}

/// What stands beside a command.
#[derive(Clone, Copy)]
pub(super) struct Options {
    pub(super) timeout: Option<Duration>,
    pub(super) optional: bool,
}

/// How a step ended that did not fail.
pub(super) enum Ended {
    Done(Value),
    Skipped,
    /// It failed with these words, and is optional.
    Warned(String),
}

impl Performance<'_> {
    pub(super) async fn shortcut(&mut self, shortcut: &Shortcut, arguments: &Map<String, Value>) {
        // All of them, before anything is sent: half a login helps nobody.
        if let Err(missing) = self.store.require(self.action.secret_names()) {
            self.outcome.failure = Some(Failure::new(&missing.to_string(), Some(missing.hint())));
            return;
        }
        self.take_notes("before the first step: ");
        let mut scope = Scope::new(arguments);
        let mut captured = Map::new();
        let mut last = Value::Null;
        for step in &shortcut.steps {
            let total = shortcut.steps.len();
            match self.step(step, total, &mut scope).await {
                Ok(ended) => {
                    let value = match ended {
                        Ended::Done(value) => value,
                        Ended::Skipped | Ended::Warned(_) => Value::Null,
                    };
                    if let Some(name) = &step.capture {
                        scope.set(name, &value);
                        captured.insert(name.clone(), shortened(&value));
                    }
                    last = value;
                }
                Err(failure) => {
                    self.outcome.failure = Some(failure);
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
        let StepKind::Command { command, .. } = &step.kind else {
            let StepKind::Perform(list) = &step.kind else { return Ok(Ended::Skipped) };
            return self.data(list, scope).await;
        };
        let place = Place { number: step.number, total };
        let performed = match self.prepare(step, command, scope) {
            Ok(Some((call, text))) => {
                let options = Options { timeout: step.timeout, optional: step.optional };
                self.call(&call, place, &text, options).await
            }
            Ok(None) => {
                let text = step.label.as_deref().unwrap_or(command.name);
                self.tell(place, text, State::Skipped, Instant::now());
                Ok(Ended::Skipped)
            }
            Err(error) => Err(Failure::new(&error.to_string(), error.hint().map(str::to_owned))),
        };
        performed.map_err(|failure| {
            let location = format!("{}:{}", self.action.source.shown().display(), step.position.line);
            Failure { location: Some(location), ..failure.of_step(step.number, command.name) }
        })
    }

    /// A step's command with its arguments rendered, and its words; `None` where its condition is false.
    fn prepare(
        &self,
        step: &Step,
        command: &'static Definition,
        scope: &Scope,
    ) -> Result<Option<(Call, String)>, ExpressionError> {
        if let Some(condition) = &step.when
            && !condition.is_true(scope)?
        {
            return Ok(None);
        }
        let call = Call { command, arguments: step.arguments(scope)? };
        let text = steps::words(step.label.as_deref(), command, &call.arguments);
        Ok(Some((call, text)))
    }

    /// Performs one command and reports it; a failure doesn't name its step yet.
    pub(super) async fn call(
        &mut self,
        call: &Call,
        place: Place,
        text: &str,
        options: Options,
    ) -> Result<Ended, Failure> {
        let began = Instant::now();
        let Place { number, total } = place;
        let (state, elapsed) = (State::Started, Duration::ZERO);
        (self.progress)(Progress { step: number, steps: total, text: text.to_owned(), state, elapsed });
        let context = Context {
            session: &mut *self.session,
            store: self.store,
            workspace: self.workspace,
            deadline: self.overall.clone(),
            overall: self.overall.clone(),
        };
        let performed = steps::run(call, options.timeout, self.settings.step_timeout, context).await;
        self.take_notes(&format!("step {number}: "));
        match performed {
            Ok(Output { value, pictures }) => {
                self.outcome.images.extend(pictures);
                self.tell(place, text, State::Done, began);
                Ok(Ended::Done(value))
            }
            Err(error) if options.optional && !is_final(&error) => {
                let message = failure(&error, &self.overall).message;
                self.outcome.warnings.push(format!("step {number} ({text}) failed and is optional: {message}"));
                self.tell(place, text, State::Warned, began);
                Ok(Ended::Warned(message))
            }
            Err(error) => {
                self.tell(place, text, State::Failed, began);
                Err(failure(&error, &self.overall))
            }
        }
    }

    /// What happened beside the actions since the last step.
    fn take_notes(&mut self, when: &str) {
        self.outcome.warnings.extend(self.session.take_notes().into_iter().map(|note| format!("{when}{note}")));
        for download in self.session.take_downloads() {
            let told = match self.workspace.keep(&download) {
                Ok(path) => format!("kept a download that no step expected: {}", path.display()),
                Err(error) => format!("lost a download that no step expected: {error}"),
            };
            self.outcome.warnings.push(format!("{when}{told}"));
        }
    }

    fn tell(&mut self, Place { number, total }: Place, text: &str, state: State, began: Instant) {
        let elapsed = began.elapsed();
        self.outcome.steps.push(StepReport { number, text: text.to_owned(), state, elapsed });
        (self.progress)(Progress { step: number, steps: total, text: text.to_owned(), state, elapsed });
    }

    async fn set_page(&mut self, scope: &mut Scope) {
        let (url, title) = self.page().await;
        scope.set_page(&url, &title);
    }

    /// Address and title of the page; empty where there is no browser, which is not started for them.
    pub(super) async fn page(&mut self) -> (String, String) {
        if !self.session.is_running() {
            return (String::new(), String::new());
        }
        let deadline = self.overall.within(FACTS);
        match self.session.page(&deadline).await {
            Ok(page) => (page.url().unwrap_or_default(), page.title(&deadline).await.unwrap_or_default()),
            Err(_) => (String::new(), String::new()),
        }
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
