//! The engine's operations against Playwright on the same Chromium, and against bare protocol commands.
//!
//! Each side drives a browser of its own on the same pages, in turn, so that ratios hold on a machine whose speed
//! drifts. Ours is measured as an action's step is performed: a call with its arguments through `command::execute`.
//! What the bare side does is told in `floor.rs`.
//!
//! `cargo bench --bench engine` prints the table. For Playwright's columns run `npm install` in `benches/playwright`
//! first; without it they stay empty. An argument chooses rows: `cargo bench --bench engine -- snapshot`.

mod floor;
mod pages;
mod playwright;
mod raw;

use std::time::{Duration, Instant};

use repertoire::browser::{Deadline, LaunchOptions, Session};
use repertoire::command::{Call, Context, Workspace, execute, find};
use repertoire::secrets::{Store, Tree};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use floor::Floor;
use playwright::Playwright;

const WARM_UP: usize = 5;
const ROUNDS: usize = 40;
const STARTS: usize = 7;

/// One row of the table.
struct Row {
    name: &'static str,
    page: &'static str,
    operation: Operation,
}

/// What all sides do, on the element of this name.
#[derive(Clone, Copy)]
enum Operation {
    Click(&'static str),
    Fill(&'static str),
    GetText(&'static str),
    Snapshot,
}

const ROWS: [Row; 8] = [
    Row { name: "click by role, small page", page: "/small", operation: Operation::Click("Buy 3") },
    Row { name: "fill by role, small page", page: "/small", operation: Operation::Fill("Quantity 3") },
    Row { name: "get_text by role, small page", page: "/small", operation: Operation::GetText("Open item 3") },
    Row { name: "snapshot, small page", page: "/small", operation: Operation::Snapshot },
    Row { name: "click by role, 5,000 nodes", page: "/large", operation: Operation::Click("Buy 320") },
    Row { name: "fill by role, 5,000 nodes", page: "/large", operation: Operation::Fill("Quantity 320") },
    Row { name: "get_text by role, 5,000 nodes", page: "/large", operation: Operation::GetText("Open item 320") },
    Row { name: "snapshot, 5,000 nodes", page: "/large", operation: Operation::Snapshot },
];

#[derive(Default)]
struct Times {
    ours: Vec<f64>,
    floor: Vec<f64>,
    playwright: Vec<f64>,
}

#[tokio::main]
async fn main() {
    let chosen = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let site = pages::serve().await;
    let directory = tempfile::tempdir().expect("a directory");
    let mut ours = Ours::new(directory.path());
    let mut floor = Floor::start();
    let mut playwright = Playwright::start();
    heading();
    for row in ROWS.iter().filter(|row| row.name.contains(&chosen)) {
        let url = format!("{site}{}", row.page);
        ours.call("navigate", json!({ "url": url })).await;
        tokio::task::block_in_place(|| floor.open(&url));
        if let Some(playwright) = &mut playwright {
            playwright.perform(json!({ "operation": "open", "url": url }));
        }
        let mut times = Times::default();
        for round in 0..WARM_UP + ROUNDS {
            let value = format!("{round}");
            let own = ours.perform(row.operation, &value).await;
            let bare = tokio::task::block_in_place(|| floor.perform(row.operation, &value));
            let theirs = playwright.as_mut().map(|playwright| playwright.perform(row.operation.request(&value)));
            if round >= WARM_UP {
                times.ours.push(own);
                times.floor.push(bare);
                times.playwright.extend(theirs);
            }
        }
        report(row.name, &times);
    }
    if "start to first page".contains(&chosen) {
        let url = format!("{site}/small");
        let mut times = Times::default();
        for _ in 0..STARTS {
            times.ours.push(start(&url, directory.path()).await);
            times.floor.push(tokio::task::block_in_place(|| Floor::first_page(&url)));
            let request = json!({ "operation": "start", "url": url });
            times.playwright.extend(playwright.as_mut().map(|playwright| playwright.perform(request)));
        }
        report("start to first page", &times);
    }
    ours.session.close().await;
}

/// From nothing to a page that has loaded.
async fn start(url: &str, workspace: &std::path::Path) -> f64 {
    let mut ours = Ours::new(workspace);
    let elapsed = ours.call("navigate", json!({ "url": url })).await;
    ours.session.close().await;
    elapsed
}

/// Our side.
struct Ours {
    session: Session,
    store: Store,
    workspace: Workspace,
    answer: Value,
}

impl Ours {
    fn new(workspace: &std::path::Path) -> Ours {
        Ours {
            session: Session::new(LaunchOptions { path: std::env::var("PATH").ok(), ..LaunchOptions::default() }),
            store: Store::new(Vec::new(), |_| None),
            workspace: Workspace::new(workspace).expect("a workspace"),
            answer: Value::Null,
        }
    }

    async fn perform(&mut self, operation: Operation, value: &str) -> f64 {
        match operation {
            Operation::Click(name) => self.call("click", json!({ "selector": format!("role:button[{name:?}]") })).await,
            Operation::Fill(name) => {
                let selector = format!("role:textbox[{name:?}]");
                self.call("fill", json!({ "selector": selector, "value": value })).await
            }
            Operation::GetText(name) => {
                let elapsed = self.call("get_text", json!({ "selector": format!("role:link[{name:?}]") })).await;
                assert_eq!(self.answer, name);
                elapsed
            }
            Operation::Snapshot => {
                let elapsed = self.call("snapshot", json!({ "max_tokens": 10_000_000 })).await;
                assert!(self.answer.as_str().is_some_and(|text| text.contains("Buy 3")), "{}", self.answer);
                elapsed
            }
        }
    }

    /// The milliseconds that a command takes.
    async fn call(&mut self, name: &str, arguments: Value) -> f64 {
        let Tree::Map(arguments) = Tree::from_json(arguments) else { panic!("arguments are a map") };
        let call = Call { command: find(name).expect("a command"), arguments };
        let deadline = Deadline::after(Duration::from_secs(60), CancellationToken::new());
        let mut context = Context {
            session: &mut self.session,
            store: &self.store,
            workspace: &self.workspace,
            deadline: deadline.clone(),
            overall: deadline,
        };
        let began = Instant::now();
        let output = execute(&call, &mut context).await.expect("done");
        let elapsed = began.elapsed().as_secs_f64() * 1000.0;
        self.answer = output.value;
        elapsed
    }
}

impl Operation {
    /// As Playwright's side is asked for it.
    fn request(self, value: &str) -> Value {
        match self {
            Operation::Click(name) => json!({ "operation": "click", "name": name }),
            Operation::Fill(name) => json!({ "operation": "fill", "name": name, "value": value }),
            Operation::GetText(name) => json!({ "operation": "get_text", "name": name }),
            Operation::Snapshot => json!({ "operation": "snapshot" }),
        }
    }
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn heading() {
    println!("medians in ms; ratios are medians over the pairs of a round");
    println!("| | ours | floor | Playwright | ours / floor | ours / Playwright |");
    println!("|---|---|---|---|---|---|");
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn report(name: &str, times: &Times) {
    let Times { ours, floor, playwright } = times;
    println!(
        "| {name} | {} | {} | {} | {} | {} |",
        median(ours.clone()),
        median(floor.clone()),
        median(playwright.clone()),
        median(ours.iter().zip(floor).map(|(ours, other)| ours / other).collect()),
        median(ours.iter().zip(playwright).map(|(ours, other)| ours / other).collect()),
    );
}

fn median(mut values: Vec<f64>) -> String {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).map_or("–".to_owned(), |value| format!("{value:.2}"))
}
