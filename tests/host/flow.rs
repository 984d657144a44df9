//! Flow on real pages: page states as conditions, expectations, and what an agent reads of a failure.

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Site, TestHost};

/// A list whose next page comes when it is asked for, and a button that works the third time.
const PAGE: &str = "<h1>Orders</h1><ul></ul><button id=next>Next</button><button id=try>Try</button><p role=status></p>
<script>
  let page = 0, tries = 0;
  const show = () => {
    page += 1;
    document.querySelector('ul').innerHTML = `<li>R-${page}a</li><li>R-${page}b</li>`;
    if (page === 3) next.remove();
  };
  next.onclick = () => setTimeout(show, 50);
  document.getElementById('try').onclick = () => {
    tries += 1;
    document.querySelector('[role=status]').textContent = tries === 3 ? 'Saved' : `Failed ${tries}`;
  };
  show();
</script>";

const COLLECT: &str = r#"
description: Collects orders
inputs: { site: string }
steps:
  - navigate: ${{ inputs.site }}
  - set: { rows: [] }
  - repeat:
      max: 10
      until: { hidden: "role:button[Next]" }
      index: number
      steps:
        - click: role:button[Next]
          when: ${{ number > 0 }}
        - expect: { text: { selector: "role:listitem >> first", contains: "R-${{ number + 1 }}" } }
        - for_each:
            in: ${{ range(2) }}
            as: row
            steps:
              - get_text: role:listitem >> nth:${{ row }}
                as: order
              - set: { rows: "${{ rows + [order] }}" }
  - group:
      - click: role:button[Try]
      - expect: { text: { selector: role:status, equals: Saved } }
        timeout: 200ms
    retry: { attempts: 5, backoff: 10ms }
    label: save
outputs:
  rows: { value: "${{ rows }}", type: "string[]" }
"#;

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_collected_and_a_group_is_tried_again() {
    let site = Site::start().await;
    site.set("/", PAGE);
    let host = TestHost::start(&[("actions/collect.yaml", COLLECT)]).await;
    let collected = host.call("collect", json!({ "site": site.url("/") })).await;
    let rows = json!({ "rows": ["R-1a", "R-1b", "R-2a", "R-2b", "R-3a", "R-3b"] });
    assert_eq!(collected.structured, Some(rows), "{}", collected.text);
    let looks = regex::Regex::new(r"looked \d+ times").expect("a pattern");
    assert_snapshot!(looks.replace_all(collected.text.lines().last().unwrap_or_default(), "looked N times"), @r#"warning: step 4 succeeded at attempt 3; the first failed: step 4.2 (expect): expected `role:status` to have text "Saved", last seen "Failed 1" (looked N times in 200ms)"#);
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failed_expectation_tells_what_was_seen_and_where() {
    let site = Site::start().await;
    site.set("/", "<h1>Cart</h1><p data-testid=total>11.00</p><p role=alert>Wrong password</p>");
    let total = "description: Checks the total\ninputs: { site: string, rule: { type: boolean, default: false } }\nsteps:\n  - run: _open.yaml\n    with: { site: \"${{ inputs.site }}\" }\n  - for_each:\n      in: [11, 12]\n      as: total\n      steps:\n        - expect: { text: { selector: testid:total, equals: \"${{ total }}.00\" } }\n          timeout: 300ms\n          label: check the total\nerrors:\n  - when: { all: [{ visible: \"text:Wrong password\" }, \"${{ inputs.rule }}\"] }\n    code: bad_credentials\n    message: the shop rejected the password\n    hint: ask for another one\n";
    let open = "inputs: { site: string }\nsteps:\n  - navigate: ${{ inputs.site }}\n  - click: role:button[Accept]\n    when: { visible: \"role:button[Accept]\" }\n";
    let broken = "description: Fails in a part\nsteps:\n  - group:\n      - run: _open.yaml\n        with: { site: \"http://127.0.0.1:1/\" }\n";
    let host = TestHost::start(&[
        ("actions/total.yaml", total),
        ("actions/_open.yaml", open),
        ("actions/broken.yaml", broken),
    ])
    .await;
    let shown = |text: &str| {
        let looks = regex::Regex::new(r"looked \d+ times").expect("a pattern");
        looks.replace_all(&text.replace(&site.url("/"), "SITE/"), "looked N times").into_owned()
    };
    let failed = host.call("total", json!({ "site": site.url("/") })).await;
    assert_snapshot!(shown(&failed.text), @r#"
    error: step 2.1[1] (expect "check the total"): expected `testid:total` to have text "12.00", last seen "11.00" (looked N times in 300ms)
      at total.yaml:10
    done before:
      1 run _open.yaml
      1.1 navigate SITE/
      1.2 click, skipped
      2.1[0] check the total
    values so far: {"total":12}
    hint: give the step a longer `timeout`, or check what the page shows with `snapshot`
    the page around it:
    <page-content N>
    - heading "Cart" [level=1]
    - paragraph: "11.00"
    - alert: Wrong password
    </page-content N>
    "#);
    let named = host.call("total", json!({ "site": site.url("/"), "rule": true })).await;
    assert_snapshot!(shown(&named.text), @r#"
    error: the shop rejected the password
      code: bad_credentials
      at total.yaml:10, step 2.1[1] (expect "check the total")
      step 2.1[1] (expect "check the total"): expected `testid:total` to have text "12.00", last seen "11.00" (looked N times in 300ms)
    done before:
      1 run _open.yaml
      1.1 navigate SITE/
      1.2 click, skipped
      2.1[0] check the total
    values so far: {"total":12}
    hint: ask for another one
    the page around it:
    <page-content N>
    - heading "Cart" [level=1]
    - paragraph: "11.00"
    - alert: Wrong password
    </page-content N>
    "#);
    let broken = host.call("broken", json!({})).await;
    assert_snapshot!(shown(&broken.text), @r#"
    error: step 1.1 (run) → _open step 1 (navigate): can't open `http://127.0.0.1:1/`: net::ERR_UNSAFE_PORT
      at _open.yaml:3
      run by broken.yaml:4
    "#);
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_expectation_is_a_command_given_as_data_too() {
    let site = Site::start().await;
    site.set("/", "<h1>Cart</h1><button>Pay</button>");
    let host = TestHost::start(&[]).await;
    let expecting = |condition| {
        json!({ "commands": [
            { "type": "navigate", "url": site.url("/") },
            { "type": "expect", "condition": condition, "timeout": 2000 },
        ] })
    };
    let good =
        host.call("browser_session", expecting(json!({ "visible": "role:button[Pay]", "url": "127.0.0.1" }))).await;
    assert!(!good.is_error, "{}", good.text);
    let looks = regex::Regex::new(r"looked \d+ times").expect("a pattern");
    let bad =
        host.call("browser_session", expecting(json!({ "count": { "selector": "role:button", "at_least": 2 } }))).await;
    assert_snapshot!(looks.replace_all(bad.text.lines().next().unwrap_or_default(), "looked N times"), @r#"error: step 2 (expect): expected at least 2 elements to match `role:button`, last seen 1 (looked N times in 2s)"#);
    let wrong = host
        .call("browser_session", expecting(json!({ "visibel": "#a", "text": { "selector": "#a" }, "any": [] })))
        .await;
    assert_snapshot!(wrong.text, @r#"
    error: the arguments do not fit `browser_session`: command 2: unknown condition `visibel` (did you mean `visible`?); command 2: `text` does not say what is expected (add one of `equals`, `contains`, `matches`); command 2: `any` is not a list of conditions (write `any: [{ visible: testid:account }, { hidden: testid:spinner }]`)
    hint: `browser_session` takes `commands` (array, required)
    "#);
    host.close().await;
}
