//! What a run would do, told without a browser: every step with what is known filled in, the actions it performs laid
//! open, branches and rounds taken where they are certain. What only the page can tell is shown as it is written.

use serde_json::{Map, Value};

use super::place::{Id, Place};
use crate::action::{Action, Argument, Body, Condition, End, ExpressionError, Foresight, Step, StepKind};
use crate::command;

/// Lines of one plan.
const MOST_LINES: usize = 1000;
/// Rounds of a loop that are laid open.
const MOST_ROUNDS: usize = 10;

/// A step that would be performed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Planned {
    /// Its number as [`Progress::id`](super::Progress::id) has it.
    pub id: String,
    /// How many steps are around it.
    pub depth: usize,
    /// What it does, secrets masked.
    pub text: String,
    /// What is to be known of it.
    pub notes: Vec<String>,
}

/// How certain it is that a list of steps ends the action.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ends {
    No,
    Maybe,
    Surely,
}

/// The steps that a run with these arguments would perform, in their order.
pub fn plan(action: &Action, arguments: &Map<String, Value>) -> Vec<Planned> {
    let mut planner = Planner { lines: Vec::new(), depth: 0 };
    planner.action(action, Foresight::new(arguments, &[]), &Place::default());
    if planner.lines.len() >= MOST_LINES {
        let notes = vec![format!("more than {MOST_LINES} steps: the others are left out")];
        planner.lines.push(Planned { id: String::new(), depth: 0, text: "…".to_owned(), notes });
    }
    planner.lines
}

struct Planner {
    lines: Vec<Planned>,
    depth: usize,
}

impl Planner {
    fn action(&mut self, action: &Action, mut names: Foresight, place: &Place) {
        let Body::Shortcut(shortcut) = &action.body;
        for name in shortcut.names() {
            names.set(name, &Value::Null);
        }
        self.list(action, &shortcut.needs, &mut names, &place.named("needs"));
        self.list(action, &shortcut.steps, &mut names, place);
        // It is performed however the steps end, so nothing they give is certain.
        shortcut.names().chain(["error"]).for_each(|name| names.forget(name));
        self.list(action, &shortcut.finally, &mut names, &place.named("finally"));
    }

    fn list(&mut self, action: &Action, steps: &[Step], names: &mut Foresight, place: &Place) -> Ends {
        let mut ends = Ends::No;
        for step in steps {
            if self.lines.len() >= MOST_LINES {
                return ends;
            }
            ends = ends.max(self.step(action, step, names, &place.id(step.number), place));
            if ends == Ends::Surely {
                break;
            }
        }
        ends
    }

    /// Tells a step; answers whether it ends the action.
    fn step(&mut self, action: &Action, step: &Step, names: &mut Foresight, id: &Id, place: &Place) -> Ends {
        let modifiers = &step.modifiers;
        let mut notes = Vec::new();
        let mut is_certain = true;
        let conditions = [(&modifiers.when, true, "if"), (&modifiers.unless, false, "unless")];
        for (condition, wanted, word) in
            conditions.iter().filter_map(|(c, wanted, word)| Some((c.as_ref()?, *wanted, word)))
        {
            match names.holds(condition) {
                Some(holds) if holds == wanted => {}
                Some(_) => {
                    let is = if wanted { "does not hold" } else { "holds" };
                    self.tell(id, described(step, names), vec![format!("skipped: {} {is}", words(condition, names))]);
                    modifiers.capture.iter().for_each(|name| names.set(name, &Value::Null));
                    return Ends::No;
                }
                None => {
                    is_certain = false;
                    notes.push(format!("{word} {}", words(condition, names)));
                }
            }
        }
        notes.extend(modifiers.optional.then(|| "optional".to_owned()));
        notes.extend(modifiers.retry.map(|retry| format!("up to {} attempts", retry.attempts)));
        notes.extend(modifiers.timeout.map(|limit| format!("at most {}", humantime::format_duration(limit))));
        notes.extend(modifiers.capture.as_ref().map(|name| format!("gives `{name}`")));
        let before = names.clone();
        let ends = self.content(action, step, names, id, place, notes);
        if let Some(name) = &modifiers.capture {
            names.forget(name);
        }
        if is_certain && !modifiers.optional {
            return ends;
        }
        // It may not have happened.
        *names = before;
        step.names().into_iter().for_each(|name| names.forget(name));
        ends.min(Ends::Maybe)
    }

    /// Tells what a step does, and the steps inside it.
    fn content(
        &mut self,
        action: &Action,
        step: &Step,
        names: &mut Foresight,
        id: &Id,
        place: &Place,
        mut notes: Vec<String>,
    ) -> Ends {
        if let StepKind::Repeat { index, .. } = &step.kind {
            // What its condition reads is what any round left.
            index.iter().map(String::as_str).chain(step.names()).for_each(|name| names.forget(name));
        }
        let text = described(step, names);
        match &step.kind {
            StepKind::If { condition, then, otherwise } => {
                let known = names.holds(condition);
                notes.extend(known.map(|holds| if holds { "it holds" } else { "it does not hold" }.to_owned()));
                self.tell(id, text, notes);
                let place = place.inside(id, None);
                self.depth += 1;
                let ends = match known {
                    Some(true) => self.list(action, then, names, &place),
                    Some(false) => self.list(action, otherwise, names, &place),
                    None => {
                        let first = self.list(action, then, &mut names.clone(), &place);
                        if !otherwise.is_empty() {
                            self.tell_alone("else");
                        }
                        let second = self.list(action, otherwise, &mut names.clone(), &place);
                        step.names().into_iter().for_each(|name| names.forget(name));
                        if first == second { first } else { Ends::Maybe }
                    }
                };
                self.depth -= 1;
                ends
            }
            StepKind::Group(steps) => {
                self.tell(id, text, notes);
                self.inside(action, steps, names, &place.inside(id, None))
            }
            StepKind::ForEach { items, item, index, steps } => {
                let Some(Value::Array(items)) = names.value(items) else {
                    notes.push("its rounds are known when it runs".to_owned());
                    self.tell(id, text, notes);
                    return self.any_round(
                        action,
                        step,
                        steps,
                        names,
                        &[Some(item), index.as_ref()],
                        &place.inside(id, None),
                    );
                };
                let shown = items.len().min(MOST_ROUNDS);
                notes.push(format!("{} rounds", items.len()));
                self.tell(id, text, notes);
                let mut ends = Ends::No;
                for (round, value) in items.iter().enumerate().take(shown) {
                    names.set(item, value);
                    index.iter().for_each(|name| names.set(name, &Value::from(round)));
                    ends = ends.max(self.inside(action, steps, names, &place.inside(id, Some(round))));
                    if ends == Ends::Surely {
                        return ends;
                    }
                }
                if shown < items.len() {
                    self.tell_alone(&format!("… {} more rounds", items.len() - shown));
                    step.names().into_iter().for_each(|name| names.forget(name));
                }
                ends
            }
            StepKind::Repeat { index, steps, .. } => {
                self.tell(id, text, notes);
                self.any_round(action, step, steps, names, &[index.as_ref()], &place.inside(id, None))
            }
            StepKind::Run { target, arguments } => {
                let Some(part) = action.part(target) else {
                    self.tell(id, text, notes);
                    return Ends::No;
                };
                let (mut known, mut unknown) = (Map::new(), Vec::new());
                for (name, argument) in arguments {
                    match names.value(argument) {
                        Some(value) => drop(known.insert(name.clone(), value)),
                        None => unknown.push(name.clone()),
                    }
                }
                let inputs = match unknown.is_empty() {
                    true => part.arguments(known).map_err(|errors| errors.to_string()),
                    false => Ok(part.with_defaults(known)),
                };
                let problem = inputs.as_ref().err().map(|error| format!("fails: {error}"));
                notes.extend(problem);
                self.tell(id, text, notes);
                self.depth += 1;
                self.action(part, Foresight::new(&inputs.unwrap_or_default(), &unknown), &Place::of_action(id));
                self.depth -= 1;
                Ends::No
            }
            StepKind::Set(values) => {
                self.tell(id, text, notes);
                for (name, argument) in values {
                    match names.value(argument) {
                        Some(value) => names.set(name, &value),
                        None => names.forget(name),
                    }
                }
                Ends::No
            }
            StepKind::Return(_) | StepKind::Fail { .. } => {
                let goes_on = step.modifiers.optional && matches!(step.kind, StepKind::Fail { .. });
                notes.extend((!goes_on).then(|| "ends the action".to_owned()));
                self.tell(id, text, notes);
                if goes_on { Ends::No } else { Ends::Surely }
            }
            StepKind::Command { .. } | StepKind::Perform(_) => {
                self.tell(id, text, notes);
                Ends::No
            }
        }
    }

    fn inside(&mut self, action: &Action, steps: &[Step], names: &mut Foresight, place: &Place) -> Ends {
        self.depth += 1;
        let ends = self.list(action, steps, names, place);
        self.depth -= 1;
        ends
    }

    /// The steps of a loop once, as they are in any of its rounds.
    fn any_round(
        &mut self,
        action: &Action,
        step: &Step,
        steps: &[Step],
        names: &mut Foresight,
        own: &[Option<&String>],
        place: &Place,
    ) -> Ends {
        own.iter().flatten().for_each(|name| names.forget(name));
        step.names().into_iter().for_each(|name| names.forget(name));
        let ends = self.inside(action, steps, names, place).min(Ends::Maybe);
        step.names().into_iter().for_each(|name| names.forget(name));
        ends
    }

    fn tell(&mut self, id: &Id, text: String, notes: Vec<String>) {
        self.lines.push(Planned { id: id.all.clone(), depth: self.depth, text, notes });
    }

    /// A line that is no step.
    fn tell_alone(&mut self, text: &str) {
        self.lines.push(Planned { id: String::new(), depth: self.depth, text: text.to_owned(), notes: Vec::new() });
    }
}

/// What a step does, with what is known filled in.
pub(super) fn described(step: &Step, names: &Foresight) -> String {
    let text = match &step.kind {
        StepKind::Command { command, arguments } => {
            let main = arguments.iter().find(|(name, _)| command.main == Some(name));
            let shown = main.map(|(_, argument)| shown(argument, names));
            let own = main.and_then(|(_, argument)| command.words(&tree(argument, names).ok()?));
            let mut text = match (own, shown) {
                (Some(own), _) => own,
                (None, Some(shown)) => format!("{} {shown}", command.name),
                (None, None) => command.name.to_owned(),
            };
            let others = arguments.iter().filter(|(name, _)| command.main != Some(name));
            others.for_each(|(name, argument)| text.push_str(&format!(", {name}: {}", self::shown(argument, names))));
            text
        }
        StepKind::Perform(list) => format!("perform {}", shown(list, names)),
        StepKind::If { condition, .. } => format!("if {}", words(condition, names)),
        StepKind::ForEach { items, item, .. } => format!("for_each {item} in {}", shown(items, names)),
        StepKind::Repeat { max, end, .. } => {
            let end = end.as_ref().map(|end| match end {
                End::While(condition) => format!(" while {}", words(condition, names)),
                End::Until(condition) => format!(" until {}", words(condition, names)),
            });
            format!("repeat{}, {} rounds at most", end.unwrap_or_default(), shown(max, names))
        }
        StepKind::Group(_) => "group".to_owned(),
        StepKind::Run { target, arguments } => with(&format!("run {target}"), " with ", arguments, names),
        StepKind::Set(values) => with("set", " ", values, names),
        StepKind::Return(values) => with("return", " ", values.as_deref().unwrap_or_default(), names),
        StepKind::Fail { code, message, .. } => {
            let code = code.as_ref().map(|code| format!("{code}: ")).unwrap_or_default();
            format!("fail {code}{}", shown(message, names))
        }
    };
    match &step.modifiers.label {
        Some(label) => format!("{text} ({label})"),
        None => text,
    }
}

fn with(words: &str, before: &str, values: &[(String, Argument)], names: &Foresight) -> String {
    let pairs: Vec<String> =
        values.iter().map(|(name, argument)| format!("{name}: {}", shown(argument, names))).collect();
    if pairs.is_empty() { words.to_owned() } else { format!("{words}{before}{}", pairs.join(", ")) }
}

fn tree(argument: &Argument, names: &Foresight) -> Result<Value, ExpressionError> {
    Ok(names.tree(argument)?.to_masked_json())
}

/// An argument for people: text as it is, anything else as JSON.
fn shown(argument: &Argument, names: &Foresight) -> String {
    match tree(argument, names) {
        Ok(Value::String(text)) if !text.is_empty() && !text.contains('\n') => text,
        Ok(value) => value.to_string(),
        Err(error) => format!("({error})"),
    }
}

fn words(condition: &Condition, names: &Foresight) -> String {
    match condition {
        Condition::Expression(expression) => format!("`{}`", expression.source()),
        Condition::States(states) => {
            let expect = command::find("expect");
            let said = tree(states, names).ok().and_then(|states| expect?.words(&states));
            let said = said.as_ref().and_then(|said| said.strip_prefix("expect "));
            said.map_or_else(|| shown(states, names), str::to_owned)
        }
    }
}
