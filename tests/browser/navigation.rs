//! Navigations end, and what an action starts is waited for.

use repertoire::browser::{ClickOptions, Error, LoadState};
use repertoire::selector::TextMatch;

use crate::support::{Site, deadline, element, session};

#[tokio::test(flavor = "multi_thread")]
async fn a_click_is_over_when_the_page_it_opens_is_there() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/", "<a href=/next>Next</a><form action=/next><button>Send</button></form>");
    site.set("/next", "<h1>Next</h1>");
    let page = session.page(&deadline(30_000)).await.expect("a page");
    for selector in ["role:link[Next]", "role:button[Send]"] {
        page.navigate(&site.url("/"), LoadState::Load, &deadline(10_000)).await.expect("navigated");
        page.click(&element(selector), &ClickOptions::default(), &deadline(10_000)).await.expect("clicked");
        assert_eq!(page.url().expect("an address").trim_end_matches('?'), site.url("/next"), "{selector}");
    }
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn history_fragments_and_reload() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/a", "<h1 id=top>A</h1>");
    site.set("/b", "<h1>B</h1>");
    let page = session.page(&deadline(30_000)).await.expect("a page");
    let limit = deadline(20_000);
    let earlier = page.go(-1, LoadState::Load, &limit).await.expect_err("nothing earlier");
    assert_eq!(earlier.to_string(), "can't open `about:blank`: there is no earlier page in this tab's history");
    for path in ["/a", "/a#top", "/b"] {
        let navigated = page.navigate(&site.url(path), LoadState::Load, &limit).await.expect("navigated");
        assert_eq!(navigated.url, site.url(path));
    }
    assert_eq!(page.go(-1, LoadState::Load, &limit).await.expect("back").url, site.url("/a#top"));
    assert_eq!(page.go(1, LoadState::Load, &limit).await.expect("forward").url, site.url("/b"));
    assert_eq!(page.reload(LoadState::Load, &limit).await.expect("reloaded").url, site.url("/b"));
    page.evaluate("setTimeout(() => location.href = '/a', 100)", &[], &limit).await.expect("evaluated");
    let wanted = TextMatch::parse("/a").expect("a text");
    assert_eq!(page.wait_for_url(&wanted, &limit).await.expect("arrived"), site.url("/a"));
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_can_not_be_opened_says_why() {
    let mut session = session();
    let page = session.page(&deadline(30_000)).await.expect("a page");
    let free = std::net::TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a port");
    let refused = page
        .navigate(&format!("http://{free}/"), LoadState::Load, &deadline(10_000))
        .await
        .expect_err("nothing listens");
    assert!(matches!(&refused, Error::Navigation { .. }), "{refused}");
    assert!(refused.hint().is_some(), "{refused}");
    let bad = page.navigate("shop", LoadState::Load, &deadline(10_000)).await.expect_err("not absolute");
    assert_eq!(bad.hint().as_deref(), Some("write `https://shop`"));
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_hangs_does_not_hang_the_session() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/", "<button onclick='for (;;);'>Hang</button><button id=ask onclick='this.textContent = confirm(`Sure?`)'>Ask</button>");
    let page = session.page(&deadline(30_000)).await.expect("a page");
    page.navigate(&site.url("/"), LoadState::Load, &deadline(10_000)).await.expect("navigated");
    page.click(&element("#ask"), &ClickOptions::default(), &deadline(10_000)).await.expect("a dialog is answered");
    let error =
        page.click(&element("role:button[Hang]"), &ClickOptions::default(), &deadline(1_500)).await.expect_err("hangs");
    assert!(matches!(error, Error::Unmet(_)), "{error}");
    page.navigate(&site.url("/"), LoadState::Load, &deadline(10_000)).await.expect("away from the hanging page");
    let notes = ["dismissed a dialog (confirm) of the page: Sure?", "ended a script that kept the page busy"];
    assert_eq!(session.take_notes(), notes);
    session.close().await;
}
