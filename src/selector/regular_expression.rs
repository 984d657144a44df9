//! What a regular expression in a selector may hold.
//!
//! The page's JavaScript runs it and Rust checks it, so it has to mean the same in both: what only one of them knows
//! is refused here, at load, and not when the step runs.

use regex::RegexBuilder;

/// Constructs that JavaScript and Rust don't share, and what to write instead.
const FOREIGN: [(&str, &str); 9] = [
    ("(?=", "look-around is not supported; narrow the match with `>>` or `has-text:`"),
    ("(?!", "look-around is not supported; narrow the match with `>>` or `has-not:`"),
    ("(?<=", "look-around is not supported; narrow the match with `>>` or `has-text:`"),
    ("(?<!", "look-around is not supported; narrow the match with `>>` or `has-not:`"),
    ("(?P<", "write `(?:…)`; groups need no names here"),
    ("\\A", "write `^` for the start"),
    ("\\z", "write `$` for the end"),
    ("\\x{", "write the character itself"),
    ("[[:", "name the characters, such as `[a-z]`"),
];

/// The flags in alphabetical order, or what is wrong with them.
pub(super) fn canonical_flags(flags: &str) -> Result<String, String> {
    let mut sorted: Vec<char> = flags.chars().collect();
    sorted.sort_unstable();
    if let Some(unknown) = flags.chars().find(|flag| !matches!(flag, 'i' | 'm' | 's' | 'u')) {
        return Err(format!("unknown flag `{unknown}` of a regular expression"));
    }
    if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(format!("flag `{}` is given twice", twice[0]));
    }
    Ok(sorted.into_iter().collect())
}

/// Whether the pattern compiles and means the same in JavaScript and Rust; otherwise a message and a hint.
pub(super) fn check(pattern: &str, flags: &str) -> Result<(), (String, String)> {
    if pattern.is_empty() {
        return Err((
            "the regular expression is empty".to_owned(),
            "write a pattern, such as `/^sign (in|up)$/i`".to_owned(),
        ));
    }
    let mut rest = pattern;
    while let Some(character) = rest.chars().next() {
        if let Some((construct, hint)) = FOREIGN.iter().find(|(construct, _)| rest.starts_with(construct)) {
            return Err((unsupported(construct), (*hint).to_owned()));
        }
        let mut skipped = character.len_utf8();
        if character == '\\' {
            let escaped = rest[skipped..].chars().next();
            if let Some(digit @ '1'..='9') = escaped {
                return Err((
                    unsupported(&format!("\\{digit}")),
                    "back references are not supported; write the text again".to_owned(),
                ));
            }
            skipped += escaped.map_or(0, char::len_utf8);
        } else if let Some(group) = rest.strip_prefix("(?")
            && !group.starts_with([':', '<'])
        {
            return Err((unsupported("(?"), "write the flags after the closing `/`, such as `/sign in/i`".to_owned()));
        }
        rest = &rest[skipped..];
    }
    RegexBuilder::new(pattern)
        .case_insensitive(flags.contains('i'))
        .multi_line(flags.contains('m'))
        .dot_matches_new_line(flags.contains('s'))
        .build()
        .map(drop)
        .map_err(|error| {
            let text = error.to_string();
            let reason = text.lines().last().unwrap_or_default().trim_start_matches("error: ");
            ("the regular expression does not compile".to_owned(), format!("correct the pattern: {reason}"))
        })
}

fn unsupported(construct: &str) -> String {
    format!("`{construct}` is not supported in a regular expression")
}
