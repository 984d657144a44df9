//! The docs' table of the commands, made from the vocabulary itself.

use std::fmt::Write;

use super::{Definition, all};

/// The table of all commands in Markdown: name, what it does, arguments, result.
pub fn markdown_table() -> String {
    let mut table = String::from("| command | what it does | arguments | answers |\n|---|---|---|---|\n");
    for definition in all() {
        let _ = writeln!(
            table,
            "| `{}` | {} | {} | {} |",
            definition.name,
            definition.doc(),
            arguments(definition),
            definition.returns
        );
    }
    table
}

/// The main argument first and in bold, required ones before optional ones, which stand in brackets.
fn arguments(definition: &Definition) -> String {
    let required: Vec<&str> = definition.required().collect();
    let mut names: Vec<&str> = definition.properties().map(|(name, _)| name.as_str()).collect();
    names.sort_by_key(|name| (definition.main != Some(name), !required.contains(name)));
    let spelled: Vec<String> = names
        .into_iter()
        .map(|name| match (definition.main == Some(name), required.contains(&name)) {
            (true, true) => format!("**{name}**"),
            (true, false) => format!("[**{name}**]"),
            (false, true) => name.to_owned(),
            (false, false) => format!("[{name}]"),
        })
        .collect();
    spelled.join(", ")
}
