//! The lint for bare text that its author may have meant as CSS: `button[type=submit]`, `div.card`, `ul > li`.

use std::sync::LazyLock;

use regex::Regex;

use super::parse;

/// HTML's elements that can stand in a body, without obsolete ones.
const ELEMENTS: &str = "a|abbr|address|area|article|aside|audio|b|bdi|bdo|blockquote|body|br|button|canvas|caption|\
    cite|code|col|colgroup|data|datalist|dd|del|details|dfn|dialog|div|dl|dt|em|embed|fieldset|figcaption|figure|\
    footer|form|h[1-6]|header|hgroup|hr|html|i|iframe|img|input|ins|kbd|label|legend|li|link|main|map|mark|menu|meter|\
    nav|object|ol|optgroup|option|output|p|picture|pre|progress|q|s|samp|search|section|select|slot|small|source|span|\
    strong|sub|summary|sup|svg|table|tbody|td|template|textarea|tfoot|th|thead|time|tr|track|u|ul|var|video|wbr";

/// Elements whose names are no words that a page would show.
const UNMISTAKABLE: &str = "body|colgroup|datalist|div|fieldset|figcaption|h[1-6]|html|iframe|img|li|ol|optgroup|span|svg|tbody|td|textarea|tfoot|thead|tr|ul";

/// Pseudo-classes and pseudo-elements that people write most.
const PSEUDO: &str = "active|after|before|checked|disabled|empty|enabled|first-child|first-of-type|focus|has|hover|is|\
    last-child|last-of-type|not|nth-child|nth-last-child|nth-of-type|only-child|where";

/// Any one element.
static ELEMENT: LazyLock<Regex> = LazyLock::new(|| compile(&format!("^(?:{ELEMENTS})$")));

/// What narrows an element down.
static QUALIFIER: LazyLock<String> = LazyLock::new(|| {
    format!(
        r#"(?:[.#][A-Za-z_-][\w-]*|\[[A-Za-z_-]+(?:[~|^$*]?=(?:"[^"]*"|'[^']*'|[^\]\s]+))?\]|::?(?:{PSEUDO})(?:\([^()]*\))?)"#
    )
});

/// What stands between elements.
const COMBINATOR: &str = r"(?:\s*[>+~,]\s*|\s+)";

/// One element without qualifiers that can't be a word, or a chain in which at least one has a qualifier.
static CSS: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    let qualifier = QUALIFIER.as_str();
    let tag = format!(r"(?:(?:{ELEMENTS})|[a-z][a-z0-9]*(?:-[a-z0-9]+)+|\*)");
    let simple = format!("(?:{tag}{qualifier}*|{qualifier}+)");
    let qualified = format!("(?:{tag}{qualifier}+)");
    let combinator = COMBINATOR;
    [
        format!("^(?:{UNMISTAKABLE})$"),
        format!(
            r"^(?:{simple}{combinator})*{qualified}(?:{combinator}{simple})*$|^{simple}\s*>\s*{simple}(?:{combinator}{simple})*$"
        ),
    ]
    .map(|pattern| compile(&pattern))
});

/// A pseudo-class that other tools add to CSS, at the end, and the filter here that does the same.
static BORROWED: LazyLock<[(Regex, &str); 3]> = LazyLock::new(|| {
    let text = r#":(?:has-text|text|contains)\(\s*["']?(?<text>[^"'()]+)["']?\s*\)$"#;
    [(text, " >> has-text:$text"), (":visible$", " >> visible"), (r":(?:eq|nth)\((?<index>\d+)\)$", " >> nth:$index")]
        .map(|(pattern, filter)| (compile(pattern), filter))
});

/// A pseudo-class that other tools add to CSS, and what filters in its place.
const NOT_CSS: [(&str, &str); 13] = [
    ("has-text", "has-text:TEXT"),
    ("contains", "has-text:TEXT"),
    ("text", "text:TEXT"),
    ("text-is", "text:\"TEXT\""),
    ("text-matches", "text:/PATTERN/"),
    ("visible", "visible"),
    ("eq", "nth:INDEX"),
    ("nth-match", "nth:INDEX"),
    ("right-of", "right-of:SELECTOR"),
    ("left-of", "left-of:SELECTOR"),
    ("above", "above:SELECTOR"),
    ("below", "below:SELECTOR"),
    ("near", "near:SELECTOR"),
];

/// A name after a colon; strings, brackets and escapes are read past.
static PSEUDO_CLASS: LazyLock<Regex> =
    LazyLock::new(|| compile(r#""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|\[[^\]]*\]|\\.|:+(?<name>[a-z-]+)"#));

/// What classic shortcuts mean as CSS: chains of elements by name, qualified or not; and whatever has a combinator.
static CLASSIC: LazyLock<[Regex; 2]> = LazyLock::new(|| {
    let simple = format!("(?:(?:{ELEMENTS}){qualifier}*|{qualifier}+)", qualifier = *QUALIFIER);
    [format!("^{simple}(?:{COMBINATOR}{simple})*$"), r"^[A-Za-z*:][^>+]*\s*[>+]\s*[A-Za-z.#\[*:].*$".to_owned()]
        .map(|pattern| compile(&pattern))
});

/// The source with `css:` before every bare text that looks like CSS, if there is one.
pub(super) fn suggestion(source: &str) -> Option<String> {
    prefixed(source, as_css)
}

/// The source with `css:` before every bare text that is CSS in a classic shortcut, if there is one.
pub(super) fn classic(source: &str) -> Option<String> {
    let is_css = |text: &str| CLASSIC.iter().any(|pattern| pattern.is_match(text));
    prefixed(source, |text| if is_css(text) { Some(format!("css:{text}")) } else { as_css(text) })
}

/// The first pseudo-class in CSS that only other tools know: where it stands, in bytes, its name, and the filter that
/// does the same here.
pub(super) fn foreign_pseudo_class(css: &str) -> Option<(usize, &'static str, &'static str)> {
    PSEUDO_CLASS.captures_iter(css).find_map(|found| {
        let name = found.name("name")?;
        let (word, filter) = NOT_CSS.into_iter().find(|(word, _)| *word == name.as_str())?;
        Some((found.get(0)?.start(), word, filter))
    })
}

/// CSS with a pseudo-class of other tools at its end, as CSS and a filter.
pub(super) fn without_borrowed(css: &str) -> Option<String> {
    let (pattern, filter) = BORROWED.iter().find(|(pattern, _)| pattern.is_match(css))?;
    Some(pattern.replace(css, *filter).into_owned())
}

fn prefixed(source: &str, as_css: impl Fn(&str) -> Option<String>) -> Option<String> {
    let characters: Vec<char> = source.chars().collect();
    let mut suggestion = String::new();
    let mut copied = 0;
    for range in parse::bare_texts(source).ok()? {
        let text: String = characters[range.clone()].iter().collect();
        if let Some(css) = as_css(&text) {
            suggestion.extend(&characters[copied..range.start]);
            suggestion.push_str(&css);
            copied = range.end;
        }
    }
    if suggestion.is_empty() {
        return None;
    }
    suggestion.extend(&characters[copied..]);
    Some(suggestion)
}

/// The text as a part with the `css:` prefix, if it looks like CSS.
fn as_css(text: &str) -> Option<String> {
    let looks_like = |text: &str| CSS.iter().any(|pattern| pattern.is_match(text));
    if looks_like(text) {
        return Some(format!("css:{text}"));
    }
    let (pattern, filter) = BORROWED.iter().find(|(pattern, _)| pattern.is_match(text))?;
    let subject = pattern.replace(text, "");
    (ELEMENT.is_match(&subject) || looks_like(&subject)).then(|| format!("css:{}", pattern.replace(text, *filter)))
}

fn compile(pattern: &str) -> Regex {
    Regex::new(pattern).expect("the pattern is constant and a test compiles it")
}
