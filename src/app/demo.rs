//! `repertoire demo`: the whole product in one command.
//!
//! Starts the embedded shop, starts `repertoire serve` as a process of its own with the example actions, and calls them
//! through a real MCP client over that process's standard streams, as an agent's client would.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::Context;
use rmcp::model::{CallToolRequestParams, CallToolResult, ContentBlock, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RunningService};
use rmcp::transport::TokioChildProcess;
use rmcp::{ClientHandler, RoleClient, ServiceExt};
use serde_json::{Map, Value, json};
use tokio::process::Command;
use tokio::sync::watch;

use super::console::{Advice, Console, Style};
use super::shop::Shop;
use super::{Environment, FAILED, browser, run, signals};
use crate::browser::Error;
use crate::config;
use crate::mcp::response;

/// The example actions, compiled in, so that the demonstration needs no checkout.
const ACTIONS: [(&str, &str); 3] = [
    ("shop/login.yaml", include_str!("../../examples/actions/shop/login.yaml")),
    ("shop/add_many.yaml", include_str!("../../examples/actions/shop/add_many.yaml")),
    ("shop/checkout.yaml", include_str!("../../examples/actions/shop/checkout.yaml")),
];

/// The shop's password and a card, as a user's `.env` would have them.
const SECRETS: &str = include_str!("../../examples/actions/.env.example");

/// The last page is saved here, in the current directory.
const PICTURE: &str = "repertoire-demo.png";

/// Steps that were announced but not yet heard of are waited for this long.
const LAST_PROGRESS: Duration = Duration::from_millis(300);

/// Performs the demonstration.
pub(super) async fn demo(
    request: config::Demo,
    environment: Environment,
    console: &Arc<Console>,
) -> anyhow::Result<ExitCode> {
    tokio::select! {
        code = perform(request, environment, console) => code,
        () = signals::asked_to_end() => Ok(ExitCode::from(FAILED)),
    }
}

async fn perform(request: config::Demo, environment: Environment, console: &Arc<Console>) -> anyhow::Result<ExitCode> {
    let browser = browser(&request, &environment, console).await?;
    let shop = Shop::start(request.port).await.map_err(|error| Advice {
        message: format!("the shop could not be started: {error}"),
        hint: "choose another port with `--port N`, or none for any free one".to_owned(),
    })?;
    let folder = tempfile::tempdir().context("there is no place for temporary files")?;
    let actions = write_actions(folder.path()).context("the example actions could not be written")?;
    console.line(&format!("{} {}", console.paint(Style::Bold, "shop   "), shop.url()));
    console.line(&format!("{} {}", console.paint(Style::Bold, "browser"), browser.display()));
    let mut client = connect(&actions, &browser, request.headed, console).await?;
    let performed = performance(&client, shop.url(), console).await;
    // Closing its input ends the server, and with it the browser.
    let _ = client.close_with_timeout(Duration::from_secs(10)).await;
    performed?;
    if request.serve {
        console.line(&format!("\nthe shop stays at {} until Ctrl-C", shop.url()));
        signals::asked_to_end().await;
    }
    shop.stop().await;
    next(console);
    Ok(ExitCode::SUCCESS)
}

/// The browser to use, installed first if that was asked for.
async fn browser(request: &config::Demo, environment: &Environment, console: &Console) -> anyhow::Result<PathBuf> {
    match browser::find(request.browser.as_deref(), environment) {
        Ok(path) => Ok(path),
        Err(Error::NoBrowser { .. }) if request.install_browser => {
            console.line("there is no Chromium here yet: installing one");
            Ok(browser::fetch(environment, console).await?)
        }
        Err(error @ Error::NoBrowser { .. }) => {
            let hint = "`repertoire demo --install-browser` installs one; `--browser FILE` names yours".to_owned();
            Err(Advice { message: error.to_string(), hint }.into())
        }
        Err(error) => Err(error.into()),
    }
}

fn write_actions(folder: &Path) -> std::io::Result<PathBuf> {
    let actions = folder.join("actions");
    std::fs::create_dir_all(actions.join("shop"))?;
    for (name, text) in ACTIONS {
        std::fs::write(actions.join(name), text)?;
    }
    std::fs::write(actions.join(".env"), SECRETS)?;
    Ok(actions)
}

type Client = RunningService<RoleClient, Listener>;

/// Starts the server and opens a session with it.
async fn connect(actions: &Path, browser: &Path, headed: bool, console: &Arc<Console>) -> anyhow::Result<Client> {
    let program = std::env::current_exe().context("the program's own path can't be found")?;
    let mut command = Command::new(program);
    command.arg("serve").arg("--actions").arg(actions).arg("--browser").arg(browser).args(["--log", "warn"]);
    command.arg("--workspace").arg(actions);
    if headed {
        command.arg("--headed");
    }
    let server = TokioChildProcess::new(command).context("the server could not be started")?;
    let listener = Listener { console: Arc::clone(console), heard: watch::Sender::new(0.0), steps: Mutex::default() };
    let client = listener.serve(server).await.context("the server did not answer")?;
    let tools = client.list_all_tools().await.context("the tools could not be listed")?;
    let names: Vec<&str> = tools.iter().map(|tool| tool.name.as_ref()).collect();
    console.line(&format!("{} {}", console.paint(Style::Bold, "tools  "), names.join(", ")));
    Ok(client)
}

/// The calls that an agent would make.
async fn performance(client: &Client, shop: &str, console: &Console) -> anyhow::Result<()> {
    call(client, "shop_login", json!({ "shop": shop }), console).await?;
    let items = json!([
        { "product": "Kettle", "variant": "Moss green", "quantity": 2 },
        { "product": "Coffee grinder" },
    ]);
    call(client, "shop_add_many", json!({ "shop": shop, "items": items }), console).await?;
    call(client, "shop_checkout", json!({ "shop": shop }), console).await?;
    let result = call(client, "browser_screenshot", json!({}), console).await?;
    let image = result.content.iter().find_map(|block| match block {
        ContentBlock::Image(image) => Some(image.data.as_str()),
        _ => None,
    });
    if let Some(image) = image {
        run::save(Path::new(PICTURE), image)?;
        console.line(&format!("{} {PICTURE}", console.paint(Style::Bold, "saved  ")));
    }
    Ok(())
}

async fn call(client: &Client, name: &str, arguments: Value, console: &Console) -> anyhow::Result<CallToolResult> {
    console.line(&format!("\n{} {arguments}", console.paint(Style::Bold, name)));
    let arguments = arguments.as_object().cloned().unwrap_or_else(Map::new);
    client.service().heard.send_replace(0.0);
    *client.service().steps.lock().unwrap_or_else(PoisonError::into_inner) = Steps::default();
    let start = Instant::now();
    let request = CallToolRequestParams::new(name.to_owned()).with_arguments(arguments);
    let result = client.call_tool(request).await.with_context(|| format!("`{name}` could not be called"))?;
    let took = start.elapsed();
    // Notices of progress are handled beside the result and may come a moment later.
    let mut heard = client.service().heard.subscribe();
    let _ = tokio::time::timeout(LAST_PROGRESS, heard.wait_for(|share| *share >= 1.0)).await;
    let text = result.content.iter().find_map(|block| Some(block.as_text()?.text.as_str())).unwrap_or_default();
    if result.is_error == Some(true) {
        return Err(Advice {
            message: format!("`{name}` failed\n{}", text.trim_start_matches("error: ")),
            hint: "`repertoire demo --headed` shows the browser at work".to_owned(),
        }
        .into());
    }
    let took = console.paint(Style::Good, &format!("  done in {}", response::seconds(took)));
    // An action without outputs says no more than that.
    let said = if text.starts_with("done: ") { "" } else { text };
    console.line(format!("{took}  {said}").trim_end());
    Ok(result)
}

/// The client's side: prints progress as it is heard.
struct Listener {
    console: Arc<Console>,
    /// The share of the running call that is done.
    heard: watch::Sender<f64>,
    steps: Mutex<Steps>,
}

impl ClientHandler for Listener {
    async fn on_progress(&self, notice: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        let text = format!("  {}", notice.message.unwrap_or_default());
        // Notices are handled beside each other: those that overtook an earlier one wait for it.
        self.steps.lock().unwrap_or_else(PoisonError::into_inner).take(notice.progress, text, &self.console);
        if let Some(total) = notice.total {
            self.heard.send_modify(|share| *share = share.max(notice.progress / total));
        }
    }
}

/// The steps of one call, printed in their order.
#[derive(Default)]
struct Steps {
    printed: u32,
    waiting: BTreeMap<u32, String>,
}

impl Steps {
    /// Takes a notice in: whole numbers are steps that have ended; all between is within a step, and passes.
    fn take(&mut self, progress: f64, text: String, console: &Console) {
        let has_ended = progress.fract() == 0.0;
        // Progress counts steps, of which there are few.
        let step = progress.ceil() as u32;
        if has_ended {
            self.waiting.insert(step, text);
        } else if step == self.printed + 1 {
            console.passing(&console.paint(Style::Dim, &text));
        }
        while let Some(text) = self.waiting.remove(&(self.printed + 1)) {
            console.line(&text);
            self.printed += 1;
        }
    }
}

/// What to try after the demonstration.
fn next(console: &Console) {
    let program = std::env::current_exe().map_or_else(|_| "repertoire".to_owned(), |path| path.display().to_string());
    console.line(&format!("\n{}", console.paint(Style::Bold, "What to try next")));
    for (what, how) in [
        ("Keep the shop up and watch it", format!("{program} demo --serve --headed")),
        ("Give the examples their secrets", "cp examples/actions/.env.example examples/actions/.env".to_owned()),
        (
            "Add them to Claude Code",
            format!("claude mcp add repertoire -- {program} serve --actions \"$PWD/examples/actions\""),
        ),
        ("Edit an action while connected", "examples/actions/shop/login.yaml: the next call runs the edit".to_owned()),
        ("Find every mistake at once", format!("{program} check examples/actions")),
    ] {
        console.line(&format!("  {what:33}{how}"));
    }
}
