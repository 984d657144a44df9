//! Golden mistakes: each file in `tests/load/` is a shortcut with a mistake that people make, and beside it stands the
//! whole text that its author is shown. `UPDATE_MISTAKES=1 cargo test golden` writes those texts anew.

use std::fs;
use std::path::{Path, PathBuf};

use repertoire::action::{Catalog, LoadRequest, Problem, Severity, load};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/load")
}

/// The problems of the one file, found as if it were alone.
fn problems(file: &Path) -> Vec<Problem> {
    let directory = tempfile::tempdir().expect("a directory");
    let name = file.file_name().expect("it has a name");
    fs::copy(file, directory.path().join(name)).expect("copied");
    let request = LoadRequest { directories: vec![directory.path().to_owned()], builtins: true };
    load(&request, &Catalog::default()).problems().to_vec()
}

#[test]
fn every_golden_mistake_is_shown_where_it_is_with_what_to_do() {
    let mut files: Vec<PathBuf> = fs::read_dir(directory())
        .expect("the directory")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    files.sort();
    assert!(files.len() >= 60, "{} mistakes", files.len());
    let update = std::env::var_os("UPDATE_MISTAKES").is_some();
    let mut faults = Vec::new();
    for file in &files {
        let found = problems(file);
        let shown: String = found.iter().map(|problem| format!("{problem}\n")).collect();
        let expected = file.with_extension("txt");
        if update {
            fs::write(&expected, &shown).expect("written");
        }
        let name = file.file_name().unwrap_or_default().display();
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        if shown != expected {
            faults.push(format!("{name}: expected\n{expected}\nfound\n{shown}"));
        }
        for problem in &found {
            faults.extend(fault(file, problem).map(|fault| format!("{name}: {fault}\n{problem}")));
        }
        let errors = found.iter().any(|problem| problem.severity == Severity::Error);
        if found.is_empty() || errors == is_warning(file) {
            faults.push(format!("{name}: {} problems, which are not what its name says", found.len()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

#[test]
fn files_that_are_no_utf_8_say_where() {
    let directory = tempfile::tempdir().expect("a directory");
    let utf_16: Vec<u8> = "steps:\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for (name, bytes) in [("latin1", &b"description: x\nsteps:\n  - wait_for_text: Caf\xe9\n"[..]), ("utf16", &utf_16)]
    {
        fs::write(directory.path().join(name).with_extension("yaml"), bytes).expect("written");
    }
    let request = LoadRequest { directories: vec![directory.path().to_owned()], builtins: false };
    let problems: Vec<String> =
        load(&request, &Catalog::default()).problems().iter().map(ToString::to_string).collect();
    insta::assert_snapshot!(problems.join("\n"), @r"
    error: the file is not UTF-8 text
     --> latin1.yaml:3:23
      hint: save it as UTF-8
    error: the control character U+0000
     --> utf16.yaml:1:2
      |
    1 | s t e p s : 
      |  ^
      hint: save it as UTF-8
    ");
}

/// The mistakes that an action survives.
fn is_warning(file: &Path) -> bool {
    const WARNINGS: [&str; 6] = [
        "address_without_scheme",
        "capture_never_used",
        "description_missing",
        "input_never_used",
        "opens_never_used",
        "selector_looks_like_css",
    ];
    file.file_stem().is_some_and(|stem| WARNINGS.iter().any(|warning| stem == *warning))
}

/// What a problem lacks: a place inside the file, or something to do.
fn fault(file: &Path, problem: &Problem) -> Option<String> {
    if problem.hint.is_none() {
        return Some("nothing to do about it".into());
    }
    let bytes = fs::read(file).expect("it can be read");
    let text = String::from_utf8_lossy(&bytes);
    let position = problem.position?;
    let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
    let width = lines.get(position.line as usize - 1).map_or(0, |line| line.chars().count() as u32);
    (position.column + problem.length > width.max(1) + 1).then(|| format!("{position} is not in the file"))
}
