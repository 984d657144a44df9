//! The README as a test: its tables and answers are what the program prints, its files load, its commands are taken.
//!
//! Comments in the README mark what is checked. `<!-- commands -->` to `<!-- /commands -->` is a table made here;
//! `<!-- file: PATH -->` names the block of YAML that follows, with `, broken` if it is wrong on purpose;
//! `<!-- problems: PATH -->` precedes what `check` says of that file, `<!-- result: PATH NAME=VALUE… -->` what the
//! action answers on the demo shop. `UPDATE_README=1 cargo test readme` writes tables, problems and results anew.

use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;

use repertoire::action::{self, Catalog, LoadRequest, Problem, yaml};
use repertoire::app::shop::Shop;
use repertoire::config::{self, Surroundings};
use repertoire::selector::Selector;
use repertoire::{command, config::Kind};
use serde_json::{Map, Value};

use crate::support::TestHost;

/// Where the README's actions find the demo shop.
const SHOP: &str = "http://127.0.0.1:4173";

#[test]
fn tables_are_made_from_the_code() {
    for (name, table) in [
        ("commands", command::markdown_table()),
        ("arguments", arguments()),
        ("conditions", conditions()),
        ("options", options()),
    ] {
        let (open, close) = (format!("<!-- {name} -->\n"), format!("<!-- /{name} -->"));
        holds(&table, |text| between(text, 0, &open, &close));
    }
}

#[test]
fn files_load_without_a_problem() {
    // Together, since they perform each other.
    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir(directory.path().join("actions")).expect("a directory of actions");
    for file in files().iter().filter(|file| !file.broken) {
        fs::write(directory.path().join(&file.path), &file.text).expect("written");
    }
    assert_eq!(taken("list", directory.path()), Ok(()));
    assert_eq!(shown(load(&directory.path().join("actions")).problems()), [""; 0]);
}

#[test]
fn problems_are_what_check_reports() {
    let text = readme();
    for (mark, _) in marks(&text, "problems") {
        let file = file(mark);
        let directory = file.in_a_directory();
        let mut check = Command::new(env!("CARGO_BIN_EXE_repertoire"));
        let output = check.args(["check", mark]).current_dir(directory.path()).output().expect("performed");
        assert_eq!((output.status.code(), file.broken), (Some(1), true), "{mark}");
        let report = String::from_utf8(output.stderr).expect("UTF-8");
        holds(&report, |text| block(text, &format!("<!-- problems: {mark} -->")));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn results_are_what_the_actions_answer() {
    let shop = Shop::start(0).await.expect("the shop");
    let text = readme();
    for (mark, _) in marks(&text, "result") {
        let mut words = mark.split(' ');
        let file = file(words.next().unwrap_or_default());
        let pairs = words.filter_map(|word| word.split_once('='));
        let arguments: Map<String, Value> = pairs.map(|(name, value)| (name.to_owned(), value.into())).collect();
        let host = TestHost::start(&[(&file.path, &file.text.replace(SHOP, shop.url()))]).await;
        let name = Path::new(&file.path).file_stem().and_then(|name| name.to_str()).expect("a name");
        let called = host.call(name, Value::Object(arguments)).await;
        let answer = format!("{}\n", called.page_text().replace(shop.url(), SHOP));
        holds(&answer, |text| block(text, &format!("<!-- result: {mark} -->")));
        host.close().await;
    }
    shop.stop().await;
}

#[test]
fn selectors_parse() {
    let text = readme();
    let mut offences = Vec::new();
    let rows = &text[between(&text, 0, "<!-- selectors -->\n", "<!-- /selectors -->").expect("the table")];
    let cells: Vec<&str> = rows.lines().skip(2).filter_map(|row| row.strip_prefix("| ")?.split(" | ").next()).collect();
    assert!(cells.len() > 10, "{rows}");
    for selector in cells.into_iter().flat_map(code) {
        let selector = selector.replace("\\|", "|");
        match Selector::parse(&selector) {
            Ok(_) if Selector::looks_like_css(&selector).is_some() => offences.push(format!("{selector}: like CSS")),
            Ok(_) => {}
            Err(error) => offences.push(format!("{selector}: {error}")),
        }
    }
    assert_eq!(offences, [""; 0]);
}

/// Every `repertoire …` of the text, of blocks of shell commands, and of what clients are configured with.
#[test]
fn commands_are_taken() {
    let text = readme();
    let mut lines: Vec<String> = text.lines().flat_map(code).map(str::to_owned).collect();
    lines.extend(blocks(&text, "sh").flat_map(|block| text[block].lines()).map(str::to_owned));
    for block in blocks(&text, "json") {
        let json: Value = serde_json::from_str(&text[block]).expect("JSON");
        let server = json.as_object().and_then(|file| file.values().next()?.get("repertoire")).expect("a server");
        let words = server["args"].as_array().expect("arguments").iter().filter_map(Value::as_str);
        lines.push(format!(
            "{} {}",
            server["command"].as_str().expect("a program"),
            words.collect::<Vec<_>>().join(" ")
        ));
    }
    let directory = tempfile::tempdir().expect("a directory");
    fs::create_dir(directory.path().join("actions")).expect("a directory of actions");
    let own = lines.iter().filter_map(|line| {
        let line = line.split_once(" -- ").map_or(line.as_str(), |(_, after)| after);
        let own = line.strip_prefix("repertoire ").or(line.starts_with("demo ").then_some(line));
        own.or(line.starts_with("serve ").then_some(line)).filter(|line| !line.contains("COMMAND"))
    });
    let results: Vec<Result<(), String>> = own.map(|line| taken(line, directory.path())).collect();
    assert!(results.len() > 8, "{results:?}");
    assert_eq!(results.into_iter().filter_map(Result::err).collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn links_lead_to_files() {
    let text = readme();
    let targets = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let local = targets.filter(|target| !target.starts_with("https://"));
    let dead: Vec<&str> = local.filter(|target| !root().join(target).exists()).collect();
    assert_eq!(dead, [""; 0]);
}

#[test]
fn example_actions_load_without_a_problem() {
    let catalog = load(&root().join("examples/actions"));
    assert_eq!(shown(catalog.problems()), [""; 0]);
    let names: Vec<&str> = catalog.actions().map(|action| action.name.as_str()).collect();
    let expected = [
        "classic_shop_title",
        "language_answer_dialogs",
        "language_follow_a_tab",
        "language_keep_a_file",
        "language_own_errors",
        "language_search_each",
        "language_wait_for_button",
        "shop_add_many",
        "shop_cancel_order",
        "shop_change_profile",
        "shop_checkout",
        "shop_collect_orders",
        "shop_download_invoice",
        "shop_latest_order",
        "shop_login",
        "shop_search_products",
    ];
    assert_eq!(names, expected);
}

#[test]
fn examples_of_commands_are_steps() {
    for definition in command::all() {
        let text = format!("description: An example.\nsteps:\n  - {}\n", definition.example);
        let example = File { path: "actions/example.yaml".to_owned(), text, broken: false };
        let directory = example.in_a_directory();
        let problems = shown(load(&directory.path().join("actions")).problems());
        assert_eq!((definition.name, problems), (definition.name, Vec::new()));
    }
}

/// The arguments of all commands but the element itself; those of one name and meaning are one row.
fn arguments() -> String {
    let mut rows: Vec<(&str, &str, Vec<String>)> = Vec::new();
    for definition in command::all() {
        for (name, schema) in definition.properties().filter(|(name, _)| *name != "selector") {
            let doc = schema["description"].as_str().unwrap_or_default();
            let command = format!("`{}`", definition.name);
            match rows.iter_mut().find(|row| (row.0, row.1) == (name, doc)) {
                Some(row) => row.2.push(command),
                None => rows.push((name, doc, vec![command])),
            }
        }
    }
    let rows = rows.iter().map(|(name, doc, of)| format!("| `{name}` | {} | {doc} |\n", of.join(" ")));
    format!("| argument | of | meaning |\n|---|---|---|\n{}", rows.collect::<String>())
}

fn conditions() -> String {
    let rows = command::page_states().iter().map(|state| format!("| `{}` | {} |\n", state.example, state.doc));
    format!("| condition | holds where |\n|---|---|\n{}", rows.collect::<String>())
}

fn options() -> String {
    let rows = config::table().iter().map(|option| {
        let value = if option.kind == Kind::Switch { String::new() } else { format!(" {}", option.value) };
        format!("| `--{}{value}` | {} | {} |\n", option.flag(), option.doc.trim_end_matches('.'), option.default)
    });
    format!("| flag | what it does | default |\n|---|---|---|\n{}", rows.collect::<String>())
}

/// Asserts that a section holds exactly this text, or writes it there where that is asked for.
fn holds(expected: &str, section: impl Fn(&str) -> Option<Range<usize>>) {
    static WRITING: Mutex<()> = Mutex::new(());
    let turn = WRITING.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let mut text = readme();
    let range = section(&text).expect("the section is marked");
    if std::env::var_os("UPDATE_README").is_some() {
        text.replace_range(range, expected);
        fs::write(root().join("README.md"), text).expect("written");
        return;
    }
    drop(turn);
    let found = &text[range];
    assert!(
        found == expected,
        "README.md has\n\n{found}\nbut it is\n\n{expected}\n`UPDATE_README=1 cargo test readme` writes it"
    );
}

/// A block of the README that is a file.
struct File {
    path: String,
    text: String,
    broken: bool,
}

impl File {
    fn in_a_directory(&self) -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a directory");
        fs::create_dir(directory.path().join("actions")).expect("a directory of actions");
        fs::write(directory.path().join(&self.path), &self.text).expect("written");
        directory
    }
}

/// All blocks of YAML: each must be marked as a file.
fn files() -> Vec<File> {
    let text = readme();
    let files: Vec<File> = marks(&text, "file")
        .map(|(mark, at)| {
            let (path, broken) = mark.strip_suffix(", broken").map_or((mark, false), |path| (path, true));
            let block = between(&text, at, "-->\n```yaml\n", "```\n").expect("a block follows");
            File { path: path.to_owned(), text: text[block].to_owned(), broken }
        })
        .collect();
    assert_eq!(files.len(), blocks(&text, "yaml").count(), "a block of YAML has no mark");
    files
}

fn file(path: &str) -> File {
    files().into_iter().find(|file| file.path == path).unwrap_or_else(|| panic!("no block is the file {path}"))
}

/// The marks of a kind: what they say, and where they stand.
fn marks<'a>(text: &'a str, kind: &str) -> impl Iterator<Item = (&'a str, usize)> {
    let open = format!("<!-- {kind}: ");
    let starts: Vec<usize> = text.match_indices(&open).map(|(at, _)| at + open.len()).collect();
    starts.into_iter().filter_map(|start| Some((text[start..].split(" -->").next()?, start)))
}

/// The contents of the fenced blocks of a language.
fn blocks<'a>(text: &'a str, language: &str) -> impl Iterator<Item = Range<usize>> + 'a {
    let open = format!("\n```{language}\n");
    text.match_indices(&open)
        .map(|(at, _)| at)
        .collect::<Vec<_>>()
        .into_iter()
        .filter_map(move |at| between(text, at, &open, "```\n"))
}

/// The content of the block after a mark.
fn block(text: &str, mark: &str) -> Option<Range<usize>> {
    between(text, text.find(mark)?, "```text\n", "```\n")
}

fn between(text: &str, from: usize, open: &str, close: &str) -> Option<Range<usize>> {
    let start = from + text[from..].find(open)? + open.len();
    Some(start..start + text[start..].find(close)?)
}

/// The code spans of a line.
fn code(line: &str) -> Vec<&str> {
    if line.starts_with("```") { Vec::new() } else { line.split('`').skip(1).step_by(2).collect() }
}

/// Whether a command line, without the program's name, asks for something that exists.
fn taken(line: &str, directory: &Path) -> Result<(), String> {
    let read = |path: &Path| match fs::read_to_string(path) {
        Ok(text) => yaml::read_options(path, &text).map(Some).map_err(|problem| problem.to_string()),
        Err(_) => Ok(None),
    };
    let surroundings = Surroundings { environment: &|_| None, directory, read: &read };
    // Where its output goes is the shell's business.
    let line = line.split(" > ").next().unwrap_or_default();
    let words = ["repertoire"].into_iter().chain(line.split_whitespace()).map(Into::into).collect();
    config::parse(words, &surroundings).map(drop).map_err(|failure| format!("{line}: {failure:?}"))
}

fn load(directory: &Path) -> Catalog {
    action::load(&LoadRequest { directories: vec![directory.to_owned()], builtins: false }, &Catalog::default())
}

fn shown(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(ToString::to_string).collect()
}

fn readme() -> String {
    fs::read_to_string(root().join("README.md")).expect("a README")
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}
