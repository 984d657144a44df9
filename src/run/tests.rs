//! Flow without a browser: steps that only set values and wait, and the whole outcome.

mod failures;

use std::fmt::Write as _;
use std::sync::Mutex;

use super::*;
use crate::action::{Catalog, LoadRequest, load};
use crate::browser::LaunchOptions;
use serde_json::json;

struct World {
    _directory: tempfile::TempDir,
    catalog: Catalog,
    stage: Stage,
}

impl World {
    fn new(files: &[(&str, &str)]) -> World {
        let directory = tempfile::tempdir().expect("a directory");
        for (path, text) in files {
            std::fs::write(directory.path().join(path), text).expect("written");
        }
        let request = LoadRequest { directories: vec![directory.path().to_owned()], builtins: false };
        let catalog = load(&request, &Catalog::default());
        let errors: Vec<String> = catalog.problems().iter().map(ToString::to_string).collect();
        assert_eq!(errors, [""; 0]);
        let settings = Settings {
            workspace: directory.path().to_owned(),
            step_timeout: Duration::from_secs(5),
            action_timeout: Duration::from_secs(20),
            queue_timeout: Duration::from_secs(5),
            failure_screenshot: false,
        };
        let store = Arc::new(Store::new(Vec::new(), |_: &str| None));
        let stage = Stage::new(Session::new(LaunchOptions::default()), store, settings);
        World { _directory: directory, catalog, stage }
    }

    async fn perform(&self, name: &str, arguments: Value, cancel: &CancellationToken) -> Outcome {
        let action = self.catalog.get(name).expect("it is there");
        let Value::Object(arguments) = arguments else { panic!("arguments are a map") };
        let arguments = action.arguments(arguments).expect("they fit");
        self.stage.perform(action, arguments, Run { cancel: cancel.clone(), progress: &|_| {} }).await
    }
}

/// What came of one action in a file of its own, everything that does not depend on time.
async fn outcome(text: &str, arguments: Value) -> String {
    told(&World::new(&[("a.yaml", text)]).perform("a", arguments, &CancellationToken::new()).await)
}

fn told(outcome: &Outcome) -> String {
    let mut text = String::new();
    for StepReport { id, text: words, state, .. } in &outcome.steps {
        let _ = writeln!(text, "{id} {words}: {state:?}");
    }
    for warning in &outcome.warnings {
        let _ = writeln!(text, "warning: {warning}");
    }
    if let Some(failure) = &outcome.failure {
        let _ = writeln!(text, "failed: {}", failure.headline());
        let _ = writeln!(text, "  code {:?}, at {:?}, run by {:?}", failure.code, failure.location(), failure.callers);
        for line in failure.details.iter().chain(&failure.hint) {
            let _ = writeln!(text, "  {line}");
        }
    }
    let _ = write!(text, "{} {:?}", Value::Object(outcome.outputs.clone()), outcome.text);
    text
}

#[tokio::test]
async fn loops_and_branches_have_their_numbers() {
    let text = r#"
description: x
inputs: { items: { type: array, items: integer } }
steps:
  - set: { big: [], small: [], rounds: 0 }
  - for_each:
      in: ${{ inputs.items }}
      as: item
      index: at
      steps:
        - if: ${{ item > 10 }}
          then:
            - set: { big: "${{ big + [item] }}" }
          else:
            - set: { small: "${{ small + [[at, item]] }}" }
            - set: { last: "${{ item }}" }
              when: ${{ at == 0 }}
  - repeat:
      max: 5
      while: ${{ rounds < 2 }}
      steps: [{ set: { rounds: "${{ rounds + 1 }}" } }]
  - repeat: { max: 3, steps: [{ set: { rounds: "${{ rounds + 1 }}" } }] }
  - repeat: { max: 3, index: n, until: "${{ n == 1 }}", steps: [{ set: { rounds: "${{ rounds + 1 }}" } }] }
outputs: { big: "${{ big }}", small: "${{ small }}", last: "${{ last }}", rounds: "${{ rounds }}" }
"#;
    insta::assert_snapshot!(outcome(text, json!({ "items": [5, 50, 7] })).await, @r#"
    1 set big, small, rounds: Done
    2 for_each item: Done
    2.1[0] if: Done
    2.1[0].2 set small: Done
    2.1[0].3 set last: Done
    2.1[1] if: Done
    2.1[1].1 set big: Done
    2.1[2] if: Done
    2.1[2].2 set small: Done
    2.1[2].3 set: Skipped
    3 repeat: Done
    3.1[0] set rounds: Done
    3.1[1] set rounds: Done
    4 repeat: Done
    4.1[0] set rounds: Done
    4.1[1] set rounds: Done
    4.1[2] set rounds: Done
    5 repeat: Done
    5.1[0] set rounds: Done
    5.1[1] set rounds: Done
    {"big":[50],"small":[[0,5],[2,7]],"last":5,"rounds":7} None
    "#);
}

#[tokio::test]
async fn a_return_ends_the_action_wherever_it_stands() {
    let text = r#"
description: x
inputs: { how: string }
steps:
  - set: { all: 1, many: "2" }
  - return:
    when: ${{ inputs.how == 'bare' }}
  - for_each: { in: [1, 2], as: n, steps: [{ group: [{ return: { many: "${{ n + 40 }}" }, when: "${{ inputs.how == 'deep' }}" }] }] }
  - set: { all: 2 }
outputs: { all: "${{ all }}", many: { value: "${{ many }}", type: integer } }
"#;
    let world = World::new(&[("a.yaml", text)]);
    let mut answers = Vec::new();
    for how in ["bare", "deep", "not"] {
        let outcome = world.perform("a", json!({ "how": how }), &CancellationToken::new()).await;
        answers.push(Value::Object(outcome.outputs));
    }
    assert_eq!(answers, [json!({ "all": 1, "many": 2 }), json!({ "many": 41 }), json!({ "all": 2, "many": 2 })]);
}

#[tokio::test]
async fn failures_of_the_authors_own() {
    let text = r#"
description: x
inputs: { stock: integer }
steps:
  - set: { left: "${{ inputs.stock }}" }
  - fail: nearly sold out
    when: ${{ left == 1 }}
    optional: true
  - group:
      - fail: { code: sold_out, message: "${{ left }} left", hint: come back tomorrow }
        when: ${{ left < 1 }}
    label: check the stock
  - set: { item: "${{ [1, 2][left] }}" }
errors:
  - { when: "${{ error.code == 'other' }}", code: never, message: never }
  - { when: "${{ error.message[99] }}", code: broken, message: never }
  - { when: "${{ 'no value' in error.message }}", code: no_item, message: "no item (step ${{ error.step }})", hint: ask for one }
finally:
  - set: { noted: "${{ error.code or 'none' }}" }
  - set: { noted: "${{ noted.missing }}" }
  - set: { noted: "${{ noted }}!" }
outputs: { left: "${{ left }}", item: "${{ item }}" }
"#;
    insta::assert_snapshot!(outcome(text, json!({ "stock": 1 })).await, @r#"
    1 set left: Done
    2 fail: Warned
    3 check the stock: Done
    3.1 fail: Skipped
    4 set item: Done
    finally.1 set noted: Done
    finally.2 set noted: Failed
    finally.3 set noted: Done
    warning: step 2: nearly sold out
    warning: step finally.2 (set): `${{ noted.missing }}` has no value: it names something that does not exist
    {"left":1,"item":2} None
    "#);
    insta::assert_snapshot!(outcome(text, json!({ "stock": 0 })).await, @r#"
    1 set left: Done
    2 fail: Skipped
    3 check the stock: Failed
    3.1 fail: Failed
    finally.1 set noted: Done
    finally.2 set noted: Failed
    finally.3 set noted: Done
    warning: step finally.2 (set): `${{ noted.missing }}` has no value: it names something that does not exist
    failed: 0 left
      code Some("sold_out"), at Some("a.yaml:10"), run by []
      come back tomorrow
    {"left":0,"noted":"sold_out!"} None
    "#);
    insta::assert_snapshot!(outcome(text, json!({ "stock": 7 })).await, @r#"
    1 set left: Done
    2 fail: Skipped
    3 check the stock: Done
    3.1 fail: Skipped
    4 set item: Failed
    finally.1 set noted: Done
    finally.2 set noted: Failed
    finally.3 set noted: Done
    warning: `errors` could not tell whether it is `broken`: `${{ error.message[99] }}` has no value: it names something that does not exist
    warning: step finally.2 (set): `${{ noted.missing }}` has no value: it names something that does not exist
    failed: no item (step 4)
      code Some("no_item"), at Some("a.yaml:13"), run by []
      step 4 (set): `${{ [1, 2][left] }}` has no value: it names something that does not exist
      ask for one
    {"left":7,"noted":"no_item!"} None
    "#);
}

#[tokio::test]
async fn another_action_has_its_own_names_and_tells_its_own_failures() {
    let files = [
        (
            "checkout.yaml",
            "description: x\ninputs: { total: integer }\nneeds: [{ run: login, unless: \"${{ inputs.total == 0 }}\" }]\nsteps:\n  - set: { name: mine }\n  - run: _pay.yaml\n    with: { amount: \"${{ inputs.total }}\" }\n    as: paid\noutputs: { name: \"${{ name }}\", paid: \"${{ paid.amount }}\" }\n",
        ),
        (
            "login.yaml",
            "description: x\nsteps:\n  - set: { name: theirs }\n  - set: { used: \"${{ name }}\" }\n  - group: [{ set: { used: \"${{ used }}!\" } }]\n",
        ),
        (
            "_pay.yaml",
            "inputs: { amount: { type: integer, maximum: 100 } }\nsteps:\n  - group:\n      - fail: { code: declined, message: the card was declined }\n        when: ${{ inputs.amount == 13 }}\n      - set: { half: \"${{ 10 // (inputs.amount - 2) }}\" }\nfinally:\n  - set: { cleaned: true }\n  - set: { cleaned: \"${{ not cleaned }}\" }\noutputs: { amount: { value: \"${{ inputs.amount + (half or 0) * 0 }}\", type: integer } }\n",
        ),
    ];
    let world = World::new(&files);
    for (total, snapshot) in [(5, 0), (0, 1), (13, 2), (2, 3), (500, 4)] {
        let outcome = world.perform("checkout", json!({ "total": total }), &CancellationToken::new()).await;
        let text = told(&outcome);
        match snapshot {
            0 => insta::assert_snapshot!(text, @r#"
            needs.1 run login: Done
            needs.1.1 set name: Done
            needs.1.2 set used: Done
            needs.1.3 group: Done
            needs.1.3.1 set used: Done
            1 set name: Done
            2 run _pay.yaml: Done
            2.1 group: Done
            2.1.1 fail: Skipped
            2.1.2 set half: Done
            2.finally.1 set cleaned: Done
            2.finally.2 set cleaned: Done
            {"name":"mine","paid":5} None
            "#),
            1 => insta::assert_snapshot!(text, @r#"
            needs.1 run: Skipped
            1 set name: Done
            2 run _pay.yaml: Done
            2.1 group: Done
            2.1.1 fail: Skipped
            2.1.2 set half: Done
            2.finally.1 set cleaned: Done
            2.finally.2 set cleaned: Done
            {"name":"mine","paid":0} None
            "#),
            2 => insta::assert_snapshot!(text, @r#"
            needs.1 run login: Done
            needs.1.1 set name: Done
            needs.1.2 set used: Done
            needs.1.3 group: Done
            needs.1.3.1 set used: Done
            1 set name: Done
            2 run _pay.yaml: Failed
            2.1 group: Failed
            2.1.1 fail: Failed
            2.finally.1 set cleaned: Done
            2.finally.2 set cleaned: Done
            failed: the card was declined
              code Some("declined"), at Some("_pay.yaml:4"), run by ["checkout.yaml:6"]
            {"name":"mine","_pay":{"cleaned":false}} None
            "#),
            3 => insta::assert_snapshot!(text, @r#"
            needs.1 run login: Done
            needs.1.1 set name: Done
            needs.1.2 set used: Done
            needs.1.3 group: Done
            needs.1.3.1 set used: Done
            1 set name: Done
            2 run _pay.yaml: Failed
            2.1 group: Failed
            2.1.1 fail: Skipped
            2.1.2 set half: Failed
            2.finally.1 set cleaned: Done
            2.finally.2 set cleaned: Done
            failed: step 2 (run) → _pay step 1.2 (set): `${{ 10 // (inputs.amount - 2) }}` has no value: unable to calculate 10 // 0
              code None, at Some("_pay.yaml:6"), run by ["checkout.yaml:6"]
            {"name":"mine","_pay":{"cleaned":false}} None
            "#),
            _ => insta::assert_snapshot!(text, @r#"
            needs.1 run login: Done
            needs.1.1 set name: Done
            needs.1.2 set used: Done
            needs.1.3 group: Done
            needs.1.3.1 set used: Done
            1 set name: Done
            2 run _pay.yaml: Failed
            failed: step 2 (run): the arguments do not fit `_pay`: `amount`: expected at most 100, found 500
              code None, at Some("checkout.yaml:6"), run by []
              `_pay` takes `amount` (integer, required)
            {"name":"mine"} None
            "#),
        }
    }
}

#[tokio::test]
async fn limits_have_their_words() {
    let rounds = "description: x\nsteps:\n  - repeat: { max: 3, until: \"${{ false }}\", steps: [{ set: { x: \"${{ 1 }}\" } }] }\n    optional: true\n  - for_each: { in: \"${{ range(20000) }}\", as: n, steps: [{ set: { x: \"${{ n }}\" } }] }\noutputs: { x: \"${{ x }}\" }\n";
    insta::assert_snapshot!(outcome(rounds, json!({})).await, @r#"
    1 repeat: Warned
    1.1[0] set x: Done
    1.1[1] set x: Done
    1.1[2] set x: Done
    2 for_each n: Failed
    warning: step 1 (repeat) failed and is optional: its `until` still does not hold after 3 rounds
    failed: step 2 (for_each): `in` has 20000 items, more than 10000
      code None, at Some("a.yaml:5"), run by []
      go through a part of them at a time
    {"x":1} None
    "#);
    let endless = "description: x\nsteps:\n  - for_each: { in: \"${{ range(200) }}\", as: a, steps: [{ for_each: { in: \"${{ range(200) }}\", as: b, steps: [{ set: { x: \"${{ a * b }}\" }, optional: true }] } }] }\nfinally: [{ set: { y: \"${{ x }}\" } }, { set: { y: \"${{ y }}\" } }]\n";
    let outcome = World::new(&[("a.yaml", endless)]).perform("a", json!({}), &CancellationToken::new()).await;
    assert!(outcome.steps.len() > 10_000, "{}", outcome.steps.len());
    let failure = outcome.failure.expect("it failed");
    assert_eq!(failure.headline(), "step 1.1[49].1[149] (set): more than 10000 steps in one run");
    assert_eq!(outcome.warnings, [""; 0]);
    let last: Vec<&str> = outcome.steps.iter().rev().take(2).map(|step| step.id.as_str()).collect();
    assert_eq!(last, ["finally.2", "finally.1"]);
}

#[tokio::test]
async fn time_is_limited_at_every_level() {
    let text = r#"
description: x
timeout: 1200ms
steps:
  - group: [{ wait_for_timeout: 200ms }, { wait_for_timeout: 10s }]
    timeout: 400ms
    optional: true
  - group: [{ wait_for_timeout: 1s }]
    timeout: 50ms
    retry: { attempts: 3, backoff: 10ms }
    optional: true
  - repeat: { max: 1, steps: [{ wait_for_timeout: 10s }] }
    optional: true
  - get_url
finally:
  - wait_for_timeout: 10ms
"#;
    insta::assert_snapshot!(outcome(text, json!({})).await, @r#"
    1 group: Warned
    1.1 wait_for_timeout 200ms: Done
    1.2 wait_for_timeout 10s: Failed
    2 group: Warned
    2.1 wait_for_timeout 1s: Failed
    2.1 wait_for_timeout 1s: Failed
    2.1 wait_for_timeout 1s: Failed
    3 repeat: Failed
    3.1[0] wait_for_timeout 10s: Failed
    finally.1 wait_for_timeout 10ms: Done
    warning: step 1 (group) failed and is optional: step 1.2 (wait_for_timeout): the time of the step around it is over: 400ms
    warning: step 2 (group) failed and is optional: step 2.1 (wait_for_timeout): the time of the step around it is over: 50ms
    failed: step 3.1[0] (wait_for_timeout): the time of the action is over: 1s 200ms
      code None, at Some("a.yaml:12"), run by []
      timed out after 1s 200ms
      give the action a longer `timeout`, or see what the step waited for
    {} None
    "#);
}

/// A cancelled action still performs its `finally`, and frees the session at once where it has none.
#[tokio::test]
async fn a_cancellation_ends_the_steps_and_not_the_finally() {
    let world = World::new(&[
        (
            "a.yaml",
            "description: x\nsteps:\n  - set: { x: 1 }\n  - wait_for_timeout: 10s\nfinally:\n  - set: { y: \"${{ x + 1 }} ${{ error.message }}\" }\n  - wait_for_timeout: 300ms\n  - set: { y: \"${{ y }}\" }\n",
        ),
        ("b.yaml", "description: x\nsteps:\n  - wait_for_timeout: 10s\n    optional: true\n  - get_url\n"),
    ]);
    let mut told = Vec::new();
    for name in ["a", "b"] {
        let cancel = CancellationToken::new();
        let began = tokio::time::Instant::now();
        let cancelling = async {
            tokio::time::sleep(Duration::from_millis(200)).await;
            cancel.cancel();
        };
        let (outcome, ()) = tokio::join!(world.perform(name, json!({}), &cancel), cancelling);
        told.push(self::told(&outcome));
        let limit = if name == "a" { 1000 } else { 400 };
        assert!(began.elapsed() < Duration::from_millis(limit), "{name}: {:?}", began.elapsed());
    }
    insta::assert_snapshot!(told.join("\n"), @r#"
    1 set x: Done
    2 wait_for_timeout 10s: Failed
    finally.1 set y: Done
    finally.2 wait_for_timeout 300ms: Done
    finally.3 set y: Done
    failed: step 2 (wait_for_timeout): cancelled
      code None, at Some("a.yaml:4"), run by []
    {"x":1,"y":"2 cancelled"} None
    1 wait_for_timeout 10s: Failed
    failed: step 1 (wait_for_timeout): cancelled
      code None, at Some("b.yaml:3"), run by []
    {} None
    "#);
}

/// The deepest nesting that is allowed fits the stack of a worker thread; what is deeper is told.
#[tokio::test(flavor = "multi_thread")]
async fn nesting_is_bounded_before_the_stack_is() {
    let nested = |groups: usize| {
        let mut files = Vec::new();
        for number in 0..=8 {
            let open: String = (0..groups).map(|level| format!("{}- group:\n", "  ".repeat(level + 1))).collect();
            let inner = if number == 8 { "set: { x: 1 }".to_owned() } else { format!("run: n{}", number + 1) };
            let outputs = if number == 8 { "outputs: { x: \"${{ x }}\" }\n" } else { "" };
            let indent = "  ".repeat(groups + 1);
            files.push((
                format!("n{number}.yaml"),
                format!("description: x\nsteps:\n{open}{indent}- {inner}\n{outputs}"),
            ));
        }
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
        let world = World::new(&files);
        // On a worker's stack, not on the test's.
        tokio::spawn(async move { world.perform("n0", json!({}), &CancellationToken::new()).await })
    };
    let outcome = nested(3).await.expect("it did not panic");
    assert_eq!((outcome.failure.is_none(), outcome.steps.len()), (true, 4 * 9));
    let failure = nested(8).await.expect("it did not panic").failure.expect("it failed");
    assert_eq!(failure.message, "steps are nested more than 40 deep, those of all actions together");
    assert_eq!((failure.trail.len(), failure.callers.len()), (5, 4));
}

#[tokio::test]
async fn progress_tells_of_steps_inside_steps() {
    let text = "description: x\nsteps:\n  - group: [{ set: { x: 1 } }]\n    label: prepare\n  - set: { y: \"${{ x }}\" }\n    when: ${{ not x }}\noutputs: { y: \"${{ y }}\" }\n";
    let world = World::new(&[("a.yaml", text)]);
    let action = world.catalog.get("a").expect("it is there");
    let heard = Mutex::new(Vec::new());
    let progress = |progress: Progress| {
        let Progress { id, step, steps, text, state, .. } = progress;
        heard.lock().expect("not poisoned").push(format!("{id} of {step}/{steps} {text} {state:?}"));
    };
    let run = Run { cancel: CancellationToken::new(), progress: &progress };
    world.stage.perform(action, Map::new(), run).await;
    insta::assert_snapshot!(heard.into_inner().expect("not poisoned").join("\n"), @r#"
    1 of 1/2 prepare Started
    1.1 of 1/2 set x Started
    1.1 of 1/2 set x Done
    1 of 1/2 prepare Done
    2 of 2/2 set Skipped
    "#);
}
