//! Steps in their order: conditions, attempts, branches, loops, other actions, and which failures go on. What a single
//! command does is `steps`'s.

use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use super::awaited::expected;
use super::perform::{Flow, Frame, Last, MOST_DEPTH, MOST_STEPS, Nested, Performance, of_expression, of_output, words};
use super::place::{Id, Place};
use super::plan::described;
use super::steps::out_of_time;
use super::{Answer, FailedStep, Failure, Next, State};
use crate::action::{Argument, End, Foresight, MOST_ROUNDS, Step, StepKind};
use crate::browser::{Error, Expected};
use crate::command::Call;

/// The longest pause between two attempts.
const MOST_BACKOFF: Duration = Duration::from_secs(10);

/// What is known of a step before it is tried.
struct Prepared {
    /// Of a command.
    call: Option<Call>,
    /// What it brings about beside its result.
    expected: Option<Expected>,
    /// Its words.
    text: String,
}

/// A step that is being tried.
pub(super) struct Trial<'t> {
    pub(super) step: &'t Step,
    pub(super) id: &'t Id,
    pub(super) place: &'t Place,
    pub(super) call: Option<&'t Call>,
    pub(super) expected: Option<&'t Expected>,
    /// Where its report stands.
    pub(super) report: usize,
}

/// Steps nest, and with them these futures. Each is boxed where it is made: one that is made in the body of another takes
/// its size of the stack there, at every level.
impl Performance<'_> {
    /// Performs steps until one fails or returns.
    pub(super) fn list<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        steps: &'s [Step],
        place: Place,
    ) -> Nested<'s, Result<Flow, Box<Failure>>> {
        Box::pin(async move {
            if self.depth == MOST_DEPTH {
                let hint = "let an action further up perform the others one by one";
                let message = format!("steps are nested more than {MOST_DEPTH} deep, those of all actions together");
                return Err(Failure::new(&message, Some(hint.to_owned())));
            }
            self.depth += 1;
            let ended = self.each(frame, steps, &place).await;
            self.depth -= 1;
            ended
        })
    }

    async fn each(&mut self, frame: &mut Frame<'_>, steps: &[Step], place: &Place) -> Result<Flow, Box<Failure>> {
        for step in steps {
            if place.is_outermost() {
                self.top.0 = step.number;
            }
            if let Flow::Return(outputs) = self.step(frame, step, place).await? {
                return Ok(Flow::Return(outputs));
            }
        }
        Ok(Flow::Next)
    }

    /// Performs a step with all that stands beside it.
    pub(super) async fn step(
        &mut self,
        frame: &mut Frame<'_>,
        step: &Step,
        place: &Place,
    ) -> Result<Flow, Box<Failure>> {
        let (id, mut began) = (place.id(step.number), Instant::now());
        let modifiers = &step.modifiers;
        let (text, ended) = match self.prepare(frame, step).await {
            Ok(None) => {
                self.skipped(&id, modifiers.label.as_deref().unwrap_or(step.word()));
                self.give_nothing(frame, step);
                return Ok(Flow::Next);
            }
            Ok(Some(Prepared { call, expected, text })) => {
                match self.ask(frame, step, &id).await {
                    Answer::Perform => began = Instant::now(),
                    Answer::Skip => {
                        self.skipped(&id, &text);
                        self.give_nothing(frame, step);
                        return Ok(Flow::Next);
                    }
                    Answer::Quit => return Err(self.quit(failed(frame, step, &id, &text, began))),
                }
                let report = self.begin(&id, &text);
                let (call, expected) = (call.as_ref(), expected.as_ref());
                let ended = self.attempts(frame, &Trial { step, id: &id, place, call, expected, report }).await;
                let state = if ended.is_ok() { State::Done } else { self.ended(frame, step) };
                self.end(report, state, began);
                (text, ended)
            }
            Err(failure) => {
                let text = modifiers.label.clone().unwrap_or_else(|| step.word().to_owned());
                let report = self.begin(&id, &text);
                self.end(report, self.ended(frame, step), began);
                (text, Err(failure))
            }
        };
        let failure = match ended {
            Ok(flow) => return Ok(flow),
            Err(failure) => failure.of_step(failed(frame, step, &id, &text, began)),
        };
        if !modifiers.optional || self.is_over(frame) {
            return Err(failure);
        }
        self.give_nothing(frame, step);
        let inner = failure.step.as_ref().is_some_and(|step| step.id != id.own);
        let message = if inner { failure.headline() } else { failure.message };
        self.outcome.warnings.push(match &step.kind {
            // It did what its author wants: to warn.
            StepKind::Fail { .. } => format!("step {}: {message}", id.all),
            _ => format!("step {} ({text}) failed and is optional: {message}", id.all),
        });
        Ok(Flow::Next)
    }

    /// How a step ended that failed.
    fn ended(&self, frame: &Frame<'_>, step: &Step) -> State {
        if step.modifiers.optional && !self.is_over(frame) { State::Warned } else { State::Failed }
    }

    /// What is to be done with a step that is ready.
    async fn ask(&self, frame: &Frame<'_>, step: &Step, id: &Id) -> Answer {
        let Some(pace) = self.pace else { return Answer::Perform };
        let text = described(step, &Foresight::of(&frame.scope));
        let asked = pace.ask(Next { id: id.all.clone(), text });
        // A run that is cancelled ends by itself.
        frame.clock.deadline.stand_still(asked).await.unwrap_or(Answer::Perform)
    }

    /// Ends the run before a step, because that was the answer.
    fn quit(&mut self, step: FailedStep) -> Box<Failure> {
        self.pace = None;
        self.left = 0;
        let message = format!("ended before step {} ({})", step.id, step.word);
        Box::new(Failure { message, is_authored: true, ..Failure::default() }).of_step(step)
    }

    /// Whether nothing more can be performed here, optional or not.
    pub(super) fn is_over(&self, frame: &Frame<'_>) -> bool {
        let deadline = &frame.clock.deadline;
        deadline.is_cancelled() || deadline.remaining().is_zero() || self.left == 0
    }

    /// A step's words and, of a command, its call; `None` where its condition does not hold.
    fn prepare<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        step: &'s Step,
    ) -> Nested<'s, Result<Option<Prepared>, Box<Failure>>> {
        Box::pin(async move {
            if let Some(when) = &step.modifiers.when
                && !self.holds(frame, when).await?
            {
                return Ok(None);
            }
            if let Some(unless) = &step.modifiers.unless
                && self.holds(frame, unless).await?
            {
                return Ok(None);
            }
            let Some(left) = self.left.checked_sub(1) else {
                let hint = "let its loops end earlier, or split what it does into several calls";
                return Err(Failure::new(&format!("more than {MOST_STEPS} steps in one run"), Some(hint.to_owned())));
            };
            self.left = left;
            if step.uses_page() {
                self.set_page(frame).await;
            }
            let expected = expected(&step.modifiers.awaited, &frame.scope)?;
            let label = step.modifiers.label.as_deref();
            if let StepKind::Command { command, .. } = &step.kind {
                let arguments = step.arguments(&frame.scope).map_err(|error| of_expression(&error))?;
                let text = super::steps::words(label, command, &arguments);
                return Ok(Some(Prepared { call: Some(Call { command, arguments }), expected, text }));
            }
            let text = match (&step.kind, label) {
                (_, Some(label)) => label.to_owned(),
                (StepKind::Run { target, .. }, None) => format!("run {target}"),
                (StepKind::ForEach { item, .. }, None) => format!("for_each {item}"),
                (StepKind::Set(values), None) => {
                    let names: Vec<&str> = values.iter().map(|(name, _)| name.as_str()).collect();
                    format!("set {}", names.join(", "))
                }
                _ => step.word().to_owned(),
            };
            Ok(Some(Prepared { call: None, expected, text }))
        })
    }

    /// Performs a step as often as its `retry` allows.
    async fn attempts(&mut self, frame: &mut Frame<'_>, trial: &Trial<'_>) -> Result<Flow, Box<Failure>> {
        let (step, id) = (trial.step, trial.id);
        let attempts = step.modifiers.retry.map_or(1, |retry| retry.attempts);
        let mut backoff = step.modifiers.retry.map(|retry| retry.backoff).unwrap_or_default();
        let mut first: Option<String> = None;
        let mut attempt = 1;
        loop {
            let mut failure = match self.once(frame, trial).await {
                Ok(flow) => {
                    if let Some(first) = first {
                        let warning =
                            format!("step {} succeeded at attempt {attempt}; the first failed: {first}", id.all);
                        self.outcome.warnings.push(warning);
                    }
                    return Ok(flow);
                }
                Err(failure) => failure,
            };
            if attempt == attempts || !failure.is_passing || self.is_over(frame) {
                if attempt > 1 {
                    failure.details.push(format!("tried {attempt} times"));
                }
                return Err(failure);
            }
            first.get_or_insert_with(|| failure.headline());
            if let Err(ended) = frame.clock.deadline.pause(backoff).await {
                failure.details.push(format!("tried {attempt} of {attempts} times"));
                return Err(match ended {
                    Error::Timeout { .. } => out_of_time(*failure, &frame.clock),
                    _ => failure,
                });
            }
            backoff = (backoff * 2).min(MOST_BACKOFF);
            attempt += 1;
        }
    }

    /// Performs a step once, and waits for what it brings about.
    async fn once(&mut self, frame: &mut Frame<'_>, trial: &Trial<'_>) -> Result<Flow, Box<Failure>> {
        match trial.expected {
            Some(expected) => self.expecting(frame, trial, expected).await,
            None => self.act(frame, trial).await,
        }
    }

    /// Performs what a step itself does, within its time.
    pub(super) async fn act(&mut self, frame: &mut Frame<'_>, trial: &Trial<'_>) -> Result<Flow, Box<Failure>> {
        let Trial { step, id, place, call, .. } = *trial;
        if let Some(call) = call {
            let beside = format!("step {}: ", id.all);
            let output = self.call(call, step.modifiers.timeout, &frame.clock, &beside).await?;
            self.give(frame, step, output);
            return Ok(Flow::Next);
        }
        let clock = frame.clock.within(step.modifiers.timeout);
        let before = std::mem::replace(&mut frame.clock, clock);
        let ended = self.compound(frame, step, id, place).await;
        frame.clock = before;
        ended
    }

    fn compound<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        step: &'s Step,
        id: &'s Id,
        place: &'s Place,
    ) -> Nested<'s, Result<Flow, Box<Failure>>> {
        Box::pin(async move {
            match &step.kind {
                StepKind::Command { .. } => {}
                StepKind::Perform(list) => {
                    let list = list.value(&frame.scope).map_err(|error| of_expression(&error))?;
                    let summary = self.data(&list, frame).await?;
                    if let Some(name) = &step.modifiers.capture {
                        frame.give(name, &Value::Object(summary.clone()));
                    }
                    frame.last = Last::Summary(summary);
                }
                StepKind::If { condition, then, otherwise } => {
                    let branch = if self.holds(frame, condition).await? { then } else { otherwise };
                    return self.list(frame, branch, place.inside(id, None)).await;
                }
                StepKind::Group(steps) => return self.list(frame, steps, place.inside(id, None)).await,
                StepKind::ForEach { items, item, index, steps } => {
                    let items = list_of(items.value(&frame.scope).map_err(|error| of_expression(&error))?)?;
                    let names = [Some(item), index.as_ref()];
                    return self.for_each(frame, items, names, steps, id, place).await;
                }
                StepKind::Repeat { max, end, index, steps } => {
                    let max = rounds(max, frame)?;
                    let (end, index) = (end.as_ref(), index.as_ref());
                    return self.repeat(frame, max, end, index, steps, id, place).await;
                }
                StepKind::Run { target, arguments } => {
                    let answer =
                        self.run(frame, target, arguments, failed(frame, step, id, target, Instant::now()), id).await?;
                    self.give(frame, step, answer);
                }
                StepKind::Set(values) => {
                    for (name, argument) in values {
                        let value = argument.value(&frame.scope).map_err(|error| of_expression(&error))?;
                        frame.give(name, &value);
                    }
                }
                StepKind::Return(None) => {
                    let shortcut = frame.shortcut();
                    if shortcut.outputs.is_empty() {
                        return Ok(Flow::Return(None));
                    }
                    if shortcut.outputs_use_page() {
                        self.set_page(frame).await;
                    }
                    return Ok(Flow::Return(Some(shortcut.outputs(&frame.scope).map_err(of_output)?)));
                }
                StepKind::Return(Some(values)) => {
                    let outputs = frame.shortcut().returned(values, &frame.scope).map_err(of_output)?;
                    return Ok(Flow::Return(Some(outputs)));
                }
                StepKind::Fail { code, message, hint } => {
                    let message = words(message, &frame.scope)?;
                    let hint = hint.as_ref().map(|hint| words(hint, &frame.scope)).transpose()?;
                    let code = code.clone();
                    return Err(Box::new(Failure { message, code, hint, is_authored: true, ..Failure::default() }));
                }
            }
            Ok(Flow::Next)
        })
    }

    fn for_each<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        items: Vec<Value>,
        names: [Option<&'s String>; 2],
        steps: &'s [Step],
        id: &'s Id,
        place: &'s Place,
    ) -> Nested<'s, Result<Flow, Box<Failure>>> {
        Box::pin(async move {
            let [item, index] = names;
            for (round, value) in items.into_iter().enumerate() {
                item.into_iter().for_each(|name| frame.give(name, &value));
                index.into_iter().for_each(|name| frame.give(name, &Value::from(round)));
                if let Flow::Return(outputs) = self.list(frame, steps, place.inside(id, Some(round))).await? {
                    return Ok(Flow::Return(outputs));
                }
            }
            names.into_iter().flatten().for_each(|name| frame.forget(name));
            Ok(Flow::Next)
        })
    }

    #[expect(clippy::too_many_arguments, reason = "they are the parts of one step")]
    fn repeat<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        max: usize,
        end: Option<&'s End>,
        index: Option<&'s String>,
        steps: &'s [Step],
        id: &'s Id,
        place: &'s Place,
    ) -> Nested<'s, Result<Flow, Box<Failure>>> {
        Box::pin(async move {
            let mut ended = end.is_none();
            for round in 0..=max {
                index.into_iter().for_each(|name| frame.give(name, &Value::from(round)));
                if let Some(End::While(condition)) = end {
                    ended = !self.holds(frame, condition).await?;
                }
                if round == max || ended && end.is_some() {
                    break;
                }
                if let Flow::Return(outputs) = self.list(frame, steps, place.inside(id, Some(round))).await? {
                    return Ok(Flow::Return(outputs));
                }
                if let Some(End::Until(condition)) = end {
                    ended = self.holds(frame, condition).await?;
                    if ended {
                        break;
                    }
                }
            }
            index.into_iter().for_each(|name| frame.forget(name));
            if ended {
                return Ok(Flow::Next);
            }
            let message = match end {
                Some(End::While(_)) => format!("its `while` still holds after {max} rounds"),
                _ => format!("its `until` still does not hold after {max} rounds"),
            };
            let hint = "raise `max`, or correct the condition; `optional: true` makes it a warning";
            let mut failure = Failure::new(&message, Some(hint.to_owned()));
            failure.is_passing = true;
            Err(failure)
        })
    }

    /// Performs another action; answers its outputs or, where it has none, what its last step answered.
    fn run<'s>(
        &'s mut self,
        frame: &'s mut Frame<'_>,
        target: &'s str,
        arguments: &'s [(String, Argument)],
        step: FailedStep,
        id: &'s Id,
    ) -> Nested<'s, Result<Value, Box<Failure>>> {
        Box::pin(async move {
            let Some(part) = frame.action.part(target) else {
                return Err(Failure::new(&format!("there is no action `{target}`"), None));
            };
            let mut given = Map::new();
            for (name, argument) in arguments {
                given.insert(name.clone(), argument.value(&frame.scope).map_err(|error| of_expression(&error))?);
            }
            let given =
                part.arguments(given).map_err(|errors| Failure::new(&errors.to_string(), Some(errors.hint())))?;
            let mut inner = Frame::new(part, &given, frame.clock.within(part.timeout));
            match self.action(&mut inner, Place::of_action(id)).await {
                Ok(Some(outputs)) => Ok(Value::Object(outputs)),
                Ok(None) => Ok(match inner.last {
                    Last::Nothing => Value::Null,
                    Last::Value(value) => value,
                    Last::Summary(summary) => Value::Object(summary),
                }),
                Err(failure) => {
                    if !inner.captured.is_empty() {
                        frame.captured.insert(part.name.clone(), Value::Object(inner.captured));
                    }
                    Err(failure.through(step, &part.name))
                }
            }
        })
    }

    /// A step that did not do what it should answers nothing.
    fn give_nothing(&mut self, frame: &mut Frame<'_>, step: &Step) {
        for name in step.modifiers.names() {
            frame.give(name, &Value::Null);
        }
        frame.last = Last::Value(Value::Null);
    }

    /// What a step answered, under its name.
    fn give(&mut self, frame: &mut Frame<'_>, step: &Step, value: Value) {
        if let Some(name) = &step.modifiers.capture {
            frame.give(name, &value);
        }
        frame.last = Last::Value(value);
    }
}

/// A step that failed, as failures name it.
fn failed(frame: &Frame<'_>, step: &Step, id: &Id, text: &str, began: Instant) -> FailedStep {
    FailedStep {
        id: id.own.clone(),
        word: step.word().to_owned(),
        text: text.to_owned(),
        label: step.modifiers.label.clone(),
        action: frame.action.name.clone(),
        place: Some((frame.action.source.shown().display().to_string(), step.position.line)),
        elapsed: began.elapsed(),
    }
}

fn list_of(value: Value) -> Result<Vec<Value>, Box<Failure>> {
    let found = match value {
        Value::Array(items) if items.len() as u64 <= MOST_ROUNDS => return Ok(items),
        Value::Array(items) => {
            let message = format!("`in` has {} items, more than {MOST_ROUNDS}", items.len());
            return Err(Failure::new(&message, Some("go through a part of them at a time".to_owned())));
        }
        Value::Null => "null".to_owned(),
        Value::Object(_) => "a map".to_owned(),
        Value::String(_) => "a text".to_owned(),
        other => other.to_string(),
    };
    let hint = "give it a list; `${{ name or [] }}` is an empty one where there is none";
    Err(Failure::new(&format!("`in` is not a list, but {found}"), Some(hint.to_owned())))
}

fn rounds(max: &Argument, frame: &Frame<'_>) -> Result<usize, Box<Failure>> {
    let value = max.value(&frame.scope).map_err(|error| of_expression(&error))?;
    match value.as_u64().filter(|max| (1..=MOST_ROUNDS).contains(max)) {
        Some(max) => Ok(max as usize),
        None => Err(Failure::new(&format!("`max` is not a whole number from 1 to {MOST_ROUNDS}: {value}"), None)),
    }
}
