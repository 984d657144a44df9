//! Dialogs nobody expects are answered by default and told; none ever makes a call hang.

use std::time::Duration;

use insta::{assert_debug_snapshot, assert_snapshot};
use repertoire::browser::{DialogReply, Error, Expected, LoadState, Session};

use super::{LIMIT, click, click_expecting, words};
use crate::support::{Site, deadline, element, evaluate, open, session};

fn accept() -> DialogReply {
    DialogReply::Accept { text: None }
}

fn expecting(reply: DialogReply) -> Expected {
    Expected { dialog: Some(reply.into()), ..Expected::default() }
}

/// In click, change and load handlers, in evaluated scripts, iframes, popups and unloads.
#[tokio::test(flavor = "multi_thread")]
async fn wherever_they_open_they_are_answered() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/frame", "<button onclick='alert(`in a frame`)'>Inner</button>");
    site.set("/loud", "<script>alert('while loading'); onload = () => alert('loaded'); onpagehide = () => alert('unloading')</script>");
    let body = format!(
        "<button id=alert onclick='alert(`clicked`)'>Alert</button>
        <button id=two onclick='out.textContent = [confirm(`one`), prompt(`two`, `x`)]'>Two</button>
        <input id=field onchange='alert(`changed`)'><output id=out></output>
        <a id=popup href=/loud target=_blank>Popup</a>
        <iframe title=Same src=/frame></iframe><iframe title=Other src='{}'></iframe>",
        site.other_origin("/frame")
    );
    let page = open(&mut session, &site, &body).await;
    let limit = deadline(LIMIT);
    page.fill(&element("#field"), "x", false, &limit).await.expect("filled");
    assert_eq!(evaluate(&page, "confirm('evaluated')").await, false);
    assert_eq!(evaluate(&page, "window.print(); 7").await, 7);
    for selector in ["#alert", "#two", "frame:title:Same >> role:button", "frame:title:Other >> role:button", "#popup"]
    {
        click(&mut session, selector).await.expect(selector);
    }
    session.page(&limit).await.expect("a page").wait_for_load(LoadState::Load, &limit).await.expect("loaded");
    session.close_tab(None, &limit).await.expect("closed");
    let page = session.page(&limit).await.expect("a page");
    assert_eq!(evaluate(&page, "out.textContent").await, "false,");
    page.navigate(&site.url("/loud"), LoadState::Load, &limit).await.expect("navigated");
    page.navigate(&site.url("/frame"), LoadState::Load, &limit).await.expect("navigated");
    assert_debug_snapshot!(session.take_notes(), @r#"
    [
        "dismissed a dialog (confirm) of the page: evaluated",
        "accepted a dialog (alert) of the page: changed",
        "accepted a dialog (alert) of the page: clicked",
        "dismissed a dialog (confirm) of the page: one",
        "dismissed a dialog (prompt) of the page: two",
        "accepted a dialog (alert) of the page: in a frame",
        "accepted a dialog (alert) of the page: in a frame",
        "the page opened the tab `t2`, which is active now",
        "accepted a dialog (alert) of the page: while loading",
        "accepted a dialog (alert) of the page: loaded",
        "accepted a dialog (alert) of the page: while loading",
        "accepted a dialog (alert) of the page: loaded",
    ]
    "#);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_can_be_given_in_advance() {
    let (site, mut session) = (Site::start().await, session());
    open(
        &mut session,
        &site,
        "<button onclick='out.textContent = prompt(`Name?`)'>Ask</button><output id=out></output>",
    )
    .await;
    let answer = DialogReply::Accept { text: Some("Ada".to_owned()) };
    assert_eq!(session.handle_dialog(answer, 2, &deadline(LIMIT)).await.expect("set"), None);
    let mut seen = Vec::new();
    for _ in 0..3 {
        click(&mut session, "role:button").await.expect("clicked");
        let page = session.page(&deadline(LIMIT)).await.expect("a page");
        seen.push(evaluate(&page, "out.textContent").await);
    }
    assert_eq!(seen, ["Ada", "Ada", ""]);
    assert_debug_snapshot!(session.take_notes(), @r#"
    [
        "accepted a dialog (prompt) of the page, as `handle_dialog` asked: Name?",
        "accepted a dialog (prompt) of the page, as `handle_dialog` asked: Name?",
        "dismissed a dialog (prompt) of the page: Name?",
    ]
    "#);
    session.close().await;
}

/// Opens a question by a timer after a run has ended, and waits until it is there.
async fn left_open(session: &mut Session) {
    let limit = deadline(LIMIT);
    let page = session.page(&limit).await.expect("a page");
    evaluate(&page, "void setTimeout(() => { document.title = confirm('Still there?') }, 500)").await;
    session.end_run();
    while session.open_dialogs().is_empty() {
        limit.pause(Duration::from_millis(5)).await.expect("a dialog");
    }
}

/// A dialog between two calls: the next one answers it, or dismisses it and says so.
#[tokio::test(flavor = "multi_thread")]
async fn what_opens_between_calls_waits_for_the_next() {
    let (site, mut session) = (Site::start().await, session());
    open(&mut session, &site, "").await;
    let limit = deadline(LIMIT);
    left_open(&mut session).await;
    let open = session.handle_dialog(accept(), 1, &limit).await.expect("answered").expect("was open");
    assert_eq!(open.message, "Still there?");
    let page = session.page(&limit).await.expect("a page");
    assert_eq!(page.title(&limit).await.expect("a title"), "true");
    left_open(&mut session).await;
    session.begin_run(&limit).await;
    let page = session.page(&limit).await.expect("a page");
    assert_eq!(page.title(&limit).await.expect("a title"), "false");
    assert_debug_snapshot!(session.take_notes(), @r#"
    [
        "dismissed a dialog (confirm) of the page, which was open before this command: Still there?",
    ]
    "#);
    // Nobody comes back: the end of the session isn't held up.
    left_open(&mut session).await;
    assert!(session.close().await);
}

#[tokio::test(flavor = "multi_thread")]
async fn leaving_a_page_is_a_question_too() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/next", "<h1>Next</h1>");
    let body = "<button>Touch</button><a href=/next>Leave</a>
        <script>onbeforeunload = event => event.preventDefault()</script>";
    let mut seen = Vec::new();
    for reply in [DialogReply::Dismiss, accept()] {
        for way in ["navigate", "reload", "click", "close"] {
            open(&mut session, &site, body).await;
            let limit = deadline(LIMIT);
            // A page that nobody touched may not ask.
            click(&mut session, "role:button").await.expect("touched");
            let left = if way == "click" {
                click_expecting(&mut session, "role:link", expecting(reply.clone()), LIMIT).await.map(drop)
            } else {
                let armed = session.expect(expecting(reply.clone()), &limit).await.expect("armed");
                let left = match way {
                    "close" => session.close_tab(None, &limit).await.map(drop),
                    way => {
                        let page = session.page(&limit).await.expect("a page");
                        match way {
                            "reload" => page.reload(LoadState::Load, &limit).await.map(drop),
                            _ => page.navigate(&site.url("/next"), LoadState::Load, &limit).await.map(drop),
                        }
                    }
                };
                session.fulfil(armed, &deadline(1_000)).await.map(drop).and(left)
            };
            let told = left.map_or_else(|error| words(&error), |()| "left".to_owned());
            let url = session.url().unwrap_or_default();
            seen.push(format!("{way}, {reply:?}: {told} → {url}").replace(&site.url(""), "SITE"));
        }
    }
    open(&mut session, &site, body).await;
    click(&mut session, "role:button").await.expect("touched");
    click(&mut session, "role:link").await.expect("left");
    seen.extend(session.take_notes());
    assert_snapshot!(seen.join("\n"), @r"
    navigate, Dismiss: can't open `SITE/next`: the page asked whether to leave it, and the answer was to stay → SITE/
    reload, Dismiss: can't open `SITE/`: the page asked whether to leave it, and the answer was to stay → SITE/
    click, Dismiss: left → SITE/
    close, Dismiss: the tab stays open: its question whether to leave the page was dismissed | accept the dialog, or save what the page holds first → SITE/
    navigate, Accept { text: None }: left → SITE/next
    reload, Accept { text: None }: left → SITE/
    click, Accept { text: None }: left → SITE/next
    close, Accept { text: None }: left → about:blank
    left the page in spite of a dialog (beforeunload) of the page
    left the page in spite of a dialog (beforeunload) of the page
    left the page in spite of a dialog (beforeunload) of the page
    left the page in spite of a dialog (beforeunload) of the page
    left the page in spite of a dialog (beforeunload) of the page
    ");
    session.close().await;
}

/// A loop of dialogs ends the page, a timer of them only gets its answers.
#[tokio::test(flavor = "multi_thread")]
async fn a_storm_of_dialogs_is_bounded() {
    let (site, mut session) = (Site::start().await, session());
    open(&mut session, &site, "<button onclick='for (;;) alert(`again`)'>Storm</button>").await;
    let page = session.page(&deadline(LIMIT)).await.expect("a page");
    evaluate(&page, "void setInterval(() => { if (++n < 8) alert('tick') }, 10, n = 0)").await;
    let limit = deadline(LIMIT);
    let storm = click(&mut session, "role:button").await.expect_err("ended");
    assert!(matches!(storm, Error::Dialogs { .. }), "{storm}");
    assert_snapshot!(words(&storm), @"the page opened 101 dialogs one after the other and was ended | avoid what starts the loop; the next step gets a page that works");
    assert!(limit.remaining() > Duration::from_secs(5), "{:?} left", limit.remaining());
    assert!(session.take_notes().len() <= 20);
    session.begin_run(&limit).await;
    open(&mut session, &site, "<h1>Fine</h1>").await;
    session.close().await;
}
