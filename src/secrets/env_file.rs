//! Reading one `.env` file into a map.
//!
//! dotenvy reads each assignment; what surrounds it is decided here, because a file of secrets asks for more:
//! - **`$` stands for itself.** dotenvy would substitute `$VAR` in values from the process environment, which changes
//!   passwords and mixes values; every `$` is escaped before dotenvy sees it.
//! - **Single quotes are literal** up to the next single quote, as in a shell; dotenvy by itself takes a `\` before the
//!   closing quote for an escape and reads on into the next line.
//! - Assignments are handed over one by one, so that a problem has a line. No problem quotes the file's text.
//!
//! Otherwise it is dotenvy's format: `export`, comments, `\n \\ \" \$` in double quotes, quotes over several lines.
//! Where a name is given twice in one file, the last one counts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use secrecy::SecretString;
use sha2::{Digest, Sha256};
use thiserror::Error;

/// No `.env` file is longer; a larger one is something else, given by mistake.
const MAX_BYTES: u64 = 256 * 1024;

/// Why a `.env` file could not be read; its last good content still counts.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{}: {message}", path.display(), line.map(|line| format!(":{line}")).unwrap_or_default())]
pub struct EnvFileProblem {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1, if one is to blame.
    pub line: Option<usize>,
    /// What is wrong; never quotes the file.
    pub message: String,
    /// What to write instead.
    pub hint: &'static str,
}

impl EnvFileProblem {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        self.hint
    }
}

/// One `.env` file and what it last said.
pub(super) struct EnvFile {
    path: PathBuf,
    /// The digest of the bytes last seen; `None` for a file that is missing or unreadable.
    digest: Option<[u8; 32]>,
    values: BTreeMap<String, SecretString>,
    problem: Option<EnvFileProblem>,
}

impl EnvFile {
    pub(super) fn new(path: PathBuf) -> EnvFile {
        EnvFile { path, digest: None, values: BTreeMap::new(), problem: None }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn get(&self, name: &str) -> Option<&SecretString> {
        self.values.get(name)
    }

    pub(super) fn names(&self) -> impl Iterator<Item = &String> {
        self.values.keys()
    }

    pub(super) fn problem(&self) -> Option<&EnvFileProblem> {
        self.problem.as_ref()
    }

    /// Reads the file again if its bytes changed.
    pub(super) fn refresh(&mut self) {
        let bytes = match read(&self.path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                *self = EnvFile::new(std::mem::take(&mut self.path));
                return;
            }
            Err(error) => {
                self.digest = None;
                self.problem = Some(EnvFileProblem {
                    path: self.path.clone(),
                    line: None,
                    message: format!("can't read the file: {error}"),
                    hint: "make it a readable text file with lines such as `NAME=value`",
                });
                return;
            }
        };
        let digest = Sha256::digest(&bytes).into();
        if self.digest.replace(digest) == Some(digest) {
            return;
        }
        self.problem = match parse(&bytes) {
            Ok(values) => {
                self.values = values;
                None
            }
            Err((line, message, hint)) => {
                Some(EnvFileProblem { path: self.path.clone(), line: Some(line), message: message.to_owned(), hint })
            }
        };
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let metadata = fs::metadata(path)?;
    if !metadata.is_file() {
        // Opening a pipe could wait for ever.
        return Err(io::Error::other("not a regular file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(io::Error::other(format!("more than {} KiB", MAX_BYTES / 1024)));
    }
    fs::read(path)
}

/// A line, a message and a hint.
type ParseProblem = (usize, &'static str, &'static str);

fn parse(bytes: &[u8]) -> Result<BTreeMap<String, SecretString>, ParseProblem> {
    let source = std::str::from_utf8(bytes).map_err(|error| {
        let line = 1 + bytes[..error.valid_up_to()].iter().filter(|byte| **byte == b'\n').count();
        (line, "not UTF-8", "save the file as UTF-8")
    })?;
    let mut values = BTreeMap::new();
    for (line, assignment) in assignments(source.strip_prefix('\u{feff}').unwrap_or(source))? {
        for item in dotenvy::from_read_iter(assignment.as_bytes()) {
            // dotenvy's error quotes the line, and with it the value.
            let (name, value) = item.map_err(|_| {
                let hint = "write `NAME=value`; put a value with spaces, quotes or `\\` between single quotes";
                (line, "not an assignment", hint)
            })?;
            values.insert(name, SecretString::from(value));
        }
    }
    Ok(values)
}

/// The assignments with their lines, rewritten so that dotenvy reads them as this module promises.
fn assignments(source: &str) -> Result<Vec<(usize, String)>, ParseProblem> {
    let mut found = Vec::new();
    let mut lines = source.split('\n').enumerate();
    while let Some((index, first)) = lines.next() {
        let mut assignment = String::new();
        let mut quote = None;
        let mut line = first;
        while !append_line(&mut assignment, line.strip_suffix('\r').unwrap_or(line), &mut quote) {
            // The quote goes on in the next line.
            let Some((_, next)) = lines.next() else {
                return Err((
                    index + 1,
                    "a quote is never closed",
                    "close it, or put `\"` before and after a value that holds `'`",
                ));
            };
            assignment.push('\n');
            line = next;
        }
        // dotenvy refuses white space at the end of its input, where a comment has been cut off.
        let assignment = assignment.trim_end();
        if !assignment.is_empty() {
            found.push((index + 1, assignment.to_owned()));
        }
    }
    Ok(found)
}

/// Appends a line, rewritten; returns whether all quotes are closed at its end.
fn append_line(assignment: &mut String, line: &str, quote: &mut Option<char>) -> bool {
    let mut after_space = assignment.is_empty();
    let mut characters = line.chars();
    while let Some(character) = characters.next() {
        match (*quote, character) {
            // A comment, at the start of a line or after white space.
            (None, '#') if after_space => return true,
            (None, '"' | '\'') => {
                *quote = Some(character);
                assignment.push('"');
            }
            (Some(open), _) if open == character => {
                *quote = None;
                assignment.push('"');
            }
            (Some('\''), '\\' | '"') | (_, '$') => assignment.extend(['\\', character]),
            (None | Some('"'), '\\') => {
                assignment.push(character);
                assignment.extend(characters.next());
            }
            _ => assignment.push(character),
        }
        after_space = character.is_whitespace();
    }
    quote.is_none()
}

#[cfg(test)]
mod tests {
    use secrecy::ExposeSecret;

    use super::*;

    fn values(source: &str) -> Vec<(String, String)> {
        let values = parse(source.as_bytes()).unwrap_or_else(|problem| panic!("{problem:?}: {source}"));
        values.into_iter().map(|(name, value)| (name, value.expose_secret().to_owned())).collect()
    }

    /// What is written is the value, dollars and backslashes included.
    #[test]
    fn values_are_read_as_written() {
        for (source, value) in [
            ("A=plain", "plain"),
            ("A=", ""),
            ("  export A = spaced  # a comment", "spaced"),
            ("A=a#b", "a#b"),
            ("A=pa$HOME${PATH}$$", "pa$HOME${PATH}$$"),
            ("A=\"pa$HOME$\"", "pa$HOME$"),
            ("A='pa$HOME\\n\"$'", "pa$HOME\\n\"$"),
            ("A='ends with \\'", "ends with \\"),
            ("A=\"line\\nbreak \\\" \\$x '\"", "line\nbreak \" $x '"),
            ("A='one\r\n  two # three\r\n' # four", "one\n  two # three\n"),
            ("\u{feff}# don't stop\n\n  # \"here\nA=x\r\n", "x"),
            ("A=first\nA=last", "last"),
            ("A='x'\"y\"z", "xyz"),
            ("A=pässword🦀", "pässword🦀"),
        ] {
            assert_eq!(values(source), [("A".to_owned(), value.to_owned())], "{source}");
        }
        assert_eq!(values("# nothing"), []);
    }

    /// A problem has a line and a hint, and never quotes the file.
    #[test]
    fn problems_have_a_line() {
        for (source, line, message) in [
            ("A=x\nhunter2\nB=y", 2, "not an assignment"),
            ("A=hunter 2", 1, "not an assignment"),
            ("A='one\ntwo'\n\nB='hunter2\nC=x", 4, "a quote is never closed"),
            ("A=hunter2\\", 1, "not an assignment"),
            ("9A=hunter2", 1, "not an assignment"),
        ] {
            let (found, text, _) = parse(source.as_bytes()).expect_err(source);
            assert_eq!((found, text), (line, message), "{source}");
        }
        assert_eq!(parse(b"A=x\nB=\xff").map(drop), Err((2, "not UTF-8", "save the file as UTF-8")));
    }

    /// No file panics or hangs the parser.
    #[test]
    fn noise_is_refused_or_read() {
        const NOISE: [char; 14] = ['A', '=', '\'', '"', '\\', '$', '#', ' ', '\n', '\r', '{', '\t', 'é', '\0'];
        let mut seed = 0x5eed_u64;
        for _ in 0..20_000 {
            let source: String = (0..12)
                .map(|_| {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                    NOISE[usize::try_from(seed >> 40).expect("24 bits fit") % NOISE.len()]
                })
                .collect();
            let lines = source.lines().count().max(1);
            if let Err((line, ..)) = parse(format!("A={source}").as_bytes()) {
                assert!((1..=lines).contains(&line), "{source:?}: {line}");
            }
        }
    }
}
