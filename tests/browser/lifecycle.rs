//! The session outlives what happens to its browser, and no browser outlives the session.

use repertoire::browser::{Error, LaunchOptions, LoadState, Session};

use crate::support::{Site, browser, deadline, gone, session};

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_browser_costs_one_relaunch() {
    let site = Site::start().await;
    site.set("/", "<h1>Hello</h1>");
    let profile = tempfile::tempdir().expect("a directory");
    let marker = profile.path().display().to_string();
    let mut session = Session::new(LaunchOptions {
        profile: Some(profile.path().into()),
        path: std::env::var("PATH").ok(),
        ..LaunchOptions::default()
    });
    let page = session.page(&deadline(30_000)).await.expect("a page");
    page.navigate(&site.url("/"), LoadState::Load, &deadline(10_000)).await.expect("navigated");
    let main = browser(profile.path());
    let killed = rustix::process::Pid::from_raw(main.cast_signed()).expect("a process");
    rustix::process::kill_process(killed, rustix::process::Signal::KILL).expect("killed");
    // The run under way is told; the next one gets a new browser.
    let ended = match session.page(&deadline(30_000)).await {
        Ok(page) => page.navigate(&site.url("/"), LoadState::Load, &deadline(10_000)).await.map(drop),
        Err(error) => Err(error),
    };
    assert!(matches!(ended, Err(Error::Closed)), "{ended:?}");
    session.begin_run(&deadline(30_000)).await;
    let page = session.page(&deadline(30_000)).await.expect("a new browser");
    page.navigate(&site.url("/"), LoadState::Load, &deadline(10_000)).await.expect("navigated");
    assert_eq!(session.take_notes(), ["the browser had ended and was started anew"]);
    assert_eq!(session.launches(), 2);
    session.close().await;
    assert!(gone(&marker).await);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crashed_page_is_replaced() {
    let mut session = session();
    let page = session.page(&deadline(30_000)).await.expect("a page");
    let crash = page
        .navigate(
            "data:text/html,<script>for (let a = []; ; ) a.push(new Array(1e7).fill(1))</script>",
            LoadState::Load,
            &deadline(180_000),
        )
        .await;
    assert!(matches!(crash, Err(Error::PageCrashed)), "{crash:?}");
    session.begin_run(&deadline(30_000)).await;
    let page = session.page(&deadline(30_000)).await.expect("a new page");
    page.navigate("data:text/html,<title>fine</title>", LoadState::Load, &deadline(10_000)).await.expect("navigated");
    assert_eq!(page.title(&deadline(10_000)).await.expect("a title"), "fine");
    assert_eq!(session.launches(), 1);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_in_use_names_its_holder() {
    let profile = tempfile::tempdir().expect("a directory");
    let options = LaunchOptions {
        profile: Some(profile.path().into()),
        path: std::env::var("PATH").ok(),
        ..LaunchOptions::default()
    };
    let (mut first, mut second) = (Session::new(options.clone()), Session::new(options));
    first.page(&deadline(30_000)).await.expect("a page");
    let error = second.page(&deadline(30_000)).await.map(drop).expect_err("in use");
    assert!(matches!(&error, Error::ProfileInUse { holder: Some(_), .. }), "{error}");
    first.close().await;
    second.page(&deadline(30_000)).await.expect("free again");
    second.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_executable_that_is_no_browser_is_quoted() {
    let options = LaunchOptions { executable: Some("/bin/false".into()), ..LaunchOptions::default() };
    let error = Session::new(options).page(&deadline(30_000)).await.map(drop).expect_err("no browser");
    assert_eq!(error.to_string(), "Chromium did not start: it ended with exit status: 1");
}
