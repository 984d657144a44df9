//! The author's tools as their users meet them: `run --dry-run`, `run --step`, `new`; `test` has a file of its own.

mod cases;

use std::time::Duration;

use regex::Regex;
use repertoire::app::shop::{Settings, Shop};
use serde_json::json;

use crate::support::{Directory, Site, TestHost};

/// What a run can't know before it begins stays as it is written; what it can is filled in, through other actions too.
#[test]
fn a_dry_run_tells_every_step() {
    let directory = Directory::new(&[
        (
            "actions/order.yaml",
            r#"
description: x
inputs: { products: "string[]", gift: { type: boolean, default: false } }
needs:
  - { run: _sign_in.yaml, with: { account: "${{ inputs.products | first }}" }, unless: { visible: "testid:account" } }
steps:
  - set: { added: [] }
  - for_each:
      in: ${{ inputs.products }}
      as: product
      index: round
      steps:
        - click: role:button["Add ${{ product }}"]
          retry: 3
        - set: { added: "${{ added + [product] }}" }
          when: ${{ round == 0 }}
  - get_text: testid:total
    as: total
    timeout: 2s
  - if: ${{ total == '0' }}
    then: [{ fail: { code: empty, message: "the cart is empty" } }]
    else: [{ set: { added: null } }]
  - fill: { selector: label:Note, value: "${{ total }} for ${{ inputs.products | length }}" }
    label: write it down
  - repeat: { max: 9, until: "${{ round > 5 }}", index: round, steps: [{ scroll: { dy: 100 } }] }
  - run: _sign_in.yaml
    with: { account: "${{ total }}" }
  - return:
    when: ${{ not inputs.gift }}
  - click: testid:gift
finally:
  - screenshot
"#,
        ),
        (
            "actions/_sign_in.yaml",
            r#"
inputs: { account: string }
steps:
  - fill: label:Account
    value: ${{ inputs.account }} of $<<SHOP>>
  - fill: label:Password
    value: $<<SHOP_PASSWORD>>
"#,
        ),
        ("actions/.env", "SHOP_PASSWORD='Kettle'\n"),
    ]);
    let inputs = r#"products=["Kettle","Mug"]"#;
    insta::assert_snapshot!(directory.says(&["run", "actions/order.yaml", "-i", inputs, "--dry-run"]), @r#"
    0
    order would do this; nothing was performed
    inputs: {"products":["<secret:SHOP_PASSWORD>","Mug"],"gift":false}
    secrets: SHOP (not set), SHOP_PASSWORD
      needs.1 run _sign_in.yaml with account: <secret:SHOP_PASSWORD>  [unless `testid:account` to be visible]
        needs.1.1 fill label:Account, value: <secret:SHOP_PASSWORD> of <secret:SHOP>
        needs.1.2 fill label:Password, value: <secret:SHOP_PASSWORD>
      1 set added: []
      2 for_each product in ["<secret:SHOP_PASSWORD>","Mug"]  [2 rounds]
        2.1[0] click role:button["Add <secret:SHOP_PASSWORD>"]  [up to 3 attempts]
        2.2[0] set added: ["<secret:SHOP_PASSWORD>"]
        2.1[1] click role:button["Add Mug"]  [up to 3 attempts]
        2.2[1] set added: ["<secret:SHOP_PASSWORD>","Mug"]  [skipped: `round == 0` does not hold]
      3 get_text testid:total  [at most 2s; gives `total`]
      4 if `total == '0'`
        4.1 fail empty: the cart is empty  [ends the action]
        else
        4.2 set added: null
      5 fill label:Note, value: ${{ total }} for 2 (write it down)
      6 repeat until `round > 5`, 9 rounds at most
        6.1 scroll, dy: 100
      7 run _sign_in.yaml with account: ${{ total }}
        7.1 fill label:Account, value: ${{ inputs.account }} of <secret:SHOP>
        7.2 fill label:Password, value: <secret:SHOP_PASSWORD>
      8 return  [ends the action]
      finally.1 screenshot
    `${{ … }}` is known when it runs
    "#);
    insta::assert_snapshot!(directory.says(&["run", "actions/_sign_in.yaml", "--dry-run"]), @r"
    2
    error: `actions/_sign_in.yaml` is not an action that can be performed
    hint: actions are `.yaml` files without errors whose names do not begin with `_` or `.`
    ");
}

/// What `new` writes has no fault and works on the demo shop as it is.
#[tokio::test(flavor = "multi_thread")]
async fn templates_work() {
    const SECRETS: &str = include_str!("../examples/actions/.env.example");
    let directory = Directory::new(&[(".env", SECRETS)]);
    insta::assert_snapshot!(directory.says(&["new", "shop/login", "--template", "login"]), @r"
    0
    wrote actions/shop/login.yaml from the template `login`
    set its secrets in `.env`: SHOP_PASSWORD
    see what it does with `repertoire run shop_login --dry-run`
    ");
    insta::assert_snapshot!(directory.says(&["new", "shop/login", "--template", "extract"]), @r"
    1
    error: `actions/shop/login.yaml` is there already
    hint: choose another name, or remove it first
    ");
    insta::assert_snapshot!(directory.says(&["new", "../login", "--template", "login"]), @r"
    1
    error: `../login` can't be the name of an action
    hint: use up to 40 letters, digits and `_`, beginning with a letter; `shop/login` is `login.yaml` in `shop`
    ");
    let names = ["checkout", "extract"].map(|name| directory.says(&["new", name, "--template", name]));
    insta::assert_snapshot!(names.concat(), @r"
    0
    wrote actions/checkout.yaml from the template `checkout`
    set its secrets in `.env`: CARD_CVC, CARD_EXPIRY, CARD_NUMBER
    see what it does with `repertoire run checkout --dry-run`
    0
    wrote actions/extract.yaml from the template `extract`
    see what it does with `repertoire run extract --dry-run`
    ");
    insta::assert_snapshot!(directory.says(&["check"]), @r"
    0
    checked 3 files: 0 errors, 0 warnings
    ");

    let settings = Settings { processing: Duration::from_millis(100), ..Settings::default() };
    let shop = Shop::start_with(0, settings).await.expect("the shop");
    let host = TestHost::start(&[(".env", SECRETS)]).await;
    for name in ["shop/login", "checkout", "extract"] {
        let path = format!("actions/{name}.yaml");
        let text = std::fs::read_to_string(directory.path().join(&path)).expect("it is there");
        host.save(&path, &text);
    }
    let site = json!({ "site": shop.url() });
    let signed_out = host.call("checkout", site.clone()).await;
    assert!(signed_out.text.starts_with("error: nobody is signed in\n  code: signed_out\n"), "{}", signed_out.text);
    // Twice, since it begins where it finds itself.
    for _ in 0..2 {
        let login = host.call("shop_login", site.clone()).await;
        assert_eq!(login.structured, Some(json!({ "account": "Ada Lovelace" })), "{}", login.text);
    }
    let wanted = json!({ "site": shop.url(), "product": "Vase", "quantity": 2 });
    let checkout = host.call("checkout", wanted).await;
    assert!(!checkout.is_error, "{}", checkout.text);
    assert_eq!(checkout.structured.expect("outputs")["total"], 78.0);
    let found = host.call("extract", json!({ "site": shop.url(), "query": "mug", "most": 1 })).await;
    assert_eq!(found.structured, Some(json!({ "count": 2, "products": [{ "name": "Mug", "price": 12.0 }] })));
    host.close().await;
    shop.stop().await;
}

/// Each step waits for an answer, through groups and loops; the end of the input ends the run, and `finally` is
/// performed all the same.
#[tokio::test(flavor = "multi_thread")]
async fn a_run_is_performed_step_by_step() {
    let site = Site::start().await;
    site.set("/", "<label>Name <input></label><label>Code <input type=password></label>");
    let action = r#"
description: x
inputs: { site: string }
timeout: 20s
steps:
  - navigate: ${{ inputs.site }}
  - group:
      - fill: { selector: label:Name, value: "${{ page.title }} by $<<NAME>>" }
      - clear: label:Name
    optional: true
  - for_each:
      in: [1, 2]
      as: number
      steps: [{ fill: { selector: label:Code, value: "${{ number }}" } }]
  - get_value: label:Code
    as: code
    when: ${{ inputs.site }}
finally: [get_title]
outputs: { code: "${{ code }}" }
"#;
    let directory = Directory::new(&[("actions/enter.yaml", action), ("actions/.env", "NAME='Ada Lovelace'\n")]);
    let says = |answers: &str| {
        let input = format!("site={}", site.url("/"));
        let run = ["run", "enter", "--step", "--input", &input];
        without_times(&tokio::task::block_in_place(|| directory.says_to(answers, &run)))
    };
    insta::assert_snapshot!(says("\n\n\ns\nwhat\n\nc\n"), @r#"
    0
    {"code":"2"}
    Enter: perform it, s: skip it, c: go on without asking, q: end here
    next: 1 navigate http://…/
      1/4 navigate http://…/ …
    next: 2 group
    next: 2.1 fill label:Name, value: / by <secret:NAME>
      2.1/4 fill label:Name …
    next: 2.2 clear label:Name
      2.2/4 clear label:Name (skipped)
      2/4 group …
    next: 3 for_each number in [1,2]
    Enter: perform it, s: skip it, c: go on without asking, q: end here
    next: 3.1[0] fill label:Code, value: 1
      3.1[0]/4 fill label:Code …
      3.1[1]/4 fill label:Code …
      3/4 for_each number …
      4/4 get_value label:Code …
      finally.1/4 get_title …
    done in …
    "#);
    insta::assert_snapshot!(says("\n\nq\n"), @r#"
    1
    Enter: perform it, s: skip it, c: go on without asking, q: end here
    next: 1 navigate http://…/
      1/4 navigate http://…/ …
    next: 2 group
    next: 2.1 fill label:Name, value: / by <secret:NAME>
      2/4 group (failed; …
      finally.1/4 get_title …
    failed in …
    error: ended before step 2.1 (fill)
      at enter.yaml:8, step 2.1 (fill)
    done before:
      1 navigate http://…/
      finally.1 get_title
    the page around it:
      - textbox "Name" [ref=e1]
      - textbox "Code" [ref=e2]
    "#);
    insta::assert_snapshot!(says("\n"), @r#"
    1
    Enter: perform it, s: skip it, c: go on without asking, q: end here
    next: 1 navigate http://…/
      1/4 navigate http://…/ …
    next: 2 group
      finally.1/4 get_title …
    failed in …
    error: ended before step 2 (group)
      at enter.yaml:7, step 2 (group)
    done before:
      1 navigate http://…/
      finally.1 get_title
    the page around it:
      - textbox "Name" [ref=e1]
      - textbox "Code" [ref=e2]
    "#);
    insta::assert_snapshot!(directory.says(&["run", "enter", "--step", "--input-json", "-"]), @r"
    2
    error: standard input can't give both the inputs and the answers of `--step`
    hint: give the inputs in a file, or with `--input`
    ");
}

/// How long things took, and where they were served, is different every time.
fn without_times(text: &str) -> String {
    let times = Regex::new(r#"\(?\d+(\.\d)? m?s\)?|\d+ ×|time="[0-9.]+"|127\.0\.0\.1:\d+"#).expect("a pattern");
    times.replace_all(text, "…").into_owned()
}
