//! Roles, names and states as the injected bundle computes them, with Chromium's own accessibility tree as the referee:
//! hand-written pages for the rules, generated ones for what no one thought of. `accessibility/differences.txt` lists
//! every difference with its reason; one that isn't listed fails, and so does a line that no longer holds.

mod answers;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc;
use std::time::Duration;

use answers::{Element, Referee};

const SEEDS: u32 = 12;
const ELEMENTS_PER_SEED: u32 = 400;
const LEAST_ELEMENTS: usize = 2_000;
const LEAST_SHARE: f64 = 0.995;

/// Longer than all pages take by far.
const LIMIT: Duration = Duration::from_secs(120);

#[test]
fn roles_names_and_states_are_chromiums() {
    let (sender, outcome) = mpsc::channel();
    // On a thread of its own, so that a browser that hangs fails the test; without its pipe the browser ends.
    std::thread::spawn(move || sender.send(differences()));
    let Differences { elements, lines } = outcome.recv_timeout(LIMIT).expect("all pages were compared");

    let listed = std::fs::read_to_string(directory().join("differences.txt")).expect("the listed differences");
    let listed: Vec<&str> = listed.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let found: Vec<&str> = lines.iter().flat_map(|(_, lines)| lines).map(String::as_str).collect();
    let unlisted = subtract(&found, &listed);
    let stale = subtract(&listed, &found);
    assert!(
        unlisted.is_empty() && stale.is_empty(),
        "differences that are not listed:\n{}\n\nlisted differences that are none:\n{}",
        unlisted.join("\n"),
        stale.join("\n")
    );

    assert!(elements >= LEAST_ELEMENTS, "{elements} elements");
    let differing = lines.iter().filter(|(in_role_or_name, _)| *in_role_or_name).count();
    let share = 1.0 - differing as f64 / elements as f64;
    assert!(share >= LEAST_SHARE, "{differing} of {elements} elements have another role or name");
}

/// The elements compared and, for each that differs, whether it does in its role or name, and its lines.
struct Differences {
    elements: usize,
    lines: Vec<(bool, Vec<String>)>,
}

fn differences() -> Differences {
    let mut referee = Referee::start();
    let mut all = Differences { elements: 0, lines: Vec::new() };
    let mut compare = |page: &str, elements: Vec<Element>| {
        all.elements += elements.len();
        for element in &elements {
            let differences = element.differences();
            if !differences.is_empty() {
                let line = |what: &String| format!("{page} | {} | {what}", element.snippet());
                all.lines.push((element.differs_in_role_or_name(), differences.iter().map(line).collect()));
            }
        }
    };
    for page in pages() {
        compare(&page, referee.elements(&directory().join(&page), None));
    }
    let generator = std::fs::read_to_string(directory().join("generator.js")).expect("the generator");
    for seed in 1..=SEEDS {
        let script = format!("{generator}\ngenerate({seed}, {ELEMENTS_PER_SEED});");
        compare(&format!("seed {seed}"), referee.elements(&directory().join("generated.html"), Some(&script)));
    }
    all
}

/// The hand-written pages.
fn pages() -> BTreeSet<String> {
    let names = std::fs::read_dir(directory())
        .expect("the corpus")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    names.filter(|name| name.ends_with(".html") && name != "generated.html").collect()
}

fn directory() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/browser/accessibility")
}

/// What the first has more of than the second.
fn subtract<'a>(these: &[&'a str], those: &[&str]) -> Vec<&'a str> {
    let mut rest = those.to_vec();
    let is_more = |line: &&str| match rest.iter().position(|other| other == line) {
        Some(index) => {
            rest.swap_remove(index);
            false
        }
        None => true,
    };
    these.iter().copied().filter(is_more).collect()
}
