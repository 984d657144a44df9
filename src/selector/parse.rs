//! The parser of selector text: chains, prefixes and nesting. Values are read in `value`, roles in `role`.

use std::ops::Range;

use super::part::{MatchKind, Part, Relation};
use super::suggest::{closest, tolerance};
use super::value::{End, Language};
use super::{Selector, SelectorError};

/// Selectors inside selectors, at most: enough for any page, and the parser's recursion stays small.
pub(super) const MAX_DEPTH: usize = 16;

/// The words that a `:` turns into prefixes.
const PREFIXES: [&str; 23] = [
    "role",
    "text",
    "testid",
    "label",
    "placeholder",
    "alt",
    "title",
    "css",
    "xpath",
    "ref",
    "frame",
    "nth",
    "has",
    "has-not",
    "has-text",
    "has-not-text",
    "and",
    "or",
    "right-of",
    "left-of",
    "above",
    "below",
    "near",
];

/// Parses a whole selector.
pub(super) fn selector(source: &str) -> Result<Selector, SelectorError> {
    Parser::new(source).selector()
}

/// Parses a selector and says where its bare text values stand, as character ranges.
pub(super) fn bare_texts(source: &str) -> Result<Vec<Range<usize>>, SelectorError> {
    let mut parser = Parser::new(source);
    parser.selector()?;
    Ok(parser.bare_texts)
}

/// The state of one parse. Positions count characters, as the errors do.
pub(super) struct Parser {
    pub(super) source: Vec<char>,
    pub(super) position: usize,
    /// How many open parentheses of groups surround the position.
    pub(super) groups: usize,
    depth: usize,
    bare_texts: Vec<Range<usize>>,
}

impl Parser {
    pub(super) fn new(source: &str) -> Parser {
        Parser { source: source.chars().collect(), position: 0, groups: 0, depth: 0, bare_texts: Vec::new() }
    }

    fn selector(&mut self) -> Result<Selector, SelectorError> {
        self.skip_space();
        if self.position == self.source.len() {
            return Err(SelectorError::new(
                0,
                self.position,
                "the selector is empty",
                "write for example `role:button[Sign in]`",
            ));
        }
        let selector = self.chain()?;
        debug_assert_eq!(self.position, self.source.len(), "outside groups only the end of the text ends a chain");
        Ok(selector)
    }

    fn chain(&mut self) -> Result<Selector, SelectorError> {
        let mut parts: Vec<Part> = Vec::new();
        let mut separator = None;
        loop {
            self.skip_space();
            if self.at_end(End::Part) {
                return Err(self.empty_part(separator));
            }
            let start = self.position;
            let part = self.part()?;
            if part.is_filter() && parts.last().is_none_or(|last| matches!(last, Part::Frame(_))) {
                return Err(self.misplaced_filter(start, &part, !parts.is_empty()));
            }
            self.skip_space();
            if matches!(part, Part::Frame(_)) {
                self.check_frame(start)?;
            }
            parts.push(part);
            if !self.looking_at(">>") {
                return Ok(Selector { parts });
            }
            separator = Some(self.position);
            self.position += 2;
        }
    }

    fn part(&mut self) -> Result<Part, SelectorError> {
        let start = self.position;
        let word = self.word_at(start);
        let after = start + word.chars().count();
        match self.peek_at(after) {
            Some(':') if PREFIXES.contains(&word.as_str()) => {
                self.position = after + 1;
                self.skip_space();
                if self.at_end(End::Part) {
                    return Err(SelectorError::new(
                        start,
                        after + 1 - start,
                        format!("nothing follows `{word}:`"),
                        format!("write for example `{}`", example(&word)),
                    ));
                }
                self.prefixed(&word, start)
            }
            Some(':') => {
                self.check_unknown_prefix(&word, start)?;
                self.bare()
            }
            Some('=') if PREFIXES.contains(&word.as_str()) => Err(SelectorError::new(
                start,
                after + 1 - start,
                format!("`{word}=` is not a prefix"),
                format!("did you mean `{word}:`? To find this text write `{}`", self.as_text(start)),
            )),
            _ => self.flag_or_bare(&word, after),
        }
    }

    fn prefixed(&mut self, prefix: &str, start: usize) -> Result<Part, SelectorError> {
        Ok(match prefix {
            "role" => Part::Role(self.role()?),
            "text" => Part::Text(self.text(End::Part, MatchKind::Contains)?),
            "testid" => Part::TestId(self.text(End::Part, MatchKind::Exact)?),
            "label" => Part::Label(self.text(End::Part, MatchKind::Contains)?),
            "placeholder" => Part::Placeholder(self.text(End::Part, MatchKind::Contains)?),
            "alt" => Part::Alt(self.text(End::Part, MatchKind::Contains)?),
            "title" => Part::Title(self.text(End::Part, MatchKind::Contains)?),
            "css" => Part::Css(self.foreign(End::Part, Language::Css)?),
            "xpath" => Part::Xpath(self.foreign(End::Part, Language::Xpath)?),
            "ref" => Part::Ref(self.reference(End::Part)?),
            "nth" => Part::Nth(self.integer()?),
            "frame" => Part::Frame(self.inner(prefix, start)?),
            "has" => Part::Has(self.inner(prefix, start)?),
            "has-not" => Part::HasNot(self.inner(prefix, start)?),
            "has-text" => Part::HasText(self.text(End::Part, MatchKind::Contains)?),
            "has-not-text" => Part::HasNotText(self.text(End::Part, MatchKind::Contains)?),
            "and" => Part::And(self.inner(prefix, start)?),
            "or" => Part::Or(self.inner(prefix, start)?),
            "right-of" => self.layout(Relation::RightOf, start)?,
            "left-of" => self.layout(Relation::LeftOf, start)?,
            "above" => self.layout(Relation::Above, start)?,
            "below" => self.layout(Relation::Below, start)?,
            _ => self.layout(Relation::Near, start)?,
        })
    }

    fn layout(&mut self, relation: Relation, start: usize) -> Result<Part, SelectorError> {
        Ok(Part::Layout { relation, selector: self.inner(relation.as_str(), start)? })
    }

    /// The selector after a prefix: one part, or a chain in parentheses.
    fn inner(&mut self, prefix: &str, start: usize) -> Result<Selector, SelectorError> {
        if self.depth == MAX_DEPTH {
            return Err(SelectorError::new(
                start,
                prefix.len() + 1,
                format!("selectors are nested more than {MAX_DEPTH} deep"),
                "use a simpler selector",
            ));
        }
        self.depth += 1;
        let first = self.position;
        let inner = if self.looking_at("(") && !self.looking_at("(//") {
            self.group(first)?
        } else {
            let part = self.part()?;
            if part.is_filter() {
                return Err(self.misplaced_filter(first, &part, false));
            }
            Selector { parts: vec![part] }
        };
        self.depth -= 1;
        if inner.parts.iter().any(|part| matches!(part, Part::Frame(_))) {
            let hint = match prefix {
                "frame" => "write the frames one after another: `frame:A >> frame:B >> C`",
                _ => "go into the frame first: `frame:A >> B`",
            };
            return Err(SelectorError::new(
                first,
                self.position - first,
                format!("a frame can't stand inside `{prefix}:`"),
                hint,
            ));
        }
        Ok(inner)
    }

    fn group(&mut self, open: usize) -> Result<Selector, SelectorError> {
        self.position += 1;
        self.groups += 1;
        let selector = self.chain()?;
        self.groups -= 1;
        if !self.looking_at(")") {
            return Err(SelectorError::new(
                open,
                1,
                "`(` is never closed",
                format!("close the group with `)`, or for text in parentheses write `{}`", self.as_text(open)),
            ));
        }
        self.position += 1;
        self.skip_space();
        if !self.at_end(End::Part) {
            return Err(SelectorError::new(
                self.position,
                self.rest_of_part(),
                "a group must be a whole part",
                format!("put `>>` after `)`, or for text in parentheses write `{}`", self.as_text(open)),
            ));
        }
        Ok(selector)
    }

    fn flag_or_bare(&mut self, word: &str, after: usize) -> Result<Part, SelectorError> {
        let flag = match word {
            "first" => Part::Nth(0),
            "last" => Part::Nth(-1),
            "visible" => Part::Visible,
            _ => return self.bare(),
        };
        let start = self.position;
        self.position = after;
        self.skip_space();
        if self.at_end(End::Part) {
            self.position = after;
            return Ok(flag);
        }
        self.position = start;
        self.bare()
    }

    /// A part without a prefix: CSS or XPath by its first characters, otherwise text.
    fn bare(&mut self) -> Result<Part, SelectorError> {
        let start = self.position;
        if self.looking_at("//") || self.looking_at("(//") {
            return Ok(Part::Xpath(self.foreign(End::Part, Language::Xpath)?));
        }
        match self.peek() {
            Some('.' | '#') if !self.peek_at(start + 1).is_some_and(starts_identifier) => Err(SelectorError::new(
                start,
                self.rest_of_part(),
                "a selector that starts with `.` or `#` is CSS, and this is not",
                format!("to find this text write `{}`", self.as_text(start)),
            )),
            Some('.' | '#' | '[') => Ok(Part::Css(self.foreign(End::Part, Language::Css)?)),
            Some('>') => Err(SelectorError::new(
                start,
                1,
                "a part can't start with `>`",
                format!("parts are separated by `>>`; to find this text write `{}`", self.as_text(start)),
            )),
            _ => {
                let text = self.text(End::Part, MatchKind::Contains)?;
                self.bare_texts.push(start..start + self.trimmed_length(start));
                Ok(Part::Text(text))
            }
        }
    }

    fn integer(&mut self) -> Result<i32, SelectorError> {
        let start = self.position;
        let length = self.rest_of_part();
        let text: String = self.source[start..start + length].iter().collect();
        self.position += length;
        text.parse().map_err(|_| {
            SelectorError::new(
                start,
                length,
                format!("`{text}` is not an index"),
                "write `nth:0` for the first element, `nth:1` for the second, `nth:-1` for the last",
            )
        })
    }

    /// Refuses a word with a colon that is almost a prefix; any other is part of a text, such as `Total:5`.
    fn check_unknown_prefix(&self, word: &str, start: usize) -> Result<(), SelectorError> {
        let after = start + word.chars().count() + 1;
        if self.peek_at(after).is_none_or(char::is_whitespace) {
            return Ok(());
        }
        let meant = match word {
            "data-testid" | "test-id" | "data-test-id" => Some("testid"),
            "first" | "last" | "visible" => {
                return Err(SelectorError::new(
                    start,
                    after - start,
                    format!("`{word}` takes no value"),
                    format!("write `{word}` alone; to find this text write `{}`", self.as_text(start)),
                ));
            }
            // Words such as `end:` are too close to the shortest prefixes.
            _ => closest(
                word,
                PREFIXES.into_iter().filter(|prefix| prefix.len() > 3 || *prefix == "alt"),
                tolerance(word),
            ),
        };
        meant.map_or(Ok(()), |meant| {
            Err(SelectorError::new(
                start,
                after - start,
                format!("unknown prefix `{word}:`"),
                format!("did you mean `{meant}:`? To find this text write `{}`", self.as_text(start)),
            ))
        })
    }

    fn check_frame(&self, start: usize) -> Result<(), SelectorError> {
        if self.looking_at(">>") {
            return Ok(());
        }
        Err(SelectorError::new(
            start,
            self.position - start,
            "a frame must be followed by what to find inside it",
            "add `>> SELECTOR`, such as `frame:title:Payment >> label:Card number`; for the iframe element itself leave out `frame:`",
        ))
    }

    fn empty_part(&self, separator: Option<usize>) -> SelectorError {
        let hint = "write a selector on both sides of `>>`; to find `>>` in the page quote it, such as `\"Next >>\"i`";
        match separator {
            Some(separator) if !self.looking_at(">>") => SelectorError::new(separator, 2, "nothing follows `>>`", hint),
            Some(_) => SelectorError::new(self.position, 2, "there is nothing between two `>>`", hint),
            None if self.looking_at(">>") => SelectorError::new(self.position, 2, "nothing stands before `>>`", hint),
            None => SelectorError::new(self.position, 0, "the group is empty", "write a selector between `(` and `)`"),
        }
    }

    fn misplaced_filter(&self, start: usize, part: &Part, in_frame: bool) -> SelectorError {
        let filter = Selector { parts: vec![part.clone()] };
        let (message, hint) = if in_frame {
            (
                format!("`{filter}` would filter the frame's document, which holds no elements yet"),
                format!("to filter iframes write `frame:(SELECTOR >> {filter})`"),
            )
        } else {
            (
                format!("`{filter}` is a filter and has nothing to filter"),
                format!(
                    "write what it filters first: `SELECTOR >> {filter}`; to find this text write `{}`",
                    self.as_text(start)
                ),
            )
        };
        SelectorError::new(start, self.trimmed_length(start), message, hint)
    }

    /// The letters, hyphens and underscores from a position on.
    fn word_at(&self, start: usize) -> String {
        let is_letter = |character: &&char| character.is_ascii_alphabetic() || matches!(character, '-' | '_');
        self.source[start..].iter().take_while(is_letter).collect()
    }

    /// The length of what has been read since `start`, without white space at its end.
    fn trimmed_length(&self, start: usize) -> usize {
        let read = &self.source[start..self.position];
        read.iter().rposition(|character| !character.is_whitespace()).map_or(0, |last| last + 1)
    }
}

fn starts_identifier(character: char) -> bool {
    character.is_alphabetic() || matches!(character, '_' | '-' | '\\') || !character.is_ascii()
}

fn example(prefix: &str) -> &'static str {
    match prefix {
        "role" => "role:button[Sign in]",
        "testid" => "testid:pay",
        "label" => "label:Email",
        "placeholder" => "placeholder:Search",
        "alt" => "alt:Logo",
        "title" => "title:Close",
        "css" => "css:form > button",
        "xpath" => "xpath://li[2]",
        "ref" => "ref:e12",
        "frame" => "frame:title:Payment >> label:Card number",
        "nth" => "role:listitem >> nth:0",
        "has" => "role:listitem >> has:role:button[Delete]",
        "has-not" => "role:listitem >> has-not:text:Sold out",
        "has-text" => "role:listitem >> has-text:Sold out",
        "has-not-text" => "role:listitem >> has-not-text:Sold out",
        "and" => "role:button >> and:title:Subscribe",
        "or" => "role:button[Accept] >> or:role:button[Agree]",
        "right-of" | "left-of" | "above" | "below" | "near" => "role:checkbox >> right-of:text:Remember me",
        _ => "text:Welcome",
    }
}
