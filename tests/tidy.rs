//! The shape of the code as tests: the order of modules, who owns which crate, the size and head of files, and what may
//! not be in the repository. The rules themselves are told in `src/lib.rs`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The modules from left to right: each may use only those of earlier steps.
const ORDER: [&[&str]; 10] = [
    &["config", "secrets", "selector"],
    &["browser"],
    &["page"],
    &["command"],
    &["script"],
    &["action"],
    &["run"],
    &["watch", "mcp"],
    &["app"],
    &["main"],
];

/// The crates that have an owner, and the places that may name them.
const OWNERS: [(&str, &[&str]); 18] = [
    ("aho_corasick", &["src/secrets"]),
    // Pages for people and for tests.
    ("axum", &["src/app/shop", "src/app/test"]),
    ("chromiumoxide", &["src/browser"]),
    ("clap", &["src/config"]),
    ("command_fds", &["src/browser"]),
    ("dotenvy", &["src/secrets"]),
    ("jsonschema", &["src/action"]),
    ("minijinja", &["src/action"]),
    ("notify", &["src/watch"]),
    ("quick_junit", &["src/app/test"]),
    ("regex", &["src/selector"]),
    // `demo` is a client.
    ("rmcp", &["src/mcp", "src/app/demo"]),
    ("rustix", &["src/browser"]),
    // Selectors describe their own schema.
    ("schemars", &["src/command", "src/selector"]),
    ("secrecy", &["src/secrets"]),
    ("serde_yaml", &["src/action"]),
    ("tracing_subscriber", &["src/app"]),
    ("wasmtime", &["src/script"]),
];

/// What stands at the top of the repository, beside files that begin with a dot.
const TOP: [&str; 10] = [
    "Cargo.lock",
    "Cargo.toml",
    "LICENSE",
    "README.md",
    "benches",
    "builtin-actions",
    "examples",
    "src",
    "tests",
    "wit",
];

const MOST_LINES: usize = 500;

#[test]
fn modules_use_only_what_stands_to_their_left() {
    let mut offences = Vec::new();
    for (path, text) in sources(&["src"], &["rs"]) {
        let module = module_of(&path);
        let Some(step) = step_of(&module) else {
            if module != "lib" {
                offences.push(format!("{path}: `{module}` has no place in the order of modules"));
            }
            continue;
        };
        for used in crate_paths(&code(&text)) {
            match step_of(&used) {
                Some(other) if used != module && other >= step => {
                    offences.push(format!("{path}: `{module}` uses `{used}`"));
                }
                _ => {}
            }
        }
    }
    assert_none(offences);
}

#[test]
fn crates_are_named_by_their_owners_only() {
    let mut offences = Vec::new();
    for (path, text) in sources(&["src"], &["rs"]) {
        let code = code(&text);
        for (name, owners) in OWNERS {
            let owned =
                owners.iter().any(|owner| path.strip_prefix(owner).is_some_and(|rest| rest.starts_with(['/', '.'])));
            if !owned && names_crate(&code, name) {
                offences.push(format!("{path}: names `{name}`, which belongs to {}", owners.join(", ")));
            }
        }
    }
    assert_none(offences);
}

#[test]
fn files_are_short_and_say_what_they_own() {
    let mut offences = Vec::new();
    for (path, text) in sources(&["src", "tests", "benches"], &["rs", "js"]) {
        let lines = text.lines().count();
        if lines > MOST_LINES {
            offences.push(format!("{path}: {lines} lines, more than {MOST_LINES}"));
        }
        let headed = if path.ends_with(".rs") {
            text.starts_with("//! ")
        } else {
            text.starts_with("//") || text.starts_with("/*")
        };
        if !headed {
            offences.push(format!("{path}: does not open with what it owns"));
        }
        if path.ends_with("/mod.rs") {
            offences.push(format!("{path}: `foo.rs` stands beside `foo/`"));
        }
    }
    assert_none(offences);
}

/// The injected files become one scope, where the second function of a name silently takes the place of the first.
#[test]
fn names_of_the_injected_bundle_are_given_once() {
    let mut owners = BTreeMap::new();
    let mut offences = Vec::new();
    for (path, text) in sources(&["src/browser/injected"], &["js"]) {
        for line in text.lines() {
            let line = line.trim_start_matches("async ");
            let Some(rest) =
                ["function* ", "function ", "const ", "let ", "class "].iter().find_map(|word| line.strip_prefix(word))
            else {
                continue;
            };
            let name: String = rest.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            if let Some(first) = owners.insert(name.clone(), path.clone()).filter(|_| !name.is_empty()) {
                offences.push(format!("{path}: `{name}` is in {first} already"));
            }
        }
    }
    assert!(owners.len() > 300, "only {} names were found", owners.len());
    assert_none(offences);
}

#[test]
fn nothing_is_silenced_or_left_undone() {
    let words = [
        concat!("#[", "allow("),
        concat!("#![", "allow("),
        concat!("#[", "ignore"),
        concat!("todo", "!("),
        concat!("unimplemented", "!("),
        concat!("TO", "DO"),
        concat!("FIX", "ME"),
    ];
    let offences = sources(&["src", "tests", "benches", "examples", "builtin-actions"], &["rs", "js", "yaml"])
        .into_iter()
        .flat_map(|(path, text)| found(&path, &text, &words))
        .collect();
    assert_none(offences);
}

#[test]
fn the_repository_knows_no_machine_but_the_readers() {
    let words = [concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/wo", "rk/"), concat!("/Us", "ers/")];
    let mut offences: Vec<String> = Vec::new();
    for (path, text) in sources(&["."], &["rs", "js", "yaml", "yml", "toml", "md", "html", "css", "wit", "json", "run"])
    {
        offences.extend(found(&path, &text, &words));
    }
    let lock = fs::read_to_string(root().join("Cargo.lock")).unwrap();
    for (number, line) in lock.lines().enumerate() {
        let source = line.strip_prefix("source = ");
        if source.is_some_and(|source| source != "\"registry+https://github.com/rust-lang/crates.io-index\"") {
            offences.push(format!("Cargo.lock:{}: not from the public registry: {line}", number + 1));
        }
    }
    assert_none(offences);
}

#[test]
fn the_top_level_is_as_agreed() {
    // What git knows, not what lies there: a screenshot of the demo is no offence.
    let Ok(listed) = Command::new("git").arg("ls-files").current_dir(root()).output() else { return };
    let listed = String::from_utf8(listed.stdout).unwrap();
    let names: BTreeSet<&str> = listed.lines().filter_map(|path| path.split('/').next()).collect();
    let offences = names.into_iter().filter(|name| !name.starts_with('.') && !TOP.contains(name));
    assert_none(offences.map(str::to_owned).collect());
}

#[test]
fn every_crate_with_an_owner_is_used_by_it() {
    let manifest = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let sources: BTreeMap<String, String> =
        sources(&["src"], &["rs"]).into_iter().map(|(path, text)| (path, code(&text))).collect();
    let offences = OWNERS
        .iter()
        .filter(|(name, _)| {
            manifest.lines().any(|line| line.starts_with(&format!("{} =", name.replace('_', "-"))))
                || manifest.lines().any(|line| line.starts_with(&format!("{name} =")))
        })
        .filter(|(name, _)| !sources.values().any(|code| names_crate(code, name)))
        .map(|(name, _)| format!("Cargo.toml: nothing names `{name}`"))
        .collect();
    assert_none(offences);
}

fn assert_none(offences: Vec<String>) {
    assert!(offences.is_empty(), "\n  {}\n", offences.join("\n  "));
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Files below folders of the repository: path with `/`, and text.
fn sources(folders: &[&str], endings: &[&str]) -> Vec<(String, String)> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root().join(folder), &mut paths);
    }
    paths.sort();
    let wanted = |path: &PathBuf| {
        let name = path.extension().or(path.file_name()).and_then(|name| name.to_str()).unwrap_or_default();
        endings.contains(&name)
    };
    let relative = |path: &Path| {
        let path = path.strip_prefix(root()).expect("inside the repository").to_string_lossy().replace('\\', "/");
        path.trim_start_matches("./").to_owned()
    };
    paths
        .iter()
        .filter(|path| wanted(path))
        .map(|path| (relative(path), fs::read_to_string(path).expect("text in UTF-8")))
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries {
        let path = entry.expect("a readable folder").path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", ".git", "node_modules"].contains(&name.as_str()) {
                collect(&path, paths);
            }
        } else {
            paths.push(path);
        }
    }
}

/// `src/app/demo.rs` and `src/app.rs` belong to `app`.
fn module_of(path: &str) -> String {
    let inside = path.strip_prefix("src/").unwrap_or(path);
    inside.split(['/', '.']).next().unwrap_or_default().to_owned()
}

fn step_of(module: &str) -> Option<usize> {
    ORDER.iter().position(|step| step.contains(&module))
}

/// The text without comments, so that prose may name anything.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

/// The first names after `crate::` and, in the library's own binary, after `repertoire::`, groups taken apart.
fn crate_paths(code: &str) -> Vec<String> {
    let mut used = Vec::new();
    for (at, prefix) in code.match_indices("crate::").chain(code.match_indices("repertoire::")) {
        let before = code[..at].chars().next_back().unwrap_or(' ');
        if before.is_alphanumeric() || before == '_' {
            continue;
        }
        let rest = &code[at + prefix.len()..];
        match rest.strip_prefix('{') {
            Some(group) => used.extend(group_heads(group)),
            None => used.push(first_name(rest)),
        }
    }
    used
}

/// The first names of a group's items, up to its closing brace.
fn group_heads(group: &str) -> Vec<String> {
    let mut heads = vec![first_name(group)];
    let mut depth = 0;
    for (at, character) in group.char_indices() {
        match character {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => heads.push(first_name(&group[at + 1..])),
            _ => {}
        }
    }
    heads
}

fn first_name(text: &str) -> String {
    text.trim_start().chars().take_while(|character| character.is_alphanumeric() || *character == '_').collect()
}

/// Whether code names a crate: as the start of a path, or in a `use` alone.
fn names_crate(code: &str, name: &str) -> bool {
    code.match_indices(name).any(|(at, _)| {
        let before = code[..at].trim_end_matches(' ');
        let after = &code[at + name.len()..];
        let starts =
            !code[..at].ends_with(|last: char| last.is_alphanumeric() || last == '_' || last == ':' || last == '.');
        starts && (after.starts_with("::") || before.ends_with("use") && after.starts_with([';', ' ']))
    })
}

fn found(path: &str, text: &str, words: &[&str]) -> Vec<String> {
    let mut offences = Vec::new();
    for (number, line) in text.lines().enumerate() {
        for word in words.iter().filter(|word| line.contains(**word)) {
            offences.push(format!("{path}:{}: {word}", number + 1));
        }
    }
    offences
}
