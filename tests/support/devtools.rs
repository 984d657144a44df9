//! The debugging protocol over a pipe and nothing around it: what the library is measured against and refereed by.

use std::io::{BufRead, BufReader, PipeReader, PipeWriter, Write};
use std::process::{Child, Command, Stdio};

use command_fds::{CommandFdExt, FdMapping};
use serde_json::{Value, json};

/// A Chromium with one page, of which the first is attached.
pub struct Browser {
    child: Child,
    input: BufReader<PipeReader>,
    output: PipeWriter,
    next: u64,
    session: Option<String>,
    /// Names of events that were read while something else was waited for.
    seen: Vec<String>,
    _profile: tempfile::TempDir,
}

impl Browser {
    pub fn start() -> Browser {
        let environment = |name: &str| std::env::var(name).ok();
        let executable = repertoire::browser::find(None, &environment).expect("a browser");
        let profile = tempfile::tempdir().expect("a directory");
        let (told, output) = std::io::pipe().expect("a pipe");
        let (input, said) = std::io::pipe().expect("a pipe");
        let mut command = Command::new(executable);
        command
            .args(["--headless=new", "--remote-debugging-pipe", "--no-first-run", "--disable-background-networking"])
            .args(["--disable-component-update", "--disable-sync", "--no-sandbox", "--window-size=1280,720"])
            .arg("--disable-features=BackForwardCache")
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("about:blank")
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let pipes =
            vec![FdMapping { parent_fd: told.into(), child_fd: 3 }, FdMapping { parent_fd: said.into(), child_fd: 4 }];
        command.fd_mappings(pipes).expect("mapped");
        let child = command.spawn().expect("started");
        drop(command);
        let input = BufReader::new(input);
        let mut browser = Browser { child, input, output, next: 0, session: None, seen: Vec::new(), _profile: profile };
        let target = loop {
            let targets = browser.call("Target.getTargets", json!({}));
            let page =
                targets["targetInfos"].as_array().and_then(|all| all.iter().find(|target| target["type"] == "page"));
            if let Some(page) = page {
                break page["targetId"].clone();
            }
        };
        let attached = browser.call("Target.attachToTarget", json!({ "targetId": target, "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.call("Page.enable", json!({}));
        let metrics = json!({ "width": 1280, "height": 720, "deviceScaleFactor": 1, "mobile": false });
        browser.call("Emulation.setDeviceMetricsOverride", metrics);
        browser
    }

    pub fn evaluate(&mut self, expression: &str) -> Value {
        let mut answer = self.call("Runtime.evaluate", json!({ "expression": expression, "returnByValue": true }));
        answer["result"]["value"].take()
    }

    pub fn call(&mut self, method: &str, parameters: Value) -> Value {
        let id = self.send(method, parameters);
        self.answer(id)
    }

    pub fn send(&mut self, method: &str, parameters: Value) -> u64 {
        self.next += 1;
        let mut message = json!({ "id": self.next, "method": method, "params": parameters });
        if let Some(session) = &self.session {
            message["sessionId"] = json!(session);
        }
        let mut bytes = serde_json::to_vec(&message).expect("JSON");
        bytes.push(0);
        self.output.write_all(&bytes).expect("written");
        self.next
    }

    pub fn answer(&mut self, id: u64) -> Value {
        loop {
            let mut message = self.read();
            if message["id"] == id {
                assert!(message["error"].is_null(), "{message}");
                return message["result"].take();
            }
        }
    }

    pub fn wait(&mut self, event: &str) {
        while !self.seen.iter().any(|seen| seen == event) {
            self.read();
        }
    }

    fn read(&mut self) -> Value {
        let mut bytes = Vec::new();
        self.input.read_until(0, &mut bytes).expect("read");
        assert_eq!(bytes.pop(), Some(0), "the browser ended");
        let message: Value = serde_json::from_slice(&bytes).expect("JSON");
        if let Some(method) = message["method"].as_str() {
            self.seen.push(method.to_owned());
        }
        message
    }

    /// Lets what has happened so far pass for nothing that is waited for from now on.
    pub fn forget_events(&mut self) {
        self.seen.clear();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
