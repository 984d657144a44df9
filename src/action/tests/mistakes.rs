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
    2  | descripton: Sign in
       | ^^^^^^^^^^
      hint: did you mean `description`?
    warning: the action has no description
      --> a.yaml:2:1
       |
    2  | descripton: Sign in
       | ^
      hint: say in one sentence what it does and when to use it: agents choose by it
    error: unknown type `strin`
      --> a.yaml:4:10
       |
    4  |   email: strin
       |          ^^^^^
      hint: did you mean `string`?
    error: unknown command `clik`
      --> a.yaml:6:5
       |
    6  |   - clik: role:button[Sign in]
       |     ^^^^
      hint: did you mean `click`?
    error: `fill` needs `value`
      --> a.yaml:7:5
       |
    7  |   - fill: label:Email
       |     ^^^^
    error: unknown key `valeu` for `fill`
      --> a.yaml:8:5
       |
    8  |     valeu: ${{ inputs.emial }}
       |     ^^^^^
      hint: did you mean `value`?
    error: not a selector: `[` is not closed
      --> a.yaml:9:23
       |
    9  |   - click: role:button[Sign in
       |                       ^
    error: `click_count`: expected an integer, found "two"
      --> a.yaml:10:18
        |
    10  |     click_count: two
        |                  ^^^
    "#);
}
