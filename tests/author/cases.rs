//! `repertoire test`: cases on fixtures, what is told of them, and mistakes in their files.

use super::without_times;
use crate::support::Directory;

const LOGIN: &str = r#"
description: x
inputs: { shop: string, remember: { type: boolean, default: false } }
steps:
  - navigate: ${{ inputs.shop }}
  - fill: label:Password
    value: $<<SHOP_PASSWORD>>
  - check: label:Remember
    when: ${{ inputs.remember }}
  - click: role:button[Sign in]
  - get_text: testid:account
    as: account
errors:
  - { when: { visible: "role:alert" }, code: bad_credentials, message: the shop rejected the password }
outputs: { account: "${{ account }}", rows: "${{ [1, { 'name': account }] }}" }
"#;

const PAGE: &str = r#"<!doctype html><form action=account.html><label>Password <input type=password></label>
<label><input type=checkbox> Remember</label><button>Sign in</button></form><script>
document.forms[0].onsubmit = () => {
  if (document.querySelector("[type=password]").value === "fits") return true;
  document.body.insertAdjacentHTML("beforeend", "<p role=alert>Wrong");
  return false;
};
</script>"#;

/// Cases see the pages and secrets of their file and nothing else; what differs is told, and so is the product's own
/// failure.
#[test]
fn cases_are_performed() {
    let cases = r#"
fixture: pages
inputs: { shop: "${{ url }}" }
secrets: { SHOP_PASSWORD: fits }
timeout: 2s
cases:
  - name: signs in
    inputs: { remember: true }
    outputs: { account: "/^ada$/i", rows: [1, { name: Ada }] }
  - name: is told by its code
    secrets: { SHOP_PASSWORD: wrong }
    error: { code: bad_credentials, message: rejected }
  - name: expects too much
    outputs: { account: Bob, rows: [1], more: 2 }
  - name: expects a failure
    error: bad_credentials
  - name: expects another failure
    secrets: { SHOP_PASSWORD: wrong }
    error: { code: locked, message: "no account" }
  - name: has a secret too few
    secrets: { SHOP_PASSWORD: "" }
  - name: fails
    inputs: { shop: "${{ url }}/nothing" }
  - name: is called wrongly
    inputs: { remembr: true }
"#;
    let directory = Directory::new(&[
        ("actions/login.yaml", LOGIN),
        ("actions/login.test.yaml", cases),
        ("actions/pages/index.html", PAGE),
        ("actions/pages/account.html", "<p data-testid=account>Ada"),
        ("actions/.env", "SHOP_PASSWORD=of the environment\n"),
    ]);
    let said = without_times(&directory.says(&["test", "--junit", "junit.xml"]));
    insta::assert_snapshot!(said, @r#"
    1
    ok     actions/login.test.yaml: signs in …
    ok     actions/login.test.yaml: is told by its code …
    failed actions/login.test.yaml: expects too much …
      error: it succeeded, but not as expected
        `account`: expected "Bob", found "Ada"
        `rows`: expected [1], found [1,{"name":"Ada"}]
        `more`: expected 2, found nothing
      case at actions/login.test.yaml:13

    failed actions/login.test.yaml: expects a failure …
      error: it succeeded, but a failure is expected
      {"account":"Ada","rows":[1,{"name":"Ada"}]}
      case at actions/login.test.yaml:15

    failed actions/login.test.yaml: expects another failure …
      error: it failed, but not as expected: expected the code `locked`, found `bad_credentials`; expected a message like `no account`
      error: the shop rejected the password
        code: bad_credentials
        at login.yaml:11, step 5 (get_text)
        step 5 (get_text): no element matches `testid:account`
        get_text: waited 2s
        … no match
      done before:
        1 navigate http://…
        2 fill label:Password
        3 check, skipped
        4 click role:button[Sign in]
      hint: look at the page with `snapshot` and use a name, label or test id that it shows
      the page around it:
        - form:
          - textbox "Password" [ref=e1]: "••••"
          - checkbox "Remember" [ref=e2]
          - button "Sign in" [active] [ref=e3]
      case at actions/login.test.yaml:17

    failed actions/login.test.yaml: has a secret too few …
      error: `SHOP_PASSWORD` is set to nothing
      hint: give made-up values under `secrets` of the test
      case at actions/login.test.yaml:20

    failed actions/login.test.yaml: fails …
      error: step 2 (fill): no element matches `label:Password`
        at login.yaml:6
        fill: waited 2s
        … no match
      done before:
        1 navigate http://…/nothing
      hint: look at the page with `snapshot` and use a name, label or test id that it shows
      the page around it:
        - text: there is no such file in the fixture
      case at actions/login.test.yaml:22

    failed actions/login.test.yaml: is called wrongly …
      error: the arguments do not fit `login`: `remembr` is not known, did you mean `remember`?
      hint: `login` takes `shop` (string, required), `remember` (boolean, default false)
      case at actions/login.test.yaml:24

    2 passed, 6 failed in …
    "#);
    let junit = std::fs::read_to_string(directory.path().join("junit.xml")).expect("a report");
    insta::assert_snapshot!(without_times(junit.split("<testcase name=\"expects a failure\"").next().unwrap_or_default()), @r#"
    <?xml version="1.0" encoding="UTF-8"?>
    <testsuites name="repertoire" tests="8" skipped="0" failures="6" errors="0" …>
        <testsuite name="actions/login.test.yaml" tests="8" skipped="0" errors="0" failures="6">
            <testcase name="signs in" classname="actions/login.test.yaml" …/>
            <testcase name="is told by its code" classname="actions/login.test.yaml" …/>
            <testcase name="expects too much" classname="actions/login.test.yaml" …>
                <failure message="error: it succeeded, but not as expected">error: it succeeded, but not as expected
      `account`: expected &quot;Bob&quot;, found &quot;Ada&quot;
      `rows`: expected [1], found [1,{&quot;name&quot;:&quot;Ada&quot;}]
      `more`: expected 2, found nothing</failure>
            </testcase>
    "#);
    // A test is no action: neither a tool nor a fault.
    insta::assert_snapshot!(directory.says(&["list"]), @r"
    0
    browser_close       Close the browser
    browser_screenshot  Take a screenshot
    browser_session     Perform browser commands
    browser_snapshot    Read the page as an outline
    login               x
    ");
}

#[test]
fn mistakes_in_tests_are_problems() {
    let directory = Directory::new(&[
        ("actions/login.yaml", LOGIN),
        (
            "actions/login.test.yaml",
            "fixture: nowhere\ncases:\n  - nam: signs in\n  - name: a\n    output: {}\n    inputs: { shop: \"${{ ulr }}\" }\n  - name: a\n  - name: c\n    error: {}\n  - name: b\n    url: shop\n    secrets: { a-b: x }\n    timeout: soon\n",
        ),
        ("actions/broken.yaml", "description: x\nsteps:\n  - clik: text:A\n"),
        ("actions/broken.test.yaml", "cases: [{ name: a }]\n"),
        ("actions/gone.test.yaml", "cases: [{ name: a }]\n"),
        ("none/a.yaml", "description: x\nsteps: [get_title]\n"),
    ]);
    insta::assert_snapshot!(without_times(&directory.says(&["test"])), @r#"
    1
    error: unknown command `clik`
     --> actions/broken.yaml:3:5
      |
    3 |   - clik: text:A
      |     ^^^^
      hint: did you mean `click`?

    error: there is no action `gone.yaml` beside it
     --> actions/gone.test.yaml
      hint: a test has the name of its action's file: `login.test.yaml` tests `login.yaml`

    error: there is no directory `nowhere`
     --> actions/login.test.yaml:1:10
      |
    1 | fixture: nowhere
      |          ^^^^^^^
      hint: name a directory with HTML files, relative to this file

    error: unknown key `nam` for a case
     --> actions/login.test.yaml:3:5
      |
    3 |   - nam: signs in
      |     ^^^
      hint: did you mean `name`?

    error: unknown key `output` for a case
     --> actions/login.test.yaml:5:5
      |
    5 |     output: {}
      |     ^^^^^^
      hint: did you mean `outputs`?

    error: unknown name `ulr`
     --> actions/login.test.yaml:6:26
      |
    6 |     inputs: { shop: "${{ ulr }}" }
      |                          ^^^
      hint: did you mean `url`?

    error: `a` is already the name of a case
     --> actions/login.test.yaml:7:11
      |
    7 |   - name: a
      |           ^
      hint: give each case its own name

    error: `error` says neither a code nor a message
     --> actions/login.test.yaml:9:12
      |
    9 |     error: {}
      |            ^
      hint: write its code, `error: bad_credentials`, or `error: { message: wrong password }`

    error: `shop` is not an absolute address
      --> actions/login.test.yaml:11:10
       |
    11 |     url: shop
       |          ^^^^
      hint: write it with `http://` or `https://`

    error: `a-b` can't be the name of a secret
      --> actions/login.test.yaml:12:16
       |
    12 |     secrets: { a-b: x }
       |                ^^^
      hint: use letters, digits and `_`

    error: `timeout`: `soon` is not a duration such as `300ms`, `5s` or `1m 30s`, at most a day
      --> actions/login.test.yaml:13:14
       |
    13 |     timeout: soon
       |              ^^^^
      hint: write a number with its unit: `ms`, `s`, `m` or `h`

    0 passed, 0 failed, 11 errors in the files in …
    "#);
    insta::assert_snapshot!(directory.says(&["test", "none"]), @r"
    2
    error: there are no tests
    hint: put cases for `login.yaml` into `login.test.yaml` beside it
    ");
}

/// Every example with a test passes it.
#[test]
fn examples_pass_their_tests() {
    let directory = Directory::new(&[]);
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/actions");
    let said = without_times(&directory.says(&["test", examples]).replace(examples, "EXAMPLES"));
    insta::assert_snapshot!(said, @r"
    0
    ok     EXAMPLES/shop/login.test.yaml: signs in …
    ok     EXAMPLES/shop/login.test.yaml: stays signed in on request …
    ok     EXAMPLES/shop/login.test.yaml: a wrong password is told by its code …
    ok     EXAMPLES/shop/search_products.test.yaml: finds by a part of the name …
    ok     EXAMPLES/shop/search_products.test.yaml: finds nothing …
    5 passed, 0 failed in …
    ");
}
