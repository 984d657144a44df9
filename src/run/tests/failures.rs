//! What failures tell that come from other actions, or between two attempts.

use super::*;

/// Other rules leave the words of its author; a step that can't even begin is told like any other.
#[tokio::test]
async fn a_caller_says_what_the_code_of_another_action_means() {
    let files = [
        (
            "a.yaml",
            "description: x\nsteps:\n  - wait_for_timeout: ${{ [1][5] }}\n    optional: true\n  - run: _b.yaml\nerrors:\n  - { when: true, code: any, message: any }\n  - { when: \"${{ error.code == 'gone' }}\", code: not_found, message: \"nothing: ${{ error.message }}\" }\n",
        ),
        ("_b.yaml", "steps:\n  - fail: { code: gone, message: it is gone }\n"),
    ];
    let outcome = World::new(&files).perform("a", json!({}), &CancellationToken::new()).await;
    insta::assert_snapshot!(told(&outcome), @r#"
    1 wait_for_timeout: Warned
    2 run _b.yaml: Failed
    2.1 fail: Failed
    warning: step 1 (wait_for_timeout) failed and is optional: `${{ [1][5] }}` has no value: it names something that does not exist
    failed: nothing: it is gone
      code Some("not_found"), at Some("_b.yaml:2"), run by ["a.yaml:5"]
      it is gone
    {} None
    "#);
}

#[tokio::test]
async fn time_that_is_over_between_two_attempts_is_told() {
    let text = "description: x\ntimeout: 300ms\nsteps:\n  - repeat: { max: 1, until: false, steps: [{ set: { a: 1 } }] }\n    retry: { attempts: 5, backoff: 1s }\n    optional: true\nfinally:\n  - fail: a is ${{ a }}\n";
    insta::assert_snapshot!(outcome(text, json!({})).await, @r#"
    1 repeat: Failed
    1.1[0] set a: Done
    finally.1 fail: Failed
    warning: step finally.1: a is 1
    failed: step 1 (repeat): the time of the action is over: 300ms
      code None, at Some("a.yaml:4"), run by []
      its `until` still does not hold after 1 rounds
      tried 1 of 5 times
      give the action a longer `timeout`, or see what the step waited for
    {"a":1} None
    "#);
}

/// A label is told beside the command; an output is told with its line.
#[tokio::test]
async fn a_failure_names_the_label_or_the_output() {
    let text = "description: x\nsteps:\n  - group:\n      - wait_for_timeout: ${{ [1][5] }}\n        label: take the sixth\n    label: look it up\n    optional: true\n  - run: _b.yaml\n    label: ask for it\n";
    let part = "steps:\n  - set: { b: x }\noutputs:\n  a: 1\n  b: { value: \"${{ b }}\", type: integer }\n";
    let world = World::new(&[("a.yaml", text), ("_b.yaml", part)]);
    let outcome = world.perform("a", json!({}), &CancellationToken::new()).await;
    insta::assert_snapshot!(told(&outcome), @r#"
    1 look it up: Warned
    1.1 take the sixth: Failed
    2 ask for it: Failed
    2.1 set b: Done
    warning: step 1 (look it up) failed and is optional: step 1.1 (wait_for_timeout "take the sixth"): `${{ [1][5] }}` has no value: it names something that does not exist
    failed: step 2 (run "ask for it") → _b: output `b`: expected an integer, found "x"
      code None, at Some("_b.yaml:5"), run by ["a.yaml:8"]
      change what the output declares, or convert the value in its expression
    {"_b":{"b":"x"}} None
    "#);
}
