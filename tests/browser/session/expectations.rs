//! What a step expects is armed before the act and collected after it.

use insta::{assert_debug_snapshot, assert_snapshot};
use repertoire::browser::{DialogReply, DownloadLimit, Expected, ExpectedDialog, Fulfilled};
use repertoire::selector::TextMatch;

use super::{LIMIT, click_expecting, words};
use crate::support::{Site, deadline, evaluate, open, session};

fn dialog(reply: DialogReply, message: Option<&str>) -> Expected {
    let message = message.map(|message| TextMatch::parse(message).expect("a text"));
    Expected { dialog: Some(ExpectedDialog { reply, message }), ..Expected::default() }
}

#[tokio::test(flavor = "multi_thread")]
async fn dialogs_are_answered_as_expected() {
    let (site, mut session) = (Site::start().await, session());
    let accept = |text: Option<&str>| DialogReply::Accept { text: text.map(str::to_owned) };
    open(
        &mut session,
        &site,
        "<button id=ask onclick='out.textContent = confirm(`Sure?`)'>Ask</button>
        <button id=name onclick='out.textContent = prompt(`Name?`, `Ada`)'>Name</button>
        <button id=later onclick='setTimeout(() => out.textContent = confirm(`Later?`), 300)'>Later</button>
        <button id=two onclick='out.textContent = [confirm(`One?`), confirm(`Two?`)]'>Two</button>
        <button id=none>None</button><output id=out></output>",
    )
    .await;
    let mut seen = Vec::new();
    for (selector, expected) in [
        ("#ask", dialog(accept(None), None)),
        ("#ask", dialog(DialogReply::Dismiss, Some("Sure"))),
        ("#name", dialog(accept(None), None)),
        ("#name", dialog(accept(Some("Grace")), Some("\"Name?\""))),
        ("#later", dialog(accept(None), Some("/^later/i"))),
        ("#two", dialog(accept(None), None)),
        ("#ask", dialog(accept(None), Some("Delete"))),
        ("#none", dialog(accept(None), None)),
    ] {
        let fulfilled = click_expecting(&mut session, selector, expected, 1_500).await;
        let told = match fulfilled {
            Ok(fulfilled) => format!("{:?}", fulfilled.dialog.expect("a dialog")),
            Err(error) => words(&error),
        };
        let out = evaluate(&session.page(&deadline(LIMIT)).await.expect("a page"), "out.textContent").await;
        seen.push(format!("{selector}: {told} → {out}"));
    }
    assert_snapshot!(seen.join("\n"), @r#"
    #ask: Dialog { kind: Confirm, message: "Sure?", default_value: "" } → "true"
    #ask: Dialog { kind: Confirm, message: "Sure?", default_value: "" } → "false"
    #name: Dialog { kind: Prompt, message: "Name?", default_value: "Ada" } → "Ada"
    #name: Dialog { kind: Prompt, message: "Name?", default_value: "Ada" } → "Grace"
    #later: Dialog { kind: Confirm, message: "Later?", default_value: "" } → "true"
    #two: Dialog { kind: Confirm, message: "One?", default_value: "" } → "true,false"
    #ask: another dialog (confirm) opened and was dismissed; one with `Delete` was expected: Sure? | correct the expected message, or leave it out to take any dialog → "false"
    #none: no dialog opened within 1s 500ms | check with a screenshot whether it is a part of the page: only `alert`, `confirm`, `prompt` and the question before leaving a page are dialogs → "false"
    "#);
    assert_debug_snapshot!(session.take_notes(), @r#"
    [
        "dismissed a dialog (confirm) of the page: Two?",
    ]
    "#);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn tabs_and_downloads_come_as_expected() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/two", "<h1>Two</h1>");
    open(
        &mut session,
        &site,
        "<a id=blank href=/two target=_blank>Blank</a>
        <a id=later href=# onclick='setTimeout(() => window.open(`/two`), 200); return false'>Later</a>
        <a id=written href=# onclick='window.open().document.write(`<title>Written</title>`); return false'>Written</a>
        <a id=shy href=# onclick='window.open(`/two`).close(); return false'>Shy</a>
        <a id=file href='data:text/plain,hello' download='hi.txt'>File</a>
        <a id=none href=#>None</a>",
    )
    .await;
    let tab = || Expected { opens: true, ..Expected::default() };
    let mut seen = Vec::new();
    for selector in ["#blank", "#later", "#written", "#shy", "#none"] {
        let told = match click_expecting(&mut session, selector, tab(), 1_500).await {
            Ok(fulfilled) => format!("{:?}", fulfilled.opened.expect("a tab")),
            Err(error) => words(&error),
        };
        seen.push(format!("{selector}: {told}").replace(&site.url(""), "SITE"));
        if session.tabs(&deadline(LIMIT)).await.expect("tabs").len() > 1 {
            session.close_tab(None, &deadline(LIMIT)).await.expect("closed");
        }
    }
    for (selector, max_bytes) in [("#file", 5), ("#file", 4), ("#none", 5)] {
        let expected = Expected { download: Some(DownloadLimit { max_bytes }), ..Expected::default() };
        let told = match click_expecting(&mut session, selector, expected, 1_500).await {
            Ok(Fulfilled { download: Some(download), .. }) => {
                let content = std::fs::read_to_string(download.file()).expect("a file");
                format!("{} {} {} {content}", download.name, download.url, download.bytes)
            }
            Ok(other) => format!("{other:?}"),
            Err(error) => words(&error),
        };
        seen.push(format!("{selector} {max_bytes}: {told}"));
    }
    assert_snapshot!(seen.join("\n"), @r#"
    #blank: Tab { id: "t2", url: "SITE/two", title: "/two", active: true, opener: Some("t1") }
    #later: Tab { id: "t3", url: "SITE/two", title: "/two", active: true, opener: Some("t1") }
    #written: Tab { id: "t4", url: "about:blank", title: "Written", active: true, opener: Some("t1") }
    #shy: a tab opened and closed again by itself | where its address is a file, expect a download instead
    #none: no tab opened within 1s 500ms | see with `tabs` what is open: the page may have used the same tab, or the browser blocked a window that no click asked for
    #file 5: hi.txt data:text/plain,hello 5 hello
    #file 4: the download of `hi.txt` failed: larger than the 4 bytes that are allowed | try again; a longer `timeout` or a larger `max_bytes` of the step allows for more
    #none 5: no download began within 1s 500ms | see with `snapshot` and `tabs` whether the file opened in the page or in a new tab
    "#);
    assert_debug_snapshot!(session.take_notes(), @"[]");
    session.close().await;
}
