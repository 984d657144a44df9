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
