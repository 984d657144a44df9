//! `repertoire schema shortcut`: what the schema for editors takes and what it catches, by a JSON Schema library.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jsonschema::Validator;
use repertoire::action::{tested, yaml};
use serde_json::{Value, json};

/// The schema as the program prints it.
fn schema() -> Validator {
    let output = Command::new(env!("CARGO_BIN_EXE_repertoire")).args(["schema", "shortcut"]).output().expect("ran");
    let schema: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert!(jsonschema::draft7::meta::is_valid(&schema), "not a schema of its draft");
    jsonschema::draft7::new(&schema).expect("a schema")
}

/// Every shortcut below a directory.
fn shortcuts(directory: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut left = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join(directory)];
    while let Some(directory) = left.pop() {
        for entry in fs::read_dir(directory).expect("a directory") {
            let path = entry.expect("an entry").path();
            match path.is_dir() {
                true => left.push(path),
                false if path.extension().is_none_or(|extension| extension != "yaml") || tested(&path).is_some() => {}
                false => files.push(path),
            }
        }
    }
    files.sort();
    files
}

fn read(file: &Path) -> Option<Value> {
    let text = fs::read_to_string(file).expect("text");
    yaml::read_options(file, &text).ok().map(Value::Object)
}

#[test]
fn every_example_is_valid() {
    let schema = schema();
    let files = [shortcuts("examples/actions"), shortcuts("builtin-actions")].concat();
    assert!(files.len() > 12, "{files:?}");
    for file in files {
        let value = read(&file).expect("YAML");
        let faults: Vec<String> =
            schema.iter_errors(&value).map(|fault| format!("{}: {fault}", fault.instance_path())).collect();
        assert_eq!(faults, [""; 0], "{}", file.display());
    }
}

/// A required argument in the spelling of the classic format is given.
#[test]
fn either_spelling_will_do() {
    let step = |drag: Value| json!({ "steps": [drag] });
    let classic = json!({ "commands": [{ "type": "drag", "selector": "#a", "targetSelector": "#b" }] });
    let schema = schema();
    assert!(schema.is_valid(&classic) && schema.is_valid(&step(json!({ "drag": "#a", "targetSelector": "#b" }))));
    assert!(!schema.is_valid(&step(json!({ "type": "drag", "selector": "#a" }))));
}

/// What the schema can't see are mistakes of meaning: names that do not exist, texts with a grammar of their own, what
/// one part of a file says of another. Broken YAML is the business of the editor itself.
#[test]
fn mistakes_of_shape_are_caught() {
    let schema = schema();
    let (mut caught, mut missed) = (Vec::new(), Vec::new());
    for file in shortcuts("tests/load") {
        let Some(value) = read(&file) else { continue };
        let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if schema.is_valid(&value) { missed.push(name) } else { caught.push(name) }
    }
    insta::assert_snapshot!(caught.join("\n"), @r"
    annotation_misspelled
    argument_at_bare_command
    argument_in_quotes
    argument_missing
    argument_misspelled
    argument_not_a_choice
    argument_twice
    classic_and_new
    command_misspelled
    command_of_another_tool
    command_without_colon
    command_without_dash
    commands_in_one_step
    condition_is_text
    dialog_answer_misspelled
    dialog_text_when_dismissed
    dialog_without_answer
    download_beside_a_look
    duration_in_words
    encoding_bom_and_crlf
    file_empty
    file_of_comments
    input_list_without_items
    input_unknown_format
    input_unknown_type
    inputs_are_a_list
    key_misspelled
    key_of_another_tool
    modifier_inside_command
    modifier_not_a_boolean
    name_not_allowed
    name_of_the_host
    name_too_long
    opens_an_address
    output_without_value
    secret_as_input
    secret_in_condition
    selector_structured_misspelled
    steps_empty
    steps_missing
    yaml_bracket_in_text
    yaml_hash_in_text
    yaml_missing_space
    ");
    insta::assert_snapshot!(missed.join("\n"), @r"
    address_without_scheme
    capture_never_used
    capture_twice
    capture_used_too_early
    classic_variable_in_steps
    description_missing
    download_size
    expression_in_javascript
    expression_left_open
    expression_unfinished
    expression_unknown_filter
    expression_unknown_input
    expression_without_inputs
    input_default_nested
    input_default_of_wrong_type
    input_never_used
    input_pattern_with_lookahead
    opens_never_used
    secret_in_expression
    secret_in_outputs
    secret_in_script
    secret_left_open
    selector_left_open
    selector_looks_like_css
    selector_of_another_tool
    selector_unknown_role
    tab_used_too_early
    ");
}
