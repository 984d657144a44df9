//! The one retry loop: try, remember what was in the way, wait a moment, try again until the deadline.
//!
//! Expected states of a page (no such element yet, covered, moving) are obstacles, not errors; they become an error
//! only when the deadline passes, and then the error tells the whole story with repeats folded.

use std::fmt;
use std::time::{Duration, Instant};

use super::deadline::Deadline;
use super::error::Error;
use crate::selector::Selector;

/// What was in the way of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Obstacle {
    /// No element matches. `why`: what is missing of the way to it.
    Absent { why: Option<String> },
    /// The element is there and not in the state the action needs.
    Missing { state: String, detail: Option<String>, element: Option<String> },
    /// The document was being replaced.
    Navigating,
    /// A state that was waited for has not come: what was seen instead.
    Waiting { seen: String },
    /// What was expected is not so: what was seen instead.
    Unexpected { seen: String },
}

/// An operation whose time ran out, with its story.
#[derive(Debug)]
pub struct Unmet {
    action: &'static str,
    selector: String,
    limit: Duration,
    trail: Vec<(Obstacle, u32)>,
    /// What came closest, where nothing matched: a selector and why it isn't a match.
    pub(super) near: Vec<String>,
    /// The element that it is about.
    about: Option<Selector>,
    end: End,
}

/// Why there was no further attempt.
#[derive(Debug, PartialEq, Eq)]
enum End {
    TimeIsUp,
    /// The last attempt got no answer: the page is busy.
    Hung,
    /// Waiting can't mend what is in the way.
    Refused,
}

/// One operation's attempts.
pub(super) struct Trial<'a> {
    action: &'static str,
    selector: String,
    about: Option<&'a Selector>,
    deadline: &'a Deadline,
    trail: Vec<(Obstacle, u32)>,
    attempts: u32,
}

/// A page that takes longer for one answer is busy with something else.
const HUNG: Duration = Duration::from_secs(1);

/// Different obstacles remembered of one operation.
const MAX_TRAIL: usize = 12;

impl<'a> Trial<'a> {
    pub(super) fn new(action: &'static str, selector: &'a Selector, deadline: &'a Deadline) -> Trial<'a> {
        Trial::of(action, selector.to_string(), deadline).about(Some(selector))
    }

    /// For an operation on the page as a whole; `subject` stands where a selector would.
    pub(super) fn of(action: &'static str, subject: String, deadline: &'a Deadline) -> Trial<'a> {
        Trial { action, selector: subject, about: None, deadline, trail: Vec::new(), attempts: 0 }
    }

    /// Names the element that it is about.
    pub(super) fn about(self, about: Option<&'a Selector>) -> Trial<'a> {
        Trial { about, ..self }
    }

    /// Makes one attempt. `Some` when it succeeded; `None` when something was in the way and, after a pause, there is
    /// time for another.
    ///
    /// # Errors
    /// What no further attempt can mend, or [`Error::Unmet`] when the time is up.
    pub(super) async fn attempt<T>(
        &mut self,
        attempt: impl Future<Output = Result<T, Error>>,
    ) -> Result<Option<T>, Error> {
        let began = Instant::now();
        let obstacle = match self.deadline.race(attempt).await {
            Ok(Ok(value)) => return Ok(Some(value)),
            Ok(Err(Error::Blocked(obstacle))) => obstacle,
            Ok(Err(Error::Refused(obstacle))) => {
                self.remember(obstacle);
                return Err(self.unmet(End::Refused));
            }
            Ok(Err(error)) if error.is_transient() => Obstacle::Navigating,
            Ok(Err(error)) => return Err(error),
            // Cut off in the middle of a look, or left without an answer.
            Err(Error::Timeout { .. }) if began.elapsed() > HUNG => return Err(self.unmet(End::Hung)),
            Err(Error::Timeout { .. }) => return Err(self.unmet(End::TimeIsUp)),
            Err(error) => return Err(error),
        };
        self.remember(obstacle);
        self.attempts += 1;
        match self.deadline.pause(self.delay()).await {
            Ok(()) => Ok(None),
            Err(Error::Timeout { .. }) => Err(self.unmet(End::TimeIsUp)),
            Err(error) => Err(error),
        }
    }

    /// Short at first, when a page usually is about to get there: a look costs half a millisecond.
    fn delay(&self) -> Duration {
        Duration::from_millis(match self.attempts {
            0..=3 => 5,
            4..=40 => 15,
            41..=80 => 50,
            _ => 100,
        })
    }

    fn remember(&mut self, obstacle: Obstacle) {
        match self.trail.last_mut() {
            Some((last, times)) if *last == obstacle => *times += 1,
            _ => {
                if self.trail.len() == MAX_TRAIL {
                    self.trail.remove(1);
                }
                self.trail.push((obstacle, 1));
            }
        }
    }

    fn unmet(&mut self, end: End) -> Error {
        Error::Unmet(Box::new(Unmet {
            action: self.action,
            selector: std::mem::take(&mut self.selector),
            limit: self.deadline.limit(),
            trail: std::mem::take(&mut self.trail),
            near: Vec::new(),
            about: self.about.cloned(),
            end,
        }))
    }
}

impl Unmet {
    /// The element that it is about, if it is about one.
    pub(super) fn about(&self) -> Option<&Selector> {
        self.about.as_ref()
    }

    /// Nothing matched at the last look.
    pub(super) fn is_absent(&self) -> bool {
        matches!(self.trail.last(), Some((Obstacle::Absent { .. }, _)))
    }

    /// The selector is bare text that is an HTML element's name: most likely meant as CSS.
    fn is_tag(&self) -> bool {
        const TAGS: &str = " a article aside body button div footer form h1 h2 h3 h4 h5 h6 header iframe img input label li main nav ol option p section select span table tbody td textarea th tr ul ";
        self.selector.strip_prefix("text:").is_some_and(|tag| !tag.is_empty() && TAGS.contains(&format!(" {tag} ")))
    }

    pub(super) fn hint(&self) -> Option<String> {
        let Some((obstacle, _)) = self.trail.last() else {
            return Some(
                "the page does not answer: a script in it may be busy; `reload`, or `navigate` elsewhere".to_owned(),
            );
        };
        let hint = match obstacle {
            Obstacle::Absent { .. } if self.is_tag() => {
                format!(
                    "this is looked for as text; write `css:{}` for the element",
                    self.selector.trim_start_matches("text:")
                )
            }
            Obstacle::Absent { .. } => {
                "look at the page with `snapshot` and use a name, label or test id that it shows".to_owned()
            }
            Obstacle::Missing { state, detail, .. } => match state.as_str() {
                "hit" => match detail {
                    Some(detail) if detail.starts_with("covered by") => {
                        "close or wait for what covers it, or use `force: true`".to_owned()
                    }
                    Some(detail) if detail.contains("did not arrive") => {
                        "the page may have moved it away from the pointer; if nothing can be clicked any more, a prompt of the browser holds the input: `close_browser`, then start again".to_owned()
                    }
                    _ => return None,
                },
                "visible" => "wait for what shows it, or choose the visible one with `>> visible`".to_owned(),
                "enabled" => "wait for what enables it, or use `optional: true`".to_owned(),
                "stable" => "wait until its animation ends, or use `force: true`".to_owned(),
                "option" => "use one of the options that exist, by value or by label".to_owned(),
                _ => return None,
            },
            Obstacle::Navigating => {
                "wait for the page with `wait_for_selector`, or give the step a longer `timeout`".to_owned()
            }
            Obstacle::Unexpected { .. } if self.end == End::Refused => return None,
            Obstacle::Waiting { .. } | Obstacle::Unexpected { .. } => {
                "give the step a longer `timeout`, or check what the page shows with `snapshot`".to_owned()
            }
        };
        Some(hint)
    }
}

impl Unmet {
    /// An expectation's story: what was expected, what was seen last, and what before.
    fn unexpected(&self, formatter: &mut fmt::Formatter<'_>, seen: &str) -> fmt::Result {
        if self.end == End::Refused {
            return write!(formatter, "expected {}, but it is {seen}", self.selector);
        }
        let looks: u32 = self.trail.iter().map(|(_, times)| times).sum();
        let limit = humantime::format_duration(self.limit);
        write!(formatter, "expected {}, last seen {seen} (looked {looks} times in {limit})", self.selector)?;
        if self.end == End::Hung {
            formatter.write_str("\n  then the page gave no answer")?;
        }
        for (obstacle, times) in self.trail.iter().filter(|_| self.trail.len() > 1) {
            write!(formatter, "\n  {times} × {obstacle}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Unmet {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let selector = &self.selector;
        match self.trail.last().map(|(obstacle, _)| obstacle) {
            None => write!(formatter, "the page did not answer while `{selector}` was looked for")?,
            Some(Obstacle::Absent { why }) => {
                write!(formatter, "no element matches `{selector}`{}", because(why.as_deref()))?;
            }
            Some(Obstacle::Missing { state, detail, .. }) => {
                write!(formatter, "`{selector}` {}", Missing { state, detail: detail.as_deref() })?
            }
            Some(Obstacle::Navigating) => write!(formatter, "the page kept loading while `{selector}` was looked for")?,
            Some(Obstacle::Waiting { seen }) => write!(formatter, "{selector} did not come: {seen}")?,
            Some(Obstacle::Unexpected { seen }) => return self.unexpected(formatter, seen),
        }
        if let Some((Obstacle::Missing { element: Some(element), .. }, _)) = self.trail.last() {
            write!(formatter, "\n  found {element}")?;
        }
        if self.end == End::Refused {
            return Ok(());
        }
        write!(formatter, "\n  {}: waited {}", self.action, humantime::format_duration(self.limit))?;
        for (obstacle, times) in &self.trail {
            write!(formatter, "\n  {times} × {obstacle}")?;
        }
        if self.end == End::Hung {
            formatter.write_str("\n  then the page gave no answer")?;
        }
        for near in &self.near {
            write!(formatter, "\n  near miss: {near}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Obstacle::Absent { why: Some(why) } => formatter.write_str(why),
            Obstacle::Absent { why: None } => formatter.write_str("no match"),
            Obstacle::Missing { state, detail, .. } => Missing { state, detail: detail.as_deref() }.fmt(formatter),
            Obstacle::Navigating => formatter.write_str("the document was being replaced"),
            Obstacle::Waiting { seen } | Obstacle::Unexpected { seen } => formatter.write_str(seen),
        }
    }
}

fn because(why: Option<&str>) -> String {
    why.map(|why| format!(": {why}")).unwrap_or_default()
}

struct Missing<'a> {
    state: &'a str,
    detail: Option<&'a str>,
}

impl fmt::Display for Missing<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = match self.state {
            "hit" => "does not receive the click",
            "in view" => "can't be scrolled into view",
            "option" => "has no such option",
            "value" => "did not take the value",
            "checkable" => "is not a checkbox, radio button or switch",
            "file input" => "is not a file input",
            "select" => "is not a select element",
            state => {
                return write!(formatter, "is not {state}{}", because(self.detail));
            }
        };
        write!(formatter, "{words}{}", because(self.detail))
    }
}
