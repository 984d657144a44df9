//! `repertoire check` and `repertoire convert` as their users meet them: the real binary in a directory of files.

use serde_json::{Value, json};

use crate::support::Directory;

const LOGIN: &str = "description: Sign in\nsteps:\n  # types $<<SHOP_PASSWORD>>\n  - fill: label:Email\n    value: $<<SHOP_USER>>\n  - fill: label:Password\n    value: $<<SHOP_PASSWORD>>\n";

#[test]
fn secrets_that_are_not_set_are_named_all_at_once() {
    let directory = Directory::new(&[("actions/login.yaml", LOGIN), ("actions/.env", "")]);
    insta::assert_snapshot!(directory.says(&["check"]), @r"
    0
    warning: secrets are not set: `SHOP_PASSWORD`, `SHOP_USER`
     --> actions/login.yaml:5:15
      |
    5 |     value: $<<SHOP_USER>>
      |               ^^^^^^^^^
      hint: put `SHOP_PASSWORD=…`, `SHOP_USER=…` into `DIR/actions/.env`, or set it in the host's environment

    checked 1 file: 0 errors, 1 warning
    ");
    std::fs::write(directory.path().join("actions/.env"), "SHOP_USER=ann\nSHOP_PASSWORD=x\n").expect("written");
    insta::assert_snapshot!(directory.says(&["check", "actions/login.yaml"]), @r"
    0
    checked 1 file: 0 errors, 0 warnings
    ");
}

#[test]
fn editors_get_problems_as_json() {
    let directory = Directory::new(&[
        ("actions/a.yaml", "description: x\nsteps:\n  - clik: 東京\n"),
        ("actions/b.yaml", "description: x\nsteps:\n  - wait_for_text: Total: 5\n"),
    ]);
    let output = directory.run(&["check", "--json"]);
    let problems: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
    let problem = |file: &str, place: [u32; 3], message: &str, hint: &str| {
        json!({
            "file": file, "line": place[0], "column": place[1], "end_line": place[0], "end_column": place[2],
            "severity": "error", "message": message, "hint": hint,
        })
    };
    assert_eq!(
        (output.status.code(), problems),
        (
            Some(1),
            json!([
                problem("actions/a.yaml", [3, 5, 9], "unknown command `clik`", "did you mean `click`?"),
                problem(
                    "actions/b.yaml",
                    [3, 25, 26],
                    "a colon inside a text",
                    "write the text in quotes: `\"Total: 5\"`"
                ),
            ])
        )
    );
}

#[test]
fn a_classic_file_is_converted_in_place() {
    let classic = "# Sign in.\ncommands:\n  # Where?\n  - type: navigate\n    url: ${{SHOP_URL}}\n";
    let directory = Directory::new(&[("login.yaml", classic), ("steps.yaml", LOGIN)]);
    insta::assert_snapshot!(directory.says(&["convert", "login.yaml"]), @r"
    0
    # Sign in.
    description: Perform `login`
    steps:
      # Where?
      - navigate: $<<SHOP_URL>>
    ");
    assert_eq!(std::fs::read_to_string(directory.path().join("login.yaml")).expect("it is there"), classic);
    insta::assert_snapshot!(directory.says(&["convert", "login.yaml", "--write"]), @r"
    0
    converted DIR/login.yaml
    ");
    insta::assert_snapshot!(
        std::fs::read_to_string(directory.path().join("login.yaml")).expect("it is there"), @r"
    # Sign in.
    description: Perform `login`
    steps:
      # Where?
      - navigate: $<<SHOP_URL>>
    "
    );
    insta::assert_snapshot!(directory.says(&["convert", "steps.yaml"]), @r"
    1
    error: `DIR/steps.yaml`: the file is not in the classic format
    hint: only files with `commands:` are converted
    ");
}
