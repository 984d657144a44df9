//! Text of pages may hold half of a surrogate pair: JavaScript strings are UTF-16 and need not be well-formed. Chromium
//! writes such a half as an escape that is no character, and JSON decoders refuse it.

/// JSON in which every escape of a lone surrogate is one of U+FFFD, the replacement character.
pub(super) fn replaced(json: &str) -> String {
    let mut result = String::with_capacity(json.len());
    let mut rest = json;
    while let Some(at) = rest.find('\\') {
        let escape = &rest[at..];
        result.push_str(&rest[..at]);
        let (text, length) = match (unit(escape), escape.get(6..).and_then(unit)) {
            (Some(0xD800..=0xDBFF), Some(0xDC00..=0xDFFF)) => (&escape[..12], 12),
            (Some(0xD800..=0xDFFF), _) => (r"\ufffd", 6),
            // Any other escape is taken whole, so that the second of two backslashes begins none.
            _ => {
                let length = 1 + escape[1..].chars().next().map_or(0, char::len_utf8);
                (&escape[..length], length)
            }
        };
        result.push_str(text);
        rest = &escape[length..];
    }
    result.push_str(rest);
    result
}

/// The code unit of an escape such as `\ud83d` at the beginning of a text.
fn unit(text: &str) -> Option<u16> {
    u16::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::replaced;

    #[test]
    fn only_halves_are_replaced() {
        for (given, wanted) in [
            (r#""x \ud83d""#, r#""x \ufffd""#),
            (r#""\ud83d\ude00 \ude00 é""#, r#""\ud83d\ude00 \ufffd é""#),
            (r#""\\ud83d \n \ud83d\n""#, r#""\\ud83d \n \ufffd\n""#),
            (r#""\u00e9""#, r#""\u00e9""#),
            (r#""\"#, r#""\"#),
        ] {
            assert_eq!(replaced(given), wanted);
        }
    }
}
