//! Owns which filters and tests an expression may name. The engine notices a wrong one only when it gets there, which
//! may be after the order was placed.

/// What to write instead of something that is no part of an expression, such as another language's operator.
pub fn meant(rest: &str) -> &'static str {
    const OTHERS: [(&str, &str); 9] = [
        ("&&", "write `and`"),
        ("||", "write `or`"),
        ("===", "write `==`"),
        ("!==", "write `!=`"),
        ("!", "write `not`"),
        ("?", "write `a if condition else b`"),
        ("$<<", "a secret can't be computed with: write `$<<NAME>>` outside of the expression"),
        ("${{", "an expression stands in one pair of `${{` and `}}`"),
        ("`", "put text in `'…'` or `\"…\"`"),
    ];
    let other = OTHERS.iter().find(|other| rest.starts_with(other.0) && !rest.starts_with("!= "));
    other.map_or("expressions look like `inputs.count > 1 and page.title != ''`", |other| other.1)
}

/// `value | filter`.
pub const FILTERS: [&str; 44] = [
    "abs",
    "attr",
    "batch",
    "bool",
    "capitalize",
    "chain",
    "count",
    "d",
    "default",
    "dictsort",
    "first",
    "float",
    "format",
    "groupby",
    "indent",
    "int",
    "items",
    "join",
    "last",
    "length",
    "lines",
    "list",
    "lower",
    "map",
    "max",
    "min",
    "reject",
    "rejectattr",
    "replace",
    "reverse",
    "round",
    "select",
    "selectattr",
    "slice",
    "sort",
    "split",
    "string",
    "sum",
    "title",
    "tojson",
    "trim",
    "unique",
    "upper",
    "zip",
];

/// `value is test`.
pub const TESTS: [&str; 31] = [
    "boolean",
    "defined",
    "divisibleby",
    "endingwith",
    "eq",
    "equalto",
    "even",
    "false",
    "float",
    "ge",
    "greaterthan",
    "gt",
    "in",
    "int",
    "integer",
    "iterable",
    "le",
    "lessthan",
    "lower",
    "lt",
    "mapping",
    "ne",
    "none",
    "number",
    "odd",
    "sequence",
    "startingwith",
    "string",
    "true",
    "undefined",
    "upper",
];

/// A name that is no filter or no test.
#[derive(Debug, PartialEq, Eq)]
pub struct Unknown<'a> {
    /// `filter` or `test`.
    pub what: &'static str,
    /// The name.
    pub name: &'a str,
    /// Its first byte in the expression.
    pub offset: usize,
    /// What exists.
    pub known: &'static [&'static str],
}

/// The first filter or test of a valid expression that does not exist.
pub fn unknown(source: &str) -> Option<Unknown<'_>> {
    let mut before = Before::Other;
    for (offset, token) in tokens(source) {
        let is_word = token.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        let (what, known): (_, &'static [&'static str]) = match before {
            Before::Pipe => ("filter", &FILTERS),
            Before::Is => ("test", &TESTS),
            Before::Other => ("", &[]),
        };
        if before == Before::Is && token == "not" {
            continue;
        }
        if is_word && !what.is_empty() && !known.contains(&token) {
            let name = token;
            return Some(Unknown { what, name, offset, known });
        }
        before = match (before, token) {
            (Before::Other, "|") => Before::Pipe,
            (Before::Other, "is") => Before::Is,
            _ => Before::Other,
        };
    }
    None
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Pipe,
    Is,
    Other,
}

/// Words (an attribute with its `.`, so that `a.is` is no operator), quoted texts and single characters.
fn tokens(source: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        at += source[at..].len() - source[at..].trim_start().len();
        let rest = &source[at..];
        let first = rest.chars().next()?;
        let part = |c: char| c.is_alphanumeric() || c == '_';
        let length = match first {
            '"' | '\'' => quoted(rest, first),
            '.' => 1 + rest[1..].find(|c| !part(c)).unwrap_or(rest.len() - 1),
            _ if part(first) => rest.find(|c| !part(c)).unwrap_or(rest.len()),
            _ => first.len_utf8(),
        };
        let start = at;
        at += length;
        Some((start, &rest[..length]))
    })
}

fn quoted(text: &str, quote: char) -> usize {
    let mut characters = text.char_indices().skip(1);
    while let Some((at, character)) = characters.next() {
        match character {
            '\\' => {
                characters.next();
            }
            _ if character == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_operators_are_found() {
        let found = |source| unknown(source).map(|found| (found.what, found.name, found.offset));
        assert_eq!(found("a | upper | replace('|uper', 'is x') ~ b.is"), None);
        assert_eq!(found("a is not none and b is in(c)"), None);
        assert_eq!(found("a | uper"), Some(("filter", "uper", 4)));
        assert_eq!(found("a is not nome"), Some(("test", "nome", 9)));
        assert_eq!(found("'é' | x"), Some(("filter", "x", 7)));
    }
}
