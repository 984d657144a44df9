//! What authors probably meant by what would otherwise be plain text, or fail only when it is performed.

use super::*;

#[test]
fn names_that_an_input_or_another_action_does_not_have() {
    let files = Files::new(&[
        (
            "a.yaml",
            "description: x\ninputs: { a: string, l: \"string[]\", o: { type: object, additional_properties: false, properties: { key: string } } }\nsteps:\n  - run: b\n    as: b\n  - wait_for_text: ${{ inputs.a.length }} ${{ inputs.l.0.toUpperCase() }} ${{ inputs.o.kye }} ${{ inputs.l.first }}\n  - wait_for_text: ${{ inputs.o.key }} ${{ b.count }} ${{ b.cuont }}\n  - clik: #a\n",
        ),
        ("b.yaml", "description: x\nsteps: [get_title]\noutputs: { count: 1 }\n"),
    ]);
    insta::assert_snapshot!(world(&files.load()), @r"
    actions: b
    error: `inputs.a` is a text and has no `length`
     --> a.yaml:6:24
      |
    6 |   - wait_for_text: ${{ inputs.a.length }} ${{ inputs.l.0.toUpperCase() }} ${{ inputs.o.kye }} ${{ inputs.l.first }}
      |                        ^^^^^^^^^^^^^^^
      hint: write `inputs.a | length`
    error: `inputs.o` has no `kye`
     --> a.yaml:6:79
      |
    6 |   - wait_for_text: ${{ inputs.a.length }} ${{ inputs.l.0.toUpperCase() }} ${{ inputs.o.kye }} ${{ inputs.l.first }}
      |                                                                               ^^^^^^^^^^^^
      hint: did you mean `key`?
    error: `inputs.l` is a list and has no `first`
     --> a.yaml:6:99
      |
    6 |   - wait_for_text: ${{ inputs.a.length }} ${{ inputs.l.0.toUpperCase() }} ${{ inputs.o.kye }} ${{ inputs.l.first }}
      |                                                                                                   ^^^^^^^^^^^^^^
    error: unknown command `clik`
     --> a.yaml:8:5
      |
    8 |   - clik: #a
      |     ^^^^
      hint: did you mean `click`?
    error: `b` has no output `cuont`
     --> a.yaml:7:59
      |
    7 |   - wait_for_text: ${{ inputs.o.key }} ${{ b.count }} ${{ b.cuont }}
      |                                                           ^^^^^^^
      hint: did you mean `count`?
    ");
}

#[test]
fn braces_of_other_tools() {
    insta::assert_snapshot!(problems("description: x\ninputs: { a: string }\nsteps:\n  - get_text: h1\n    as: t\n  - wait_for_text: ${ inputs.a } and {{ t }}, but $${{ t }}, {{ b }} and ${t} are text\n"), @r"
    warning: `h1` is searched as text, but looks like CSS
     --> a.yaml:4:15
      |
    4 |   - get_text: h1
      |               ^^
      hint: write `css:h1` for CSS, or `text:h1` for text
    warning: `${ inputs.a }` is plain text, not an expression
     --> a.yaml:6:20
      |
    6 |   - wait_for_text: ${ inputs.a } and {{ t }}, but $${{ t }}, {{ b }} and ${t} are text
      |                    ^^^^^^^^^^^^^
      hint: write `${{ inputs.a }}`
    warning: `{{ t }}` is plain text, not an expression
     --> a.yaml:6:38
      |
    6 |   - wait_for_text: ${ inputs.a } and {{ t }}, but $${{ t }}, {{ b }} and ${t} are text
      |                                      ^^^^^^^
      hint: write `${{ t }}`
    ");
    insta::assert_snapshot!(problems("description: x\nsteps:\n  - fill: { selector: h1, value: ${{ page.url }} }\n"), @r#"
    error: an expression between brackets needs quotes
     --> a.yaml:3:34
      |
    3 |   - fill: { selector: h1, value: ${{ page.url }} }
      |                                  ^
      hint: write it in quotes: `"${{ page.url }}"`
    "#);
    insta::assert_snapshot!(problems("description:x\nsteps:\n  - get_title\n"), @r"
    error: a colon without a space behind it
     --> a.yaml:1:12
      |
    1 | description:x
      |            ^
      hint: write `description: x`
    ");
    insta::assert_snapshot!(problems("inputs: { a: string\nsteps:\n  - get_title\n"), @r"
    error: `{` is never closed
     --> a.yaml:1:9
      |
    1 | inputs: { a: string
      |         ^
      hint: end it with `}`
    ");
}

#[test]
fn secrets_where_they_would_be_text() {
    insta::assert_snapshot!(problems("description: x\ninputs: { a: { type: string, default: $<<PIN>> } }\nsteps:\n  - wait_for_text: ${{ inputs.a }}\n    when: ${{ '$<<PIN>>' == '1' }}\n"), @r"
    error: a secret can't be a default: `$<<PIN>>`
     --> a.yaml:2:39
      |
    2 | inputs: { a: { type: string, default: $<<PIN>> } }
      |                                       ^^^^^^^^
      hint: an input is sent by a client: leave it out, and write the secret where it is typed
    error: a secret can't be part of an expression
     --> a.yaml:5:16
      |
    5 |     when: ${{ '$<<PIN>>' == '1' }}
      |                ^^^
      hint: write it outside of `${{ … }}`, in the argument of the command that types it
    ");
}

#[test]
fn words_and_values_that_mean_nothing() {
    insta::assert_snapshot!(problems("description: x\nsteps:\n  - press_key: Entr\n  - switch_tab: { id: t1, title: x }\n  - select_option: label:A\n  - scroll\n  - click: [data-x=1]\n    timeout: 5\n    optional: yes\n  - click: { css: \"div[\" }\n  - else: [reload]\n  - while: true\n  - click:text:A\n  - selector: h1\nfinally: [return]\n"), @r#"
    error: `key`: `Entr` is not a key
     --> a.yaml:3:16
      |
    3 |   - press_key: Entr
      |                ^^^^
      hint: for example `- press_key: Enter`
    error: `switch_tab`: give one of `id`, `url` and `title`
     --> a.yaml:4:5
      |
    4 |   - switch_tab: { id: t1, title: x }
      |     ^^^^^^^^^^
      hint: for example `- switch_tab: { title: Invoice }`
    error: `select_option`: one of `value`, `label` and `index` is needed
     --> a.yaml:5:5
      |
    5 |   - select_option: label:A
      |     ^^^^^^^^^^^^^
      hint: for example `- select_option: { selector: label:Country, value: Ireland }`
    error: `scroll`: one of `selector`, `x`, `y`, `dx` and `dy` is needed
     --> a.yaml:6:5
      |
    6 |   - scroll
      |     ^^^^^^
      hint: for example `- scroll: { dy: 600 }`
    error: expected a selector, found ["data-x=1"]
     --> a.yaml:7:12
      |
    7 |   - click: [data-x=1]
      |            ^
      hint: text that starts with `[` needs quotes: `'[data-x=1]'`
    warning: `timeout: 5` are milliseconds
     --> a.yaml:8:14
      |
    8 |     timeout: 5
      |              ^
      hint: write `5s` for seconds, or `5ms` if it is meant
    error: `optional` is neither `true` nor `false`
     --> a.yaml:9:15
      |
    9 |     optional: yes
      |               ^^^
      hint: write `true`
    error: not a selector: `[` is never closed in `css`
      --> a.yaml:10:14
       |
    10 |   - click: { css: "div[" }
       |              ^^^
      hint: close it with `]`; to find this text write `"div["i`
    error: unknown command `else`
      --> a.yaml:11:5
       |
    11 |   - else: [reload]
       |     ^^^^
      hint: write it beside `if:`, indented like it and without a `- `
    error: unknown command `while`
      --> a.yaml:12:5
       |
    12 |   - while: true
       |     ^^^^^
      hint: write `repeat: { max: 20, while: …, steps: […] }`
    error: unknown command `click:text:A`
      --> a.yaml:13:5
       |
    13 |   - click:text:A
       |     ^^^^^^^^^^^^
      hint: a space belongs behind the colon: `- click: text:A`
    error: the step has no command
      --> a.yaml:14:5
       |
    14 |   - selector: h1
       |     ^^^^^^^^
      hint: name the command first: `- click: role:button[Sign in]`
    error: `return` can't stand in `finally`
      --> a.yaml:15:11
       |
    15 | finally: [return]
       |           ^^^^^^
      hint: how the action ended is settled by then; skip steps with `when`
    "#);
}
