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
    let word = command::snake_case(word);
    let meant = COMMANDS.iter().find(|other| other.0.contains(&&*word))?.1;
    Some(format!("did you mean `{meant}`?"))
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
