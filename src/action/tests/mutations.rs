//! Shortcuts with faults that nobody thought of: good files are cut, spliced and garbled, and whatever comes out is read
//! without a panic, in time, with every problem at a place that exists.
//!
//! A run is decided by its seed. `REPERTOIRE_FUZZ_SECONDS=600 cargo test --lib mutations` goes on for ten minutes.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use super::*;
use crate::action::load::parse;

/// A file that takes longer than this, three times, hangs.
const MOST_TIME: Duration = Duration::from_secs(30);

/// Parts that mean something to some reader, to be put where they do not belong.
const TOKENS: [&str; 56] = [
    "\n",
    "\n  ",
    "\n- ",
    ": ",
    ":",
    "- ",
    "? ",
    "{",
    "}",
    "[",
    "]",
    ", ",
    "\"",
    "'",
    "|\n",
    ">-\n ",
    "#",
    " # x",
    "&a ",
    "*a",
    "!!str ",
    "!x ",
    "<<: ",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
    "\t",
    "\r\n",
    "\u{feff}",
    "\u{0}",
    "\u{85}",
    "é",
    "👩‍👩‍👧",
    "\\",
    "${{",
    "}}",
    "$${{",
    "$<<",
    ">>",
    "$$<<",
    "$<<A>>",
    "${{ inputs.a }}",
    "${{ 1 // 0 }}",
    "~",
    "null",
    "true",
    "1e999",
    "-0",
    "role:button[",
    "css:",
    " >> ",
    "nth:",
    "/(/",
    "steps:",
    "type: ",
    "(((((((((((",
];

/// A small generator of numbers; a run must be the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        // xorshift64*, by Sebastiano Vigna.
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % sides.max(1)
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.roll(from.len())]
    }

    /// A place between two characters.
    fn place(&mut self, text: &str) -> usize {
        let mut at = self.roll(text.len() + 1);
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    }

    fn mutated(&mut self, text: &str, others: &[String]) -> String {
        let (a, b) = (self.place(text), self.place(text));
        let (from, to) = (a.min(b), a.max(b));
        match self.roll(9) {
            0 => format!("{}{}", &text[..from], &text[to..]),
            1 => format!("{}{}{}", &text[..a], self.pick(&TOKENS), &text[a..]),
            2 => format!("{}{}{}", &text[..from], self.pick(&TOKENS), &text[to..]),
            3 => format!("{}{}{}", &text[..to], &text[from..to], &text[to..]),
            4 => {
                let other = self.pick(others);
                let (c, d) = (self.place(other), self.place(other));
                format!("{}{}{}", &text[..a], &other[c.min(d)..c.max(d)], &text[a..])
            }
            5 => {
                let mut lines: Vec<&str> = text.lines().collect();
                let (one, other) = (self.roll(lines.len()), self.roll(lines.len()));
                if !lines.is_empty() {
                    lines.swap(one, other);
                }
                lines.join("\n")
            }
            6 => {
                // A character becomes a neighbour of its own.
                let changed = text[a..].chars().next().and_then(|c| char::from_u32(u32::from(c) ^ (1 << self.roll(7))));
                let rest = text[a..].chars().next().map_or(a, |c| a + c.len_utf8());
                format!("{}{}{}", &text[..a], changed.map(String::from).unwrap_or_default(), &text[rest..])
            }
            7 => {
                let line = text.lines().nth(self.roll(text.lines().count())).unwrap_or_default();
                let indent = " ".repeat(self.roll(9));
                text.replacen(line, &format!("{indent}{}", line.trim_start()), 1)
            }
            _ => text.replacen(": ", [":", " : ", ": - ", ": {", ": [", ": |\n"][self.roll(6)], 1 + self.roll(3)),
        }
    }
}

/// The good files that are garbled: the examples, the built-in actions, and golden mistakes.
fn seeds() -> Vec<String> {
    fn collect(directory: &Path, seeds: &mut Vec<(PathBuf, String)>) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                collect(&path, seeds);
            } else if path.extension().is_some_and(|extension| extension == "yaml") {
                seeds.extend(fs::read_to_string(&path).ok().map(|text| (path, text)));
            }
        }
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    ["examples", "builtin-actions", "tests/load"].iter().for_each(|part| collect(&root.join(part), &mut found));
    found.sort();
    found.into_iter().map(|(_, text)| text).collect()
}

/// What is wrong with how a file was read.
fn fault(text: &str) -> Option<String> {
    let read = || parse(text, Source::Builtin("fuzz"), "fuzz", None, false);
    let start = Instant::now();
    let Ok(state) = catch_unwind(AssertUnwindSafe(read)) else {
        return Some("it panics".into());
    };
    let slow = |_| {
        let start = Instant::now();
        drop(read());
        start.elapsed() > MOST_TIME
    };
    if start.elapsed() > MOST_TIME && (0..2).all(slow) {
        return Some(format!("it takes {:?}", start.elapsed() / 3));
    }
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    let outside = state.problems.iter().find(|problem| {
        let Some(position) = problem.position else { return false };
        let width = lines.get(position.line as usize - 1).map_or(0, |line| line.chars().count());
        // Behind the last character of a line, and of the file, something may be missing.
        position.line as usize > lines.len() + 1 || position.column as usize > width + 1
    });
    outside.map(|problem| format!("a problem lies outside of it:\n{problem}"))
}

#[test]
fn garbled_files_are_read_without_a_panic() {
    let seconds = std::env::var("REPERTOIRE_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok());
    let limit = Duration::from_secs(seconds.unwrap_or(3));
    let seeds = seeds();
    let mut dice = Dice(0x5EED);
    let start = Instant::now();
    let mut files = 0u32;
    while start.elapsed() < limit {
        let mut text = dice.pick(&seeds).clone();
        for _ in 0..1 + dice.roll(4) {
            text = dice.mutated(&text, &seeds);
        }
        if let Some(fault) = fault(&text) {
            panic!("after {files} files: {fault}\nin the file {text:?}");
        }
        files += 1;
    }
    eprintln!("{files} files");
}
