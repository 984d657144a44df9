//! Selectors as classic shortcuts write them: `button[type="submit"]` and `h1` are CSS without a prefix, `text=Foo` and
//! `>> nth=2` are Playwright's spelling. They are rewritten into this grammar before they are parsed.

use super::css_lint;

/// The engines whose `name=value` becomes `name:value`.
const ENGINES: [&str; 4] = ["text", "css", "xpath", "nth"];

/// The source in this grammar; what needs no change stays as it is.
pub(super) fn rewritten(source: &str) -> String {
    let parts: Vec<String> = parts(source).into_iter().map(part).collect();
    let spelled = parts.join(">>");
    css_lint::classic(&spelled).unwrap_or(spelled)
}

/// The text between the `>>` that stand outside quotes.
fn parts(source: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut start, mut quoted) = (0, false);
    let bytes = source.as_bytes();
    let mut index = 0;
    while index < bytes.len() {
        match bytes[index] {
            b'\\' if quoted => index += 1,
            b'"' => quoted = !quoted,
            b'>' if !quoted && bytes.get(index + 1) == Some(&b'>') => {
                parts.push(&source[start..index]);
                index += 1;
                start = index + 1;
            }
            _ => {}
        }
        index += 1;
    }
    parts.push(&source[start..]);
    parts
}

fn part(part: &str) -> String {
    let text = part.trim_start();
    let Some((engine, value)) = text.split_once('=') else { return part.to_owned() };
    if !ENGINES.contains(&engine) {
        return part.to_owned();
    }
    let space = &part[..part.len() - text.len()];
    let inner = value.trim().strip_prefix('\'').and_then(|value| value.strip_suffix('\''));
    match inner {
        // Playwright takes either quotes for the whole text.
        Some(whole) if engine == "text" => {
            let end = &value[value.trim_end().len()..];
            format!("{space}text:\"{}\"{end}", whole.replace('\\', "\\\\").replace('"', "\\\""))
        }
        _ if engine == "css" => {
            let css = css_lint::without_borrowed(value.trim_end());
            format!("{space}css:{}", css.as_deref().unwrap_or(value))
        }
        _ => format!("{space}{engine}:{value}"),
    }
}
