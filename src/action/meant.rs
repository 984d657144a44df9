//! Owns what an author probably meant by something that has no meaning here: other tools' words for our commands, a
//! colon left out, a comment that was to be text, a classic variable.

use super::problem::Span;
use crate::command;

/// What other tools call our commands.
const COMMANDS: [(&[&str], &str); 12] = [
    (&["goto", "go", "go_to", "open", "visit", "url"], "navigate"),
    (&["wait", "sleep", "pause", "delay"], "wait_for_timeout"),
    (&["wait_for", "wait_for_element"], "wait_for_selector"),
    (&["tap", "press_button", "click_on"], "click"),
    (&["input", "enter", "set_value", "fill_in", "write"], "fill"),
    (&["press", "key", "send_keys", "keyboard"], "press_key"),
    (&["select", "choose", "pick"], "select_option"),
    (&["upload", "attach", "set_input_files"], "upload_file"),
    (&["back", "go_back"], "navigate_back"),
    (&["forward", "go_forward"], "navigate_forward"),
    (&["refresh"], "reload"),
    (&["script", "eval", "js", "javascript", "execute"], "evaluate"),
];

/// The command that was meant by a word that is none.
pub fn command(word: &str) -> Option<String> {
    // `- click role:button[Save]` is one text.
    if let Some((first, rest)) = word.split_once(' ')
        && command::find(first).is_some()
    {
        return Some(format!("a colon is missing: `- {first}: {}`", rest.trim()));
    }
    // `- click:role:button[Save]` too.
    if let Some((first, rest)) = word.split_once(':')
        && command::find(first).is_some()
    {
        return Some(format!("a space belongs behind the colon: `- {first}: {rest}`"));
    }
    let word = command::snake_case(word);
    let meant = COMMANDS.iter().find(|other| other.0.contains(&&*word))?.1;
    Some(format!("did you mean `{meant}`?"))
}

/// The word of the flow that was meant by a word that is none.
pub fn flow(word: &str) -> Option<String> {
    const WORDS: [(&[&str], &str); 9] = [
        (&["else", "then"], "write it beside `if:`, indented like it and without a `- `"),
        (&["elif", "elsif", "else_if", "switch", "case"], "put an `if` into the `else` of another"),
        (&["while", "until", "loop", "do"], "write `repeat: { max: 20, while: …, steps: […] }`"),
        (&["for", "foreach", "each"], "write `for_each: { in: …, as: item, steps: […] }`"),
        (&["assert", "verify", "should", "assert_visible", "expect_visible"], "write `expect: { visible: … }`"),
        (&["dblclick", "double_click"], "write `click: …` with `click_count: 2` below it"),
        (&["try", "catch", "block"], "write `group: […]` with `optional: true`, or rules in `errors`"),
        (&["throw", "raise", "abort", "error"], "write `fail: …`"),
        (&["let", "var", "assign", "variable"], "write `set: { name: value }`"),
    ];
    let word = command::snake_case(word);
    WORDS.iter().find(|other| other.0.contains(&&*word)).map(|other| other.1.to_owned())
}

/// Expressions in the braces of other tools, `{{ inputs.a }}` and `${ inputs.a }`: where, as written, and the name in it.
pub fn expressions(text: &str) -> impl Iterator<Item = (usize, &str, &str)> {
    let open = text.match_indices('{').filter_map(|(at, _)| {
        let (before, rest) = text.split_at(at);
        let (start, inner, close) = match (rest.strip_prefix("{{"), before.ends_with('$')) {
            (Some(inner), false) => (at, inner, "}}"),
            (None, true) => (at - 1, &rest[1..], "}"),
            _ => return None,
        };
        let end = inner.find(close)?;
        let length = text.len() - inner.len() + end + close.len() - start;
        Some((start, &text[start..start + length], inner[..end].trim()))
    });
    open.filter(|(_, _, name)| name.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.'))
}

/// That the value of a key is a comment, if it is: `- click: #save`.
pub fn comment(source: &str, key: Span) -> Option<String> {
    let start = key.start?;
    let line = source.lines().nth(start.line as usize - 1)?;
    let rest: String = line.chars().skip((start.column - 1 + key.length) as usize).collect();
    let value = rest.trim_start_matches(['"', '\'']).strip_prefix(':')?.trim();
    let quoted = || serde_json::Value::from(value);
    value.starts_with('#').then(|| format!("`#` begins a comment; write text in quotes: `{}`", quoted()))
}

/// The secret that was meant by a name in an expression: `${{SHOP_PASSWORD}}`.
pub fn secret(name: &str) -> Option<String> {
    let all_capitals = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    let is_secret = all_capitals && name.starts_with(|c: char| c.is_ascii_uppercase());
    is_secret.then(|| format!("did you mean the secret `$<<{name}>>`?"))
}
