//! The author's tools as their users meet them: `run --dry-run`.

use crate::support::Directory;

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
