//! What pages are told of where they run, what they keep, and whose browser it is.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use axum::response::Html;
use insta::assert_snapshot;
use repertoire::browser::{Deadline, Emulation, LaunchOptions, LoadState, Page, Session, StorageState, find};
use serde_json::json;

use crate::support::{deadline, evaluate};

fn options() -> LaunchOptions {
    LaunchOptions { path: std::env::var("PATH").ok(), ..LaunchOptions::default() }
}

/// A server that answers with the address it was asked for and two headers; also as a proxy.
async fn echo() -> String {
    let router = Router::new().fallback(|request: Request| async move {
        let header = |name: &str| {
            request.headers().get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned()
        };
        Html(format!("{} | {} | {}", request.uri(), header("accept-language"), header("x-team")))
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
    let address = format!("http://{}", listener.local_addr().expect("an address"));
    tokio::spawn(async move { axum::serve(listener, router).await.expect("served") });
    address
}

async fn at<'s>(session: &'s mut Session, url: &str) -> Page<'s> {
    let page = session.page(&deadline(30_000)).await.expect("a page");
    page.navigate(url, LoadState::Load, &deadline(10_000)).await.expect("navigated");
    page
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_are_told_where_they_run() {
    let site = echo().await;
    let mut session = Session::new(LaunchOptions {
        emulation: Emulation {
            locale: Some("de-CH".to_owned()),
            time_zone: Some("Asia/Tokyo".to_owned()),
            user_agent: Some("Repertoire/1".to_owned()),
            headers: vec![("X-Team".to_owned(), "shop".to_owned())],
            touch: false,
        },
        viewport: (400, 300),
        ..options()
    });
    let page = at(&mut session, &site).await;
    let told = "[document.body.textContent, navigator.userAgent, navigator.languages.join(), \
        Intl.NumberFormat().resolvedOptions().locale, new Date(0).toLocaleString(), innerWidth + 'x' + innerHeight]";
    assert_eq!(
        evaluate(&page, told).await,
        json!(["/ | de-CH,de;q=0.9 | shop", "Repertoire/1", "de-CH,de", "de-CH", "1.1.1970, 09:00:00", "400x300"])
    );
    session.set_viewport((800, 600), &deadline(5_000)).await.expect("set");
    session.open_tab(Some(&site), LoadState::Load, &deadline(10_000)).await.expect("opened");
    let page = session.page(&deadline(5_000)).await.expect("a page");
    assert_eq!(evaluate(&page, "[innerWidth, navigator.userAgent]").await, json!([800, "Repertoire/1"]));
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_time_zone_that_is_none_is_an_error() {
    let emulation = Emulation { time_zone: Some("Europe/Zuerich".to_owned()), ..Emulation::default() };
    let mut session = Session::new(LaunchOptions { emulation, ..options() });
    let error = session.page(&deadline(30_000)).await.err().expect("refused");
    assert_snapshot!(format!("{error}\nhint: {}", error.hint().unwrap_or_default()), @r"
    there is no time zone `Europe/Zuerich`
    hint: give `--time-zone` an IANA name such as `Europe/Zurich`
    ");
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_go_through_the_proxy() {
    let proxy = echo().await;
    let mut session = Session::new(LaunchOptions { proxy: Some(proxy), ..options() });
    let page = at(&mut session, "http://shop.test/list").await;
    assert_eq!(evaluate(&page, "document.body.textContent.split(' ')[0]").await, "http://shop.test/list");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sign_in_is_carried_to_another_browser() {
    let site = echo().await;
    let mut session = Session::new(options());
    let page = at(&mut session, &site).await;
    evaluate(&page, "document.cookie = 'session=ada; max-age=1000'; localStorage.theme = 'dark'").await;
    let state = session.storage_state(&deadline(10_000)).await.expect("a state");
    let tabs = session.tabs(&deadline(5_000)).await.expect("tabs");
    assert_eq!(tabs.len(), 1, "the tab that reads storage is nobody's");
    session.close().await;

    let file = tempfile::NamedTempFile::new().expect("a file");
    serde_json::to_writer(&file, &state).expect("written");
    let mut session = Session::new(LaunchOptions { storage_state: Some(file.path().into()), ..options() });
    let page = at(&mut session, &site).await;
    assert_eq!(evaluate(&page, "document.cookie + ' ' + localStorage.theme").await, "session=ada dark");
    // Replaced, not merged.
    session.restore(&StorageState::default(), &deadline(10_000)).await.expect("restored");
    let page = at(&mut session, &site).await;
    assert_eq!(evaluate(&page, "document.cookie").await, "");
    session.close().await;
}

/// A browser that somebody else started.
struct Foreign {
    child: Child,
    profile: tempfile::TempDir,
}

impl Foreign {
    fn start() -> Foreign {
        let profile = tempfile::tempdir().expect("a directory");
        let executable = find(None, &|name| std::env::var(name).ok()).expect("a browser");
        let child = Command::new(executable)
            .args(["--headless=new", "--remote-debugging-port=0", "--no-first-run", "--no-sandbox"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .arg("data:text/html,<title>mine</title>")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("started");
        Foreign { child, profile }
    }

    async fn endpoint(&self) -> String {
        let limit: Deadline = deadline(30_000);
        loop {
            let port = std::fs::read_to_string(self.profile.path().join("DevToolsActivePort")).unwrap_or_default();
            if let Some(port) = port.lines().next().filter(|_| port.lines().count() > 1) {
                return format!("http://127.0.0.1:{port}");
            }
            limit.pause(Duration::from_millis(50)).await.expect("the port in time");
        }
    }
}

impl Drop for Foreign {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_runs_already_is_used_and_let_go() {
    let mut foreign = Foreign::start();
    let endpoint = foreign.endpoint().await;
    let attached = || Session::new(LaunchOptions { endpoint: Some(endpoint.clone()), ..options() });
    let mut session = attached();
    let page = session.page(&deadline(30_000)).await.expect("a page");
    // Its first page may still be on its way.
    let limit = deadline(10_000);
    while page.title(&limit).await.expect("a title") != "mine" {
        limit.pause(Duration::from_millis(20)).await.expect("the page in time");
    }
    let site = echo().await;
    at(&mut session, &site).await;
    session.close().await;
    assert!(foreign.child.try_wait().expect("asked").is_none(), "it goes on");
    let mut session = attached();
    let page = session.page(&deadline(30_000)).await.expect("a page");
    assert_eq!(page.url().expect("an address"), format!("{site}/"));
    drop(foreign);
    // A session that loses such a browser says so, and how one is had.
    session.begin_run(&deadline(5_000)).await;
    let error = session.page(&deadline(30_000)).await.err().expect("gone");
    assert_snapshot!(format!("{error}\nhint: {}", error.hint().unwrap_or_default()).replace(&endpoint, "ENDPOINT"), @r"
    can't use the browser at `ENDPOINT`: Connection refused (os error 111)
    hint: start the browser with `--remote-debugging-port=9222 --user-data-dir=DIR` and give `http://127.0.0.1:9222`
    ");
}
