//! Edit, and the next call runs the edit; break it, and the last good version goes on.

use serde_json::json;

use crate::support::TestHost;

fn action(description: &str, url: &str) -> String {
    format!("description: {description}\nsteps:\n  - navigate: {url}\n  - get_url\n")
}

#[tokio::test(flavor = "multi_thread")]
async fn the_next_call_runs_the_edit() {
    let host = TestHost::start(&[("actions/go.yaml", &action("Goes", "data:text/html,one"))]).await;
    assert_eq!(host.call("go", json!({})).await.page_text(), "data:text/html,one");
    // Only the body: nothing that a client sees has changed.
    host.save("actions/go.yaml", &action("Goes", "data:text/html,two"));
    assert_eq!(host.call("go", json!({})).await.page_text(), "data:text/html,two");
    host.save("actions/go.yaml", &action("Goes elsewhere", "data:text/html,two"));
    assert_eq!(host.list_changes(1).await, 1);
    let tool = host.tool("go").await.expect("the tool");
    assert_eq!(tool.description.as_deref(), Some("Goes elsewhere"));

    host.save("actions/go.yaml", "description: Goes elsewhere\nsteps:\n  - navigat: data:text/html,three\n");
    assert_eq!(host.call("go", json!({})).await.page_text(), "data:text/html,two");
    let listed = host.call("list_actions", json!({})).await.text;
    assert!(listed.contains("go.yaml:3:5") && listed.contains("did you mean `navigate`?"), "{listed}");

    host.save("actions/go.yaml", &action("Goes elsewhere", "data:text/html,four"));
    assert_eq!(host.call("go", json!({})).await.page_text(), "data:text/html,four");
    assert_eq!(host.list_changes(1).await, 1, "neither breaking nor mending changed the list");

    host.save("actions/new.yaml", &action("Is new", "data:text/html,new"));
    assert_eq!(host.call("new", json!({})).await.page_text(), "data:text/html,new");
    std::fs::remove_file(host.path("actions/go.yaml")).expect("removed");
    assert_eq!(host.list_changes(3).await, 3);
    assert!(host.tool("go").await.is_none());
    host.close().await;
}
