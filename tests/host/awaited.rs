//! Dialogs, tabs and downloads that steps say they bring about: what they capture, and what failures tell.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Site, TestHost};

const PAGE: &str = "<h1>Orders</h1><p role=status></p>
<button id=cancel>Cancel</button> <button id=plain>Plain</button> <button id=moody>Moody</button>
<a id=open href=/details target=_blank>Open</a> <a id=same href=/details>Same</a>
<a id=file href='data:text/csv,a;b' download='../a list.csv'>File</a>
<button id=report>Export</button><button id=sure hidden>Sure</button>
<script>
  const say = text => document.querySelector('[role=status]').textContent = text;
  cancel.onclick = () => say(prompt('Why do you cancel R-7?', 'No reason'));
  let times = 0;
  moody.onclick = () => ++times === 2 && say(confirm('Cancel at last?'));
  report.onclick = () => sure.hidden = false;
  sure.onclick = () => setTimeout(() => confirm('Export all?') && file.click(), 100);
</script>";

const FILLED: &str = r##"
description: Brings about one of each
inputs: { site: string, reason: string? }
steps:
  - navigate: ${{ inputs.site }}
  - click: "#cancel"
    dialog: { accept: true, text: "${{ inputs.reason }}", message: Why do you cancel, as: question }
  - get_text: role:status
    as: said
  - click: "#cancel"
    dialog: dismiss
    label: change one's mind
  - click: "#moody"
    dialog: { accept, message: /^cancel/i }
    timeout: 700ms
    retry: { attempts: 3, backoff: 10ms }
  - click: "#open"
    opens: details
  - get_text: role:heading
    as: heading
  - close_tab: ${{ details.id }}
  - click: "#same"
    opens: { as: missed }
    timeout: 500ms
    optional: true
  - navigate_back
  - click: "#file"
    download: { as: skipped }
    when: ${{ missed }}
  - group:
      - click: "#report"
      - click: "#sure"
    dialog: accept
    download: list
outputs:
  question: { value: "${{ question.message }} ${{ question.default_value }}" }
  said: ${{ said }}
  heading: ${{ heading }}
  tab: ${{ details.url }}
  nothing: { value: "${{ missed is none and skipped is none }}", type: boolean }
  list: { value: "${{ list }}", type: object }
"##;

#[tokio::test(flavor = "multi_thread")]
async fn what_steps_bring_about_is_captured() {
    let site = Site::start().await;
    site.set("/", PAGE);
    site.set("/details", "<h1>Details</h1>");
    let last = "description: Saves a file\nsteps:\n  - click: \"#file\"\n    download: true\n";
    let host = TestHost::start(&[("actions/all.yaml", FILLED), ("actions/last.yaml", last)]).await;
    let workspace = host.path("").canonicalize().expect("a directory").display().to_string();
    let shown = |text: &str| text.replace(&site.url(""), "SITE").replace(&workspace, "WORKSPACE");
    let done = host.call("all", json!({ "site": site.url("/"), "reason": "Found it cheaper" })).await;
    assert_snapshot!(shown(&done.text), @r#"
    {"question":"Why do you cancel R-7? No reason","said":"Found it cheaper","heading":"Details","tab":"SITE/details","nothing":true,"list":{"bytes":3,"name":"_a list.csv","path":"WORKSPACE/downloads/_a list.csv","url":"data:text/csv,a;b"}}
    warning: step 5 succeeded at attempt 2; the first failed: no dialog opened within 700ms
    warning: step 9 (click #same) failed and is optional: no tab opened within 500ms
    "#);
    host.heard("12/12 group, ").await;
    let progress = host.progress();
    let time = regex::Regex::new(r"(\d+ ms|[\d.]+ s)\)").expect("a pattern");
    let told = progress.iter().filter(|line| line.contains(", ")).map(|line| time.replace(line, "N ms)").into_owned());
    assert_snapshot!(told.collect::<Vec<_>>().join("\n"), @r"
    2/12 click #cancel, accepted a dialog (prompt): Why do you cancel R-7? (N ms)
    4/12 change one's mind, dismissed a dialog (prompt): Why do you cancel R-7? (N ms)
    5/12 click #moody, accepted a dialog (confirm): Cancel at last? (N ms)
    6/12 click #open, opened the tab `t2` (N ms)
    9/12 click #same (failed, goes on; N ms)
    12/12 group, accepted a dialog (confirm): Export all?, downloaded _a list.csv (3 bytes) (N ms)
    ");
    assert_eq!(std::fs::read_to_string(host.path("downloads/_a list.csv")).expect("the file"), "a;b");
    // A prompt without a text keeps its own suggestion; a file is what the last step answers.
    let again = host.call("all", json!({ "site": site.url("/") })).await;
    assert_eq!(again.structured.expect("outputs")["said"], "No reason");
    let file = host.call("last", json!({})).await;
    assert_snapshot!(shown(file.page_text()), @r#"{"name":"_a list (3).csv","path":"WORKSPACE/downloads/_a list (3).csv","bytes":3,"url":"data:text/csv,a;b"}"#);
    host.close().await;
}

/// Each is one step on the page, and what it tells when something else comes.
#[tokio::test(flavor = "multi_thread")]
async fn failures_tell_what_was_expected_and_what_came() {
    let site = Site::start().await;
    site.set("/", PAGE);
    site.set("/details", "<h1>Details</h1>");
    let steps = [
        ("none", "1500ms", "click: \"#plain\"\n    dialog: { accept: true, message: Cancel R-7 }"),
        ("other", "10s", "click: \"#cancel\"\n    dialog: { accept: true, message: Delete }"),
        ("same", "1500ms", "click: \"#same\"\n    opens: details"),
        ("instead", "1500ms", "click: \"#open\"\n    download: { as: list, max_bytes: 1kB }"),
        ("large", "10s", "click: \"#file\"\n    download: { as: list, max_bytes: 2 }"),
        ("act", "1500ms", "click: \"#nothing\"\n    opens: details"),
    ];
    let file = |limit: &str, step: &str| {
        let head = "description: x\ninputs: { site: string }\nsteps:\n  - navigate: ${{ inputs.site }}\n";
        format!("{head}  - {step}\n    timeout: {limit}\n")
    };
    let files: Vec<(String, String)> =
        steps.iter().map(|(name, limit, step)| (format!("actions/{name}.yaml"), file(limit, step))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let host = TestHost::start(&files).await;
    let mut seen = Vec::new();
    for (name, ..) in steps {
        let failed = host.call(name, json!({ "site": site.url("/") })).await;
        assert!(failed.is_error, "{}", failed.text);
        let lines = failed.text.lines().filter(|line| !line.contains(" × "));
        seen.push(lines.collect::<Vec<_>>().join("\n").replace(&site.url(""), "SITE"));
    }
    assert_snapshot!(seen.join("\n\n"), @r#"
    error: step 2 (click): no dialog opened within 1s 500ms
      at none.yaml:5
      expected a dialog with `Cancel R-7`
      the page is at `SITE/`: /
    done before:
      1 navigate SITE/
    hint: check with a screenshot whether it is a part of the page: only `alert`, `confirm`, `prompt` and the question before leaving a page are dialogs
    the page around it:
    <page-content N>
    - heading "Orders" [level=1]
    - status
    - button "Cancel" [ref=e1]
    - button "Plain" [active] [ref=e2]
    - button "Moody" [ref=e3]
    - link "Open" [ref=e4]
    - link "Same" [ref=e5]
    - link "File" [ref=e6]
    - button "Export" [ref=e7]
    </page-content N>

    error: step 2 (click): another dialog (prompt) opened and was dismissed; one with `Delete` was expected: Why do you cancel R-7?
      at other.yaml:5
      the page is at `SITE/`: /
    done before:
      1 navigate SITE/
    hint: correct the expected message, or leave it out to take any dialog
    the page around it:
    <page-content N>
    - heading "Orders" [level=1]
    - status
    - button "Cancel" [active] [ref=e8]
    - button "Plain" [ref=e9]
    - button "Moody" [ref=e10]
    - link "Open" [ref=e11]
    - link "Same" [ref=e12]
    - link "File" [ref=e13]
    - button "Export" [ref=e14]
    </page-content N>

    error: step 2 (click): no tab opened within 1s 500ms
      at same.yaml:5
      the page is at `SITE/details`: /details
    done before:
      1 navigate SITE/
    hint: see with `tabs` what is open: the page may have used the same tab, or the browser blocked a window that no click asked for
    the page around it:
    <page-content N>
    - heading "Details" [level=1]
    </page-content N>

    error: step 2 (click): no download began within 1s 500ms
      at instead.yaml:5
      seen instead: the page opened the tab `t2`, which is active now
      the page is at `SITE/details`: /details
    done before:
      1 navigate SITE/
    hint: see with `snapshot` and `tabs` whether the file opened in the page or in a new tab
    the page around it:
    <page-content N>
    - heading "Details" [level=1]
    </page-content N>

    error: step 2 (click): the download of `_a list.csv` failed: larger than the 2 bytes that are allowed
      at large.yaml:5
      the page is at `SITE/`: /
    done before:
      1 navigate SITE/
    hint: try again; a longer `timeout` or a larger `max_bytes` of the step allows for more
    the page around it:
    <page-content N>
    - heading "Orders" [level=1]
    - status
    - button "Cancel" [ref=e15]
    - button "Plain" [ref=e16]
    - button "Moody" [ref=e17]
    - link "Open" [ref=e18]
    - link "Same" [ref=e19]
    - link "File" [active] [ref=e20]
    - button "Export" [ref=e21]
    </page-content N>

    error: step 2 (click): no element matches `#nothing`
      at act.yaml:5
      click: waited 1s 500ms
    done before:
      1 navigate SITE/
    hint: look at the page with `snapshot` and use a name, label or test id that it shows
    the page around it:
    <page-content N>
    - heading "Orders" [level=1]
    - status
    - button "Cancel" [ref=e22]
    - button "Plain" [ref=e23]
    - button "Moody" [ref=e24]
    - link "Open" [ref=e25]
    - link "Same" [ref=e26]
    - link "File" [ref=e27]
    - button "Export" [ref=e28]
    </page-content N>
    "#);
    host.close().await;
}

/// Wherever a tab is when its step fails, `finally` can close it; an action's own time counts for all that it awaits.
#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_came_can_be_closed_whatever_happens() {
    let site = Site::start().await;
    site.set("/", PAGE);
    site.set("/details", "<h1>Details</h1>");
    let text = "description: x\ninputs: { site: string }\ntimeout: 3s\nsteps:\n  - navigate: ${{ inputs.site }}\n  - click: \"#open\"\n    opens: details\n    dialog: accept\nfinally:\n  - close_tab: ${{ details.id }}\n    when: ${{ details }}\n";
    let host = TestHost::start(&[("actions/a.yaml", text)]).await;
    // The browser's start takes a part of the time.
    host.call("browser_session", json!({ "commands": [{ "type": "get_url" }] })).await;
    let failed = host.call("a", json!({ "site": site.url("/") })).await;
    assert_snapshot!(failed.text.replace(&site.url(""), "SITE"), @r#"
    error: step 2 (click): the time of the action is over: 3s
      at a.yaml:6
      no dialog opened within 3s
      the page is at `SITE/details`: /details
    done before:
      1 navigate SITE/
      finally.1 close_tab t2
    values so far: {"details":{"id":"t2","url":"SITE/details","title":"/details","active":true,"opener":"t1"}}
    hint: give the action a longer `timeout`, or see what the step waited for
    the page around it:
    <page-content N>
    - heading "Details" [level=1]
    </page-content N>
    "#);
    let tabs = host.call("browser_session", json!({ "commands": [{ "type": "tabs" }] })).await;
    let tabs = &tabs.structured.expect("results")["results"][0]["result"];
    assert_eq!(tabs.as_array().map(Vec::len), Some(1), "{tabs}");
    assert_eq!(tabs[0]["active"], Value::Bool(true));
    host.close().await;
}
