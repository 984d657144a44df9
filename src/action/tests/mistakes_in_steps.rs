//! Mistakes in steps, and the whole text that their authors see.

use super::*;

#[test]
fn steps_that_are_no_command() {
    insta::assert_snapshot!(problems(r#"
description: x
steps:
  - get_titel
  - if: ${{ true }}
    then: [get_title]
  - click: text:a
    fill: text:b
  - as: x
  - type: clik
    selector: text:a
  - 5
  - run: other
    with: {}
  - perform: get_title
"#), @r"
    error: unknown command `get_titel`
     --> a.yaml:4:5
      |
    4 |   - get_titel
      |     ^^^^^^^^^
      hint: did you mean `get_title`?
    error: a step is one command, found `click` and `fill`
     --> a.yaml:8:5
      |
    8 |     fill: text:b
      |     ^^^^
      hint: start a new step with `- `
    error: the step has no command
     --> a.yaml:9:5
      |
    9 |   - as: x
      |     ^^
      hint: put one first, for example `- click: role:button[Sign in]`
    error: unknown command `clik`
      --> a.yaml:10:11
       |
    10 |   - type: clik
       |           ^^^^
      hint: did you mean `click`?
    error: not a step
      --> a.yaml:12:5
       |
    12 |   - 5
       |     ^
      hint: write a command and its argument: `- click: role:button[Sign in]`
    error: `perform` is not one expression
      --> a.yaml:15:14
       |
    15 |   - perform: get_title
       |              ^^^^^^^^^
      hint: write `- perform: ${{ inputs.commands }}` with an input of the type `commands`
    error: there is no action `other`
      --> a.yaml:13:10
       |
    13 |   - run: other
       |          ^^^^^
      hint: name an action, or a file that ends in `.yaml`
    ");
}

#[test]
fn arguments_that_do_not_fit() {
    insta::assert_snapshot!(problems(r#"
description: x
steps:
  - navigate:
  - navigate: https://x.example
    waitUntil: loaded
  - click: { selektor: text:a, timeout: 5s }
  - click: text:a
    selector: text:b
  - click: 5
  - click: { rol: button, name: x }
  - click: { role: buton, name: x }
  - click: text:a
    position: { x: 1, y: top }
  - get_title: now
  - wait_for_timeout: soon
  - fill: label:Email
    value: [a]
  - click: text:a
    clickCount: "2"
    retry: { attempts: 3 }
  - click: div.card > a
  - click: "role:button[Save"
"#), @r#"
    error: `navigate` needs `url`
     --> a.yaml:4:5
      |
    4 |   - navigate:
      |     ^^^^^^^^
      hint: for example `- navigate: https://shop.example/login`
    error: `wait_until`: expected one of "commit", "domcontentloaded", "load", "networkidle", found "loaded"
     --> a.yaml:6:16
      |
    6 |     waitUntil: loaded
      |                ^^^^^^
      hint: did you mean `load`?
    error: unknown key `selektor` for `click`
     --> a.yaml:7:14
      |
    7 |   - click: { selektor: text:a, timeout: 5s }
      |              ^^^^^^^^
      hint: did you mean `selector`?
    error: `timeout` is no argument of `click`
     --> a.yaml:7:32
      |
    7 |   - click: { selektor: text:a, timeout: 5s }
      |                                ^^^^^^^
      hint: write it beside `click:`, not inside
    error: `selector` is already given
     --> a.yaml:9:5
      |
    9 |     selector: text:b
      |     ^^^^^^^^
      hint: it stands at `click:`
    error: expected a selector, found 5
      --> a.yaml:10:12
       |
    10 |   - click: 5
       |            ^
      hint: write one such as `role:button[Sign in]`, `testid:pay` or `css:#save`
    error: not a selector: unknown key `rol` in a selector
      --> a.yaml:11:14
       |
    11 |   - click: { rol: button, name: x }
       |              ^^^
      hint: did you mean `role`?
    error: not a selector: unknown role `buton`
      --> a.yaml:12:20
       |
    12 |   - click: { role: buton, name: x }
       |                    ^^^^^
      hint: did you mean `button`?
    error: `position.y`: expected a number, found "top"
      --> a.yaml:14:26
       |
    14 |     position: { x: 1, y: top }
       |                          ^^^
    error: `get_title` takes no value at its name
      --> a.yaml:15:16
       |
    15 |   - get_title: now
       |                ^^^
      hint: write `- get_title` alone
    error: `duration`: `soon` is not a duration such as `300ms`, `5s` or `1m 30s`, at most a day
      --> a.yaml:16:23
       |
    16 |   - wait_for_timeout: soon
       |                       ^^^^
      hint: write a number with its unit: `ms`, `s`, `m` or `h`
    error: `value`: expected a string, found ["a"]
      --> a.yaml:18:12
       |
    18 |     value: [a]
       |            ^
    error: `click_count`: expected an integer, found "2"
      --> a.yaml:20:17
       |
    20 |     clickCount: "2"
       |                 ^^^
      hint: write it without quotes: `2`
    warning: `div.card > a` is searched as text, but looks like CSS
      --> a.yaml:22:12
       |
    22 |   - click: div.card > a
       |            ^^^^^^^^^^^^
      hint: write `css:div.card > a` for CSS, or `text:div.card > a` for text
    error: not a selector: `[` is never closed
      --> a.yaml:23:24
       |
    23 |   - click: "role:button[Save"
       |                        ^
      hint: close the bracket with `]`
    "#);
}

#[test]
fn modifiers_that_do_not_fit() {
    insta::assert_snapshot!(problems(r#"
description: x
steps:
  - get_title
  - get_title: {}
    as: my title
    when: maybe
    optional: sometimes
    timeout: 0
    label: $<<X>>
  - { type: get_title, as: page, when: { visible: text:a } }
  - { type: get_title, as: title }
  - { type: get_url, as: title }
"#), @r"
    error: `my title` can't be a name
     --> a.yaml:6:9
      |
    6 |     as: my title
      |         ^^^^^^^^
      hint: use letters, digits and `_`, for example `as: account`
    error: `when` is not one expression
     --> a.yaml:7:11
      |
    7 |     when: maybe
      |           ^^^^^
      hint: write an expression, `when: ${{ inputs.remember }}`, or `when: { visible: testid:account }`
    error: `optional` is neither `true` nor `false`
     --> a.yaml:8:15
      |
    8 |     optional: sometimes
      |               ^^^^^^^^^
      hint: for a condition use `when`
    error: `timeout` is zero
     --> a.yaml:9:14
      |
    9 |     timeout: 0
      |              ^
      hint: leave it out for the default
    error: `label` is plain text, without expressions and secrets
      --> a.yaml:10:12
       |
    10 |     label: $<<X>>
       |            ^^^^^^
    error: `page` has a meaning of its own
      --> a.yaml:11:28
       |
    11 |   - { type: get_title, as: page, when: { visible: text:a } }
       |                            ^^^^
      hint: choose another name
    error: `title` is already captured on line 12
      --> a.yaml:13:26
       |
    13 |   - { type: get_url, as: title }
       |                          ^^^^^
      hint: give each `as` its own name; `set` may change a name
    ");
}

#[test]
fn expressions_and_secrets_that_do_not_fit() {
    insta::assert_snapshot!(problems(r#"
description: x
inputs: { email: string }
steps:
  - navigate: https://x.example/${{ email }}/${{ inputs.emial }}/${{ page.adress }}
  - navigate: ${{ later }}
  - fill: label:Email
    value: "é ${{ inputs.email | uper }} ${{ inputs.email + }}"
  - fill: label:Email
    value: |
      one
      two ${{ unknown }} ${{ open
  - click: text:a
    click_count: ${{ inputs.email }} times
  - { type: get_url, as: later }
  - evaluate: login("$<<SHOP_PASSWORD>>")
  - evaluate: login("${{ inputs.email }}")
  - fill: label:Password
    value: my $<<SHOP PASSWORD>>
  - navigate: $<<
    when: ${{ $<<X>> }}
"#), @r#"
    error: unknown name `email`
     --> a.yaml:5:37
      |
    5 |   - navigate: https://x.example/${{ email }}/${{ inputs.emial }}/${{ page.adress }}
      |                                     ^^^^^
      hint: did you mean `inputs.email`?
    error: unknown input `emial`
     --> a.yaml:5:50
      |
    5 |   - navigate: https://x.example/${{ email }}/${{ inputs.emial }}/${{ page.adress }}
      |                                                  ^^^^^^^^^^^^
      hint: did you mean `inputs.email`?
    error: `page` has no `adress`
     --> a.yaml:5:70
      |
    5 |   - navigate: https://x.example/${{ email }}/${{ inputs.emial }}/${{ page.adress }}
      |                                                                      ^^^^^^^^^^^
      hint: use `page.url` or `page.title`
    error: `later` is captured by a later step
     --> a.yaml:6:19
      |
    6 |   - navigate: ${{ later }}
      |                   ^^^^^
      hint: use it after the step that captures it
    error: unknown filter `uper`
     --> a.yaml:8:34
      |
    8 |     value: "é ${{ inputs.email | uper }} ${{ inputs.email + }}"
      |                                  ^^^^
      hint: did you mean `upper`?
    error: not a valid expression: unexpected end of input, expected expression
     --> a.yaml:8:59
      |
    8 |     value: "é ${{ inputs.email | uper }} ${{ inputs.email + }}"
      |                                                           ^
      hint: expressions look like `inputs.count > 1 and page.title != ''`
    error: `${{` is not closed
      --> a.yaml:12:26
       |
    12 |       two ${{ unknown }} ${{ open
       |                          ^^^
      hint: end it with `}}`
    error: `click_count`: expected an integer, found text
      --> a.yaml:14:18
       |
    14 |     click_count: ${{ inputs.email }} times
       |                  ^^^^^^^^^^^^^^^^^^^^^^^^^
      hint: only a scalar that is exactly one `${{ … }}` keeps its type
    error: a secret can't be part of a script: `$<<SHOP_PASSWORD>>`
      --> a.yaml:16:22
       |
    16 |   - evaluate: login("$<<SHOP_PASSWORD>>")
       |                      ^^^
      hint: pass it in `args`, where the script receives it as a value
    warning: the expression's value becomes part of the script's code
      --> a.yaml:17:22
       |
    17 |   - evaluate: login("${{ inputs.email }}")
       |                      ^^^
      hint: pass it in `args`, where the script receives it as a value
    error: `SHOP PASSWORD` can't name a secret
      --> a.yaml:19:15
       |
    19 |     value: my $<<SHOP PASSWORD>>
       |               ^^^^^^^^^^^^^^^^^^
      hint: a name has letters, digits and `_`, and does not start with a digit, such as `SHOP_PASSWORD`
    error: `$<<` is never closed
      --> a.yaml:20:15
       |
    20 |   - navigate: $<<
       |               ^^^
      hint: write `$<<NAME>>`, or `$$<<` for a literal `$<<`
    error: not a valid expression: unexpected character
      --> a.yaml:21:15
       |
    21 |     when: ${{ $<<X>> }}
       |               ^
      hint: a secret can't be computed with: write `$<<NAME>>` outside of the expression
    "#);
}

#[test]
fn addresses_without_a_scheme() {
    insta::assert_snapshot!(problems(r#"
description: x
inputs: { host: string }
steps:
  - navigate: shop.example/login
  - navigate: localhost:3000/?next=https://x.example
  - navigate: //shop.example
  - navigate: https://shop.example
  - navigate: about:blank
  - navigate: ${{ inputs.host }}/login
"#), @r##"
warning: `shop.example/login` is not an absolute address
 --> a.yaml:5:15
  |
5 |   - navigate: shop.example/login
  |               ^^^^^^^^^^^^^^^^^^
  hint: write `https://shop.example/login`
warning: `localhost:3000/?next=https://x.example` is not an absolute address
 --> a.yaml:6:15
  |
6 |   - navigate: localhost:3000/?next=https://x.example
  |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  hint: write `http://localhost:3000/?next=https://x.example`
warning: `//shop.example` is not an absolute address
 --> a.yaml:7:15
  |
7 |   - navigate: //shop.example
  |               ^^^^^^^^^^^^^^
  hint: write `https://shop.example`
"##);
}
