//! The forms under which a value can leave the host: as it is, and escaped in the ways of URLs, forms, JSON, HTML and
//! base64.

use std::collections::BTreeSet;

use base64::Engine;
use base64::alphabet::{Alphabet, STANDARD, URL_SAFE};
use base64::engine::general_purpose::{GeneralPurpose, NO_PAD};

/// Texts are cut for display at a few hundred characters.
const LONGEST_CUT: usize = 400;

/// What percent-encoders in use leave as it is, beside letters and digits: everything encoded, RFC 3986's unreserved
/// characters, `encodeURIComponent`, `encodeURI`, form encoding, and the sets of the URL standard for user information,
/// paths, queries and fragments.
const KEPT_IN_URLS: [&str; 9] = [
    "",
    "-_.~",
    "-_.~!*'()",
    "-_.~!*'();/?:@&=+$,#",
    "*-._",
    "-_.~!*'()$&+,%",
    "-_.~!*'()$&+,%/:;=@[\\]|",
    "-_.~!*()$&+,%/:;=@[\\]|?^`{}",
    "-_.~!*'()$&+,%/:;=@[\\]|?^{}#",
];

/// How HTML writers escape `&`, `<`, `>`, `"`, `'`.
const HTML_ESCAPES: [[&str; 5]; 10] = [
    ["&amp;", "&lt;", "&gt;", "\"", "'"],
    ["&amp;", "<", ">", "&quot;", "'"],
    ["&amp;", "&lt;", "&gt;", "&quot;", "'"],
    ["&amp;", "&lt;", "&gt;", "&quot;", "&apos;"],
    ["&amp;", "&lt;", "&gt;", "&quot;", "&#39;"],
    ["&amp;", "&lt;", "&gt;", "&quot;", "&#039;"],
    ["&amp;", "&lt;", "&gt;", "&quot;", "&#x27;"],
    ["&amp;", "&lt;", "&gt;", "&#34;", "&#39;"],
    ["&#38;", "&#60;", "&#62;", "&#34;", "&#39;"],
    ["&#x26;", "&#x3c;", "&#x3e;", "&#x22;", "&#x27;"],
];

/// All forms of a value, itself included; those shorter than `min_length` characters are left out.
pub(super) fn of(value: &str, min_length: usize) -> BTreeSet<String> {
    let unix = value.replace("\r\n", "\n");
    let variants = BTreeSet::from([
        value.to_owned(),
        value.trim().to_owned(),
        unix.replace('\n', "\r\n"),
        unix.trim().to_owned(),
        unix.trim().replace('\n', "\r\n"),
        // As a page shows it.
        unix.split_whitespace().collect::<Vec<_>>().join(" "),
        unix,
    ]);
    let mut forms = BTreeSet::new();
    for variant in variants {
        url_forms(&variant, &mut forms);
        json_forms(&variant, &mut forms);
        html_forms(&variant, &mut forms);
        base64_forms(variant.as_bytes(), &mut forms);
        // What `btoa` makes of a text: one byte for each character.
        let latin1: Option<Vec<u8>> = variant.chars().map(|character| u8::try_from(character).ok()).collect();
        if let Some(latin1) = latin1.filter(|_| !variant.is_ascii()) {
            base64_forms(&latin1, &mut forms);
        }
        cut_forms(&variant, min_length, &mut forms);
        forms.insert(variant);
    }
    forms.retain(|form| form.chars().count() >= min_length);
    forms
}

/// The beginnings that are left where a text was cut for display, with the mark of the cut.
fn cut_forms(value: &str, min_length: usize, forms: &mut BTreeSet<String>) {
    let ends = value.char_indices().map(|(end, _)| end).skip(min_length).take(LONGEST_CUT);
    forms.extend(ends.map(|end| format!("{}…", &value[..end])));
}

fn url_forms(value: &str, forms: &mut BTreeSet<String>) {
    for kept in KEPT_IN_URLS {
        for plus in [false, true] {
            for uppercase in [false, true] {
                forms.insert(percent_encoded(value, kept, plus, uppercase));
            }
        }
    }
    let all_bytes = |uppercase| value.bytes().map(|byte| percent(byte, uppercase)).collect();
    forms.extend([all_bytes(false), all_bytes(true)]);
}

fn percent_encoded(value: &str, kept: &str, plus: bool, uppercase: bool) -> String {
    value.bytes().fold(String::with_capacity(value.len()), |mut encoded, byte| {
        match char::from(byte) {
            ' ' if plus => encoded.push('+'),
            character if character.is_ascii_alphanumeric() => encoded.push(character),
            character if character.is_ascii() && kept.contains(character) => encoded.push(character),
            _ => encoded.push_str(&percent(byte, uppercase)),
        }
        encoded
    })
}

fn percent(byte: u8, uppercase: bool) -> String {
    if uppercase { format!("%{byte:02X}") } else { format!("%{byte:02x}") }
}

fn json_forms(value: &str, forms: &mut BTreeSet<String>) {
    for ascii in [None, Some(false), Some(true)] {
        for slashes in [false, true] {
            for markup in [false, true] {
                let once = json_escaped(value, ascii, slashes, markup);
                // JSON inside a string of JSON.
                forms.insert(json_escaped(&once, ascii, slashes, markup));
                forms.insert(once);
            }
        }
    }
}

/// A JSON string without its quotes. `ascii` escapes all else than ASCII (`true` with upper-case digits), `slashes`
/// escapes `/`, `markup` escapes what has a meaning in HTML.
fn json_escaped(value: &str, ascii: Option<bool>, slashes: bool, markup: bool) -> String {
    let mut escaped = String::with_capacity(value.len());
    for character in value.chars() {
        match character {
            '"' | '\\' => escaped.extend(['\\', character]),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            '\u{8}' => escaped.push_str("\\b"),
            '\u{c}' => escaped.push_str("\\f"),
            '/' if slashes => escaped.push_str("\\/"),
            '<' | '>' | '&' | '\'' | '\u{2028}' | '\u{2029}' if markup => {
                push_unicode_escape(&mut escaped, character, ascii)
            }
            '\0'..='\u{1f}' => push_unicode_escape(&mut escaped, character, ascii),
            _ if ascii.is_some() && !character.is_ascii() => push_unicode_escape(&mut escaped, character, ascii),
            _ => escaped.push(character),
        }
    }
    escaped
}

fn push_unicode_escape(escaped: &mut String, character: char, uppercase: Option<bool>) {
    for unit in character.encode_utf16(&mut [0; 2]) {
        let text = if uppercase == Some(true) { format!("\\u{unit:04X}") } else { format!("\\u{unit:04x}") };
        escaped.push_str(&text);
    }
}

fn html_forms(value: &str, forms: &mut BTreeSet<String>) {
    for [ampersand, less, greater, double_quote, single_quote] in HTML_ESCAPES {
        let escaped = value.chars().fold(String::with_capacity(value.len()), |mut escaped, character| {
            match character {
                '&' => escaped.push_str(ampersand),
                '<' => escaped.push_str(less),
                '>' => escaped.push_str(greater),
                '"' => escaped.push_str(double_quote),
                '\'' => escaped.push_str(single_quote),
                '\u{a0}' => escaped.push_str("&nbsp;"),
                _ => escaped.push(character),
            }
            escaped
        });
        if ampersand == "&#x26;" {
            forms.insert(escaped.replace("&#x3c;", "&#x3C;").replace("&#x3e;", "&#x3E;"));
        }
        forms.insert(escaped);
    }
}

/// Base64 of the value alone, and what it adds to the base64 of a longer text at each of the three alignments.
fn base64_forms(value: &[u8], forms: &mut BTreeSet<String>) {
    for alphabet in [STANDARD, URL_SAFE] {
        for before in 0..3 {
            let text = [&vec![0; before], value].concat();
            let encoded = encode(&alphabet, &text);
            // The first digits also hold bits of the text before, the last digit bits of the text after.
            let start = (before * 8).div_ceil(6);
            let end = text.len() * 8 / 6;
            if start >= end {
                continue;
            }
            forms.insert(encoded[start..end].to_owned());
            // At the end of the longer text nothing follows: the last digit is whole, then there may be padding.
            forms.insert(encoded[start..].to_owned());
            forms.insert(format!("{}{}", &encoded[start..], "=".repeat((4 - encoded.len() % 4) % 4)));
        }
    }
}

fn encode(alphabet: &Alphabet, bytes: &[u8]) -> String {
    GeneralPurpose::new(alphabet, NO_PAD).encode(bytes)
}
