//! One action being performed: what it needs, its steps, what it answers, what a failure means, and its `finally`.
//! Each step is `flow`'s; what an action performs is another one of these.

use std::pin::Pin;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tokio_util::sync::CancellationToken;

use super::place::Place;
use super::{Failure, Outcome, Pace, Progress, Settings};
use crate::action::{Action, Body, Condition, ExpressionError, OutputError, Scope, Shortcut};
use crate::browser::{Clip, Deadline, ImageFormat, Session};
use crate::command::{self, Context, Workspace};
use crate::page;
use crate::secrets::Store;

/// The longest value that a failure's list of captured values shows, in characters.
const MAX_VALUE: usize = 300;
/// How long a page that is busy may hold up its address and title.
const FACTS: Duration = Duration::from_millis(500);
/// How long a look at the page may take that tells what a failure means.
const LOOK: Duration = Duration::from_secs(2);
/// How many tokens the page around a failure may take.
const PAGE_TOKENS: usize = 600;
/// How long all steps of `finally` may take.
const FINALLY: Duration = Duration::from_secs(10);
/// Steps of one run; those of a loop count in every round.
pub(super) const MOST_STEPS: usize = 10_000;
/// Lists of steps inside each other in one run, those of all actions together: each takes a part of the stack.
pub(super) const MOST_DEPTH: usize = 40;
/// Steps that `finally` may take beyond them.
const FINALLY_STEPS: usize = 1000;

/// A future that may perform more of its kind.
pub(super) type Nested<'s, T> = Pin<Box<dyn Future<Output = T> + Send + 's>>;

/// One run: the session and what came of it so far.
pub(super) struct Performance<'a> {
    pub(super) session: &'a mut Session,
    pub(super) store: &'a Store,
    pub(super) workspace: &'a Workspace,
    pub(super) settings: &'a Settings,
    pub(super) progress: &'a (dyn Fn(Progress) + Send + Sync),
    /// Who is asked before each step, if anybody is.
    pub(super) pace: Option<&'a dyn Pace>,
    pub(super) outcome: Outcome,
    /// The number of the called action's own step that is under way, and how many there are.
    pub(super) top: (usize, usize),
    /// How many steps may still be performed.
    pub(super) left: usize,
    /// How many lists of steps are around the step that is under way.
    pub(super) depth: usize,
}

/// One action of a run: its names, its time.
pub(super) struct Frame<'f> {
    pub(super) action: &'f Action,
    pub(super) scope: Scope,
    /// What was captured, as failures show it.
    pub(super) captured: Map<String, Value>,
    pub(super) clock: Clock,
    /// What the last step answered.
    pub(super) last: Last,
}

/// A limit on time, and what has it.
#[derive(Clone)]
pub(super) struct Clock {
    pub(super) deadline: Deadline,
    pub(super) owner: &'static str,
}

/// The answer of a step.
#[derive(Default)]
pub(super) enum Last {
    #[default]
    Nothing,
    Value(Value),
    /// The summary of commands given as data, which is an answer by itself.
    Summary(Map<String, Value>),
}

/// The outputs of an action, if it declares or returns any.
pub(super) type Outputs = Option<Map<String, Value>>;

/// How a list of steps ended.
pub(super) enum Flow {
    Next,
    /// A `return` ended the action with these outputs, or with the declared ones.
    Return(Outputs),
}

impl<'f> Frame<'f> {
    pub(super) fn new(action: &'f Action, arguments: &Map<String, Value>, clock: Clock) -> Frame<'f> {
        let mut scope = Scope::new(arguments);
        let Body::Shortcut(shortcut) = &action.body;
        // What a branch that is not performed would have given is null.
        for name in shortcut.names() {
            scope.set(name, &Value::Null);
        }
        Frame { action, scope, captured: Map::new(), clock, last: Last::Nothing }
    }

    pub(super) fn shortcut(&self) -> &'f Shortcut {
        let Body::Shortcut(shortcut) = &self.action.body;
        shortcut
    }

    /// Gives a value to a name.
    pub(super) fn give(&mut self, name: &str, value: &Value) {
        self.scope.set(name, value);
        self.captured.insert(name.to_owned(), shortened(value));
    }

    /// Takes a loop's name away.
    pub(super) fn forget(&mut self, name: &str) {
        self.scope.remove(name);
        self.captured.remove(name);
    }
}

impl Clock {
    /// The earlier of this limit and a step's own.
    pub(super) fn within(&self, limit: Option<Duration>) -> Clock {
        match limit.filter(|limit| *limit < self.deadline.remaining()) {
            Some(limit) => Clock { deadline: self.deadline.strictly_within(limit), owner: "the step around it" },
            None => self.clone(),
        }
    }
}

impl Performance<'_> {
    /// Performs the action that was called.
    pub(super) async fn called(&mut self, action: &Action, arguments: &Map<String, Value>, deadline: Deadline) {
        // All of them, before anything is sent: half a login helps nobody.
        if let Err(missing) = self.store.require(action.secret_names()) {
            self.outcome.failure = Some(*Failure::new(&missing.to_string(), Some(missing.hint())));
            return;
        }
        self.take_notes("before the first step: ");
        let mut frame = Frame::new(action, arguments, Clock { deadline, owner: "the action" });
        self.top = (0, frame.shortcut().steps.len());
        match self.action(&mut frame, Place::default()).await {
            Ok(outputs) => self.answer(&mut frame, outputs),
            Err(mut failure) => {
                self.outcome.images.extend(failure.picture.take());
                self.outcome.failure = Some(*failure);
                self.outcome.outputs.extend(frame.captured);
            }
        }
    }

    /// Performs one action from its `needs` to its `finally`; answers its outputs, if it declares or returns any.
    pub(super) fn action<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        place: Place,
    ) -> Nested<'s, Result<Outputs, Box<Failure>>> {
        Box::pin(async move {
            let shortcut = frame.shortcut();
            let mut ended = self.steps(frame, shortcut, &place).await;
            if let Err(mut failure) = ended {
                self.look_around(frame, &mut failure).await;
                ended = Err(self.meaning(frame, shortcut, failure).await);
            }
            if !shortcut.finally.is_empty() {
                Box::pin(self.finally(frame, shortcut, &place, ended.as_ref().err().map(|failure| &**failure))).await;
            }
            ended
        })
    }

    /// What the action needs, its steps, and its outputs.
    fn steps<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        shortcut: &'s Shortcut,
        place: &'s Place,
    ) -> Nested<'s, Result<Outputs, Box<Failure>>> {
        Box::pin(async move {
            self.list(frame, &shortcut.needs, place.named("needs")).await?;
            if let Flow::Return(Some(outputs)) = self.list(frame, &shortcut.steps, place.clone()).await? {
                return Ok(Some(outputs));
            }
            if shortcut.outputs.is_empty() {
                return Ok(None);
            }
            if shortcut.outputs_use_page() {
                self.set_page(frame).await;
            }
            shortcut.outputs(&frame.scope).map(Some).map_err(|error| of_output(frame, &error))
        })
    }

    /// Tells what the page looks like around a failure, before anything else changes it.
    async fn look_around(&mut self, frame: &Frame<'_>, failure: &mut Failure) {
        let deadline = frame.clock.deadline.renewed(LOOK);
        if failure.is_plain || failure.page.is_some() || deadline.is_cancelled() || !self.session.is_running() {
            return;
        }
        let Ok(page) = self.session.page(&deadline).await else { return };
        let around = page::around_failure(&page, failure.about.as_ref(), PAGE_TOKENS, &deadline).await;
        failure.page = Some(around);
        if self.settings.failure_screenshot {
            failure.picture = page.screenshot(&Clip::Viewport, ImageFormat::Png, &deadline).await.ok();
        }
    }

    /// The failure in the author's words, if the action has some for it. What is in such words already stays, unless a
    /// rule asks for its code.
    fn meaning<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        shortcut: &'s Shortcut,
        failure: Box<Failure>,
    ) -> Nested<'s, Box<Failure>> {
        Box::pin(async move {
            if shortcut.errors.is_empty() || frame.clock.deadline.is_cancelled() {
                return failure;
            }
            frame.scope.set("error", &told(&failure));
            // The action's time may be over.
            let clock = Clock { deadline: frame.clock.deadline.renewed(LOOK), owner: "the look" };
            let before = std::mem::replace(&mut frame.clock, clock);
            let mut meant = None;
            for rule in shortcut.errors.iter().filter(|rule| !failure.is_authored || rule.when.reads_code()) {
                let told = match self.holds(frame, &rule.when).await {
                    Ok(false) => continue,
                    Ok(true) => {
                        let hint = rule.hint.as_ref().map(|hint| words(hint, &frame.scope)).transpose();
                        words(&rule.message, &frame.scope).and_then(|message| Ok((message, hint?)))
                    }
                    Err(failure) => Err(failure),
                };
                match told {
                    Ok((message, hint)) => {
                        meant = Some((rule.code.clone(), message, hint));
                        break;
                    }
                    Err(failure) => {
                        let warning =
                            format!("`errors` could not tell whether it is `{}`: {}", rule.code, failure.message);
                        self.outcome.warnings.push(warning);
                    }
                }
            }
            frame.clock = before;
            let Some((code, message, hint)) = meant else { return failure };
            let mut details = vec![failure.headline()];
            details.extend(failure.details);
            let hint = hint.or(failure.hint);
            Box::new(Failure { message, code: Some(code), details, hint, is_authored: true, ..*failure })
        })
    }

    /// Performs what stands in `finally`, also after a cancellation and when the action's time is over.
    async fn finally(&mut self, frame: &mut Frame<'_>, shortcut: &Shortcut, place: &Place, failure: Option<&Failure>) {
        let deadline = Deadline::after(FINALLY, CancellationToken::new());
        frame.clock = Clock { deadline, owner: "`finally`" };
        frame.scope.set("error", &failure.map_or_else(|| told(&Failure::default()), told));
        self.left += FINALLY_STEPS;
        let place = place.named("finally");
        for step in &shortcut.finally {
            match self.step(frame, step, &place).await {
                Ok(Flow::Next) => {}
                Ok(Flow::Return(_)) => break,
                Err(failure) if failure.is_authored => {
                    self.outcome.warnings.push(format!("step {}: {}", place.id(step.number).all, failure.message));
                }
                Err(failure) => self.outcome.warnings.push(failure.headline()),
            }
            if frame.clock.deadline.remaining().is_zero() {
                break;
            }
        }
        self.left = self.left.saturating_sub(FINALLY_STEPS);
    }

    /// What the called action answers once it is done.
    fn answer(&mut self, frame: &mut Frame<'_>, outputs: Outputs) {
        match (outputs, std::mem::take(&mut frame.last)) {
            (Some(outputs), _) | (None, Last::Summary(outputs)) => self.outcome.outputs = outputs,
            (None, Last::Nothing | Last::Value(Value::Null)) => {}
            // A picture speaks for itself.
            (None, _) if !self.outcome.images.is_empty() => {}
            (None, Last::Value(Value::String(text))) => self.outcome.text = Some(text),
            (None, Last::Value(value)) => self.outcome.text = Some(value.to_string()),
        }
    }

    /// Whether a condition holds now.
    pub(super) fn holds<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        condition: &'s Condition,
    ) -> Nested<'s, Result<bool, Box<Failure>>> {
        Box::pin(async move {
            if condition.uses_page() {
                self.set_page(frame).await;
            }
            match condition {
                Condition::Expression(expression) => {
                    expression.is_true(&frame.scope).map_err(|error| of_expression(&error))
                }
                Condition::States(states) => {
                    let states = states.value(&frame.scope).map_err(|error| of_expression(&error))?;
                    let deadline = frame.clock.deadline.within(self.settings.step_timeout);
                    let mut context = Context { deadline, ..self.context(&frame.clock) };
                    let looked = command::holds(states, &mut context).await;
                    looked.map_err(|error| super::steps::failure(&error, &frame.clock))
                }
            }
        })
    }

    /// What commands need; their limit is the action's.
    pub(super) fn context(&mut self, clock: &Clock) -> Context<'_> {
        Context {
            session: &mut *self.session,
            store: self.store,
            workspace: self.workspace,
            deadline: clock.deadline.clone(),
            overall: clock.deadline.clone(),
        }
    }

    /// What happened beside the actions since the last step.
    pub(super) fn take_notes(&mut self, when: &str) {
        self.outcome.warnings.extend(self.session.take_notes().into_iter().map(|note| format!("{when}{note}")));
        for download in self.session.take_downloads() {
            let told = match self.workspace.keep(&download) {
                Ok(path) => format!("kept a download that no step expected: {}", path.display()),
                Err(error) => format!("lost a download that no step expected: {error}"),
            };
            self.outcome.warnings.push(format!("{when}{told}"));
        }
    }

    pub(super) async fn set_page(&mut self, frame: &mut Frame<'_>) {
        let (url, title) = self.page(&frame.clock).await;
        frame.scope.set_page(&url, &title);
    }

    /// Address and title of the page; empty where there is no browser, which is not started for them.
    pub(super) async fn page(&mut self, clock: &Clock) -> (String, String) {
        if !self.session.is_running() {
            return (String::new(), String::new());
        }
        let deadline = clock.deadline.within(FACTS);
        match self.session.page(&deadline).await {
            Ok(page) => (page.url().unwrap_or_default(), page.title(&deadline).await.unwrap_or_default()),
            Err(_) => (String::new(), String::new()),
        }
    }
}

/// Words of the author's with their expressions filled in.
pub(super) fn words(argument: &crate::action::Argument, scope: &Scope) -> Result<String, Box<Failure>> {
    match argument.value(scope).map_err(|error| of_expression(&error))? {
        Value::String(text) => Ok(text),
        value => Ok(value.to_string()),
    }
}

/// A failure as `errors` and `finally` know it; all is null where nothing failed.
fn told(failure: &Failure) -> Value {
    let step = failure.step.as_ref().map(|step| step.id.as_str());
    let message = Some(&failure.message).filter(|message| !message.is_empty());
    json!({ "code": failure.code, "message": message, "step": step })
}

pub(super) fn of_expression(error: &ExpressionError) -> Box<Failure> {
    let failure = Failure::new(&error.to_string(), error.hint().map(str::to_owned));
    Box::new(Failure { is_plain: true, ..*failure })
}

pub(super) fn of_output(frame: &Frame<'_>, error: &OutputError) -> Box<Failure> {
    let output = frame.shortcut().outputs.iter().find(|output| output.name == error.name());
    let declared = output.map(|output| format!("{}:{}", frame.action.source.shown().display(), output.line));
    let failure = Failure::new(&error.to_string(), error.hint().map(str::to_owned));
    Box::new(Failure { declared, ..*failure })
}

/// A captured value as a failure shows it.
pub(super) fn shortened(value: &Value) -> Value {
    match value {
        Value::String(text) if text.chars().count() > MAX_VALUE => {
            Value::String(text.chars().take(MAX_VALUE).chain(['…']).collect())
        }
        value => value.clone(),
    }
}
