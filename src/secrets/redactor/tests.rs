//! Scenarios of the redactor: every form in every place, and texts that must stay as they are.

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use serde_json::json;

use super::*;

fn redactor(values: &[(&str, &str)]) -> Redactor {
    let values: Vec<(SecretName, SecretString)> =
        values.iter().map(|(name, value)| (name.parse().expect("a valid name"), SecretString::from(*value))).collect();
    Redactor::new(&values)
}

const AWKWARD: &str = "p&ss <w>/\"ö'\\+%é? ~#\u{1}";

/// An escaped value is found in all the usual ways of escaping.
#[test]
fn escaped_forms_are_replaced() {
    let redactor = redactor(&[("PW", AWKWARD)]);
    for form in [
        AWKWARD,
        // encodeURIComponent, its lower-case kin, encodeURI, URLSearchParams, Python's quote_plus, the URL standard's query.
        "p%26ss%20%3Cw%3E%2F%22%C3%B6'%5C%2B%25%C3%A9%3F%20~%23%01",
        "p%26ss%20%3cw%3e%2f%22%c3%b6'%5c%2b%25%c3%a9%3f%20~%23%01",
        "p&ss%20%3Cw%3E/%22%C3%B6'%5C+%25%C3%A9?%20~#%01",
        "p%26ss+%3Cw%3E%2F%22%C3%B6%27%5C%2B%25%C3%A9%3F+%7E%23%01",
        "p%26ss+%3Cw%3E%2F%22%C3%B6%27%5C%2B%25%C3%A9%3F+~%23%01",
        "p&ss%20%3Cw%3E/%22%C3%B6%27\\+%%C3%A9?%20~%23%01",
        // JSON: plain, with escaped slashes and ASCII only (PHP), for HTML (Go), and inside a JSON string.
        r#"p&ss <w>/\"ö'\\+%é? ~#\u0001"#,
        r#"p&ss <w>\/\"\u00f6'\\+%\u00e9? ~#\u0001"#,
        r#"p&ss <w>/\"\u00F6'\\+%\u00E9? ~#\u0001"#,
        r#"p\u0026ss \u003cw\u003e/\"ö\u0027\\+%é? ~#\u0001"#,
        r#"p&ss <w>/\\\"ö'\\\\+%é? ~#\\u0001"#,
        // HTML: text, attribute, and with all five characters escaped by name or number.
        "p&amp;ss &lt;w&gt;/\"ö'\\+%é? ~#\u{1}",
        "p&amp;ss <w>/&quot;ö'\\+%é? ~#\u{1}",
        "p&amp;ss &lt;w&gt;/&quot;ö&apos;\\+%é? ~#\u{1}",
        "p&amp;ss &lt;w&gt;/&quot;ö&#39;\\+%é? ~#\u{1}",
        "p&#38;ss &#60;w&#62;/&#34;ö&#39;\\+%é? ~#\u{1}",
        "p&#x26;ss &#x3C;w&#x3E;/&#x22;ö&#x27;\\+%é? ~#\u{1}",
    ] {
        assert_eq!(redactor.text(&format!("a={form}&b")), "a=<secret:PW>&b", "{form}");
    }
}

/// Base64 is found at every alignment, in both alphabets, with and without padding; at most the digits that
/// also hold bits of a neighbour stay.
#[test]
fn base64_is_replaced() {
    let value = "hunter2?>~é";
    let redactor = redactor(&[("PW", value)]);
    for engine in [&STANDARD, &STANDARD_NO_PAD, &URL_SAFE, &URL_SAFE_NO_PAD] {
        assert_eq!(redactor.text(&engine.encode(value)), "<secret:PW>");
        for before in ["", "u", "us", "use", "user:"] {
            for after in ["", "x", "xy", "xyz"] {
                let encoded = engine.encode(format!("{before}{value}{after}"));
                let redacted = redactor.text(&encoded);
                let left = redacted.replace("<secret:PW>", "");
                let allowed = engine.encode(before).len() + engine.encode(after).len() + 4;
                assert!(
                    redacted.contains("<secret:PW>") && left.len() <= allowed,
                    "{before}…{after}: {encoded} → {redacted}"
                );
            }
        }
    }
}

/// `btoa` takes one byte for each character.
#[test]
fn base64_of_latin1_is_replaced() {
    let redactor = redactor(&[("PW", "pässwörd"), ("OTHER", "пароль")]);
    let latin1: Vec<u8> = "pässwörd".chars().map(|character| character as u8).collect();
    assert_eq!(redactor.text(&format!("a {} b", STANDARD.encode(latin1))), "a <secret:PW> b");
    assert_eq!(redactor.text(&STANDARD.encode("пароль")), "<secret:OTHER>");
}

/// Lines may end either way, and space at the ends may be lost.
#[test]
fn lines_are_replaced() {
    let key = "-----BEGIN KEY-----\nabc\ndef\n-----END KEY-----\n";
    let redactor = redactor(&[("KEY", key)]);
    assert_eq!(redactor.text(key), "<secret:KEY>");
    assert_eq!(redactor.text(&format!("[{}]", key.trim())), "[<secret:KEY>]");
    assert_eq!(redactor.text(&key.replace('\n', "\r\n")), "<secret:KEY>");
    assert_eq!(redactor.text(&format!("{{\"key\":{}}}", json!(key))), "{\"key\":\"<secret:KEY>\"}");
}

/// The longest value wins; several in one text, also adjacent ones, are all replaced.
#[test]
fn the_longest_value_wins() {
    let redactor = redactor(&[("SHORT", "hunter"), ("LONG", "hunter2"), ("SAME", "hunter2"), ("EMPTY", "")]);
    assert_eq!(redactor.text("hunter2hunter hunter22"), "<secret:LONG><secret:SHORT> <secret:LONG>2");
    assert_eq!(redactor.text("Hunter"), "Hunter");
    assert!(matches!(redactor.text("nothing here"), Cow::Borrowed(_)));
}

/// A value that is part of a mask changes no mask, however often the text is redacted.
#[test]
fn masks_are_stable() {
    let redactor =
        redactor(&[("A", "secret"), ("B", "<secret:"), ("C", "<secret:A>!"), ("D", "cret:A> x"), ("SAME", "secret")]);
    let once = redactor.text("secret <secret: <secret:A>! <secret:A> x <secret:SAME>").into_owned();
    assert_eq!(once, "<secret:A> <secret:B> <secret:C> <secret:A> x <secret:SAME>");
    assert_eq!(redactor.text(&once), once);
}

/// Short values are hidden only where they stand alone, so that words stay readable.
#[test]
fn short_values_are_hidden_alone() {
    let redactor = redactor(&[("PIN", "123"), ("WORD", "the")]);
    let mut value = json!({ "pin": "123", "text": "the 123", "the": ["the", 123, 1234, true] });
    redactor.value(&mut value);
    assert_eq!(
        value,
        json!({ "pin": "<secret:PIN>", "text": "the 123", "<secret:WORD>": ["<secret:WORD>", "<secret:PIN>", 1234, true] })
    );
}

/// Strings, numbers and keys at any depth; keys keep their order and stay apart.
#[test]
fn values_are_redacted_everywhere() {
    let redactor = redactor(&[("PIN", "123456"), ("PW", "hunter2")]);
    let mut value = json!({
        "b": [{ "x": 123456, "y": 1234567, "z": "PIN 123456" }],
        "hunter2": 1, "a": null, "h-hunter2": 2, "<secret:PW>": 3,
    });
    redactor.value(&mut value);
    assert_eq!(
        value.to_string(),
        r##"{"b":[{"x":"<secret:PIN>","y":1234567,"z":"PIN <secret:PIN>"}],"<secret:PW>":1,"a":null,"h-<secret:PW>":2,"<secret:PW>#2":3}"##
    );
}

/// A redactor without values changes nothing.
#[test]
fn nothing_to_hide() {
    let redactor = redactor(&[("EMPTY", "")]);
    let mut value = json!({ "a": "<secret:EMPTY>" });
    redactor.value(&mut value);
    assert_eq!((redactor.is_empty(), value), (true, json!({ "a": "<secret:EMPTY>" })));
}
