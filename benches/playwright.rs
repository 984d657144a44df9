//! Playwright's side: a node process that performs what it is told, line by line (`playwright/compare.mjs`).

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::Value;

pub struct Playwright {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Playwright {
    /// `None` where node or the package is missing.
    pub fn start() -> Option<Playwright> {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/playwright");
        if !folder.join("node_modules/playwright-core").exists() {
            return None;
        }
        let environment = |name: &str| std::env::var(name).ok();
        let executable = repertoire::browser::find(None, &environment).expect("a browser");
        let mut command = Command::new("node");
        command.arg("compare.mjs").arg(executable).current_dir(folder).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn().ok()?;
        let output = BufReader::new(child.stdout.take()?);
        Some(Playwright { input: child.stdin.take(), output, child })
    }

    /// The milliseconds that an operation takes.
    pub fn perform(&mut self, request: Value) -> f64 {
        let input = self.input.as_mut().expect("open until dropped");
        writeln!(input, "{request}").expect("written");
        let mut line = String::new();
        self.output.read_line(&mut line).expect("an answer");
        let answer: Value = serde_json::from_str(&line).expect("JSON");
        answer["milliseconds"].as_f64().expect("a number")
    }
}

impl Drop for Playwright {
    fn drop(&mut self) {
        // It closes its browser when its input ends.
        self.input = None;
        let _ = self.child.wait();
    }
}
