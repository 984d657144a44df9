//! Conditions on the page: states of elements, texts, counts, the address and the title, alone or combined. All that one
//! document can tell is asked in one round trip, and the answers are from the same moment.
//!
//! A look answers now; [`Page::expect`] looks until the condition holds, in the one retry loop.

use std::fmt;

use serde_json::{Value, json};

use super::retry::{Obstacle, Trial};
use super::{Deadline, ElementState, Error, Page, Reading};
use crate::selector::{MatchKind, Part, Selector, TextMatch};

/// What can be so or not so on a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Condition {
    /// An element is in a state. Any visible match makes `visible` true, and `hidden` is its opposite; all other states
    /// are those of the one element that matches.
    State {
        /// The element.
        selector: Selector,
        /// The state.
        state: ElementState,
    },
    /// What is read of the one element that matches passes a test; without tests it is enough that it is there.
    Read {
        /// The element.
        selector: Selector,
        /// What is read.
        reading: Reading,
        /// What it is compared with; all must pass.
        tests: Vec<TextTest>,
    },
    /// So many elements match.
    Count {
        /// The elements.
        selector: Selector,
        /// At least this many.
        least: u64,
        /// At most this many.
        most: Option<u64>,
    },
    /// The page's address passes the tests.
    Url(Vec<TextTest>),
    /// The page's title passes the tests.
    Title(Vec<TextTest>),
    /// What was known before: the value of an expression, with its text.
    Known {
        /// The expression.
        words: String,
        /// Its value.
        holds: bool,
    },
    /// The condition does not hold.
    Not(Box<Condition>),
    /// At least one holds.
    Any(Vec<Condition>),
    /// Each holds.
    All(Vec<Condition>),
}

/// A comparison of text; white space is folded.
#[derive(Clone, Debug, PartialEq)]
pub enum TextTest {
    /// The whole text, case included.
    Equals(String),
    /// A part of it, case included.
    Contains(String),
    /// One of the three forms of a plain text.
    Matches(TextMatch),
}

/// What a look saw of one part of a condition.
struct Seen {
    holds: bool,
    words: String,
}

impl Page<'_> {
    /// Whether a condition holds now.
    ///
    /// # Errors
    /// What keeps the page from being read, or [`Error::Ambiguous`].
    pub async fn holds(&self, condition: &Condition, deadline: &Deadline) -> Result<bool, Error> {
        let mut trial = Trial::of("look", condition.to_string(), deadline);
        loop {
            if let Some(seen) = trial.attempt(self.look(condition)).await? {
                return Ok(condition.fold(&mut seen.iter()));
            }
        }
    }

    /// Looks until a condition holds.
    ///
    /// # Errors
    /// [`Error::Unmet`] with what was seen last.
    pub async fn expect(&self, condition: &Condition, deadline: &Deadline) -> Result<(), Error> {
        let about = condition.leaves().into_iter().find_map(Condition::selector);
        let mut trial = Trial::of("expect", condition.to_string(), deadline).about(about);
        loop {
            let attempt = async {
                let seen = self.look(condition).await?;
                if condition.fold(&mut seen.iter()) {
                    return Ok(());
                }
                let obstacle = Obstacle::Unexpected { seen: condition.seen(&seen) };
                // No page can change what is known.
                let is_final = condition.leaves().iter().all(|leaf| matches!(leaf, Condition::Known { .. }));
                Err(if is_final { Error::Refused(obstacle) } else { Error::Blocked(obstacle) })
            };
            if trial.attempt(attempt).await?.is_some() {
                return Ok(());
            }
        }
    }

    /// What is seen of every leaf, in their order: one question to each document.
    async fn look(&self, condition: &Condition) -> Result<Vec<Seen>, Error> {
        let leaves = condition.leaves();
        let mut seen = Vec::with_capacity(leaves.len());
        let mut documents: Vec<(Vec<Selector>, Vec<usize>)> = Vec::new();
        for (index, leaf) in leaves.iter().enumerate() {
            seen.push(match leaf {
                Condition::Known { holds, .. } => Some(Seen { holds: *holds, words: holds.to_string() }),
                Condition::Url(tests) => Some(text(tests, &Value::from(self.url()?))),
                _ => None,
            });
            let (frames, rest) = leaf.selector().map(Selector::split_frames).unzip();
            let frames = frames.unwrap_or_default();
            // A reference may lead into an iframe without saying so.
            let is_reference = rest.is_some_and(|rest| matches!(rest.parts(), [Part::Ref(_), ..]));
            match documents.iter_mut().find(|(path, _)| *path == frames && !is_reference) {
                _ if seen[index].is_some() => {}
                Some((_, questions)) => questions.push(index),
                None => documents.push((frames, vec![index])),
            }
        }
        for (_, questions) in documents {
            let selector = questions.first().and_then(|index| leaves[*index].selector());
            let place = match selector {
                Some(selector) => self.place(selector).await,
                None => self.document(&[]).await,
            };
            match place {
                Ok(place) => {
                    let asked = questions.iter().map(|index| self.question(leaves[*index])).collect();
                    let answers = self.questions(&place, asked).await?;
                    for (index, answer) in questions.into_iter().zip(answers) {
                        seen[index] = Some(leaves[index].judge(answer)?);
                    }
                }
                // An element in an iframe that is not there is not there either.
                Err(
                    Error::Blocked(Obstacle::Absent { .. } | Obstacle::Missing { .. }) | Error::StaleReference { .. },
                ) => {
                    for index in questions {
                        seen[index] = Some(leaves[index].absent());
                    }
                }
                Err(error) => return Err(error),
            }
        }
        Ok(seen.into_iter().flatten().collect())
    }

    /// The question about a leaf, as the bundle takes it.
    fn question(&self, leaf: &Condition) -> Value {
        let mut question = match leaf {
            Condition::State { state, .. } => json!({ "what": "state", "state": state.name() }),
            Condition::Count { .. } => json!({ "what": "count" }),
            Condition::Read { reading: Reading::Text, .. } => json!({ "what": "text" }),
            Condition::Read { reading: Reading::Value, .. } => json!({ "what": "value" }),
            Condition::Read { reading: Reading::Attribute(name), .. } => json!({ "what": "attribute", "name": name }),
            _ => json!({ "what": "title" }),
        };
        if let Some(selector) = leaf.selector() {
            question["selector"] = selector.split_frames().1.to_page(&self.options.test_id_attribute);
        }
        question
    }
}

impl Condition {
    /// The parts that are no combination, in order.
    fn leaves(&self) -> Vec<&Condition> {
        match self {
            Condition::Not(inner) => inner.leaves(),
            Condition::Any(members) | Condition::All(members) => members.iter().flat_map(Condition::leaves).collect(),
            leaf => vec![leaf],
        }
    }

    fn selector(&self) -> Option<&Selector> {
        match self {
            Condition::State { selector, .. }
            | Condition::Read { selector, .. }
            | Condition::Count { selector, .. } => Some(selector),
            _ => None,
        }
    }

    /// Whether it holds, from what was seen of its leaves.
    fn fold<'s>(&self, seen: &mut impl Iterator<Item = &'s Seen>) -> bool {
        match self {
            Condition::Not(inner) => !inner.fold(seen),
            // Every member takes what belongs to it, also once the answer is known.
            Condition::Any(members) => members.iter().filter(|member| member.fold(seen)).count() > 0,
            Condition::All(members) => members.iter().filter(|member| !member.fold(seen)).count() == 0,
            _ => seen.next().is_some_and(|seen| seen.holds),
        }
    }

    /// What was seen, in words: of the one leaf, or of each that does not hold and of those that should not.
    fn seen(&self, seen: &[Seen]) -> String {
        if let ([only], false) = (seen, matches!(self, Condition::Not(_))) {
            return only.words.clone();
        }
        let leaves = self.leaves();
        let told = leaves.iter().zip(seen).filter(|(_, seen)| !seen.holds || leaves.len() == 1 || self.has_not());
        let words: Vec<String> = told.map(|(leaf, seen)| format!("{}: {}", leaf.subject(), seen.words)).collect();
        words.join("; ")
    }

    fn has_not(&self) -> bool {
        match self {
            Condition::Not(_) => true,
            Condition::Any(members) | Condition::All(members) => members.iter().any(Condition::has_not),
            _ => false,
        }
    }

    /// What is seen where nothing matches.
    fn absent(&self) -> Seen {
        let holds = match self {
            Condition::State { state, .. } => matches!(state, ElementState::Hidden | ElementState::Detached),
            Condition::Count { least, .. } => *least == 0,
            _ => false,
        };
        Seen { holds, words: "no element".to_owned() }
    }

    /// What is seen in the bundle's answer.
    fn judge(&self, answer: Result<Value, Error>) -> Result<Seen, Error> {
        let selector = || self.selector().map(ToString::to_string).unwrap_or_default();
        let answer = match answer {
            Ok(answer) => answer,
            Err(Error::Blocked(Obstacle::Absent { .. }) | Error::StaleReference { .. }) => return Ok(self.absent()),
            Err(Error::Blocked(obstacle)) => return Ok(Seen { holds: false, words: obstacle.to_string() }),
            // The answer knows the place, not which of its questions it was.
            Err(Error::Ambiguous { count, candidates, .. }) => {
                return Err(Error::Ambiguous { selector: selector(), count, candidates });
            }
            Err(Error::BadSelector { message, .. }) => {
                return Err(Error::BadSelector { selector: selector(), message });
            }
            Err(error) => return Err(error),
        };
        Ok(match self {
            Condition::Count { least, most, .. } => {
                let count = answer["count"].as_u64().unwrap_or_default();
                Seen { holds: count >= *least && most.is_none_or(|most| count <= most), words: count.to_string() }
            }
            Condition::Read { tests, .. } | Condition::Title(tests) => text(tests, &answer["value"]),
            _ => Seen {
                holds: answer["satisfied"] == true,
                words: answer["detail"].as_str().unwrap_or("no element").to_owned(),
            },
        })
    }

    /// What the condition is about.
    fn subject(&self) -> String {
        match self {
            Condition::Url(_) => "the address".to_owned(),
            Condition::Title(_) => "the title".to_owned(),
            Condition::Known { words, .. } => format!("`${{{{ {words} }}}}`"),
            leaf => leaf.selector().map(|selector| format!("`{selector}`")).unwrap_or_default(),
        }
    }
}

impl TextTest {
    fn passes(&self, text: &str) -> bool {
        match self {
            TextTest::Equals(wanted) => text == folded(wanted),
            TextTest::Contains(wanted) => text.contains(&folded(wanted)),
            TextTest::Matches(wanted) => wanted.matches(text),
        }
    }
}

/// A text, or null where there is none, under tests.
fn text(tests: &[TextTest], value: &Value) -> Seen {
    match value.as_str() {
        Some(text) => {
            let text = folded(text);
            Seen { holds: tests.iter().all(|test| test.passes(&text)), words: quoted(&text) }
        }
        None => Seen { holds: false, words: "none".to_owned() },
    }
}

fn folded(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A text in quotes, shortened to what fits into a sentence.
fn quoted(text: &str) -> String {
    const MOST: usize = 200;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

/// The condition as it follows `expected`.
impl fmt::Display for Condition {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |formatter: &mut fmt::Formatter<'_>, members: &[Condition], word: &str| {
            for (index, member) in members.iter().enumerate() {
                if index > 0 {
                    write!(formatter, " {word} ")?;
                }
                match member {
                    Condition::Any(inner) | Condition::All(inner) if inner.len() > 1 => {
                        write!(formatter, "({member})")?
                    }
                    member => member.fmt(formatter)?,
                }
            }
            Ok(())
        };
        let subject = self.subject();
        match self {
            Condition::State { state, .. } => write!(formatter, "{subject} to be {}", state.name()),
            Condition::Read { reading: Reading::Attribute(name), tests, .. } if tests.is_empty() => {
                write!(formatter, "{subject} to have the attribute `{name}`")
            }
            Condition::Read { reading, tests, .. } => {
                write!(formatter, "{subject} to have ")?;
                match reading {
                    Reading::Attribute(name) => write!(formatter, "`{name}`")?,
                    Reading::Value => formatter.write_str("value")?,
                    _ => formatter.write_str("text")?,
                }
                write!(formatter, " {}", Tests(tests))
            }
            Condition::Count { least, most: Some(most), .. } if least == most => {
                write!(formatter, "{least} elements to match {subject}")
            }
            Condition::Count { least, most, .. } => {
                match (least, most) {
                    (0, Some(most)) => write!(formatter, "at most {most}")?,
                    (least, None) => write!(formatter, "at least {least}")?,
                    (least, Some(most)) => write!(formatter, "{least} to {most}")?,
                }
                write!(formatter, " elements to match {subject}")
            }
            Condition::Url(tests) | Condition::Title(tests) => {
                let one = if matches!(tests.first(), Some(TextTest::Equals(_))) { "" } else { "one " };
                write!(formatter, "{subject} to be {one}{}", Tests(tests))
            }
            Condition::Known { .. } => write!(formatter, "{subject} to be true"),
            Condition::Not(inner) => write!(formatter, "not ({inner})"),
            Condition::Any(members) => joined(formatter, members, "or"),
            Condition::All(members) => joined(formatter, members, "and"),
        }
    }
}

struct Tests<'t>(&'t [TextTest]);

impl fmt::Display for Tests<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, test) in self.0.iter().enumerate() {
            if index > 0 {
                formatter.write_str(" and ")?;
            }
            match test {
                TextTest::Equals(text) => formatter.write_str(&quoted(text))?,
                TextTest::Contains(text) => write!(formatter, "containing {}", quoted(text))?,
                TextTest::Matches(wanted) => match wanted.kind() {
                    MatchKind::Exact => formatter.write_str(&quoted(wanted.text()))?,
                    MatchKind::Contains => write!(formatter, "containing {}", quoted(wanted.text()))?,
                    MatchKind::Regex => write!(formatter, "matching `/{}/{}`", wanted.text(), wanted.flags())?,
                },
            }
        }
        Ok(())
    }
}
