//! A whole host: the real binary in a directory of its own, with a real MCP client on its standard streams.

use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use regex::Regex;
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientRequest, ContentBlock, ProgressNotificationParam, Request, Tool,
};
use rmcp::service::{NotificationContext, PeerRequestOptions, RequestHandle, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Map, Value};
use tempfile::TempDir;
use tokio::process::Command;
use tokio::sync::watch;

/// Longer than anything that is waited for; a scenario that gets here has failed.
const LIMIT: Duration = Duration::from_secs(60);

pub struct TestHost {
    directory: TempDir,
    client: RunningService<RoleClient, Listener>,
    pid: u32,
}

/// What a call answered.
#[derive(Debug)]
pub struct Called {
    pub is_error: bool,
    pub text: String,
    pub structured: Option<Value>,
    /// The whole answer as it came over the wire.
    pub wire: String,
}

/// What the host tells its client without being asked.
#[derive(Clone, Default)]
pub struct Listener {
    list_changes: Arc<watch::Sender<u32>>,
    progress: Arc<watch::Sender<Vec<String>>>,
}

impl ClientHandler for Listener {
    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.list_changes.send_modify(|changes| *changes += 1);
    }

    async fn on_progress(&self, progress: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.send_modify(|heard| heard.push(progress.message.unwrap_or_default()));
    }
}

impl TestHost {
    /// Starts a host on a directory with these files; `actions/` holds the actions.
    pub async fn start(files: &[(&str, &str)]) -> TestHost {
        let directory = tempfile::tempdir().expect("a directory");
        std::fs::create_dir_all(directory.path().join("actions")).expect("a directory of actions");
        for (path, text) in files {
            write(&directory.path().join(path), text);
        }
        let stderr = std::fs::File::create(directory.path().join("stderr.log")).expect("a log");
        let mut command = Command::new(env!("CARGO_BIN_EXE_repertoire"));
        command.args(["serve", "--actions", "actions", "--profile", "profile"]).current_dir(directory.path());
        let (server, _) = TokioChildProcess::builder(command).stderr(Stdio::from(stderr)).spawn().expect("started");
        let pid = server.id().expect("a process");
        let client = Listener::default().serve(server).await.expect("a session");
        TestHost { directory, client, pid }
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    pub fn path(&self, relative: &str) -> PathBuf {
        self.directory.path().join(relative)
    }

    /// Saves a file as an editor does that renames over the old one.
    pub fn save(&self, path: &str, text: &str) {
        write(&self.path(path), text);
    }

    pub fn stderr(&self) -> String {
        std::fs::read_to_string(self.path("stderr.log")).expect("a log")
    }

    pub fn progress(&self) -> Vec<String> {
        self.client.service().progress.borrow().clone()
    }

    /// Waits until the progress of a call has told this.
    pub async fn heard(&self, text: &str) {
        let mut progress = self.client.service().progress.subscribe();
        let heard = progress.wait_for(|heard| heard.iter().any(|message| message.contains(text)));
        tokio::time::timeout(LIMIT, heard).await.expect("progress").expect("the client lives");
    }

    pub async fn tools(&self) -> Vec<Tool> {
        self.client.list_all_tools().await.expect("the tools")
    }

    pub async fn tool(&self, name: &str) -> Option<Tool> {
        self.tools().await.into_iter().find(|tool| tool.name == name)
    }

    pub async fn call(&self, name: &str, arguments: Value) -> Called {
        let called = tokio::time::timeout(LIMIT, self.client.call_tool(request(name, arguments))).await;
        called.unwrap_or_else(|_| panic!("no answer\n{}", self.stderr())).map_or_else(
            |error| Called { is_error: true, text: error.to_string(), structured: None, wire: error.to_string() },
            Called::new,
        )
    }

    /// Starts a call without waiting for its answer.
    pub async fn begin(&self, name: &str, arguments: Value) -> RequestHandle<RoleClient> {
        let request = ClientRequest::CallToolRequest(Request::new(request(name, arguments)));
        self.client.send_cancellable_request(request, PeerRequestOptions::no_options()).await.expect("sent")
    }

    /// How often the host said that its tools changed, once it has said so `least` times.
    pub async fn list_changes(&self, least: u32) -> u32 {
        let mut changes = self.client.service().list_changes.subscribe();
        let waited = tokio::time::timeout(LIMIT, changes.wait_for(|changes| *changes >= least)).await;
        *waited.unwrap_or_else(|_| panic!("no change\n{}", self.stderr())).expect("the client lives")
    }

    /// Ends the session as a client does that closes the host's input.
    pub async fn close(mut self) -> TempDir {
        let _ = self.client.close_with_timeout(Duration::from_secs(10)).await;
        self.directory
    }

    /// The processes of this host's browser.
    pub fn browsers(&self) -> Vec<u32> {
        processes(&self.path("profile").display().to_string())
    }
}

impl Called {
    fn new(result: CallToolResult) -> Called {
        let wire = serde_json::to_string(&result).expect("JSON");
        let fences = Regex::new("page-content [0-9a-f]{8}").expect("a pattern");
        let texts: Vec<&str> = result
            .content
            .iter()
            .filter_map(|block| match block {
                ContentBlock::Text(text) => Some(text.text.as_str()),
                _ => None,
            })
            .collect();
        Called {
            is_error: result.is_error == Some(true),
            text: fences.replace_all(&texts.join("\n"), "page-content N").into_owned(),
            structured: result.structured_content.clone(),
            wire,
        }
    }
}

impl Called {
    /// The text of a page without the fence that tells it from the host's own words.
    pub fn page_text(&self) -> &str {
        let inner = self.text.strip_prefix("<page-content ").and_then(|rest| rest.split_once(">\n"));
        inner.and_then(|(_, rest)| rest.rsplit_once("\n</page-content ")).map_or(&self.text, |(text, _)| text)
    }
}

/// The processes of this machine whose command line holds a text, a host's own excepted.
pub fn processes(text: &str) -> Vec<u32> {
    std::fs::read_dir("/proc")
        .expect("a proc file system")
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse::<u32>().ok())
        .filter(|pid| {
            let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(text)
        })
        .collect()
}

/// The browser with this profile: its first process, for some of its children name the profile too.
pub fn browser(profile: &Path) -> u32 {
    let named = processes(&format!("--user-data-dir={}", profile.display()));
    named.iter().copied().find(|pid| !named.contains(&parent(*pid))).expect("a browser")
}

/// The process that started a process; 0 when it is gone.
pub fn parent(pid: u32) -> u32 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("PPid:"));
    line.and_then(|parent| parent.trim().parse().ok()).unwrap_or(0)
}

/// Waits until no process holds a text in its command line: those that were killed take a moment to go.
pub async fn gone(text: &str) -> bool {
    for _ in 0..200 {
        if processes(text).is_empty() {
            return true;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    false
}

fn request(name: &str, arguments: Value) -> CallToolRequestParams {
    let arguments = arguments.as_object().cloned().unwrap_or_else(Map::new);
    CallToolRequestParams::new(name.to_owned()).with_arguments(arguments)
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().expect("a parent")).expect("a directory");
    let temporary = path.with_extension("tmp~");
    std::fs::write(&temporary, text).expect("written");
    std::fs::rename(&temporary, path).expect("renamed");
}
