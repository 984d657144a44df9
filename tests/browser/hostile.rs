//! Pages that make it hard: frames that move between processes, servers that don't answer, broken text.

use std::time::Duration;

use insta::assert_snapshot;
use repertoire::browser::{ClickOptions, Error, LoadState, Reading};
use serde_json::json;
use tokio::net::TcpListener;

use crate::support::{Site, deadline, element, session};

const LIMIT: u64 = 15_000;

/// Frames of other sites that stand in the markup: their own process tells of them before their parent does.
#[tokio::test(flavor = "multi_thread")]
async fn frames_of_other_sites_are_never_lost() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/inner", "<label>Card <input></label>");
    let frames: String = (0..4)
        .map(|number| format!("<iframe title=F{number} src='{}'></iframe>", site.other_origin("/inner")))
        .collect();
    site.set("/", &format!("{frames}<iframe sandbox title=Sandboxed src=/inner></iframe>"));
    let page = session.page(&deadline(30_000)).await.expect("a page");
    for _ in 0..3 {
        page.navigate(&site.url("/"), LoadState::Load, &deadline(LIMIT)).await.expect("navigated");
        for title in ["F0", "F1", "F2", "F3", "Sandboxed"] {
            let field = element(&format!("frame:title:{title} >> label:Card"));
            page.fill(&field, "4242", false, &deadline(LIMIT)).await.expect("filled");
        }
    }
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn half_a_character_harms_nothing() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/", "<button>Save</button><script>document.querySelector('button').append(' \\ud83d')</script>");
    let page = session.page(&deadline(30_000)).await.expect("a page");
    page.navigate(&site.url("/"), LoadState::Load, &deadline(LIMIT)).await.expect("navigated");
    let text = page.read("get_text", &element("role:button"), &Reading::Text, &deadline(LIMIT)).await.expect("read");
    assert_eq!(text, "Save \u{fffd}");
    let value = page.evaluate("'x \\ud83d'", &[], &deadline(LIMIT)).await.expect("evaluated");
    assert_eq!(value, "x \u{fffd}");
    session.close().await;
}

/// A link to a server that accepts and never answers: the click is done, the error says so, and the page can be read.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_does_not_answer_does_not_block_the_page() {
    let (site, mut session) = (Site::start().await, session());
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = format!("http://{}/", silent.local_addr().expect("an address"));
    let body =
        "<form action=ADDRESS><input type=checkbox onchange='this.form.submit()'></form><a href=ADDRESS>Slow</a>";
    site.set("/", &body.replace("ADDRESS", &address));
    let page = session.page(&deadline(30_000)).await.expect("a page");
    page.navigate(&site.url("/"), LoadState::Load, &deadline(LIMIT)).await.expect("navigated");
    // A limit of the step's own holds, however long the action may take.
    let limit = || deadline(60_000).strictly_within(Duration::from_secs(2));
    let clicked = page.click(&element("role:link"), &ClickOptions::default(), &limit()).await;
    let checked = page.set_checked(&element("role:checkbox"), true, false, &limit()).await;
    let told = [clicked, checked].map(|outcome| outcome.expect_err("no answer").to_string());
    assert_snapshot!(told.join("\n").replace(&site.url("/"), "SITE/"), @r"
    can't open `SITE/`: the action was done, and the server has not answered within 2s
    can't open `SITE/`: the action was done, and the server has not answered within 2s
    ");
    let opened = page.navigate(&address, LoadState::Load, &deadline(1_000)).await;
    assert!(matches!(opened, Err(Error::Navigation { .. })), "{opened:?}");
    let text = page.read("get_text", &element("role:link"), &Reading::Text, &deadline(LIMIT)).await.expect("read");
    assert_eq!(text, "Slow");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn scripts_are_expressions_functions_programs_or_bodies() {
    let mut session = session();
    let page = session.page(&deadline(30_000)).await.expect("a page");
    for (script, value) in [
        ("({ a: 1 })", json!({ "a": 1 })),
        ("{ a: 1 }", json!({ "a": 1 })),
        ("(a, b) => a + b", json!(5)),
        ("const q = 5; q * 2", json!(10)),
        ("const q = 6; q * 2", json!(12)),
        ("const q = 7; return q", json!(7)),
        ("await Promise.resolve(8)", json!(8)),
        ("undefined", json!(null)),
    ] {
        let answer = page.evaluate(script, &[2.into(), 3.into()], &deadline(LIMIT)).await;
        assert_eq!(answer.unwrap_or_else(|error| panic!("{script}: {error}")), value, "{script}");
    }
    for (script, why) in [("window", "nested too deep"), ("[1n]", "`BigInt`")] {
        let refused = page.evaluate(script, &[], &deadline(LIMIT)).await.expect_err("no JSON");
        assert!(refused.to_string().contains(why), "{refused}");
    }
    let thrown = page.evaluate("document.nope.x", &[], &deadline(LIMIT)).await.expect_err("throws");
    assert_eq!(
        thrown.to_string().lines().next(),
        Some("the script threw: TypeError: Cannot read properties of undefined (reading 'x')")
    );
    session.close().await;
}

/// A payment that is slower than a step's limit is waited for, not sent twice; a box that submits is done when it has.
#[tokio::test(flavor = "multi_thread")]
async fn what_submits_is_done_once() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/", "<form action=/done><label><input type=checkbox name=a onchange='this.form.submit()'> Agree</label></form><a href=/done target=_blank>New tab</a>");
    site.set("/done", "<h1>Done</h1>");
    let page = session.page(&deadline(30_000)).await.expect("a page");
    page.navigate(&site.url("/"), LoadState::Load, &deadline(LIMIT)).await.expect("navigated");
    page.set_checked(&element("role:checkbox"), true, false, &deadline(LIMIT)).await.expect("checked");
    assert_eq!(page.url().expect("an address"), site.url("/done?a=on"));
    page.navigate(&site.url("/"), LoadState::Load, &deadline(LIMIT)).await.expect("navigated");
    page.click(&element("role:link"), &ClickOptions::default(), &deadline(LIMIT)).await.expect("clicked");
    assert_eq!(page.url().expect("the new tab's address"), site.url("/done"));
    session.close().await;
}
