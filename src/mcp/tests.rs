//! The protocol as clients speak it, line by line, without a browser.

use std::fs;
use std::path::PathBuf;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, DuplexStream, Lines};
use tokio::task::JoinHandle;

use super::*;
use crate::action::{LoadRequest, load};
use crate::browser::{LaunchOptions, Session};
use crate::run::Settings;
use crate::secrets::Store;

/// A server and its client.
struct Client {
    input: DuplexStream,
    output: Lines<BufReader<DuplexStream>>,
    serving: JoinHandle<Result<(), Error>>,
    publish: watch::Sender<Arc<Catalog>>,
    folder: tempfile::TempDir,
    modern: bool,
    last_id: u64,
    /// Notifications that came while an answer was awaited.
    notices: Vec<Value>,
}

impl Client {
    fn new(modern: bool) -> Client {
        let folder = tempfile::tempdir().unwrap();
        let (publish, catalogs) = watch::channel(Arc::default());
        let session =
            Session::new(LaunchOptions { executable: Some(PathBuf::from("no-browser")), ..LaunchOptions::default() });
        let limit = Duration::from_secs(5);
        let settings = Settings {
            workspace: folder.path().to_owned(),
            step_timeout: limit,
            action_timeout: limit,
            queue_timeout: limit,
            failure_screenshot: false,
        };
        let stage = Arc::new(Stage::new(session, Arc::new(Store::new(Vec::new(), |_| None)), settings));
        let host = Host { catalogs, settle: Arc::new(|| Box::pin(std::future::ready(()))), stage };
        let (input, server_input) = tokio::io::duplex(1 << 16);
        let (server_output, output) = tokio::io::duplex(1 << 16);
        let serving = tokio::spawn(serve(host, server_input, server_output, CancellationToken::new()));
        let output = BufReader::new(output).lines();
        Client { input, output, serving, publish, folder, modern, last_id: 0, notices: Vec::new() }
    }

    /// A client of an older protocol version that has said hello.
    async fn initialized() -> Client {
        let mut client = Client::new(false);
        client.action("one", "The first.", "https://example.com");
        let hello = json!({ "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } });
        let answer = client.request("initialize", hello).await;
        assert_eq!(answer["result"]["protocolVersion"], "2025-06-18");
        client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/initialized" })).await;
        client
    }

    /// Writes an action and publishes the catalog.
    fn action(&self, name: &str, description: &str, url: &str) {
        let text = format!("description: {description}\nsteps:\n  - navigate: {url}\n");
        fs::write(self.folder.path().join(format!("{name}.yaml")), text).unwrap();
        let request = LoadRequest { directories: vec![self.folder.path().to_owned()], builtins: false };
        let catalog = load(&request, &self.publish.borrow());
        self.publish.send_replace(Arc::new(catalog));
    }

    async fn send(&mut self, message: &Value) {
        self.input.write_all(format!("{message}\n").as_bytes()).await.unwrap();
    }

    async fn receive(&mut self) -> Value {
        let line = tokio::time::timeout(Duration::from_secs(5), self.output.next_line()).await;
        serde_json::from_str(&line.expect("a line in time").unwrap().expect("an open stream")).unwrap()
    }

    async fn start(&mut self, method: &str, mut params: Value) -> u64 {
        self.last_id += 1;
        if self.modern {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
            });
        }
        let id = self.last_id;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params })).await;
        id
    }

    async fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.start(method, params).await;
        loop {
            let message = self.receive().await;
            if message["id"] == id {
                return message;
            }
            self.notices.push(message);
        }
    }

    async fn notice(&mut self) -> Value {
        if self.notices.is_empty() { self.receive().await } else { self.notices.remove(0) }
    }

    async fn tools(&mut self) -> Vec<String> {
        let answer = self.request("tools/list", json!({})).await;
        let tools = answer["result"]["tools"].as_array().unwrap();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// The text of a failed call.
    async fn failure(&mut self, name: &str, arguments: Value) -> String {
        let answer = self.request("tools/call", json!({ "name": name, "arguments": arguments })).await;
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(answer["result"].get("structuredContent").is_none(), "{answer}");
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_come_in_name_order_and_mistakes_are_answers() {
    let mut client = Client::initialized().await;
    client.action("zeta", "The last.", "https://example.com");
    assert_eq!(client.tools().await, ["list_actions", "one", "run_action", "zeta"]);

    let answer = client.request("tools/call", json!({ "name": "nope" })).await;
    assert_eq!(
        answer["error"],
        json!({ "code": -32602, "message": "there is no tool `nope`\nhint: `list_actions` shows all actions" })
    );

    let text = client.failure("one", json!({ "bad": 1 })).await;
    assert!(text.starts_with("error: the arguments do not fit `one`: "), "{text}");
    assert_eq!(
        client.failure("run_action", json!({ "name": "zetta" })).await,
        "error: there is no action `zetta`\nhint: did you mean `zeta`? `list_actions` shows all actions"
    );
    let text = client.failure("run_action", json!({ "name": "one", "arguments": { "bad": 1 } })).await;
    assert!(text.starts_with("error: the arguments do not fit `one`: "), "the same way as its own tool: {text}");
    assert_eq!(
        client.failure("list_actions", json!({ "query": 1 })).await,
        "error: `query` is not a text: `1`\nhint: pass some words, or leave it out"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn list_actions_shows_what_matches_and_what_is_broken() {
    let mut client = Client::initialized().await;
    client.action("two", "The second.", "https://example.com");
    fs::write(client.folder.path().join("two.yaml"), "description: [").unwrap();
    client.action("three", "The third.", "https://example.com");
    let answer =
        client.request("tools/call", json!({ "name": "list_actions", "arguments": { "query": "SECOND" } })).await;
    let listing: Value = serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap();
    let actions = listing["actions"].as_array().unwrap();
    assert_eq!((actions.len(), &actions[0]["name"]), (1, &json!("two")));
    let stale = actions[0]["stale"].as_str().unwrap();
    assert!(stale.starts_with("performs its last good version; the file is broken at two.yaml"), "{stale}");
    assert_eq!(listing["problems"].as_array().map(Vec::len), Some(1));
}

#[tokio::test(flavor = "multi_thread")]
async fn older_clients_are_told_once_of_each_change_of_the_list() {
    let mut client = Client::initialized().await;
    client.tools().await;
    client.action("one", "The first.", "https://example.com/elsewhere");
    client.action("two", "The second.", "https://example.com");
    assert_eq!(client.notice().await, json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed" }));
    assert_eq!(client.tools().await, ["list_actions", "one", "run_action", "two"]);
    assert_eq!(client.notices, Vec::<Value>::new(), "a change of steps alone is not announced");
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_clients_listen() {
    let mut client = Client::new(true);
    client.action("one", "The first.", "https://example.com");
    assert_eq!(client.tools().await, ["list_actions", "one", "run_action"]);
    let id = client.start("subscriptions/listen", json!({ "notifications": { "toolsListChanged": true } })).await;
    assert_eq!(client.notice().await["params"]["notifications"], json!({ "toolsListChanged": true }));
    client.action("two", "The second.", "https://example.com");
    let notice = client.notice().await;
    assert_eq!(notice["method"], "notifications/tools/list_changed");
    assert_eq!(notice["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], id);
    assert_eq!(client.request("tools/call", json!({ "name": "nope" })).await["error"]["code"], -32602);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_input_is_the_end() {
    let mut client = Client::initialized().await;
    client.tools().await;
    drop(client.input);
    let ended = tokio::time::timeout(Duration::from_secs(2), client.serving).await;
    ended.expect("soon").unwrap().unwrap();

    let client = Client::new(false);
    drop(client.input);
    let ended = tokio::time::timeout(Duration::from_secs(2), client.serving).await;
    ended.expect("soon, also before any message").unwrap().unwrap();

    let mut client = Client::new(false);
    client.send(&json!({ "jsonrpc": "2.0", "method": "notifications/surprise" })).await;
    assert!(matches!(client.serving.await.unwrap(), Err(Error::NotMcp)));
}
