//! Dialogs, tabs and downloads beside steps: what is read, and mistakes in it.

use super::*;

#[test]
fn all_forms_are_read() {
    let action = action(
        r#"
description: x
inputs: { reason: string }
steps:
  - click: text:a
    dialog: accept
  - click: text:a
    dialog: dismiss
    opens: true
    download: true
  - click: text:a
    dialog: { accept, text: "${{ inputs.reason }}", message: /^why/i, as: question }
    opens: details
    download: invoice
  - group: [{ click: text:a }]
    opens: { as: other }
    download: { as: list, max_bytes: 5 MiB }
  - run: a_part.yaml
    dialog: { dismiss: true, message: 7 }
    opens: {}
    download: { max_bytes: 1000 }
  - fill: text:a
    value: ${{ question.message }} ${{ details.id }} ${{ invoice.path }} ${{ other.url }} ${{ list.bytes }}
"#
        .replace("  - run: a_part.yaml\n", "  - group: [{ click: text:b }]\n")
        .as_str(),
    );
    let Body::Shortcut(shortcut) = &action.body;
    let shown = shortcut.steps.iter().map(|step| {
        let Awaited { dialog, tab, download } = &step.modifiers.awaited;
        let dialog = dialog.as_ref().map(|dialog| {
            let source = |text: &Option<Argument>| text.as_ref().map(|text| text.source().to_string());
            (dialog.accept, source(&dialog.text), source(&dialog.message))
        });
        let max_bytes = download.as_ref().map(|download| download.max_bytes);
        let names: Vec<&str> = step.modifiers.names().collect();
        format!("dialog {dialog:?}, tab {}, download {max_bytes:?}, names {names:?}", tab.is_some())
    });
    insta::assert_snapshot!(shown.collect::<Vec<_>>().join("\n"), @r#"
    dialog Some((true, None, None)), tab false, download None, names []
    dialog Some((false, None, None)), tab true, download Some(None), names []
    dialog Some((true, Some("\"${{ inputs.reason }}\""), Some("\"/^why/i\""))), tab true, download Some(None), names ["question", "details", "invoice"]
    dialog None, tab true, download Some(Some(5242880)), names ["other", "list"]
    dialog Some((false, None, Some("\"7\""))), tab true, download Some(Some(1000)), names []
    dialog None, tab false, download None, names []
    "#);
}

#[test]
fn what_does_not_fit() {
    insta::assert_snapshot!(problems(r#"
description: x
steps:
  - click: text:a
    dialog: maybe
  - click: text:a
    dialog: { text: x }
  - click: text:a
    dialog: { accept: false, dismiss: why, mesage: x }
  - click: text:a
    dialog: { accept: Ada, text: [a], message: "/(/", as: a b }
  - click: text:a
    dialog: { dismiss: true, text: x }
  - click: text:a
    dialog: { accept: true, text: $<<PIN>> }
  - click: text:a
    opens:
    download: { as: file, max_bytes: 0, path: x }
  - click: text:a
    opens: [details]
    download: 5
  - click: { selector: text:a, download: list }
  - click: text:a
    open: details
  - get_text: text:a
    dialog: accept
    as: text
  - wait_for_text: x
    dialog: accept
  - open_tab: https://shop.example
    opens: details
  - for_each: { in: [1], as: item, steps: [{ click: text:a, opens: true }] }
    download: true
  - set: { a: 1 }
    dialog: dismiss
  - get_title
  - fill: text:a
    value: ${{ file.path }} ${{ a }} ${{ text }}
"#), @r#"
    error: `dialog` is neither `accept` nor `dismiss`
     --> a.yaml:5:13
      |
    5 |     dialog: maybe
      |             ^^^^^
      hint: write `dialog: accept` or `dialog: dismiss`, or `dialog: { accept: true, text: Too late, message: Why }`
    error: `dialog` does not say its answer
     --> a.yaml:7:13
      |
    7 |     dialog: { text: x }
      |             ^
      hint: add `accept: true` or `dismiss: true`
    error: `accept` is not `true`
     --> a.yaml:9:23
      |
    9 |     dialog: { accept: false, dismiss: why, mesage: x }
      |                       ^^^^^
      hint: write `dismiss: true`
    error: `dismiss` is not `true`
     --> a.yaml:9:39
      |
    9 |     dialog: { accept: false, dismiss: why, mesage: x }
      |                                       ^^^
      hint: write `dismiss: true`
    error: `dialog` has two answers
     --> a.yaml:9:39
      |
    9 |     dialog: { accept: false, dismiss: why, mesage: x }
      |                                       ^^^
      hint: keep one of them
    error: unknown key `mesage` for `dialog`
     --> a.yaml:9:44
      |
    9 |     dialog: { accept: false, dismiss: why, mesage: x }
      |                                            ^^^^^^
      hint: did you mean `message`?
    error: `accept` is not `true`
      --> a.yaml:11:23
       |
    11 |     dialog: { accept: Ada, text: [a], message: "/(/", as: a b }
       |                       ^^^
      hint: what is typed into a prompt stands in `text`
    error: `text` is not text
      --> a.yaml:11:34
       |
    11 |     dialog: { accept: Ada, text: [a], message: "/(/", as: a b }
       |                                  ^
    error: `a b` can't be a name
      --> a.yaml:11:59
       |
    11 |     dialog: { accept: Ada, text: [a], message: "/(/", as: a b }
       |                                                           ^^^
      hint: use letters, digits and `_`, for example `as: account`
    error: a dialog that is dismissed takes no `text`
      --> a.yaml:13:36
       |
    13 |     dialog: { dismiss: true, text: x }
       |                                    ^
      hint: only what is accepted has a text: write `accept: true`
    error: a secret can't be used in `text`: `$<<PIN>>`
      --> a.yaml:15:35
       |
    15 |     dialog: { accept: true, text: $<<PIN>> }
       |                                   ^^^^^^^^
      hint: secrets belong in the arguments of commands that type them
    error: `opens` is neither a name nor `true`
      --> a.yaml:17:10
       |
    17 |     opens:
       |          ^
      hint: write `opens: details`, or `opens: true` where nothing needs its name
    error: `max_bytes` is not a size from 1 byte to 10.0 GB
      --> a.yaml:18:38
       |
    18 |     download: { as: file, max_bytes: 0, path: x }
       |                                      ^
      hint: write a number of bytes, or a text such as `5MB`
    error: unknown key `path` for `download`
      --> a.yaml:18:41
       |
    18 |     download: { as: file, max_bytes: 0, path: x }
       |                                         ^^^^
      hint: known are `as`, `max_bytes`
    error: `opens` is neither a name nor `true`
      --> a.yaml:20:12
       |
    20 |     opens: [details]
       |            ^
      hint: write `opens: details`, or `opens: true` where nothing needs its name
    error: `download` is neither a name nor `true`
      --> a.yaml:21:15
       |
    21 |     download: 5
       |               ^
      hint: write `download: { as: invoice, max_bytes: 5MB }`, or `download: true` where nothing needs its name
    error: `download` is no argument of `click`
      --> a.yaml:22:32
       |
    22 |   - click: { selector: text:a, download: list }
       |                                ^^^^^^^^
      hint: write it beside `click:`, not inside
    error: unknown key `open` for `click`
      --> a.yaml:24:5
       |
    24 |     open: details
       |     ^^^^
      hint: did you mean `opens`?
    error: `get_text` brings about no dialog
      --> a.yaml:26:5
       |
    26 |     dialog: accept
       |     ^^^^^^
      hint: put it beside the step that does, such as a `click`
    error: `open_tab` brings about no tab
      --> a.yaml:31:5
       |
    31 |     opens: details
       |     ^^^^^
      hint: it opens its tab itself: capture that with `as`
    error: `for_each` brings about no download
      --> a.yaml:33:5
       |
    33 |     download: true
       |     ^^^^^^^^
      hint: put it beside the step inside that does, or put that and others in a `group`
    error: `set` brings about no dialog
      --> a.yaml:35:5
       |
    35 |     dialog: dismiss
       |     ^^^^^^
      hint: put it beside the step that does, such as a `click`
    "#);
}

#[test]
fn names_are_known_to_later_steps_only() {
    insta::assert_snapshot!(problems(r#"
description: x
steps:
  - click: text:${{ details.title }}
  - click: text:a
    opens: details
    download: { as: unused }
  - click: text:b
    dialog: { accept, as: details }
  - repeat:
      max: 3
      steps:
        - click: text:a
          when: ${{ not file }}
          download: file
  - click: ${{ loop }}
"#), @r"
    error: `details` is captured by a later step
     --> a.yaml:4:21
      |
    4 |   - click: text:${{ details.title }}
      |                     ^^^^^^^
      hint: use it after the step that captures it
    error: `details` is already captured on line 6
     --> a.yaml:9:27
      |
    9 |     dialog: { accept, as: details }
      |                           ^^^^^^^
      hint: give each `as` its own name; `set` may change a name
    error: unknown name `loop`
      --> a.yaml:16:16
       |
    16 |   - click: ${{ loop }}
       |                ^^^^
      hint: names are `inputs.…`, what an earlier step captured with `as`, `page.url` and `page.title`
    ");
    insta::assert_snapshot!(problems("description: x\nsteps:\n  - click: text:a\n    opens: details\n    download: { as: file }\n"), @r"
    warning: `details` is captured but never used
     --> a.yaml:4:12
      |
    4 |     opens: details
      |            ^^^^^^^
      hint: use it in a later step or in `outputs`, or write `opens: true`
    warning: `file` is captured but never used
     --> a.yaml:5:21
      |
    5 |     download: { as: file }
      |                     ^^^^
      hint: use it in a later step or in `outputs`, or remove the `as`
    ");
}
