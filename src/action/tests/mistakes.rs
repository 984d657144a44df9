//! Files with mistakes, and the whole text that their authors see.

use super::*;

#[test]
fn all_mistakes_of_a_file_are_found_at_once() {
    insta::assert_snapshot!(problems(r#"
descripton: Sign in
inputs:
  email: strin
steps:
  - clik: role:button[Sign in]
  - fill: label:Email
    valeu: ${{ inputs.emial }}
  - click: role:button[Sign in
    click_count: two
"#), @r#"
    error: unknown key `descripton`
     --> a.yaml:2:1
      |
    2 | descripton: Sign in
      | ^^^^^^^^^^
      hint: did you mean `description`?
    error: unknown type `strin`
     --> a.yaml:4:10
      |
    4 |   email: strin
      |          ^^^^^
      hint: did you mean `string`?
    error: unknown command `clik`
     --> a.yaml:6:5
      |
    6 |   - clik: role:button[Sign in]
      |     ^^^^
      hint: did you mean `click`?
    error: unknown key `valeu` for `fill`
     --> a.yaml:8:5
      |
    8 |     valeu: ${{ inputs.emial }}
      |     ^^^^^
      hint: did you mean `value`?
    error: unknown input `emial`
     --> a.yaml:8:16
      |
    8 |     valeu: ${{ inputs.emial }}
      |                ^^^^^^^^^^^^
      hint: did you mean `inputs.email`?
    error: not a selector: `[` is never closed
     --> a.yaml:9:23
      |
    9 |   - click: role:button[Sign in
      |                       ^
      hint: close the bracket with `]`
    error: `click_count`: expected an integer, found "two"
      --> a.yaml:10:18
       |
    10 |     click_count: two
       |                  ^^^
    "#);
}

#[test]
fn files_that_are_no_shortcut() {
    insta::assert_snapshot!(problems(""), @r"
    error: the file is empty
     --> a.yaml:1:1
      hint: start with `description:` and `steps:`
    ");
    insta::assert_snapshot!(problems("- click: x\n"), @r"
    error: the file is not a map
     --> a.yaml:1:1
      |
    1 | - click: x
      | ^
      hint: start with `description:` and `steps:`
    ");
    insta::assert_snapshot!(problems("description: Nothing yet\n"), @r"
    error: the file has no `steps`
     --> a.yaml:1:1
      |
    1 | description: Nothing yet
      | ^
      hint: add `steps:` with one command per line, for example `- get_title`
    ");
    insta::assert_snapshot!(problems("description: x\nsteps: []\n"), @r"
    error: `steps` has no steps
     --> a.yaml:2:8
      |
    2 | steps: []
      |        ^
      hint: add one, for example `- get_title`
    ");
    insta::assert_snapshot!(problems("description: x\nsteps:\n  click: text:x\n"), @r"
    error: `steps` is not a list
     --> a.yaml:3:3
      |
    3 |   click: text:x
      |   ^
      hint: start each step with `- `
    ");
    insta::assert_snapshot!(problems("description: x\nsteps: [get_title]\ncommands: [get_title]\n"), @r"
    error: a file has `steps` or `commands`, not both
     --> a.yaml:3:1
      |
    3 | commands: [get_title]
      | ^^^^^^^^
      hint: move its steps to `steps`, which takes both forms
    ");
}

#[test]
fn heads_that_no_client_would_take() {
    insta::assert_snapshot!(problems(r#"
name: Shop-Login
description: [x]
annotations: { readonly: true, idempotent: "yes" }
secrets: { A: {} }
inputs:
  "a b": string
  when: { type: string, format: emial, default: 5 }
  size: { enum: [s, m], default: l }
  code: { type: string, pattern: "(?=x)" }
  list: { type: array }
  n: { type: int, minumum: 1 }
timeout: 5 parsecs
steps:
  - get_title
outputs:
  "a b": x
  title: { value: "${{ title }}", type: text }
  password: $<<SHOP_PASSWORD>>
"#), @r#"
    error: `Shop-Login` can't be the name of a tool
     --> a.yaml:2:7
      |
    2 | name: Shop-Login
      |       ^^^^^^^^^^
      hint: start with a letter, then up to 39 of `a-z`, `0-9` and `_`
    error: `description` is not text
     --> a.yaml:3:14
      |
    3 | description: [x]
      |              ^
    error: unknown annotation `readonly`
     --> a.yaml:4:16
      |
    4 | annotations: { readonly: true, idempotent: "yes" }
      |                ^^^^^^^^
      hint: did you mean `readOnly`?
    error: `idempotent` is neither `true` nor `false`
     --> a.yaml:4:44
      |
    4 | annotations: { readonly: true, idempotent: "yes" }
      |                                            ^^^^^
    error: `secrets` is not supported by this version
     --> a.yaml:5:1
      |
    5 | secrets: { A: {} }
      | ^^^^^^^
    error: `a b` can't be the name of an input
     --> a.yaml:7:3
      |
    7 |   "a b": string
      |   ^^^^^
      hint: use up to 64 letters, digits, `_`, `-` and `.`
    error: unknown format `emial`
     --> a.yaml:8:33
      |
    8 |   when: { type: string, format: emial, default: 5 }
      |                                 ^^^^^
      hint: did you mean `email`?
    error: `default`: expected a string, found 5
     --> a.yaml:8:49
      |
    8 |   when: { type: string, format: emial, default: 5 }
      |                                                 ^
      hint: write it in quotes: `"5"`
    error: `default`: expected one of "s", "m", found "l"
     --> a.yaml:9:34
      |
    9 |   size: { enum: [s, m], default: l }
      |                                  ^
      hint: did you mean `s`?
    error: not a valid `pattern`
      --> a.yaml:10:34
       |
    10 |   code: { type: string, pattern: "(?=x)" }
       |                                  ^^^^^^^
      hint: use a regular expression without look-around and back-references
    error: a list needs `items`
      --> a.yaml:11:17
       |
    11 |   list: { type: array }
       |                 ^^^^^
      hint: write `string[]`, or `{ type: array, items: … }` with what else the list holds
    error: unknown type `int`
      --> a.yaml:12:14
       |
    12 |   n: { type: int, minumum: 1 }
       |              ^^^
      hint: did you mean `integer`?
    error: unknown key `minumum` for an input
      --> a.yaml:12:19
       |
    12 |   n: { type: int, minumum: 1 }
       |                   ^^^^^^^
      hint: did you mean `minimum`?
    error: `timeout`: `5 parsecs` is not a duration such as `300ms`, `5s` or `1m 30s`, at most a day
      --> a.yaml:13:10
       |
    13 | timeout: 5 parsecs
       |          ^^^^^^^^^
      hint: write a number with its unit: `ms`, `s`, `m` or `h`
    error: `a b` can't be the name of an output
      --> a.yaml:17:3
       |
    17 |   "a b": x
       |   ^^^^^
      hint: use up to 64 letters, digits, `_`, `-` and `.`
    error: unknown name `title`
      --> a.yaml:18:24
       |
    18 |   title: { value: "${{ title }}", type: text }
       |                        ^^^^^
      hint: names are `inputs.…`, what an earlier step captured with `as`, `page.url` and `page.title`
    error: unknown type `text`
      --> a.yaml:18:41
       |
    18 |   title: { value: "${{ title }}", type: text }
       |                                         ^^^^
      hint: did you mean `string`?
    error: a secret can't be used in `outputs`: `$<<SHOP_PASSWORD>>`
      --> a.yaml:19:13
       |
    19 |   password: $<<SHOP_PASSWORD>>
       |             ^^^^^^^^^^^^^^^^^^
      hint: secrets belong in the arguments of commands that type them
    "#);
}
