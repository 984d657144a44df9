//! The example flows of `examples/actions/shop`, performed on the demo shop as an agent would call them.

use std::fs;
use std::path::Path;

use insta::assert_snapshot;
use repertoire::app::shop::{Settings, Shop};
use serde_json::{Value, json};

use crate::support::TestHost;

const SECRETS: &str = include_str!("../../examples/actions/.env.example");

/// A shop where it is 2031-12-20, and a host with all of its flows.
struct Stage {
    shop: Shop,
    host: TestHost,
}

impl Stage {
    async fn start(settings: Settings) -> Stage {
        let shop = Shop::start_with(0, Settings { today: Some(22_633), ..settings }).await.expect("the shop");
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/actions/shop");
        let entries = fs::read_dir(directory).expect("the flows").map(|entry| entry.expect("a file").path());
        let flows: Vec<(String, String)> = entries
            .filter(|path| path.is_file())
            .map(|path| {
                let name = path.file_name().and_then(|name| name.to_str()).expect("a name");
                // The actions look for a shop at one place only.
                let text = fs::read_to_string(&path).expect("text").replace("http://127.0.0.1:4173", shop.url());
                (format!("actions/shop/{name}"), text)
            })
            .collect();
        let mut files: Vec<(&str, &str)> = flows.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        files.push(("actions/.env", SECRETS));
        let host = TestHost::start(&files).await;
        Stage { shop, host }
    }

    /// What a call answers: its outputs, or the text of its failure.
    async fn call(&self, name: &str, arguments: Value) -> Value {
        let called = self.host.call(name, arguments).await;
        called.structured.filter(|_| !called.is_error).unwrap_or_else(|| called.text.into())
    }

    /// What a call that fails answers, up to the list of what was done before, without how often it looked.
    async fn failure(&self, name: &str, arguments: Value) -> String {
        let called = self.host.call(name, arguments).await;
        assert!(called.is_error, "{}", called.text);
        let text = called.text.replace(self.shop.url(), "SHOP");
        let lines = text.lines().take_while(|line| *line != "done before:").filter(|line| !line.contains(" × "));
        lines.collect::<Vec<_>>().join("\n")
    }

    /// What the shop's own interface says at a path.
    async fn shop_says(&self, path: &str) -> Value {
        let commands = json!({ "commands": [
            { "type": "navigate", "url": format!("{}{path}", self.shop.url()) },
            { "type": "get_text", "selector": "css:body" },
        ] });
        let said = self.host.call("browser_session", commands).await;
        let said = said.structured.expect("structured results");
        serde_json::from_str(said["results"][1]["result"].as_str().expect("text")).expect("JSON")
    }

    async fn end(self) {
        self.host.close().await;
        self.shop.stop().await;
    }
}

/// Signing in, again while signed in, and as somebody else.
#[tokio::test(flavor = "multi_thread")]
async fn login() {
    let stage = Stage::start(Settings::default()).await;
    let signed_in = json!({ "account": "Ada Lovelace" });
    assert_eq!(stage.call("shop_login", json!({ "remember": true })).await, signed_in);
    stage.host.save("actions/.env", "SHOP_PASSWORD=wrong\n");
    assert_eq!(stage.call("shop_login", json!({})).await, signed_in);
    let other = json!({ "email": "charles@example.com" });
    assert_snapshot!(stage.failure("shop_login", other).await, @r"
    error: the shop rejected the email or the password
      code: bad_credentials
      at shop/login.yaml:28, step 4.6 (fail)
    ");
    stage.end().await;
}

/// A cart is filled, paid for and found in the history again.
#[tokio::test(flavor = "multi_thread")]
async fn from_an_empty_cart_to_the_history() {
    let stage = Stage::start(Settings::default()).await;
    assert_snapshot!(stage.failure("shop_checkout", json!({})).await, @r"
    error: there is nothing in the cart
      code: empty_cart
      at shop/checkout.yaml:19, step 2 (fail)
    ");

    let items = json!([
        { "product": "Kettle", "variant": "Moss green", "quantity": 2 },
        { "product": "Kettle", "variant": "Midnight blue" },
        { "product": "Coffee grinder" },
        { "product": "Vase" },
    ]);
    let filled = stage.host.call("shop_add_many", json!({ "items": items })).await;
    assert_snapshot!(filled.text, @r#"
    {"added":[{"product":"Kettle","quantity":2,"variant":"Moss green"},{"product":"Vase","quantity":1,"variant":""}],"pieces":3}
    warning: step 2.4[1].1: Kettle, Midnight blue is out of stock
    warning: step 2.4[2].1: Coffee grinder is out of stock
    "#);
    let added = json!([
        { "product": "Kettle", "variant": "Moss green", "quantity": 2 },
        { "product": "Vase", "variant": "", "quantity": 1 },
    ]);
    assert_eq!(filled.structured, Some(json!({ "added": added, "pieces": 3 })));

    let arguments = json!({ "country": "Austria", "region": "Tyrol", "delivery": "2031-12-24" });
    stage.host.save("actions/.env", &SECRETS.replace("4242 4242 4242 4242", "4000 0000 0000 0002"));
    assert_snapshot!(stage.failure("shop_checkout", json!({})).await, @r"
    error: The card was declined
      code: card_refused
      at shop/checkout.yaml:52, step 16.2 (fail)
    ");
    stage.host.save("actions/.env", SECRETS);
    let bought = stage.call("shop_checkout", arguments).await;
    assert_eq!(bought, json!({ "order": "R-10024", "total": 123.0, "date": "2031-12-20" }));

    let newest = stage.call("shop_collect_orders", json!({ "max": 2 })).await;
    let orders = json!([
        { "number": "R-10024", "date": "2031-12-20", "state": "In preparation", "total": 123.0 },
        { "number": "R-10023", "date": "2025-06-03", "state": "In preparation", "total": 73.5 },
    ]);
    assert_eq!(newest, json!({ "orders": orders }));
    let all = stage.call("shop_collect_orders", json!({})).await;
    let orders = all["orders"].as_array().unwrap_or_else(|| panic!("{all}"));
    let last = json!({ "number": "R-10001", "date": "2024-10-04", "state": "Delivered", "total": 24.0 });
    assert_eq!((orders.len(), orders.last()), (24, Some(&last)));
    stage.end().await;
}

/// An order of the history's third page is opened in a tab of its own, which is closed again.
#[tokio::test(flavor = "multi_thread")]
async fn invoices() {
    let stage = Stage::start(Settings::default()).await;
    let saved = stage.call("shop_download_invoice", json!({ "order": "R-10002" })).await;
    let path = stage.host.path("downloads/invoice-R-10002.pdf").canonicalize().expect("the invoice");
    let invoice = fs::read(&path).expect("the invoice");
    let expected = json!({ "file": "invoice-R-10002.pdf", "bytes": invoice.len(), "path": path });
    assert_eq!(saved, expected);
    assert!(invoice.starts_with(b"%PDF-"));
    assert_snapshot!(stage.failure("shop_download_invoice", json!({ "order": "R-20000" })).await, @r"
    error: the account has no order R-20000
      code: unknown_order
      at shop/_find_order.yaml:15, step 3 (fail)
      run by shop/download_invoice.yaml:9
    ");
    let text = fs::read_to_string(stage.host.path("actions/shop/download_invoice.yaml")).expect("text");
    let broken = text.replace("role:link[Download invoice]", "role:link[Save]\n    timeout: 1s");
    stage.host.save("actions/shop/download_invoice.yaml", &broken);
    assert_snapshot!(stage.failure("shop_download_invoice", json!({ "order": "R-10023" })).await, @r#"
    error: step 3 (click): no element matches `role:link[Save]`
      at shop/download_invoice.yaml:13
      click: waited 1s
      near miss: role:link["Skip to content"]: name is `Skip to content`, <a.skip-link "Skip to content">
      near miss: role:link["Larkfield, home"]: name is `Larkfield, home`, <a.brand "Larkfield, home">
      near miss: role:link["Products"]: name is `Products`, <a.nav-link "Products">
    "#);
    let tabs = stage.host.call("browser_session", json!({ "commands": [{ "type": "tabs" }] })).await;
    let tabs = tabs.structured.expect("structured results");
    assert_eq!(tabs["results"][0]["result"].as_array().map(Vec::len), Some(1), "{tabs}");
    stage.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn cancellations() {
    let stage = Stage::start(Settings::default()).await;
    let cancelled = stage.call("shop_cancel_order", json!({ "order": "R-10020", "reason": "Found it cheaper" })).await;
    assert_eq!(cancelled, json!({ "order": "R-10020", "state": "Cancelled" }));
    let order = stage.shop_says("/api/orders/R-10020").await;
    assert_eq!((&order["state"], &order["reason"]), (&json!("Cancelled"), &json!("Found it cheaper")));
    let late = json!({ "order": "R-10022", "reason": "Too late" });
    assert_snapshot!(stage.failure("shop_cancel_order", late).await, @r"
    error: This order is on its way and can no longer be cancelled
      code: not_cancellable
      at shop/cancel_order.yaml:23, step 6.2 (fail)
    ");
    stage.end().await;
}

/// What can't be saved leaves nothing changed, although the shop keeps an order of shelves at once.
#[tokio::test(flavor = "multi_thread")]
async fn profiles() {
    let stage = Stage::start(Settings::default()).await;
    stage.host.save("portrait.gif", "GIF89a");
    stage.host.save("poster.gif", &format!("GIF89a{}", "x".repeat(200_000)));
    stage.call("shop_login", json!({})).await;
    let before = stage.shop_says("/api/profile").await;
    let wrong = json!({ "about": "I count.", "picture": "poster.gif", "favourite": "Lamps" });
    assert_snapshot!(stage.failure("shop_change_profile", wrong).await, @r"
    error: The picture is larger than 100 kB
      code: not_saved
      at shop/change_profile.yaml:33, step 10.2 (fail)
    ");
    assert_eq!(stage.shop_says("/api/profile").await, before);

    let right = json!({ "about": "I count.", "picture": "portrait.gif", "favourite": "Lamps" });
    let shelves = json!(["Lamps", "Kettles and pots", "Mugs", "Linen"]);
    assert_eq!(stage.call("shop_change_profile", right).await, json!({ "shelves": shelves }));
    let after = json!({
        "name": "Ada Lovelace",
        "about": [[{ "text": "I count.", "bold": false, "italic": false }]],
        "shelves": shelves,
        "picture": { "kind": "image/gif", "bytes": 6 },
    });
    assert_eq!(stage.shop_says("/api/profile").await, after);
    stage.end().await;
}
