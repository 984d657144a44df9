//! Pages and processes that end or hang: the call that meets it says so at once, and the next one works.

use std::path::Path;
use std::time::{Duration, Instant};

use insta::assert_snapshot;
use repertoire::browser::{ClickOptions, Error, LaunchOptions, LoadState, Session, TabChoice};

use super::{LIMIT, click, words};
use crate::support::{Site, browser, deadline, element, evaluate, open, parent, processes, session};

/// A session whose browser's processes can be told from those of others.
fn marked(profile: &Path) -> Session {
    let path = std::env::var("PATH").ok();
    Session::new(LaunchOptions { profile: Some(profile.into()), path, ..LaunchOptions::default() })
}

fn memory(pid: u32) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|memory| memory.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// Kills the process of the page that takes the most memory.
fn kill_largest(profile: &Path) {
    let browser = browser(profile);
    let below = |mut pid: u32| {
        while pid > 1 && pid != browser {
            pid = parent(pid);
        }
        pid == browser
    };
    let largest = processes("--type=renderer").into_iter().filter(|pid| below(*pid)).max_by_key(|pid| memory(*pid));
    kill(largest.expect("a page's process"));
}

fn kill(pid: u32) {
    let pid = rustix::process::Pid::from_raw(pid.cast_signed()).expect("a process");
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).expect("killed");
}

/// Fills memory, so that the process of this page is the largest.
const LARGE: &str = "void (window.large = new Uint8Array(15e7).fill(1))";

#[tokio::test(flavor = "multi_thread")]
async fn a_crash_in_the_middle_of_a_call_ends_it() {
    let (site, profile) = (Site::start().await, tempfile::tempdir().expect("a directory"));
    let mut session = marked(profile.path());
    let limit = deadline(LIMIT);
    let began = Instant::now();
    // The active page.
    let page = open(&mut session, &site, "<h1>One</h1>").await;
    evaluate(&page, LARGE).await;
    let pending = page.evaluate("new Promise(() => {})", &[], &limit);
    let killer = async { kill_largest(profile.path()) };
    let (crashed, ()) = tokio::join!(pending, killer);
    assert!(matches!(crashed, Err(Error::PageCrashed)), "{crashed:?}");
    session.begin_run(&limit).await;
    // An iframe in a process of its own.
    site.set("/frame", &format!("<button>Inner</button><script>{LARGE}</script>"));
    open(&mut session, &site, &format!("<iframe src='{}'></iframe>", site.other_origin("/frame"))).await;
    let page = session.page(&limit).await.expect("a page");
    let inner = element("frame:css:iframe >> role:button");
    page.hover(&inner, &ClickOptions::default(), &limit).await.expect("it is there");
    kill_largest(profile.path());
    let crashed = page.hover(&inner, &ClickOptions::default(), &deadline(2_000)).await.expect_err("crashed");
    assert_eq!(evaluate(&page, "1 + 1").await, 2);
    page.reload(LoadState::Load, &limit).await.expect("reloaded");
    page.hover(&inner, &ClickOptions::default(), &limit).await.expect("it is there again");
    assert_snapshot!(words(&crashed), @"an iframe of the page has crashed | `reload` the page");
    // A tab in the background.
    session.open_tab(Some(&site.other_origin("/frame")), LoadState::Load, &limit).await.expect("opened");
    let first = session.tabs(&limit).await.expect("tabs").remove(0).id;
    session.switch_tab(&TabChoice::Id(first), &limit).await.expect("switched");
    session.take_notes();
    kill_largest(profile.path());
    while session.take_notes().is_empty() {
        limit.pause(Duration::from_millis(5)).await.expect("a note");
    }
    assert!(began.elapsed() < Duration::from_secs(30));
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_browser_that_ends_in_the_middle_of_a_call_ends_it() {
    let (site, profile) = (Site::start().await, tempfile::tempdir().expect("a directory"));
    let mut session = marked(profile.path());
    let limit = deadline(LIMIT);
    let page = open(&mut session, &site, "<h1>One</h1>").await;
    let pending = page.evaluate("new Promise(() => {})", &[], &limit);
    let killer = async { kill(browser(profile.path())) };
    let (ended, ()) = tokio::join!(pending, killer);
    assert_snapshot!(words(&ended.expect_err("ended")), @"the browser has ended | call again: the next call starts a new browser, with a new profile unless `--profile` is set");
    session.begin_run(&limit).await;
    open(&mut session, &site, "<h1>Anew</h1>").await;
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tab_that_closes_itself_ends_the_call_in_it() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/two", "Two");
    open(&mut session, &site, "<a href=/two target=_blank rel=opener>Open</a>").await;
    click(&mut session, "role:link").await.expect("clicked");
    let limit = deadline(LIMIT);
    let page = session.page(&limit).await.expect("a page");
    let closed = page.evaluate("setTimeout(close, 50); new Promise(() => {})", &[], &limit).await.expect_err("closed");
    assert_snapshot!(words(&closed), @"the page was closed | call again, starting with `navigate`: the next step gets a page that works");
    assert_eq!(session.url(), Some(site.url("/")));
    session.close().await;
}

/// Endless loops: the call that meets one says so, and after it the page answers again.
#[tokio::test(flavor = "multi_thread")]
async fn endless_scripts_are_ended() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/busy", "<h1>Busy</h1><script>onload = () => { for (;;); }</script>");
    open(&mut session, &site, "<button onclick='for (;;);'>Hang</button><h1>Heading</h1>").await;
    let short = || deadline(1_500);
    let mut seen = Vec::new();
    let page = session.page(&short()).await.expect("a page");
    seen.push(words(&page.evaluate("for (;;);", &[], &short()).await.expect_err("endless")));
    assert_eq!(evaluate(&page, "1 + 1").await, 2);
    let hang = page.click(&element("role:button"), &Default::default(), &short()).await;
    seen.push(words(&hang.expect_err("endless")));
    let page = session.page(&deadline(LIMIT)).await.expect("a page");
    assert_eq!(evaluate(&page, "document.querySelector('h1').textContent").await, "Heading");
    let load = page.navigate(&site.url("/busy"), LoadState::Load, &short()).await;
    seen.push(words(&load.expect_err("endless")).replace(&site.url(""), "SITE"));
    seen.push(words(&page.hover(&element("h1"), &ClickOptions::default(), &short()).await.expect_err("endless")));
    let page = session.page(&deadline(LIMIT)).await.expect("a page");
    assert_eq!(page.title(&short()).await.expect("a title"), "/busy");
    seen.extend(session.take_notes());
    assert_snapshot!(seen.join("\n"), @r"
    timed out after 1s 500ms | give the step a longer `timeout`, or wait for what it depends on first
    the page did not answer while `role:button` was looked for | the page does not answer: a script in it may be busy; `reload`, or `navigate` elsewhere
    can't open `SITE/busy`: `load` did not come within 1s 500ms, only `DOMContentLoaded` did
    the page did not answer while `text:h1` was looked for | the page does not answer: a script in it may be busy; `reload`, or `navigate` elsewhere
    ended a script that kept the page busy
    ended a script that kept the page busy
    ");
    session.close().await;
}

/// Floods and sabotage: a thousand iframes, addresses that change all the time, nodes without end, overwritten built-ins.
#[tokio::test(flavor = "multi_thread")]
async fn floods_and_sabotage_are_survived() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(
        &mut session,
        &site,
        "<button onclick='this.textContent = `clicked`'>Save</button><div id=flood></div><script>
        setInterval(() => { for (let i = 0; i < 500; i++) flood.append(document.createElement('i')); if (flood.childElementCount > 20000) flood.replaceChildren() }, 20);
        setInterval(() => history.pushState(0, '', '?' + Math.random()), 5);
        for (let i = 0; i < 100; i++) document.body.append(document.createElement('iframe'));
        setInterval(() => document.querySelectorAll('iframe').forEach((frame, i) => i % 100 || frame.replaceWith(document.createElement('iframe'))), 20);
        for (const name of ['Promise', 'Map', 'JSON', 'Array', 'Object', 'setTimeout', 'requestAnimationFrame', 'getComputedStyle']) { try { window[name] = () => { throw 'sabotage' } } catch {} }
        Element.prototype.getBoundingClientRect = Document.prototype.elementFromPoint = () => null;
        EventTarget.prototype.addEventListener = () => { throw 'sabotage' };
        </script>",
    )
    .await;
    let limit = deadline(LIMIT);
    page.click(&element("role:button[Save]"), &Default::default(), &limit).await.expect("clicked");
    page.hover(&element("role:button[clicked]"), &ClickOptions::default(), &limit).await.expect("it was clicked");
    page.navigate("about:blank", LoadState::Load, &limit).await.expect("away");
    session.close().await;
}

/// What a browser would ask its user is refused without a prompt, or at least holds nothing else up.
#[tokio::test(flavor = "multi_thread")]
async fn permissions_are_refused_without_a_prompt() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(&mut session, &site, "<button onclick='this.textContent = `clicked`'>Save</button>").await;
    let mut seen = Vec::new();
    for script in [
        "new Promise(done => navigator.geolocation.getCurrentPosition(() => done('granted'), error => done(error.message)))",
        "Notification.requestPermission()",
        "navigator.mediaDevices.getUserMedia({ video: true, audio: true }).then(() => 'granted', error => error.name)",
        "navigator.clipboard.readText().then(() => 'granted', error => error.name)",
        "navigator.requestMIDIAccess({ sysex: true }).then(() => 'granted', error => error.name)",
        "showOpenFilePicker().then(() => 'granted', error => error.name)",
    ] {
        let answer = page.evaluate(script, &[], &deadline(3_000)).await;
        seen.push(answer.map_or_else(|error| words(&error), |answer| answer.to_string()));
    }
    assert_snapshot!(seen.join("\n"), @r#"
    "User denied Geolocation"
    "denied"
    "NotFoundError"
    "NotAllowedError"
    "NotAllowedError"
    "AbortError"
    "#);
    for script in ["navigator.usb.requestDevice({ filters: [] })", "navigator.mediaDevices.getDisplayMedia()"] {
        evaluate(&page, &format!("void {script}.catch(() => {{}})")).await;
        page.click(&element("role:button"), &Default::default(), &deadline(LIMIT)).await.expect(script);
        page.screenshot(&repertoire::browser::Clip::Viewport, Default::default(), &deadline(LIMIT))
            .await
            .expect(script);
    }
    session.close().await;
}
