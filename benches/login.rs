//! The demo's login in one tool call, against the same login as bare protocol commands.
//!
//! Both drive a Chromium of their own on the same shop, in turn, so that a ratio holds on a machine whose speed drifts.
//! The bare one is the floor: no selectors, no waiting, no checks; fixed element ids, one evaluation for each step, real
//! mouse events for clicks, and the load events that the page needs. `cargo bench --bench login`.

mod raw;

use std::time::{Duration, Instant};

use repertoire::app::shop::Shop;
use rmcp::ServiceExt;
use rmcp::model::CallToolRequestParams;
use rmcp::transport::TokioChildProcess;
use serde_json::json;

const LOGIN: &str = include_str!("login.yaml");
const SECRETS: &str = include_str!("../examples/actions/.env.example");
const WARM_UP: usize = 3;
const ROUNDS: usize = 30;

#[tokio::main]
async fn main() {
    let shop = Shop::start(0).await.expect("the shop");
    let directory = tempfile::tempdir().expect("a directory");
    std::fs::create_dir_all(directory.path().join("actions/shop")).expect("a directory");
    std::fs::write(directory.path().join("actions/shop/login.yaml"), LOGIN).expect("written");
    std::fs::write(directory.path().join("actions/.env"), SECRETS).expect("written");
    let mut command = tokio::process::Command::new(env!("CARGO_BIN_EXE_repertoire"));
    command.arg("serve").current_dir(directory.path());
    let mut client = ().serve(TokioChildProcess::new(command).expect("started")).await.expect("a session");
    let mut raw = raw::Browser::start();

    let mut pairs = Vec::new();
    for round in 0..WARM_UP + ROUNDS {
        let arguments = json!({ "shop": shop.url() }).as_object().cloned().expect("an object");
        let start = Instant::now();
        let request = CallToolRequestParams::new("shop_login").with_arguments(arguments);
        let result = client.call_tool(request).await.expect("an answer");
        let ours = start.elapsed();
        assert_eq!(result.structured_content, Some(json!({ "account": "Ada Lovelace" })));
        let (account, floor) = tokio::task::block_in_place(|| login(&mut raw, shop.url()));
        assert_eq!(account, "Ada Lovelace");
        if round >= WARM_UP {
            pairs.push((ours, floor));
        }
    }
    let _ = client.close().await;
    shop.stop().await;
    report(&pairs);
}

/// The seven steps of `login.yaml` without its condition.
fn login(raw: &mut raw::Browser, shop: &str) -> (String, Duration) {
    let start = Instant::now();
    raw.open(&format!("{shop}/logout"));
    click(raw, "Accept cookies");
    fill(raw, "input[type=email]", "ada@example.com");
    fill(raw, "input[type=password]", "correct horse battery");
    raw.forget();
    click(raw, "Sign in");
    raw.wait("Page.domContentEventFired");
    let text = raw.evaluate("document.querySelector('[data-testid=account]').innerText");
    let elapsed = start.elapsed();
    // Not part of it: an event of this page must not pass for one of the next.
    raw.wait("Page.loadEventFired");
    (text.as_str().expect("the account").to_owned(), elapsed)
}

fn fill(raw: &mut raw::Browser, css: &str, value: &str) {
    let (css, value) = (json!(css), json!(value));
    raw.evaluate(&format!(
        "(() => {{ const e = document.querySelector({css}); e.focus(); e.select(); document.execCommand('insertText', false, {value}); }})()"
    ));
}

fn click(raw: &mut raw::Browser, name: &str) {
    let name = json!(name);
    let place = raw.evaluate(&format!(
        "(() => {{ const r = Array.from(document.querySelectorAll('button')).find(b => b.textContent.trim() === {name}).getBoundingClientRect(); return {{ x: r.x + r.width / 2, y: r.y + r.height / 2 }}; }})()"
    ));
    raw.click_at(&place["x"], &place["y"]);
}

#[expect(clippy::print_stdout, reason = "a benchmark prints its figures")]
fn report(pairs: &[(Duration, Duration)]) {
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1000.0;
    let ours = median(pairs.iter().map(|(ours, _)| milliseconds(*ours)));
    let floor = median(pairs.iter().map(|(_, floor)| milliseconds(*floor)));
    let ratio = median(pairs.iter().map(|(ours, floor)| ours.as_secs_f64() / floor.as_secs_f64()));
    println!("login, {} pairs, medians: one tool call {ours:.1} ms, bare protocol {floor:.1} ms", pairs.len());
    println!("ratio of each pair, median: {ratio:.2}");
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
