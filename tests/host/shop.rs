//! The demo shop's pages, where no example action visits them.

use repertoire::app::shop::Shop;
use serde_json::json;

use crate::support::TestHost;

const LOGIN: &str = include_str!("../../examples/actions/shop/login.yaml");
const SECRETS: &str = include_str!("../../examples/actions/.env.example");

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
