//! Reading one `.env` file into a map.
//!
//! dotenvy reads each assignment; what surrounds it is decided here, because a file of secrets asks for more:
//! - **`$` stands for itself.** dotenvy would substitute `$VAR` in values from the process environment, which changes
//!   passwords and mixes values; every `$` is escaped before dotenvy sees it.
//! - **Single quotes are literal** up to the next single quote, as in a shell; dotenvy by itself takes a `\` before the
//!   closing quote for an escape and reads on into the next line.
//! - Assignments are handed over one by one: a line that is none is left out and reported, the others count. No problem
//!   quotes the file's text.
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

/// More lines than this of one file are counted, not reported.
const MOST_PROBLEMS: usize = 5;

/// What is wrong with a `.env` file: a line that is left out, or why none of it could be read, in which case its last
/// good content still counts.
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
    problems: Vec<EnvFileProblem>,
}

impl EnvFile {
    pub(super) fn new(path: PathBuf) -> EnvFile {
        EnvFile { path, digest: None, values: BTreeMap::new(), problems: Vec::new() }
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

    pub(super) fn problems(&self) -> &[EnvFileProblem] {
        &self.problems
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
                let message = format!("can't read the file: {error}");
                let hint = "make it a readable text file with lines such as `NAME=value`";
                self.problems = vec![EnvFileProblem { path: self.path.clone(), line: None, message, hint }];
                return;
            }
        };
        let digest = Sha256::digest(&bytes).into();
        if self.digest.replace(digest) == Some(digest) {
            return;
        }
        let (values, faults) = parse(&bytes);
        self.values = values;
        let more = faults.len().saturating_sub(MOST_PROBLEMS);
        let problem = |(line, message, hint): Fault| EnvFileProblem {
            path: self.path.clone(),
            line: Some(line),
            message: message.to_owned(),
            hint,
        };
        self.problems = faults.into_iter().take(MOST_PROBLEMS).map(problem).collect();
        if more > 0 {
            let message = format!("{more} more lines can't be read");
            let hint = "give a text file with lines such as `NAME=value`";
            self.problems.push(EnvFileProblem { path: self.path.clone(), line: None, message, hint });
        }
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
type Fault = (usize, &'static str, &'static str);

/// The values of all assignments that can be read, and what is wrong with the other lines.
fn parse(bytes: &[u8]) -> (BTreeMap<String, SecretString>, Vec<Fault>) {
    let mut values = BTreeMap::new();
    let (assignments, mut faults) = assignments(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    for (line, assignment) in assignments {
        for item in dotenvy::from_read_iter(assignment.as_bytes()) {
            match item {
                Ok((name, value)) => {
                    values.insert(name, SecretString::from(value));
                }
                // dotenvy's error quotes the line, and with it the value.
                Err(_) => {
                    let hint = "write `NAME=value`; put a value with spaces, quotes or `\\` between single quotes";
                    faults.push((line, "not an assignment", hint));
                    break;
                }
            }
        }
    }
    faults.sort_unstable();
    (values, faults)
}

/// The assignments with their lines, rewritten so that dotenvy reads them as this module promises.
fn assignments(bytes: &[u8]) -> (Vec<(usize, String)>, Vec<Fault>) {
    let lines: Vec<Option<&str>> = bytes.split(|byte| *byte == b'\n').map(|line| str::from_utf8(line).ok()).collect();
    let mut found = Vec::new();
    let mut faults: Vec<Fault> = Vec::new();
    let mut index = 0;
    while index < lines.len() {
        let first = index;
        let mut assignment = String::new();
        let mut quote = None;
        loop {
            match lines.get(index) {
                Some(Some(line)) => {
                    if append_line(&mut assignment, line.strip_suffix('\r').unwrap_or(line), &mut quote) {
                        // dotenvy refuses white space at the end of its input, where a comment has been cut off.
                        let assignment = assignment.trim_end();
                        if !assignment.is_empty() {
                            found.push((first + 1, assignment.to_owned()));
                        }
                        index += 1;
                        break;
                    }
                    // The quote goes on in the next line.
                    assignment.push('\n');
                    index += 1;
                }
                Some(None) => {
                    faults.push((index + 1, "not UTF-8", "save the file as UTF-8"));
                    index += 1;
                    break;
                }
                None => {
                    let hint = "close it, or put `\"` before and after a value that holds `'`";
                    faults.push((first + 1, "a quote is never closed", hint));
                    // Only its first line is left out: what follows was hardly meant to be part of the value.
                    index = first + 1;
                    break;
                }
            }
        }
    }
    (found, faults)
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
        let (values, faults) = parse(source.as_bytes());
        assert_eq!(faults, [], "{source}");
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

    /// A line that can't be read is told, never quoted, and the others count.
    #[test]
    fn bad_lines_are_left_out() {
        let read = |source: &[u8]| {
            let (values, faults) = parse(source);
            let values = values.into_iter().map(|(name, value)| format!("{name}={}", value.expose_secret()));
            let faults = faults.into_iter().map(|(line, message, _)| format!("{line}: {message}"));
            values.chain(faults).collect::<Vec<_>>().join(", ")
        };
        for (source, expected) in [
            ("A=x\nhunter2\nB=y", "A=x, B=y, 2: not an assignment"),
            ("A=hunter 2", "1: not an assignment"),
            (
                "A='one\ntwo'\n\nB='hunter2\nC=x\n9D=1",
                "A=one\ntwo, C=x, 4: a quote is never closed, 6: not an assignment",
            ),
            ("A=hunter2\\", "1: not an assignment"),
            ("A=old\nA=hunter 2\nB=y", "A=old, B=y, 2: not an assignment"),
        ] {
            assert_eq!(read(source.as_bytes()), expected, "{source}");
        }
        assert_eq!(read(b"A=x\nB=\xff\nC='\n\xff'\nD=y"), "A=x, D=y, 2: not UTF-8, 4: not UTF-8");
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
            for (line, ..) in parse(format!("A={source}").as_bytes()).1 {
                assert!((1..=lines).contains(&line), "{source:?}: {line}");
            }
        }
    }
}
