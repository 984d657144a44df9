//! Owns what plain scalars are: YAML 1.2's core schema, in which `yes` is text and `0123` is no number.

use serde_json::Number;

use super::Kind;

/// A plain scalar that is more than text.
#[derive(Debug, PartialEq)]
pub enum Plain {
    /// A null, boolean or number.
    Value(Kind),
    /// A number that JSON does not have.
    NotFinite,
}

/// What a plain scalar is, if it is not text.
pub fn plain(text: &str) -> Option<Plain> {
    let value = |kind| Some(Plain::Value(kind));
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return value(Kind::Null),
        "true" | "True" | "TRUE" => return value(Kind::Bool(true)),
        "false" | "False" | "FALSE" => return value(Kind::Bool(false)),
        _ => {}
    }
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    if !unsigned.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    if let Some(name) = unsigned.strip_prefix('.').filter(|name| name.len() == 3) {
        let lower = name.to_ascii_lowercase();
        if lower == "inf" || lower == "nan" && unsigned == text {
            return Some(Plain::NotFinite);
        }
    }
    if let Some(number) = integer(text, unsigned) {
        return value(Kind::Number(number));
    }
    if !is_decimal(unsigned) {
        return None;
    }
    match text.parse().ok().and_then(Number::from_f64) {
        Some(number) => value(Kind::Number(number)),
        None => Some(Plain::NotFinite),
    }
}

fn integer(text: &str, unsigned: &str) -> Option<Number> {
    for (prefix, radix) in [("0x", 16), ("0o", 8)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            let valid = digits.chars().all(|c| c.is_digit(radix));
            return u64::from_str_radix(digits, radix).ok().filter(|_| valid).map(Number::from);
        }
    }
    let is_whole = unsigned.bytes().all(|byte| byte.is_ascii_digit()) && !has_leading_zero(unsigned);
    if !is_whole {
        return None;
    }
    text.parse::<i64>().map(Number::from).or_else(|_| text.parse::<u64>().map(Number::from)).ok()
}

/// `12`, `1.5`, `.5`, `1.`, `1e3`.
fn is_decimal(unsigned: &str) -> bool {
    let (mantissa, exponent) = match unsigned.find(['e', 'E']) {
        Some(at) => (&unsigned[..at], Some(&unsigned[at + 1..])),
        None => (unsigned, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let exponent = exponent.is_none_or(|text| {
        let text = text.strip_prefix(['-', '+']).unwrap_or(text);
        !text.is_empty() && digits(text)
    });
    let some = !(whole.is_empty() && fraction.is_empty());
    some && digits(whole) && digits(fraction) && exponent && !has_leading_zero(whole)
}

/// `0123` is a code of some kind, not a number.
fn has_leading_zero(digits: &str) -> bool {
    digits.len() > 1 && digits.starts_with('0')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_scalars_are_what_yaml_1_2_says() {
        let words = "~ null Null true False yes on off 0 -0 5 +5 -5 007 1_000 0x1F 0xG 0o17 18446744073709551615 \
                     99999999999999999999 1.50 .5 5. . - 1e3 1e 1e999 00.5 .inf -.Inf .nan -.nan .nano 1.2.3 2026-01-01 1:30";
        let lines = words.split_whitespace().map(|word| match plain(word) {
            None => format!("{word} text"),
            Some(Plain::NotFinite) => format!("{word} not finite"),
            Some(Plain::Value(Kind::Null)) => format!("{word} null"),
            Some(Plain::Value(Kind::Bool(value))) => format!("{word} {value}"),
            Some(Plain::Value(Kind::Number(number))) => format!("{word} number {number}"),
            Some(other) => format!("{word} {other:?}"),
        });
        insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r"
        ~ null
        null null
        Null null
        true true
        False false
        yes text
        on text
        off text
        0 number 0
        -0 number 0
        5 number 5
        +5 number 5
        -5 number -5
        007 text
        1_000 text
        0x1F number 31
        0xG text
        0o17 number 15
        18446744073709551615 number 18446744073709551615
        99999999999999999999 number 1e+20
        1.50 number 1.5
        .5 number 0.5
        5. number 5.0
        . text
        - text
        1e3 number 1000.0
        1e text
        1e999 not finite
        00.5 text
        .inf not finite
        -.Inf not finite
        .nan not finite
        -.nan text
        .nano text
        1.2.3 text
        2026-01-01 text
        1:30 text
        ");
    }
}
