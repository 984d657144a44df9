//! A secret's value leaves through no exit.

use serde_json::json;

use crate::support::{Site, TestHost};

const VALUE: &str = "hunter2 & <b>\"friends\"</b>";

#[tokio::test(flavor = "multi_thread")]
async fn a_value_is_typed_and_never_told() {
    let site = Site::start().await;
    let echo = "<label>Password <input id=p type=text oninput='document.title = value; note.textContent = value; console.log(value); location.hash = encodeURIComponent(value)'></label><p id=note></p><button disabled>Go</button>";
    site.set("/", echo);
    let type_it = format!(
        "description: Types it\nsteps:\n  - navigate: {}\n  - fill: label:Password\n    value: $<<PASSWORD>>\n  - get_value: label:Password\n    as: typed\noutputs:\n  typed: ${{{{ typed }}}}\n",
        site.url("/")
    );
    let fail = "description: Fails\nsteps:\n  - click: text:\"$<<PASSWORD>>\" >> role:button\n    timeout: 2s\n";
    let missing = "description: Lacks two\nsteps:\n  - navigate: about:blank\n  - fill: label:A\n    value: $<<NOT_SET>>\n  - fill: label:B\n    value: $<<NEITHER>>\n";
    let host = TestHost::start(&[
        ("actions/type_it.yaml", &type_it),
        ("actions/fail.yaml", fail),
        ("actions/missing.yaml", missing),
        ("actions/.env", &format!("PASSWORD='{VALUE}'\n")),
    ])
    .await;
    let typed = host.call("type_it", json!({})).await;
    assert_eq!(typed.structured, Some(json!({ "typed": "<secret:PASSWORD>" })), "{}", typed.text);
    let read = json!({ "commands": [
        { "type": "get_value", "selector": "#p" },
        { "type": "get_text", "selector": "#note" },
        { "type": "get_title" },
        { "type": "get_url" },
        { "type": "snapshot" },
        { "type": "evaluate", "script": "({ [p.value]: [p.value, btoa(p.value), encodeURIComponent(p.value), JSON.stringify(p.value), note.innerHTML] })" },
        { "type": "evaluate", "script": "throw new Error(p.value)", "optional": true },
        { "type": "fill", "selector": "#p", "value": "$<<PASSWORD>>" },
        { "type": "evaluate", "script": "p.value.length" },
    ] });
    let exits = host.call("browser_session", read).await;
    let results = exits.structured.clone().expect("structured results");
    assert_eq!(results["succeeded"], 8, "{}", exits.text);
    // What an agent passes is data: the name is typed, not the value.
    assert_eq!(results["results"][8]["result"], "$<<PASSWORD>>".len());
    let failed = host.call("fail", json!({})).await;
    assert!(failed.is_error);
    let lacking = host.call("missing", json!({})).await;
    assert_eq!(lacking.text.lines().next(), Some("error: secrets are not set: `NEITHER`, `NOT_SET`"));
    let everything =
        [&typed.wire, &exits.wire, &failed.wire, &lacking.wire, &host.stderr(), &host.progress().join("\n")]
            .map(String::as_str)
            .join("\n");
    for form in ["hunter2", "aHVudGVy", "friends"] {
        assert!(!everything.contains(form), "`{form}` in\n{everything}");
    }
    host.close().await;
}
