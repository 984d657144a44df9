//! The example actions perform a login and a checkout on the demo shop.

use std::time::Duration;

use repertoire::app::shop::{Settings, Shop};
use serde_json::{Value, json};

use crate::support::TestHost;

const LOGIN: &str = include_str!("../../examples/actions/shop/login.yaml");
const CHECKOUT: &str = include_str!("../../examples/actions/shop/checkout.yaml");
const SECRETS: &str = include_str!("../../examples/actions/.env.example");

#[tokio::test(flavor = "multi_thread")]
async fn login_and_checkout_place_an_order() {
    // 2031-12-20, and a bank that does not take its time.
    let settings = Settings { today: Some(22_633), processing: Duration::from_millis(100), ..Settings::default() };
    let shop = Shop::start_with(0, settings).await.expect("the shop");
    let host = TestHost::start(&[
        ("actions/shop/login.yaml", LOGIN),
        ("actions/shop/checkout.yaml", CHECKOUT),
        ("actions/.env", SECRETS),
    ])
    .await;
    let login = host.call("shop_login", json!({ "shop": shop.url() })).await;
    assert_eq!(login.structured, Some(json!({ "account": "Ada Lovelace" })), "{}", login.text);
    let arguments = json!({ "shop": shop.url(), "product": "Kettle", "quantity": 2, "delivery": "2031-12-24" });
    let checkout = host.call("shop_checkout", arguments).await;
    let outputs = checkout.structured.unwrap_or_else(|| panic!("{}", checkout.text));
    assert_eq!(outputs["total"], "€ 84.00");
    let read = json!({ "commands": [
        { "type": "navigate", "url": format!("{}/api/orders", shop.url()) },
        { "type": "get_text", "selector": "css:body" },
    ] });
    let orders = host.call("browser_session", read).await;
    let results = orders.structured.expect("structured results");
    let placed: Value = serde_json::from_str(results["results"][1]["result"].as_str().expect("text")).expect("JSON");
    assert!(placed.to_string().contains(outputs["order"].as_str().expect("a number")), "{placed}");
    host.close().await;
    shop.stop().await;
}

/// Doing it again in the same session works: the flow starts from where it finds itself.
#[tokio::test(flavor = "multi_thread")]
async fn login_can_be_repeated_and_refused() {
    let shop = Shop::start(0).await.expect("the shop");
    let host = TestHost::start(&[("actions/shop/login.yaml", LOGIN), ("actions/.env", SECRETS)]).await;
    for remember in [false, true] {
        let login = host.call("shop_login", json!({ "shop": shop.url(), "remember": remember })).await;
        assert!(!login.is_error, "{}", login.text);
    }
    // A rotated password counts from the next call, and the old one stays masked.
    host.save("actions/.env", "SHOP_PASSWORD=wrong\n");
    let refused = host.call("shop_login", json!({ "shop": shop.url(), "email": "ada@example.com" })).await;
    assert!(refused.is_error);
    let first = refused.text.lines().next().unwrap_or_default();
    assert_eq!(first, "error: step 7 (get_text): no element matches `testid:account`");
    host.close().await;
    shop.stop().await;
}

/// What a person does on the pages that no example visits: the whole answers of the shop.
#[tokio::test(flavor = "multi_thread")]
async fn pages_work_as_a_person_uses_them() {
    let shop = Shop::start(0).await.expect("the shop");
    let host = TestHost::start(&[("actions/shop/login.yaml", LOGIN), ("actions/.env", SECRETS)]).await;
    host.save("portrait.gif", "GIF89a");
    let login = host.call("shop_login", json!({ "shop": shop.url() })).await;
    assert!(!login.is_error, "{}", login.text);
    let commands = json!({ "commands": [
        { "type": "navigate", "url": format!("{}/products/kettle", shop.url()) },
        { "type": "click", "selector": "role:combobox[Colour]" },
        { "type": "click", "selector": "role:option[Midnight blue]" },
        { "type": "wait_for_selector", "selector": "role:button[Add to cart]", "state": "disabled" },
        { "type": "get_text", "selector": "testid:stock" },
        { "type": "press_key", "key": "ArrowUp", "selector": "role:combobox[Colour]" },
        { "type": "press_key", "key": "ArrowUp", "selector": "role:combobox[Colour]" },
        { "type": "press_key", "key": "Enter", "selector": "role:combobox[Colour]" },
        { "type": "get_text", "selector": "role:combobox[Colour]" },
        { "type": "fill", "selector": "label:Quantity", "value": "2" },
        { "type": "click", "selector": "role:button[One more]" },
        { "type": "click", "selector": "role:button[Add to cart]" },
        { "type": "wait_for_selector", "selector": "testid:cart-count >> has-text:3" },

        { "type": "navigate", "url": format!("{}/profile", shop.url()) },
        { "type": "upload_file", "selector": "label:Picture", "files": "portrait.gif" },
        { "type": "fill", "selector": "role:textbox[About you]", "value": "Counting" },
        { "type": "press_key", "key": "Control+A", "selector": "role:textbox[About you]" },
        { "type": "click", "selector": "role:button[Bold]" },
        { "type": "drag", "selector": "text:Lamps", "target_selector": "text:Kettles" },
        { "type": "wait_for_text", "text": "Order kept" },
        { "type": "press_key", "key": "Control+S" },
        { "type": "wait_for_text", "text": "Profile saved" },
        { "type": "fill", "selector": "label:Name", "value": "" },
        { "type": "press_key", "key": "Control+S" },
        { "type": "get_text", "selector": "role:alert >> has-text:Enter" },
        { "type": "navigate", "url": format!("{}/api/profile", shop.url()) },
        { "type": "get_text", "selector": "css:body" },
    ] });
    let done = host.call("browser_session", commands).await;
    let results = done.structured.unwrap_or_else(|| panic!("{}", done.text))["results"].take();
    let said: Vec<&str> = results
        .as_array()
        .expect("results")
        .iter()
        .filter(|step| step["type"] == "get_text")
        .map(|step| step["result"].as_str().unwrap_or_default())
        .collect();
    let profile = json!({
        "name": "Ada Lovelace",
        "about": [[{ "text": "Counting", "bold": true, "italic": false }]],
        "shelves": ["Lamps", "Kettles and pots", "Mugs", "Linen"],
        "picture": { "kind": "image/gif", "bytes": 6 },
    });
    assert_eq!(
        said,
        ["Out of stock", "Moss green", "Enter a name of up to 60 characters", &profile.to_string()],
        "{results}"
    );
    host.close().await;
    shop.stop().await;
}
