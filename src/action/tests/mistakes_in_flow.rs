//! Mistakes in flow and conditions, and the whole text that their authors see.

use super::*;

#[test]
fn words_of_the_flow_that_do_not_fit() {
    insta::assert_snapshot!(problems(r#"
description: x
steps:
  - if: ${{ true }}
  - if: maybe
    then: [get_title]
    els: [get_url]
  - for_each: { in: text, as: item, steps: [get_title] }
    as: rows
  - for_each: { as: item }
  - repeat: { steps: [get_title], until: "${{ true }}", while: "${{ false }}" }
  - repeat: { max: 0, steps: [get_title], timeout: 5s }
  - group: get_title
    retry: 1
  - group: [get_title]
    click: text:x
  - set: [a]
  - set: { "a b": 1, inputs: 2 }
  - return: { totl: 1 }
  - fail: { code: a b, mesage: x }
  - fail:
  - run: ""
  - run: other
    with: { password: $<<X>> }
  - iff: ${{ true }}
    then: [get_title]
outputs: { total: 1 }
"#), @r#"
    error: `if` needs `then`
     --> a.yaml:4:5
      |
    4 |   - if: ${{ true }}
      |     ^^
      hint: add `then:` with a list of steps, or put the condition of a single step into its `when`
    error: `if` is not one expression
     --> a.yaml:5:9
      |
    5 |   - if: maybe
      |         ^^^^^
      hint: write an expression, `if: ${{ inputs.remember }}`, or `if: { visible: testid:account }`
    error: unknown key `els` for `if`
     --> a.yaml:7:5
      |
    7 |     els: [get_url]
      |     ^^^
      hint: did you mean `else`?
    error: `in` is not a list
     --> a.yaml:8:21
      |
    8 |   - for_each: { in: text, as: item, steps: [get_title] }
      |                     ^^^^
      hint: write an expression, `in: ${{ inputs.products }}`, or a list, `in: [Kettle, Mug]`
    error: `for_each` has no result to capture
     --> a.yaml:9:5
      |
    9 |     as: rows
      |     ^^
      hint: it stands inside: `for_each: { in: …, as: item, steps: […] }`
    error: `for_each` needs `in`
      --> a.yaml:10:15
       |
    10 |   - for_each: { as: item }
       |               ^
      hint: for example `- for_each: { in: [Kettle, Mug], as: product, steps: [{ click: "role:link[${{ product }}]" }] }`
    error: `for_each` needs `steps`
      --> a.yaml:10:15
       |
    10 |   - for_each: { as: item }
       |               ^
      hint: for example `- for_each: { in: [Kettle, Mug], as: product, steps: [{ click: "role:link[${{ product }}]" }] }`
    error: `repeat` needs `max`
      --> a.yaml:11:13
       |
    11 |   - repeat: { steps: [get_title], until: "${{ true }}", while: "${{ false }}" }
       |             ^
      hint: for example `- repeat: { max: 20, while: { visible: "role:link[Next]" }, steps: [{ click: "role:link[Next]" }] }`
    error: `max` is not a whole number from 1 to 10000
      --> a.yaml:12:20
       |
    12 |   - repeat: { max: 0, steps: [get_title], timeout: 5s }
       |                    ^
      hint: say how many rounds there are at most, `max: 50`
    error: unknown key `timeout` for `repeat`
      --> a.yaml:12:43
       |
    12 |   - repeat: { max: 0, steps: [get_title], timeout: 5s }
       |                                           ^^^^^^^
      hint: write it beside `repeat:`, not inside
    error: `group` is not a list
      --> a.yaml:13:12
       |
    13 |   - group: get_title
       |            ^^^^^^^^^
      hint: start each step with `- `
    error: the attempts are not a whole number from 2 to 100
      --> a.yaml:14:12
       |
    14 |     retry: 1
       |            ^
      hint: `retry: 3` tries three times in all
    error: a step is one command, found `group` and `click`
      --> a.yaml:16:5
       |
    16 |     click: text:x
       |     ^^^^^
      hint: start a new step with `- `
    error: `set` is not a map of names
      --> a.yaml:17:10
       |
    17 |   - set: [a]
       |          ^
      hint: write `- set: { total: 0 }`
    error: `a b` can't be a name
      --> a.yaml:18:12
       |
    18 |   - set: { "a b": 1, inputs: 2 }
       |            ^^^^^
      hint: use letters, digits and `_`, for example `set: account`
    error: `inputs` has a meaning of its own
      --> a.yaml:18:22
       |
    18 |   - set: { "a b": 1, inputs: 2 }
       |                      ^^^^^^
      hint: choose another name
    error: unknown output `totl`
      --> a.yaml:19:15
       |
    19 |   - return: { totl: 1 }
       |               ^^^^
      hint: did you mean `total`?
    warning: this step is never reached: `return` on line 19 ends the action
      --> a.yaml:20:5
       |
    20 |   - fail: { code: a b, mesage: x }
       |     ^
      hint: remove it, or give the step that ends the action a `when`
    error: `fail` needs `message`
      --> a.yaml:20:11
       |
    20 |   - fail: { code: a b, mesage: x }
       |           ^
      hint: for example `- fail: { code: sold_out, message: "${{ inputs.product }} is sold out" }`
    error: unknown key `mesage` for `fail`
      --> a.yaml:20:24
       |
    20 |   - fail: { code: a b, mesage: x }
       |                        ^^^^^^
      hint: did you mean `message`?
    error: `fail` stands alone
      --> a.yaml:21:5
       |
    21 |   - fail:
       |     ^^^^
      hint: for example `- fail: { code: sold_out, message: "${{ inputs.product }} is sold out" }`
    error: `run` does not name an action
      --> a.yaml:22:10
       |
    22 |   - run: ""
       |          ^^
      hint: name it as it is in the files, `- run: shop_login`, or by its file, `- run: _login.yaml`
    error: a secret can't be an argument of an action: `$<<X>>`
      --> a.yaml:24:23
       |
    24 |     with: { password: $<<X>> }
       |                       ^^^^^^
      hint: name the secret in the action that types it
    error: unknown command `iff`
      --> a.yaml:25:5
       |
    25 |   - iff: ${{ true }}
       |     ^^^
      hint: did you mean `if`?
    error: there is no action `other`
      --> a.yaml:23:10
       |
    23 |   - run: other
       |          ^^^^^
      hint: name an action, or a file that ends in `.yaml`
    "#);
}

#[test]
fn conditions_that_do_not_fit() {
    insta::assert_snapshot!(problems(r#"
description: x
inputs: { total: string }
steps:
  - expect: { visibel: testid:a, timeout: 5s }
  - expect: { visible: "role:button[", count: { selector: role:row } }
  - expect: { text: Thank you }
  - expect: { text: { equals: x, eqals: y } }
  - expect: { value: { selector: div.card, matches: "(?=x)" } }
  - expect: { count: { selector: role:row, at_least: two } }
  - expect: { any: { visible: testid:a } }
  - expect: { url: "/[/" }
  - expect: { not: testid:a }
  - expect: { attribute: { selector: testid:a, equals: [1] } }
  - expect: { text: { selector: testid:a, equals: $<<X>> } }
  - expect: ${{ page.url == 'x' }}
  - expect: {}
  - expect:
  - expect: testid:a
  - click: text:a
    when: { visible: $<<X>>, title: 7 }
"#), @r#"
    error: unknown condition `visibel`
     --> a.yaml:5:15
      |
    5 |   - expect: { visibel: testid:a, timeout: 5s }
      |               ^^^^^^^
      hint: did you mean `visible`?
    error: unknown condition `timeout`
     --> a.yaml:5:34
      |
    5 |   - expect: { visibel: testid:a, timeout: 5s }
      |                                  ^^^^^^^
      hint: known are `visible`, `hidden`, `enabled`, `disabled`, `checked`, `unchecked`, `editable`, `focused`, `text`, `value`, `attribute`, `count`, `url`, `title`, `not`, `any`, `all`
    error: not a selector: `[` is never closed
     --> a.yaml:6:36
      |
    6 |   - expect: { visible: "role:button[", count: { selector: role:row } }
      |                                    ^
      hint: close the bracket with `]`
    error: `count` does not say what is expected
     --> a.yaml:6:40
      |
    6 |   - expect: { visible: "role:button[", count: { selector: role:row } }
      |                                        ^^^^^
      hint: add one of `equals`, `at_least`, `at_most`
    error: `text` is not a map of `selector`, `equals`, `contains`, `matches`
     --> a.yaml:7:21
      |
    7 |   - expect: { text: Thank you }
      |                     ^^^^^^^^^
      hint: for example `text: { selector: testid:total, equals: € 42.00 }`
    error: `text` needs `selector`
     --> a.yaml:8:15
      |
    8 |   - expect: { text: { equals: x, eqals: y } }
      |               ^^^^
    error: unknown key `eqals` for `text`
     --> a.yaml:8:34
      |
    8 |   - expect: { text: { equals: x, eqals: y } }
      |                                  ^^^^^
      hint: did you mean `equals`?
    warning: `div.card` is searched as text, but looks like CSS
     --> a.yaml:9:34
      |
    9 |   - expect: { value: { selector: div.card, matches: "(?=x)" } }
      |                                  ^^^^^^^^
      hint: write `css:div.card` for CSS, or `text:div.card` for text
    error: `(?=` is not supported in a regular expression
     --> a.yaml:9:53
      |
    9 |   - expect: { value: { selector: div.card, matches: "(?=x)" } }
      |                                                     ^^^^^^^
      hint: look-around is not supported; narrow the match with `>>` or `has-text:`
    error: `at_least` is not a whole number
      --> a.yaml:10:54
       |
    10 |   - expect: { count: { selector: role:row, at_least: two } }
       |                                                      ^^^
    error: `any` is not a list of conditions
      --> a.yaml:11:20
       |
    11 |   - expect: { any: { visible: testid:a } }
       |                    ^
      hint: write `any: [{ visible: testid:account }, { hidden: testid:spinner }]`
    error: `not` is not one expression
      --> a.yaml:13:20
       |
    13 |   - expect: { not: testid:a }
       |                    ^^^^^^^^
      hint: write an expression, `not: ${{ inputs.remember }}`, or `not: { visible: testid:account }`
    error: `attribute` needs `name`
      --> a.yaml:14:15
       |
    14 |   - expect: { attribute: { selector: testid:a, equals: [1] } }
       |               ^^^^^^^^^
    error: not a text to compare with
      --> a.yaml:14:56
       |
    14 |   - expect: { attribute: { selector: testid:a, equals: [1] } }
       |                                                        ^
      hint: write a text, or `${{ … }}`
    error: a secret can't be used in a condition: `$<<X>>`
      --> a.yaml:15:51
       |
    15 |   - expect: { text: { selector: testid:a, equals: $<<X>> } }
       |                                                   ^^^^^^
      hint: secrets belong in the arguments of commands that type them
    warning: `page` is read once, before `expect` begins
      --> a.yaml:16:13
       |
    16 |   - expect: ${{ page.url == 'x' }}
       |             ^^^^^^^^^^^^^^^^^^^^^^
      hint: use `url` and `title`, which are looked at again until they are as expected
    error: `expect` has no condition
      --> a.yaml:17:13
       |
    17 |   - expect: {}
       |             ^
      hint: name a state: `expect: { visible: testid:account }`
    error: `expect` needs `condition`
      --> a.yaml:18:5
       |
    18 |   - expect:
       |     ^^^^^^
      hint: for example `- expect: { visible: testid:account }`
    error: `expect` is not one expression
      --> a.yaml:19:13
       |
    19 |   - expect: testid:a
       |             ^^^^^^^^
      hint: write an expression, `expect: ${{ inputs.remember }}`, or `expect: { visible: testid:account }`
    error: a secret can't be used in a condition: `$<<X>>`
      --> a.yaml:21:22
       |
    21 |     when: { visible: $<<X>>, title: 7 }
       |                      ^^^^^^
      hint: secrets belong in the arguments of commands that type them
    error: `title` is not a map of `equals`, `contains`, `matches`
      --> a.yaml:21:37
       |
    21 |     when: { visible: $<<X>>, title: 7 }
       |                                     ^
      hint: for example `title: { equals: Your orders }`
    "#);
}

#[test]
fn classic_files_have_no_flow() {
    insta::assert_snapshot!(problems("needs: [b]\ncommands:\n  - if: true\n    then: [get_title]\n  - { type: expect, condition: { visible: h1 } }\n"), @r"
    error: `needs` belongs to a file with `steps`
     --> a.yaml:1:1
      |
    1 | needs: [b]
      | ^^^^^
      hint: rename `commands` to `steps`, which takes both forms
    error: `if` belongs into a list `steps`
     --> a.yaml:3:5
      |
    3 |   - if: true
      |     ^^
      hint: rename `commands` to `steps`, which takes both forms
    error: there is no action `b`
     --> a.yaml:1:9
      |
    1 | needs: [b]
      |         ^
      hint: name an action, or a file that ends in `.yaml`
    ");
}
