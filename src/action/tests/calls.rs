//! Good files, and what their actions do with the arguments of a call.

use serde_json::json;

use super::*;

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
    text: "note: ${{ inputs.note or 'none' }} for ${{ inputs.tries + 1 }} at ${{ page.url }}"
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

fn arguments(action: &Action, given: Value) -> String {
    let Value::Object(given) = given else {
        panic!("arguments are a map")
    };
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
            format!("{} {} {arguments:?}", step.number, step.position)
        })
        .collect();
    insta::assert_snapshot!(lines.join("\n"), @r#"
    1 13:5 [("url", Text(Text { pieces: [Literal("https://shop.example/login")] })), ("wait_until", Text(Text { pieces: [Literal("networkidle")] }))]
    2 15:5 [("selector", Text(Text { pieces: [Literal("label:Email")] })), ("value", Text(Text { pieces: [Literal("$<<X>>@b.c")] }))]
    3 17:5 [("selector", Text(Text { pieces: [Literal("label:Password")] })), ("value", Text(Text { pieces: [Literal("pw "), Secret(SecretName("SHOP_PASSWORD"))] }))]
    4 20:5 [("selector", Map([("role", Text(Text { pieces: [Literal("button")] })), ("name", Text(Text { pieces: [Literal("Sign in")] }))])), ("click_count", Number(Number(2)))]
    5 21:5 [("selector", Text(Text { pieces: [Literal("label:Note")] })), ("text", Text(Text { pieces: [Literal("note: "), Literal("none"), Literal(" for "), Literal("3"), Literal(" at "), Literal("https://x.example")] }))]
    6 25:5 [("selector", Text(Text { pieces: [Literal("testid:account")] }))]
    7 27:5 []
    "#);
    let outputs = shortcut.outputs(&scope).expect("they have values");
    assert_eq!(
        Value::Object(outputs),
        json!({"account": "Ann", "greeting": "Hello Ann", "count": 3})
    );
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
