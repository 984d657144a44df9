//! Selectors reach into iframes of the same process and of another one, and snapshots show them.

use insta::{allow_duplicates, assert_snapshot};
use repertoire::browser::{ClickOptions, ElementState, LoadState, Page, Reading};
use repertoire::page::{SnapshotOptions, snapshot};
use tokio::net::TcpListener;

use crate::support::{Site, deadline, element, evaluate, open, session, without_attempts};

#[tokio::test(flavor = "multi_thread")]
async fn frames_are_entered_across_origins() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/inner", "<label>Card <input></label><button onclick='this.textContent = `Paid`'>Pay</button>");
    // References are never given again, not even on another page.
    for (title, address, first) in [("Same", site.url("/inner"), 1), ("Other", site.other_origin("/inner"), 4)] {
        site.set(
            "/",
            &format!(
                "<h1>Shop</h1><div style='height:1200px'>tall</div><iframe title={title} src='{address}'></iframe>"
            ),
        );
        let page = session.page(&deadline(30_000)).await.expect("a page");
        page.navigate(&site.url("/"), LoadState::Load, &deadline(10_000)).await.expect("navigated");
        let field = element("frame:css:iframe >> label:Card");
        page.fill(&field, "4242", false, &deadline(10_000)).await.expect("filled");
        page.click(&element("frame:css:iframe >> role:button[Pay]"), &ClickOptions::default(), &deadline(10_000))
            .await
            .expect("clicked");
        let text = snapshot(&page, &SnapshotOptions::default(), &deadline(10_000)).await.expect("a snapshot");
        let renumbered = (0..3).fold(text.replace(title, "TITLE"), |text, number| {
            text.replace(&format!("[ref=e{}]", first + number), &format!("[ref=#{number}]"))
        });
        allow_duplicates! {
            assert_snapshot!(renumbered, @r#"
            - heading "Shop" [level=1]
            - text: tall
            - iframe "TITLE" [active] [ref=#0]:
              - textbox "Card" [ref=#1]: "4242"
              - button "Paid" [active] [ref=#2]
            "#);
        }
        // A reference of the snapshot leads into the iframe.
        page.fill(&element(&format!("ref:e{}", first + 1)), "5555", false, &deadline(10_000))
            .await
            .expect("filled by reference");
        let value = page.read("get_value", &field, &Reading::Value, &deadline(10_000)).await.expect("read");
        assert_eq!(value, "5555");
    }
    session.close().await;
}

const LIMIT: u64 = 15_000;
const BUTTON: &str = "<button onclick='this.textContent += `!`'>Go</button>";

/// Clicks a button that counts its clicks by exclamation marks, and reads it.
async fn click(page: &Page<'_>, selector: &str) -> String {
    let (selector, limit) = (element(selector), deadline(LIMIT));
    if let Err(error) = page.click(&selector, &ClickOptions::default(), &limit).await {
        return error.to_string();
    }
    let text = page.read("get_text", &selector, &Reading::Text, &limit).await;
    text.map_or_else(|error| error.to_string(), |text| text.as_str().unwrap_or_default().to_owned())
}

/// The error of a click that can't be done, without how often it was tried.
async fn refused(page: &Page<'_>, selector: &str) -> String {
    let error = page.click(&element(selector), &ClickOptions::default(), &deadline(400)).await.expect_err("refused");
    without_attempts(&error)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_frame_is_entered() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/button", BUTTON);
    site.set("/tall", &format!("<div style='height: 1500px'></div>{BUTTON}<div style='height: 900px'></div>"));
    site.set("/two", &format!("<p>Two</p><iframe src='{}'></iframe>", site.other_origin("/button")));
    site.set(
        "/three",
        &format!("<h1>Three</h1><div style='height: 500px'></div><iframe src='{}'></iframe>", site.url("/two")),
    );
    let other = site.other_origin("/button");
    let body = format!(
        "<iframe id=written srcdoc=\"{BUTTON}\"></iframe>
        <iframe id=blank></iframe><script>
            const inner = document.getElementById('blank').contentDocument;
            inner.open(); inner.write(`<p>By hand</p>` + \"{BUTTON}\"); inner.close();
        </script>
        <iframe id=boxed sandbox=allow-scripts src=/button></iframe>
        <object id=object data=/button></object><embed id=embed src=/button>
        <div style='transform: scale(.7); border: 3px solid'><iframe id=scaled style='padding: 9px; border: 5px solid' src='{other}'></iframe></div>
        <x-box id=box></x-box><script>
            box.attachShadow({{ mode: 'open' }}).innerHTML = \"<iframe src='/button'></iframe>\";
        </script>
        <div style='width: 200px; height: 90px; overflow: auto'><div style='height: 700px'></div><iframe id=scrolled src='{other}'></iframe></div>
        <iframe id=tall style='height: 2500px' src='{tall}'></iframe>
        <iframe id=far-tall style='height: 2500px' src='{far_tall}'></iframe>
        <iframe id=three src='{three}'></iframe>
        <div style='height: 5000px'></div><iframe id=lazy loading=lazy src=/button></iframe>",
        tall = site.url("/tall"),
        far_tall = site.other_origin("/tall"),
        three = site.other_origin("/three"),
    );
    let page = open(&mut session, &site, &body).await;
    for frame in [
        "frame:#written",
        "frame:#blank",
        "frame:#boxed",
        "frame:#object",
        "frame:#embed",
        "frame:#scaled",
        "frame:css:x-box iframe",
        "frame:#scrolled",
        "frame:#tall",
        "frame:#far-tall",
        "frame:#three >> frame:css:iframe >> frame:css:iframe",
        "frame:#lazy",
    ] {
        assert_eq!(click(&page, &format!("{frame} >> role:button[Go]")).await, "Go!", "{frame}");
    }
    session.close().await;
}

/// Frames that come late, go elsewhere or are made anew while a command waits for what will be in them.
#[tokio::test(flavor = "multi_thread")]
async fn frames_may_come_and_go() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/first", "<p>Not here</p>");
    site.set("/button", BUTTON);
    let other = site.other_origin("/button");
    let frame = |address: &str| {
        format!("document.body.append(Object.assign(document.createElement('iframe'), {{ src: '{address}' }}))")
    };
    for (what, script) in [
        ("comes late", format!("setTimeout(() => {}, 150)", frame(&other))),
        (
            "is empty first",
            format!("{}; setTimeout(() => document.querySelector('iframe').src = '/button', 150)", frame("")),
        ),
        (
            "goes elsewhere",
            format!("{}; setTimeout(() => document.querySelector('iframe').src = '{other}', 150)", frame("/first")),
        ),
        (
            "comes back",
            format!(
                "{}; setTimeout(() => document.querySelector('iframe').src = '/button', 300)",
                frame(&site.other_origin("/first"))
            ),
        ),
        (
            "is made anew",
            format!(
                "{}; setTimeout(() => {{ document.querySelector('iframe').remove(); {} }}, 150)",
                frame("/first"),
                frame("/button")
            ),
        ),
    ] {
        let page =
            open(&mut session, &site, &format!("<script>addEventListener('load', () => {{ {script} }})</script>"))
                .await;
        assert_eq!(click(&page, "frame:css:iframe >> role:button[Go]").await, "Go!", "{what}");
    }
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_keeps_a_frame_from_being_used_is_told() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/button", BUTTON);
    let silent = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = silent.local_addr().expect("an address");
    let body = format!(
        "<div id=wrap><iframe title=One src=/button></iframe></div><iframe title=Two src='{}'></iframe>
        <div style='position: relative; width: 320px'><iframe title=Under src='{}'></iframe>
            <div id=consent style='position: absolute; inset: 0; background: #ccc'>We use cookies</div></div>
        <div style='position: relative; width: 320px'><iframe title=Same src=/button></iframe>
            <div id=veil style='position: absolute; inset: 0'></div></div>
        <iframe title=Hidden style='display: none' src=/button></iframe>
        <script>onload = () => {{ const slow = document.createElement('iframe'); slow.id = 'slow'; slow.src = 'http://{address}/'; document.body.append(slow) }}</script>",
        site.url("/button"),
        site.other_origin("/button"),
    );
    let page = open(&mut session, &site, &body).await;
    let mut answers = Vec::new();
    for selector in [
        "frame:css:iframe >> role:button",
        "frame:#wrap >> role:button",
        "frame:#nowhere >> role:button",
        "frame:title:One >> frame:title:Three >> role:button",
        "frame:title:Under >> role:button",
        "frame:title:Same >> role:button",
        "frame:title:Hidden >> css:button",
        "frame:#slow >> role:button",
    ] {
        answers.push(
            refused(&page, selector).await.replace(&site.other_origin(""), "OTHER").replace(&site.url(""), "SITE"),
        );
    }
    assert_snapshot!(answers.join("\n").replace(&address.to_string(), "SLOW"), @r#"
    6 elements match `css:iframe`, but it must be exactly one
      title:"One": <iframe "One">
      title:"Two": <iframe "Two">
      title:"Under": <iframe "Under">
      title:"Same": <iframe "Same">
      title:"Hidden": <iframe "Hidden">
      css:#slow: <iframe#slow "http://SLOW/">
    `frame:` names `#wrap`, which is no iframe: <div#wrap>
    no element matches `frame:css:#nowhere >> role:button`: no iframe matches `#nowhere`
    no element matches `frame:title:One >> frame:title:Three >> role:button`: no iframe matches `frame:title:One >> title:Three`
    `frame:title:Under >> role:button` does not receive the click: covered by <div#consent "We use cookies">
      found <iframe "Under">
    `frame:title:Same >> role:button` does not receive the click: covered by <div#veil>
      found <iframe "Same">
    `frame:title:Hidden >> css:button` is not visible: its box is 0 × 0 px
      found <button "Go">
    no element matches `frame:css:#slow >> role:button`: the iframe `frame:css:#slow` is still loading
    "#);
    // Not there is nothing, and hidden.
    let missing = element("frame:#nowhere >> role:button");
    assert_eq!(page.count(&missing, &deadline(LIMIT)).await.expect("counted"), 0);
    page.wait_for("wait", &missing, ElementState::Hidden, &deadline(LIMIT)).await.expect("hidden");
    // What can't be seen can be read.
    let hidden =
        page.read("get_text", &element("frame:title:Hidden >> css:button"), &Reading::Text, &deadline(LIMIT)).await;
    assert_eq!(hidden.expect("read"), "Go");
    assert_eq!(evaluate(&page, "document.title").await, "/");
    session.close().await;
}
