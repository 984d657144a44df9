//! File names that servers and pages suggest, made safe: they name a file, on every system, and hide nothing.

use std::borrow::Cow;

/// The longest name in bytes; file systems allow 255, and a number may be added.
const MAX_LENGTH: usize = 200;
/// The longest ending that is kept when a name is cut.
const MAX_ENDING: usize = 20;

/// The name of a file: no directories, nothing that Windows refuses, no leading dot, no invisible characters, which can
/// turn `gpj.exe` into what looks like `exe.jpg`.
pub(super) fn safe(suggested: &str) -> String {
    let last = suggested.rsplit(['/', '\\']).next().unwrap_or_default();
    let visible = last.chars().filter(|character| !is_invisible(*character));
    let replaced: String = visible
        .map(|character| match character {
            '<' | '>' | ':' | '"' | '|' | '?' | '*' => '_',
            character if character.is_control() => '_',
            character => character,
        })
        .collect();
    let trimmed = replaced.trim_matches(['.', ' ']);
    if trimmed.is_empty() {
        return "download".to_owned();
    }
    let (stem, ending) = split(trimmed);
    let stem = &stem[..stem.floor_char_boundary(MAX_LENGTH - ending.len())];
    let prefix = if is_device(stem) { "_" } else { "" };
    format!("{prefix}{stem}{ending}")
}

/// The name with a number, for where it is taken.
pub(super) fn numbered(name: &str, number: u32) -> Cow<'_, str> {
    if number == 1 {
        return Cow::Borrowed(name);
    }
    let (stem, ending) = split(name);
    Cow::Owned(format!("{stem} ({number}){ending}"))
}

/// The name before its ending, and the ending with its dot.
fn split(name: &str) -> (&str, &str) {
    match name.rfind('.') {
        Some(dot) if dot > 0 && name.len() - dot <= MAX_ENDING => name.split_at(dot),
        _ => (name, ""),
    }
}

/// Zero-width characters and those that change the direction of reading.
fn is_invisible(character: char) -> bool {
    matches!(character, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

/// A name that means a device on Windows, whatever its ending.
fn is_device(stem: &str) -> bool {
    let stem = stem.split('.').next().unwrap_or_default().trim_end().to_ascii_uppercase();
    let numbered = ["COM", "LPT"].iter().any(|device| {
        stem.strip_prefix(device)
            .is_some_and(|rest| rest.len() == 1 && rest.chars().all(|digit| digit.is_ascii_digit()))
    });
    numbered || ["CON", "PRN", "AUX", "NUL"].contains(&stem.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggested_names_are_made_safe() {
        for (suggested, expected) in [
            ("report.pdf", "report.pdf"),
            ("../../etc/passwd", "passwd"),
            ("C:\\Windows\\system.ini", "system.ini"),
            ("a:b?c*.txt", "a_b_c_.txt"),
            ("Rechnung März 2026.pdf", "Rechnung März 2026.pdf"),
            (".env", "env"),
            ("..", "download"),
            ("", "download"),
            (" . ", "download"),
            ("tab\there\n.csv", "tab_here_.csv"),
            ("photo\u{202e}gpj.exe", "photogpj.exe"),
            ("con.txt", "_con.txt"),
            ("COM1", "_COM1"),
            ("company.txt", "company.txt"),
        ] {
            assert_eq!(safe(suggested), expected, "{suggested:?}");
        }
        let long = safe(&format!("{}.tar.gz", "ä".repeat(300)));
        assert!(long.len() <= MAX_LENGTH && long.ends_with("ä.gz"), "{long}");
    }

    #[test]
    fn a_number_stands_before_the_ending() {
        assert_eq!(numbered("report.pdf", 1), "report.pdf");
        assert_eq!(numbered("report.pdf", 2), "report (2).pdf");
        assert_eq!(numbered("report", 3), "report (3)");
    }
}
