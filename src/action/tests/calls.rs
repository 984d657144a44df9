//! Good files, and what their actions do with the arguments of a call.

use serde_json::json;

use super::*;
use crate::secrets::Tree;

const LOGIN: &str = r#"
name: a
title: Sign in to the shop
description: Sign in and report the account's name.
annotations: { readOnly: false, idempotent: true, open_world: true }
inputs:
  email: { type: string, format: email, description: Account to sign in with }
  remember: { type: boolean, default: false }
  tries: integer
  note: { required: false, max_length: 10 }
timeout: 45s
steps:
  - navigate: https://shop.example/login
    wait_until: networkidle
  - fill: label:Email
    value: ${{ inputs.email }}
  - fill: { selector: "label:Password", value: "pw $<<SHOP_PASSWORD>>" }
    timeout: 300ms
    label: Type the password
  - { type: click, selector: { role: button, name: Sign in }, clickCount: 2 }
  - type: label:Note
    value: "note: ${{ inputs.note or 'none' }} for ${{ inputs.tries + 1 }} at ${{ page.url }}"
    when: ${{ inputs.remember }}
    optional: true
  - get_text: testid:account
    as: account
  - get_title
outputs:
  account: ${{ account }}
  greeting: Hello ${{ account }}
  count: { value: "${{ account | length }}", type: integer, description: Length of the name }
"#;

fn shown(arguments: Vec<(String, Tree)>) -> String {
    Tree::Map(arguments).to_masked_json().to_string()
}

fn arguments(action: &Action, given: Value) -> String {
    let Value::Object(given) = given else { panic!("arguments are a map") };
    match action.arguments(given) {
        Ok(arguments) => Value::Object(arguments).to_string(),
        Err(error) => format!("{error}\nhint: {}", error.hint()),
    }
}

#[test]
fn a_file_becomes_a_tool() {
    let action = action(LOGIN);
    assert_eq!(action.timeout, Some(Duration::from_secs(45)));
    let schema = serde_json::to_string_pretty(&*action.input_schema).expect("it is JSON");
    insta::assert_snapshot!(schema, @r#"
    {
      "type": "object",
      "properties": {
        "email": {
          "type": "string",
          "format": "email",
          "description": "Account to sign in with"
        },
        "remember": {
          "type": "boolean",
          "default": false
        },
        "tries": {
          "type": "integer"
        },
        "note": {
          "type": "string",
          "maxLength": 10
        }
      },
      "required": [
        "email",
        "tries"
      ],
      "additionalProperties": false
    }
    "#);
    let schema = action.output_schema.as_ref().expect("it has outputs");
    let schema = serde_json::to_string_pretty(&**schema).expect("it is JSON");
    insta::assert_snapshot!(schema, @r#"
    {
      "type": "object",
      "properties": {
        "account": {
          "description": "The value of `account`"
        },
        "greeting": {
          "type": "string",
          "description": "The value of `greeting`"
        },
        "count": {
          "type": "integer",
          "description": "Length of the name"
        }
      }
    }
    "#);
    let secrets: Vec<String> = action.secret_names().iter().map(ToString::to_string).collect();
    assert_eq!(secrets, ["SHOP_PASSWORD"]);
}

#[test]
fn steps_render_in_a_scope() {
    let action = action(LOGIN);
    let Body::Shortcut(shortcut) = &action.body;
    let given = json!({"email": "a@b.c", "tries": 2, "note": "$<<SHOP_PASSWORD>> ${{ 1 }}"});
    let given = given.as_object().expect("it is a map").clone();
    let inputs = action.arguments(given).expect_err("the note is too long");
    assert_eq!(
        inputs.to_string(),
        "the arguments do not fit `a`: `note`: expected at most 10 characters, found \"$<<SHOP_PASSWORD>> ${{ 1 }}\""
    );
    let given = json!({"email": "$<<X>>@b.c", "tries": 2, "note": null});
    let mut scope = Scope::new(given.as_object().expect("it is a map"));
    scope.set_page("https://x.example", "X");
    scope.set("account", &json!("Ann"));
    let lines: Vec<String> = shortcut
        .steps
        .iter()
        .map(|step| {
            let arguments = step.arguments(&scope).expect("it renders");
            format!("{} {} {}", step.number, step.position, shown(arguments))
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    1 13:5 {"url":"https://shop.example/login","wait_until":"networkidle"}
    2 15:5 {"selector":"label:Email","value":"$<<X>>@b.c"}
    3 17:5 {"selector":"label:Password","value":"pw <secret:SHOP_PASSWORD>"}
    4 20:13 {"selector":{"role":"button","name":"Sign in"},"click_count":2}
    5 21:5 {"selector":"label:Note","value":"note: none for 3 at https://x.example"}
    6 25:5 {"selector":"testid:account"}
    7 27:5 {}
    "#);
    let outputs = shortcut.outputs(&scope).expect("they have values");
    assert_eq!(Value::Object(outputs), json!({"account": "Ann", "greeting": "Hello Ann", "count": 3}));
}

#[test]
fn arguments_are_completed_and_checked() {
    let action = action(LOGIN);
    let answers = [
        json!({"email": "a@b.c", "tries": 2}),
        json!({"email": "a@b.c", "tries": 2, "remember": null, "note": null}),
        json!({"emial": "x", "tries": "two"}),
        json!({"email": null, "tries": 1.5, "remember": "yes", "note": 1}),
    ]
    .map(|given| arguments(&action, given));
    insta::assert_snapshot!(answers.join("\n"), @r#"
    {"email":"a@b.c","tries":2,"remember":false,"note":null}
    {"email":"a@b.c","tries":2,"remember":false,"note":null}
    the arguments do not fit `a`: `email` is missing; `tries`: expected an integer, found "two"; `emial` is not known, did you mean `email`?
    hint: `a` takes `email` (string, required), `remember` (boolean, default false), `tries` (integer, required), `note` (string, optional)
    the arguments do not fit `a`: `email`: expected a string, found null; `tries`: expected an integer, found 1.5; `remember`: expected a boolean, found "yes"; `note`: expected a string, found 1
    hint: `a` takes `email` (string, required), `remember` (boolean, default false), `tries` (integer, required), `note` (string, optional)
    "#);
}

#[test]
fn classic_files_load_unchanged() {
    let action = action(
        r##"
commands:
  - type: navigate
    url: https://shop.example/${{REGION}}
    waitUntil: networkidle
    description: Open the shop
  - { type: fill, selector: "#email", value: "${{ SHOP_USER }}" }
  - { type: click, selector: "#save", clickCount: 2, timeout: 5000 }
  - { type: wait_for_timeout, timeout: 1000 }
  - { type: wait_for_timeout, duration: 2s }
  - { type: get_title }
"##,
    );
    assert_eq!(action.description, "Perform `a`");
    let secrets: Vec<String> = action.secret_names().iter().map(ToString::to_string).collect();
    assert_eq!(secrets, ["REGION", "SHOP_USER"]);
    insta::assert_snapshot!(steps(&action), @r##"
    1 navigate url=<secret> wait_until="networkidle" label=Open the shop
    2 fill selector="#email" value=<secret>
    3 click selector="#save" click_count=2 timeout=5s
    4 wait_for_timeout duration=1000
    5 wait_for_timeout duration="2s"
    6 get_title
    "##);
}

#[test]
fn classic_selectors_and_descriptions_mean_what_they_meant() {
    let action = action(
        r##"
commands:
  - { type: click, selector: 'button[type="submit"]', description: "Sign in at ${{APP_URL}} as $<<USER>>: ${{ 1 + 1 }}" }
  - { type: click, selector: 'a[href="/x/${{ID}}"]' }
  - { type: click, selector: text=Sign in >> nth=2 }
  - { type: get_text, selector: h1 }
  - { type: get_text, selector: "Save ${{ID}}" }
  - { type: drag, selector: "form > .x", targetSelector: ul li }
  - { type: wait_for_text, text: h1 }
"##,
    );
    let secrets: Vec<String> = action.secret_names().iter().map(ToString::to_string).collect();
    assert_eq!(secrets, ["ID"]);
    insta::assert_snapshot!(steps(&action), @r##"
    1 click selector="css:button[type=\"submit\"]" label=Sign in at <secret:APP_URL> as <secret:USER>: ${{ 1 + 1 }}
    2 click selector=<secret>
    3 click selector="text:Sign in >> nth:2"
    4 get_text selector="css:h1"
    5 get_text selector=<secret>
    6 drag selector="css:form > .x" target_selector="css:ul li"
    7 wait_for_text text="h1"
    "##);
    let Body::Shortcut(shortcut) = &action.body;
    let rendered = |index: usize| shown(shortcut.steps[index].arguments(&Scope::default()).expect("it renders"));
    assert_eq!(rendered(1), r#"{"selector":"css:a[href=\"/x/<secret:ID>\"]"}"#);
    assert_eq!(rendered(4), r#"{"selector":"Save <secret:ID>"}"#);
}

/// One line per step of an action without expressions.
fn steps(action: &Action) -> String {
    let Body::Shortcut(shortcut) = &action.body;
    let line = |step: &Step| {
        let StepKind::Command { command, arguments } = &step.kind else {
            return format!("{} perform", step.number);
        };
        let mut line = format!("{} {}", step.number, command.name);
        for (name, argument) in arguments {
            let value = argument.as_literal().map_or("<secret>".into(), |value| value.to_string());
            line.push_str(&format!(" {name}={value}"));
        }
        if let Some(timeout) = step.modifiers.timeout {
            line.push_str(&format!(" timeout={timeout:?}"));
        }
        if let Some(label) = &step.modifiers.label {
            line.push_str(&format!(" label={label}"));
        }
        line
    };
    shortcut.steps.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn the_three_forms_of_a_step_are_one() {
    let action = action(
        r#"
description: x
steps:
  - fill: label:Amount
    value: 1.50
  - fill: { selector: label:Amount, value: "1.50" }
  - { type: fill, selector: label:Amount, value: 1.50, label: Amount }
  - type: label:Amount
    value: true
  - click: { label: Amount, exact: true }
  - select_option: label:Country
    label: Ireland
  - get_title:
"#,
    );
    insta::assert_snapshot!(steps(&action), @r#"
    1 fill selector="label:Amount" value="1.50"
    2 fill selector="label:Amount" value="1.50"
    3 fill selector="label:Amount" value="1.50" label=Amount
    4 type selector="label:Amount" value="true"
    5 click selector={"label":"Amount","exact":true}
    6 select_option selector="label:Country" label="Ireland"
    7 get_title
    "#);
}

#[test]
fn optional_inputs_are_no_arguments() {
    let request = LoadRequest { directories: Vec::new(), builtins: true };
    let catalog = load(&request, &Catalog::default());
    let action = catalog.get("browser_screenshot").expect("it is there");
    let inputs = action.arguments(Map::new()).expect("everything is optional");
    assert_eq!(Value::Object(inputs.clone()), json!({"full_page": false, "selector": null}));
    let Body::Shortcut(shortcut) = &action.body;
    let arguments = shortcut.steps[0].arguments(&Scope::new(&inputs)).expect("they render");
    assert_eq!(arguments, [("full_page".to_owned(), Tree::Bool(false))]);
}

#[test]
fn commands_given_as_data() {
    let steps = steps_from_data(&json!([
        {"type": "navigate", "url": "https://x.example/${{ inputs.x }}", "timeout": "5s", "optional": true},
        {"type": "click", "selector": {"role": "button", "name": "Save"}, "clickCount": 2, "description": "Save it"},
        {"type": "get_title"},
        {"type": "screenshot", "selector": null},
        {"fill": "label:Password", "value": "$<<SHOP_PASSWORD>>"},
    ]))
    .expect("they are sound");
    let lines: Vec<String> = steps
        .iter()
        .map(|step| format!("{} {} {:?}", step.command.name, shown(step.arguments.clone()), step.options))
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    navigate {"url":"https://x.example/${{ inputs.x }}"} CommandOptions { optional: true, timeout: Some(5s), label: None }
    click {"selector":{"role":"button","name":"Save"},"click_count":2} CommandOptions { optional: false, timeout: None, label: Some("Save it") }
    get_title {} CommandOptions { optional: false, timeout: None, label: None }
    screenshot {} CommandOptions { optional: false, timeout: None, label: None }
    fill {"selector":"label:Password","value":"$<<SHOP_PASSWORD>>"} CommandOptions { optional: false, timeout: None, label: None }
    "#);
}

#[test]
fn doubts_about_commands_given_as_data() {
    let steps = steps_from_data(&json!([
        {"type": "click", "selector": "div.card > a"},
        {"type": "navigate", "url": "shop.example/login"},
        {"type": "get_text", "selector": "h1"},
        {"type": "get_text", "selector": "Total"},
    ]));
    let warnings: Vec<String> = steps.expect("they are sound").into_iter().flat_map(|step| step.warnings).collect();
    insta::assert_snapshot!(warnings.join("\n"), @r##"
    `div.card > a` is searched as text, but looks like CSS: write `css:div.card > a` for CSS, or `text:div.card > a` for text
    `shop.example/login` is not an absolute address: write `https://shop.example/login`
    `h1` is searched as text, but looks like CSS: write `css:h1` for CSS, or `text:h1` for text
    "##);
}

#[test]
fn a_wrong_key_of_a_selector_is_named() {
    let request = LoadRequest { directories: Vec::new(), builtins: true };
    let catalog = load(&request, &Catalog::default());
    let fault = |name: &str, given: Value| {
        let Value::Object(given) = given else { panic!("arguments are a map") };
        catalog.get(name).expect("it is there").arguments(given).expect_err("it does not fit").to_string()
    };
    let commands = json!([
        {"type": "click", "selector": {"rol": "button"}},
        {"type": "click", "selector": {"role": "button", "nam": "x"}},
        {"type": "drag", "selector": "a", "target_selector": {"role": "buton"}},
    ]);
    insta::assert_snapshot!(fault("browser_session", json!({ "commands": commands })), @"the arguments do not fit `browser_session`: command 1: not a selector: unknown key `rol` in a selector (did you mean `role`?); command 2: not a selector: unknown key `nam` in a selector (did you mean `name`?); command 3: not a selector: unknown role `buton` (did you mean `button`?)");
    let data = steps_from_data(&commands).map(drop).expect_err("they are wrong");
    insta::assert_snapshot!(data.faults.join("\n"), @r"
    command 1: not a selector: unknown key `rol` in a selector (did you mean `role`?)
    command 2: not a selector: unknown key `nam` in a selector (did you mean `name`?)
    command 3: not a selector: unknown role `buton` (did you mean `button`?)
    ");
}

#[test]
fn faults_of_commands_given_as_data() {
    let fault = |value| match steps_from_data(&value) {
        Ok(_) => String::new(),
        Err(error) => error.faults.join("\n"),
    };
    insta::assert_snapshot!(fault(json!("click")), @"expected a list of commands");
    insta::assert_snapshot!(fault(json!([
        {"type": "clik", "selector": "text:a"},
        {"type": "click"},
        {"type": "click", "selector": "role:button[", "as": "x", "when": "${{ true }}"},
        {"type": "fill", "selector": "label:Email", "valeu": "x"},
        {"perform": []},
        {"type": "perform"},
        {"type": "run"},
        7,
    ])), @r#"
    command 1: unknown command `clik` (did you mean `click`?)
    command 2: `click` needs `selector` (its arguments are `selector`, `button`, `click_count`, `modifiers`, `position`, `delay`, `force`)
    command 3: unknown key `as` for `click` (known are `selector`, `button`, `click_count`, `modifiers`, `position`, `delay`, `force`, `optional`, `timeout`, `label`)
    command 3: unknown key `when` for `click` (known are `selector`, `button`, `click_count`, `modifiers`, `position`, `delay`, `force`, `optional`, `timeout`, `label`)
    command 3: not a selector: `[` is never closed (close the bracket with `]`)
    command 4: unknown key `valeu` for `fill` (did you mean `value`?)
    command 5: unknown command `perform` (the commands are `navigate`, `navigate_back`, `navigate_forward`, `reload`, `get_url`, `get_title`, `click`, `fill`, `type`, `clear`, `press_key`, `hover`, `check`, `uncheck`, `select_option`, `drag`, `upload_file`, `scroll`, `wait_for_text`, `wait_for_selector`, `wait_for_url`, `wait_for_load`, `wait_for_timeout`, `expect`, `get_text`, `get_value`, `get_attribute`, `get_count`, `evaluate`, `snapshot`, `screenshot`, `tabs`, `open_tab`, `switch_tab`, `close_tab`, `handle_dialog`, `set_viewport`, `save_state`, `load_state`, `close_browser`)
    command 6: unknown command `perform` (the commands are `navigate`, `navigate_back`, `navigate_forward`, `reload`, `get_url`, `get_title`, `click`, `fill`, `type`, `clear`, `press_key`, `hover`, `check`, `uncheck`, `select_option`, `drag`, `upload_file`, `scroll`, `wait_for_text`, `wait_for_selector`, `wait_for_url`, `wait_for_load`, `wait_for_timeout`, `expect`, `get_text`, `get_value`, `get_attribute`, `get_count`, `evaluate`, `snapshot`, `screenshot`, `tabs`, `open_tab`, `switch_tab`, `close_tab`, `handle_dialog`, `set_viewport`, `save_state`, `load_state`, `close_browser`)
    command 7: `run` is a word of action files (give the commands one by one)
    command 8: not a step (write `{"type": "click", "selector": "role:button[Sign in]"}`)
    "#);
}

#[test]
fn outputs_take_their_declared_type() {
    let action = action(
        r#"
description: x
steps:
  - get_text: testid:total
    as: total
outputs:
  number: { value: "${{ total }}", type: number }
  text: { value: "${{ [total, 1] }}", type: string }
  same: ${{ total }}
  absent: { value: "${{ none }}", type: integer }
"#,
    );
    let Body::Shortcut(shortcut) = &action.body;
    let mut scope = Scope::default();
    scope.set("total", &json!(" 12.5 "));
    let outputs = shortcut.outputs(&scope).expect("they have values");
    assert_eq!(Value::Object(outputs), json!({"number": 12.5, "text": "[\" 12.5 \",1]", "same": " 12.5 "}));
    scope.set("total", &json!("twelve"));
    let error = shortcut.outputs(&scope).expect_err("it is no number");
    assert_eq!(error.to_string(), "output `number`: expected a number, found \"twelve\"");
}
