//! Tabs keep their ids, the active one follows what an action opens, and none is lost.

use insta::{assert_debug_snapshot, assert_snapshot};
use repertoire::browser::{Session, TabChoice};
use repertoire::selector::TextMatch;

use super::{LIMIT, click, words};
use crate::support::{Site, deadline, evaluate, open, session};

async fn listed(session: &mut Session, site: &Site) -> String {
    let tabs = session.tabs(&deadline(LIMIT)).await.expect("tabs");
    let lines = tabs.into_iter().map(|tab| {
        let active = if tab.active { "*" } else { " " };
        let opener = tab.opener.map(|opener| format!(" from {opener}")).unwrap_or_default();
        format!("{active}{} {} ({}){opener}", tab.id, tab.url, tab.title)
    });
    let lines = lines.collect::<Vec<_>>().join("\n");
    // An empty tab gets its title a moment after it is there.
    let lines = lines.replace("about:blank ()", "about:blank (about:blank)");
    lines.replace(&site.url(""), "SITE").replace(&site.other_origin(""), "OTHER")
}

#[tokio::test(flavor = "multi_thread")]
async fn tabs_are_opened_chosen_and_closed() {
    let (site, mut session) = (Site::start().await, session());
    for path in ["/orders", "/invoice"] {
        site.set(path, "<h1>Page</h1>");
    }
    open(&mut session, &site, "<h1>Home</h1>").await;
    let limit = deadline(LIMIT);
    let text = |text: &str| TextMatch::parse(text).expect("a text");
    for path in ["/orders", "/invoice"] {
        session.open_tab(Some(&site.url(path)), Default::default(), &limit).await.expect("opened");
    }
    session.open_tab(None, Default::default(), &limit).await.expect("opened");
    assert_snapshot!(listed(&mut session, &site).await, @r"
     t1 SITE/ (/)
     t2 SITE/orders (/orders)
     t3 SITE/invoice (/invoice)
    *t4 about:blank (about:blank)
    ");
    let mut seen = Vec::new();
    for (choice, wait) in [
        (TabChoice::Id("t2".to_owned()), LIMIT),
        (TabChoice::Url(text("invoice")), LIMIT),
        (TabChoice::Title(text("\"/orders\"")), LIMIT),
        (TabChoice::Id("t9".to_owned()), LIMIT),
        (TabChoice::Url(text("/orders|invoice/")), LIMIT),
        (TabChoice::Title(text("Receipt")), 2_000),
    ] {
        seen.push(match session.switch_tab(&choice, &deadline(wait)).await {
            Ok(tab) => format!("{} {}", tab.id, session.url().unwrap_or_default()),
            Err(error) => words(&error),
        });
    }
    assert_snapshot!(seen.join("\n").replace(&site.url(""), "SITE"), @r"
    t2 SITE/orders
    t3 SITE/invoice
    t2 SITE/orders
    there is no tab `t9`; open are `t1` (SITE/), `t2` (SITE/orders), `t3` (SITE/invoice), `t4` (about:blank) | take an id that `tabs` lists
    more than one is a tab whose address matches `orders|invoice`: `t1` (SITE/), `t2` (SITE/orders), `t3` (SITE/invoice), `t4` (about:blank) | name the tab by its id
    a tab whose title matches `Receipt` did not come: open are `t1` (SITE/), `t2` (SITE/orders), `t3` (SITE/invoice), `t4` (about:blank) | give the step a longer `timeout`, or check what the page shows with `snapshot`
    ");
    session.close_tab(Some(&TabChoice::Id("t3".to_owned())), &limit).await.expect("closed");
    assert_eq!(session.close_tab(None, &limit).await.expect("closed").id, "t4");
    session.close_tab(None, &limit).await.expect("closed");
    assert_eq!(session.close_tab(None, &limit).await.expect("closed").id, "t5");
    open(&mut session, &site, "<h1>Usable</h1>").await;
    assert_snapshot!(listed(&mut session, &site).await, @"*t5 SITE/ (/)");
    // Ids are not used again, not even by another browser.
    session.close().await;
    assert_eq!(session.open_tab(None, Default::default(), &limit).await.expect("opened").id, "t7");
    session.close().await;
}

/// Popups of every kind: each is followed, and closing it leads back.
#[tokio::test(flavor = "multi_thread")]
async fn popups_are_followed_and_lead_back() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/two", "<h1>Two</h1><a id=close href=# onclick='window.close(); return false'>Close</a>");
    site.set("/frame", "<button onclick='window.open(`/two`)'>Inner</button>");
    let body = format!(
        "<a id=blank href=/two target=_blank>Blank</a>
        <a id=opener href=/two target=_blank rel=opener>Opener</a>
        <button id=noopener onclick='window.open(`/two`, ``, `noopener`)'>Noopener</button>
        <button id=sized onclick='window.open(`/two`, ``, `width=300,height=200`)'>Sized</button>
        <button id=written onclick='w = window.open(); w.document.write(`<title>Written</title>`); w.document.close()'>Written</button>
        <button id=late onclick='w = window.open(); setTimeout(() => w.location = `/two`, 50)'>Late</button>
        <button id=shy onclick='window.open(`/two`).close()'>Shy</button>
        <button id=brief onclick='w = window.open(); setTimeout(() => w.close(), 20)'>Brief</button>
        <iframe title=There src='{}'></iframe>",
        site.other_origin("/frame")
    );
    open(&mut session, &site, &body).await;
    let limit = deadline(LIMIT);
    let mut seen = Vec::new();
    for selector in ["#blank", "#opener", "#noopener", "#sized", "#written", "#shy", "frame:title:There >> role:button"]
    {
        click(&mut session, selector).await.expect(selector);
        let tabs = listed(&mut session, &site).await;
        seen.push(format!("{selector}\n{tabs}"));
        if tabs.lines().count() > 1 {
            session.close_tab(None, &limit).await.expect("closed");
        }
    }
    assert_snapshot!(seen.join("\n"), @r"
    #blank
     t1 SITE/ (/)
    *t2 SITE/two (/two) from t1
    #opener
     t1 SITE/ (/)
    *t3 SITE/two (/two) from t1
    #noopener
     t1 SITE/ (/)
    *t4 SITE/two (/two) from t1
    #sized
     t1 SITE/ (/)
    *t5 SITE/two (/two) from t1
    #written
     t1 SITE/ (/)
    *t6 about:blank (Written) from t1
    #shy
    *t1 SITE/ (/)
    frame:title:There >> role:button
     t1 SITE/ (/)
    *t8 OTHER/two (/two) from t1
    ");
    click(&mut session, "#brief").await.expect("clicked");
    let page = session.page(&limit).await.expect("a page");
    page.evaluate(
        "new Promise(done => { const wait = () => w.closed ? done() : setTimeout(wait, 5); wait() })",
        &[],
        &limit,
    )
    .await
    .map_or_else(|error| assert!(matches!(error, repertoire::browser::Error::PageClosed), "{error}"), drop);
    // A page that closes itself, as after a login in a popup: the opener is next.
    session.take_notes();
    click(&mut session, "#opener").await.expect("clicked");
    click(&mut session, "#close").await.expect("closed itself");
    assert_eq!(session.url(), Some(site.url("/")));
    assert_debug_snapshot!(session.take_notes().len(), @"1");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_burst_of_popups_is_bounded() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/two", "<h1>Two</h1>");
    let page = open(&mut session, &site, "<h1>Home</h1>").await;
    evaluate(&page, "void Array.from({ length: 40 }, () => window.open('/two'))").await;
    let limit = deadline(LIMIT);
    // A tab of the burst is active or will be; all of them answer.
    let tabs = session.tabs(&limit).await.expect("tabs");
    assert!((2..=30).contains(&tabs.len()), "{}", tabs.len());
    session.switch_tab(&TabChoice::Id("t1".to_owned()), &limit).await.expect("switched");
    let page = session.page(&limit).await.expect("a page");
    assert_eq!(page.title(&limit).await.expect("a title"), "/");
    assert!(session.take_notes().len() <= 20);
    session.close().await;
}
