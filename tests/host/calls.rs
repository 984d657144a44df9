//! What calls answer: results, failures with their story, arguments that don't fit.

use insta::assert_snapshot;
use serde_json::json;

use crate::support::{Site, TestHost};

#[tokio::test(flavor = "multi_thread")]
async fn a_failing_step_is_named_and_later_calls_work() {
    let site = Site::start().await;
    site.set("/", "<label>Name <input></label><button id=save disabled>Save</button>");
    let save = format!(
        "description: Saves\ninputs:\n  name: string\nsteps:\n  - navigate: {}\n  - fill: label:Name\n    value: ${{{{ inputs.name }}}}\n  - get_title\n    as: title\n  - click: role:button[Save]\n    timeout: 2s\n  - get_url\noutputs:\n  title: ${{{{ title }}}}\n",
        site.url("/")
    )
    .replace("  - get_title\n    as: title\n", "  - get_title:\n    as: title\n");
    let pictures = ("repertoire.yaml", "failure_screenshot: true\n");
    let host = TestHost::start(&[("actions/save.yaml", &save), pictures]).await;
    let failed = host.call("save", json!({ "name": "Ada" })).await;
    assert!(failed.wire.contains("image/png"));
    let counts = regex::Regex::new(r"\d+ × is not").expect("a pattern");
    assert_snapshot!(counts.replace_all(&failed.text.replace(&site.url("/"), "SITE/"), "N × is not"), @r#"
    error: step 4 (click): `role:button[Save]` is not enabled
      at save.yaml:10
      found <button#save "Save">
      click: waited 2s
      N × is not enabled
    done before:
      1 navigate SITE/
      2 fill label:Name
      3 get_title
    values so far: {"title":"/"}
    hint: wait for what enables it, or use `optional: true`
    the page around it:
    <page-content N>
    - textbox "Name" [active] [ref=e1]: Ada
    - button "Save" [disabled] [ref=e2]
    </page-content N>
    "#);
    let wrong = host.call("save", json!({ "nam": "Ada" })).await;
    assert_snapshot!(wrong.text, @r"
    error: the arguments do not fit `save`: `nam` is not known, did you mean `name`?; `name` is missing
    hint: `save` takes `name` (string, required)
    ");
    let unknown = host.call("sav", json!({})).await;
    assert_snapshot!(unknown.text, @r"
    Mcp error: -32602: there is no tool `sav`
    hint: did you mean `save`? `list_actions` shows all actions
    ");
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_came_close_is_told_of_what_was_missing() {
    let site = Site::start().await;
    site.set(
        "/",
        "<b draggable=true>Card</b><p data-testid=drop-zone>Here</p><iframe title=Pay srcdoc='<p>Thank you'></iframe>",
    );
    let host = TestHost::start(&[]).await;
    let mut told = Vec::new();
    for command in [
        json!({ "type": "wait_for_text", "text": "thank you", "timeout": 1000 }),
        json!({ "type": "drag", "selector": "text:Card", "target_selector": "testid:dropzone", "timeout": 1000 }),
    ] {
        let commands = json!({ "commands": [{ "type": "navigate", "url": site.url("/") }, command] });
        let failed = host.call("browser_session", commands).await;
        told.extend(failed.text.lines().filter(|line| line.contains("near miss")).map(|line| line.trim().to_owned()));
    }
    assert_snapshot!(told.join("\n"), @r#"
    near miss: frame:title:"Pay" >> text:"Thank you": it is in this iframe, <p "Thank you">
    near miss: testid:drop-zone: data-testid is `drop-zone`, <p "Here">
    "#);
    host.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn commands_given_as_data_stop_at_the_first_failure() {
    let site = Site::start().await;
    site.set("/", "<h1>Hello</h1><button>One</button>");
    let host = TestHost::start(&[]).await;
    let commands = json!({ "commands": [
        { "type": "navigate", "url": site.url("/") },
        { "type": "click", "selector": "role:button[Two]", "timeout": 2000, "optional": true },
        { "type": "get_text", "selector": "h1", "timeout": 2000 },
        { "type": "get_url" },
    ] });
    let failed = host.call("browser_session", commands).await;
    assert!(failed.is_error);
    let counts = regex::Regex::new(r"\d+ × no").expect("a pattern");
    assert_snapshot!(counts.replace_all(&failed.text.replace(&site.url("/"), "SITE/"), "N × no"), @r#"
    error: step 3 (get_text): no element matches `text:h1`
      get_text: waited 2s
      N × no match
    done before:
      1 navigate SITE/
      2 click role:button[Two], failed but optional
    results so far: 1 {"url":"SITE/"}
    hint: this is looked for as text; write `css:h1` for the element
    the page around it:
    <page-content N>
    - heading "Hello" [level=1]
    - button "One" [ref=e1]
    </page-content N>
    warning: step 2 (click role:button[Two]) failed and is optional: no element matches `role:button[Two]`
    warning: step 3: `h1` is searched as text, but looks like CSS: write `css:h1` for CSS, or `text:h1` for text
    "#);
    let wrong = host
        .call(
            "browser_session",
            json!({ "commands": [{ "type": "clik", "selector": "#a" }, { "type": "fill", "value": "x" }] }),
        )
        .await;
    assert_snapshot!(wrong.text, @r"
    error: the arguments do not fit `browser_session`: command 1: unknown command `clik` (did you mean `click`?); command 2: `fill` needs `selector` (its arguments are `selector`, `value`, `force`)
    hint: `browser_session` takes `commands` (array, required)
    ");
    host.close().await;
}
