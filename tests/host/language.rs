//! The example actions of the language perform on the demo shop what they say.

use insta::assert_snapshot;
use repertoire::app::shop::Shop;
use serde_json::json;

use crate::support::TestHost;

const FILES: [(&str, &str); 8] = [
    ("actions/_parts/open.yaml", include_str!("../../examples/actions/language/_parts/open.yaml")),
    ("actions/_parts/cookies.yaml", include_str!("../../examples/actions/language/_parts/cookies.yaml")),
    ("actions/search_each.yaml", include_str!("../../examples/actions/language/search_each.yaml")),
    ("actions/wait_for_button.yaml", include_str!("../../examples/actions/language/wait_for_button.yaml")),
    ("actions/own_errors.yaml", include_str!("../../examples/actions/language/own_errors.yaml")),
    ("actions/answer_dialogs.yaml", include_str!("../../examples/actions/language/answer_dialogs.yaml")),
    ("actions/follow_a_tab.yaml", include_str!("../../examples/actions/language/follow_a_tab.yaml")),
    ("actions/keep_a_file.yaml", include_str!("../../examples/actions/language/keep_a_file.yaml")),
];

#[tokio::test(flavor = "multi_thread")]
async fn the_examples_of_the_language_do_what_they_say() {
    let shop = Shop::start(0).await.expect("the shop");
    let host = TestHost::start(&FILES).await;

    let none = host.call("search_each", json!({ "words": [], "shop": shop.url() })).await;
    assert_eq!(none.structured, Some(json!({ "found": [], "nothing": true })), "{}", none.text);
    let words = json!({ "words": ["mug", "submarine", "lamp"], "shop": shop.url() });
    let found = host.call("search_each", words).await;
    let expected =
        json!({ "found": [{ "word": "mug", "products": 2 }, { "word": "lamp", "products": 1 }], "nothing": false });
    assert_eq!(found.structured, Some(expected), "{}", found.text);
    let warning = "warning: step 3.4[1].2: nothing matches submarine";
    assert_eq!(found.text.lines().last(), Some(warning));

    let waited = host.call("wait_for_button", json!({ "shop": shop.url() })).await;
    assert_eq!(waited.structured, Some(json!({ "log": "late: done click: Here at last" })), "{}", waited.text);

    let wrong = host.call("own_errors", json!({ "shop": shop.url() })).await;
    let looks = regex::Regex::new(r"looked \d+ times").expect("a pattern");
    let text = wrong.text.replace(shop.url(), "SHOP");
    assert_snapshot!(looks.replace_all(&text, "looked N times"), @r#"
    error: the shop rejected the password
      code: bad_credentials
      at own_errors.yaml:17, step 7 (expect)
      step 7 (expect): expected `testid:account` to be visible, last seen no element (looked N times in 2s)
    done before:
      1 navigate SHOP/logout
      2 run _parts/cookies.yaml
      2.1 return, skipped
      2.2 if
      2.2.1 click role:button[Accept cookies]
      2.3 expect `role:button[Accept cookies]` to be hidden
      3 if
      4 fill label:Email
      5 fill label:Password
      6 click role:button[Sign in]
      finally.1 navigate SHOP/products
    hint: ask for another password
    the page around it:
    <page-content N>
    - link "Skip to content" [ref=e1]
    - banner:
      - link "Larkfield, home" [ref=e2]
      - navigation "Main":
        - link "Products" [ref=e3]
        - link "Orders" [ref=e4]
      - link "Sign in" [ref=e5]
      - link "Cart 0" [ref=e6]
    - main:
      - heading "Sign in" [level=1]
      - paragraph: Good to see you again.
      - alert:
        - paragraph: Wrong email or password
      - form:
        - textbox "Email" [required] [ref=e7]: ada@example.com
        - textbox "Password" [required] [ref=e8]
        - checkbox "Remember me" [ref=e9]
        - button "Sign in" [ref=e10]
    - contentinfo:
      - paragraph: Larkfield is a demo shop. Nothing is sold, and nothing leaves this machine.
      - navigation "More":
        - link "Playground" [ref=e11]
        - link "Upload" [ref=e12]
        - link "Echo" [ref=e13]
    </page-content N>
    "#);
    let url = host.call("browser_session", json!({ "commands": [{ "type": "get_url" }] })).await;
    let url = url.structured.expect("results")["finalUrl"].as_str().map(|url| url.replace(shop.url(), ""));
    assert_eq!(url.as_deref(), Some("/products"), "`finally` was performed");
    let short = host.call("own_errors", json!({ "shop": shop.url(), "password": "x" })).await;
    assert_snapshot!(short.text.replace(shop.url(), "SHOP"), @r#"
    error: a password has 3 characters, this one has 1
      code: too_short
      at own_errors.yaml:11, step 3.1 (fail)
    done before:
      1 navigate SHOP/logout
      2 run _parts/cookies.yaml
      2.1 return, skipped
      2.2 if
      2.2.1 click role:button[Accept cookies]
      2.3 expect `role:button[Accept cookies]` to be hidden
      finally.1 navigate SHOP/products
    the page around it:
    <page-content N>
    - link "Skip to content" [ref=e14]
    - banner:
      - link "Larkfield, home" [ref=e15]
      - navigation "Main":
        - link "Products" [ref=e16]
        - link "Orders" [ref=e17]
      - link "Sign in" [ref=e18]
      - link "Cart 0" [ref=e19]
    - main:
      - heading "Sign in" [level=1]
      - paragraph: Good to see you again.
      - form:
        - textbox "Email" [required] [ref=e20]
        - textbox "Password" [required] [ref=e21]
        - checkbox "Remember me" [ref=e22]
        - button "Sign in" [ref=e23]
    - contentinfo:
      - paragraph: Larkfield is a demo shop. Nothing is sold, and nothing leaves this machine.
      - navigation "More":
        - link "Playground" [ref=e24]
        - link "Upload" [ref=e25]
        - link "Echo" [ref=e26]
    </page-content N>
    "#);

    let asked = host.call("answer_dialogs", json!({ "shop": shop.url() })).await;
    let log = "confirm: false confirm: true prompt: \"Grace\"";
    let expected = json!({ "asked": "What is your name?", "log": log });
    assert_eq!(asked.structured, Some(expected), "{}", asked.text);
    let opened = host.call("follow_a_tab", json!({ "shop": shop.url() })).await;
    let expected = json!({ "heading": "Echo", "opened": format!("{}/echo", shop.url()) });
    assert_eq!(opened.structured, Some(expected), "{}", opened.text);
    let kept = host.call("keep_a_file", json!({ "shop": shop.url() })).await;
    let path = host.path("downloads/prices.csv").canonicalize().expect("the file");
    assert_eq!(kept.structured, Some(json!({ "name": "prices.csv", "path": path, "bytes": 26 })), "{}", kept.text);
    host.close().await;
    shop.stop().await;
}
