//! Selectors reach into iframes of the same process and of another one, and snapshots show them.

use insta::{allow_duplicates, assert_snapshot};
use repertoire::browser::{ClickOptions, LoadState};
use repertoire::page::{SnapshotOptions, snapshot};

use crate::support::{Site, deadline, element, session};

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
        let value = page
            .read("get_value", &field, &repertoire::browser::Reading::Value, &deadline(10_000))
            .await
            .expect("read");
        assert_eq!(value, "5555");
    }
    session.close().await;
}
