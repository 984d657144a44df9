//! Properties over generated selectors: printing then parsing is identity, and no text makes the parser panic.

use super::super::part::{MatchKind, Part, Relation, TextMatch};
use super::super::role::{Role, Tristate};
use super::super::{Selector, parse::MAX_DEPTH};

/// A small deterministic generator (xorshift), so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).expect("31 bits fit") % limit
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn chance(&mut self) -> bool {
        self.below(2) == 0
    }

    fn text(&mut self) -> String {
        const PIECES: [&str; 24] = [
            "Save", " ", "\"", "\\", "/", ">>", ">", "[", "]", "(", ")", "=", "checked", "level", ":", "first", "ä",
            "日本", "'", "#", "i", "\n", "$<<", "text:",
        ];
        (0..=self.below(4)).map(|_| self.pick(&PIECES)).collect()
    }

    fn text_match(&mut self) -> TextMatch {
        match self.below(4) {
            0 => TextMatch::exact(self.text()),
            1 => TextMatch {
                kind: MatchKind::Regex,
                text: self.pick(&["a/b", r"\d+\\", "[/]x", "(a|b)", r"\[", "日", r#"a"b >> \)"#, "^ $"]).to_owned(),
                flags: self.pick(&["", "i", "ims", "u"]).to_owned(),
            },
            _ => TextMatch::contains(format!("x{}", self.text())),
        }
    }

    fn state(&mut self) -> Option<Tristate> {
        self.pick(&[None, None, Some(Tristate::True), Some(Tristate::False), Some(Tristate::Mixed)])
    }

    fn flag(&mut self) -> Option<bool> {
        self.pick(&[None, None, Some(true), Some(false)])
    }

    fn head(&mut self) -> Part {
        match self.below(10) {
            0 => Part::Text(self.text_match()),
            1 => Part::TestId(self.text_match()),
            2 => Part::Label(self.text_match()),
            3 => Part::Placeholder(self.text_match()),
            4 => Part::Alt(self.text_match()),
            5 => Part::Title(self.text_match()),
            6 => Part::Css(self.pick(&["a", "a[b=')>>\"']", ":is(a, (b)) > \\)", "[x=\"\\\"\"]"]).to_owned()),
            7 => Part::Xpath(self.pick(&["//a", "(//a)[1]", "//a[.=')' or .=\">>\"]", "./b"]).to_owned()),
            8 => Part::Ref(self.pick(&["e1", "f1e22"]).to_owned()),
            _ => Part::Role(Role {
                name: self.chance().then(|| self.text_match()),
                checked: self.state(),
                pressed: self.state(),
                expanded: self.flag(),
                selected: self.flag(),
                disabled: self.flag(),
                level: self.pick(&[None, Some(1), Some(6)]),
                include_hidden: self.chance(),
                ..Role::new("menuitemcheckbox")
            }),
        }
    }

    fn filter(&mut self, depth: usize) -> Part {
        match self.below(if depth == 0 { 4 } else { 9 }) {
            0 => Part::Nth(self.pick(&[0, 1, -1, -2, i32::MAX, i32::MIN])),
            1 => Part::Visible,
            2 => Part::HasText(self.text_match()),
            3 => Part::HasNotText(self.text_match()),
            4 => Part::Has(self.selector(depth - 1, false)),
            5 => Part::HasNot(self.selector(depth - 1, false)),
            6 => Part::And(self.selector(depth - 1, false)),
            7 => Part::Or(self.selector(depth - 1, false)),
            _ => Part::Layout { relation: self.pick(&Relation::ALL), selector: self.selector(depth - 1, false) },
        }
    }

    fn selector(&mut self, depth: usize, frames: bool) -> Selector {
        let mut parts = Vec::new();
        if frames && depth > 0 && self.chance() {
            parts.push(Part::Frame(self.selector(depth - 1, false)));
        }
        parts.push(self.head());
        for _ in 0..self.below(3) {
            let part = if self.chance() { self.head() } else { self.filter(depth) };
            parts.push(part);
        }
        Selector { parts }
    }
}

#[test]
fn printed_selectors_parse_to_themselves() {
    let mut random = Random(0x5eed);
    for _ in 0..5_000 {
        let selector = random.selector(3, true);
        let text = selector.to_string();
        assert_eq!(Selector::parse(&text).as_ref(), Ok(&selector), "{text}");
        let json = serde_json::to_value(&selector).expect("a selector is text");
        assert_eq!(serde_json::from_value::<Selector>(json).expect("its own text"), selector, "{text}");
    }
}

#[test]
fn no_text_panics_and_errors_point_into_it() {
    const NOISE: [char; 26] = [
        '>', '>', '"', '\'', '/', '\\', '[', ']', '(', ')', ':', '=', ' ', '#', '.', '*', '?', '{', 'i', 'e', '0', '-',
        '\n', 'ß', '🦀', '\u{301}',
    ];
    let mut random = Random(0xfeed);
    let mut refused = 0;
    for _ in 0..10_000 {
        let mut characters: Vec<char> = random.selector(2, true).to_string().chars().collect();
        for _ in 0..=random.below(4) {
            let at = random.below(characters.len() + 1);
            match random.below(3) {
                0 => characters.insert(at, random.pick(&NOISE)),
                1 => characters.truncate(at.max(1)),
                _ => drop(characters.drain(at.saturating_sub(2)..at)),
            }
        }
        let source: String = characters.iter().collect();
        let _ = Selector::looks_like_css(&source);
        match Selector::parse(&source) {
            Ok(selector) => {
                let text = selector.to_string();
                assert_eq!(Selector::parse(&text), Ok(selector), "{source}\n{text}");
            }
            Err(error) => {
                refused += 1;
                assert!(error.offset + error.length <= characters.len(), "{source}: {error:?}");
                assert!(error.hint().is_some(), "{source}: {error:?}");
            }
        }
    }
    assert!(refused > 1_000, "only {refused} texts were refused: the mutations are too tame");
}

#[test]
fn nesting_is_limited() {
    let nested = |prefix: &str, depth: usize| format!("css:a >> {}css:b", prefix.repeat(depth));
    assert_eq!(
        Selector::parse(&nested("has:(css:a >> has:", 100_000)).map_err(|error| error.message),
        Err(format!("selectors are nested more than {MAX_DEPTH} deep"))
    );
    let mut map = serde_json::json!("css:a");
    for _ in 0..=MAX_DEPTH {
        map = serde_json::json!({ "css": "li", "has": map });
    }
    let error = serde_json::from_value::<Selector>(map).map_err(|error| error.to_string());
    assert_eq!(error, Err(format!("selectors are nested more than {MAX_DEPTH} deep: use a simpler selector")));
}
