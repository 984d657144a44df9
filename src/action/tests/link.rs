//! Actions that perform others.

use super::*;

fn calling(target: &str) -> String {
    format!("description: x\nsteps:\n  - run: {target}\n")
}

const PART: &str = "inputs: { email: { type: string, format: email }, count: { type: integer, default: 1 } }\nsteps:\n  - fill: label:Password\n    value: $<<SHOP_PASSWORD>>\n";

#[test]
fn actions_get_the_parts_they_name() {
    let files = Files::new(&[
        (
            "shop/checkout.yaml",
            "description: x\nneeds: [{ run: ../_parts/login.yaml, with: { email: a@b.example } }]\nsteps:\n  - run: shop_cart\n",
        ),
        ("shop/cart.yaml", &calling("./cart-deep.yaml")),
        ("shop/cart-deep.yaml", "description: x\nsteps: [get_title]\n"),
        ("_parts/login.yaml", PART),
    ]);
    let catalog = files.load();
    insta::assert_snapshot!(world(&catalog), @r"
    actions: shop_cart shop_cart_deep shop_checkout
    warning: the input `email` is never used
     --> _parts/login.yaml:1:11
      |
    1 | inputs: { email: { type: string, format: email }, count: { type: integer, default: 1 } }
      |           ^^^^^
      hint: write `${{ inputs.email }}` where it belongs, or remove it
    warning: the input `count` is never used
     --> _parts/login.yaml:1:51
      |
    1 | inputs: { email: { type: string, format: email }, count: { type: integer, default: 1 } }
      |                                                   ^^^^^
      hint: write `${{ inputs.count }}` where it belongs, or remove it
    ");
    let checkout = catalog.get("shop_checkout").expect("it is there");
    let secrets: Vec<String> = checkout.secret_names().iter().map(ToString::to_string).collect();
    assert_eq!(secrets, ["SHOP_PASSWORD"], "what its parts need, it needs");
    let cart = checkout.part("shop_cart").expect("it is joined");
    assert!(Arc::ptr_eq(cart, catalog.get("shop_cart").expect("it is there")), "both are of one catalog");
    assert!(cart.part("./cart-deep.yaml").is_some());
}

#[test]
fn parts_that_can_not_be_performed() {
    let files = Files::new(&[
        (
            "a.yaml",
            "description: x\nsteps:\n  - run: logn\n  - run: _logn.yaml\n  - run: _broken.yaml\n  - run: broken\n",
        ),
        (
            "b.yaml",
            "description: x\nsteps:\n  - run: _login.yaml\n    with: { emial: x, email: nobody, count: \"2\" }\n  - run: _login.yaml\n  - run: _login.yaml\n    with: { email: \"${{ page.url }}\", count: null }\n",
        ),
        ("login.yaml", "description: x\nsteps: [get_title]\n"),
        ("_login.yaml", PART),
        ("_broken.yaml", "steps: [get_titel]\n"),
        ("c.yaml", &calling("a")),
    ]);
    insta::assert_snapshot!(world(&files.load()), @r#"
    actions: login
    error: unknown command `get_titel`
     --> _broken.yaml:1:9
      |
    1 | steps: [get_titel]
      |         ^^^^^^^^^
      hint: did you mean `get_title`?
    warning: the input `email` is never used
     --> _login.yaml:1:11
      |
    1 | inputs: { email: { type: string, format: email }, count: { type: integer, default: 1 } }
      |           ^^^^^
      hint: write `${{ inputs.email }}` where it belongs, or remove it
    warning: the input `count` is never used
     --> _login.yaml:1:51
      |
    1 | inputs: { email: { type: string, format: email }, count: { type: integer, default: 1 } }
      |                                                   ^^^^^
      hint: write `${{ inputs.count }}` where it belongs, or remove it
    error: there is no action `logn`
     --> a.yaml:3:10
      |
    3 |   - run: logn
      |          ^^^^
      hint: did you mean `login`?
    error: there is no file `_logn.yaml`
     --> a.yaml:4:10
      |
    4 |   - run: _logn.yaml
      |          ^^^^^^^^^^
      hint: did you mean `_login.yaml`?
    error: `_broken.yaml` has errors
     --> a.yaml:5:10
      |
    5 |   - run: _broken.yaml
      |          ^^^^^^^^^^^^
      hint: see its own problems
    error: there is no action `broken`
     --> a.yaml:6:10
      |
    6 |   - run: broken
      |          ^^^^^^
      hint: name an action, or a file that ends in `.yaml`
    error: `_login` has no input `emial`
     --> b.yaml:4:13
      |
    4 |     with: { emial: x, email: nobody, count: "2" }
      |             ^^^^^
      hint: did you mean `email`?
    error: `email`: expected the format `email`, such as `ann@shop.example`, found "nobody"
     --> b.yaml:4:30
      |
    4 |     with: { emial: x, email: nobody, count: "2" }
      |                              ^^^^^^
    error: `count`: expected an integer, found "2"
     --> b.yaml:4:45
      |
    4 |     with: { emial: x, email: nobody, count: "2" }
      |                                             ^^^
    error: `_login` needs `email`
     --> b.yaml:5:10
      |
    5 |   - run: _login.yaml
      |          ^^^^^^^^^^^
      hint: add `with: { email: … }`
    error: `a` can't be performed
     --> c.yaml:3:10
      |
    3 |   - run: a
      |          ^
      hint: see its own problems
    "#);
}

#[test]
fn circles_and_depths_are_told() {
    let mut files: Vec<(String, String)> =
        (1..12).map(|number| (format!("n{number:02}.yaml"), calling(&format!("n{:02}", number + 1)))).collect();
    files.push(("n12.yaml".into(), "description: x\nsteps: [get_title]\n".into()));
    files.push(("self.yaml".into(), calling("self")));
    files.push(("x.yaml".into(), calling("y.yaml")));
    files.push(("y.yaml".into(), calling("z")));
    files.push(("z.yaml".into(), calling("x")));
    files.push(("to_z.yaml".into(), calling("z")));
    let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    insta::assert_snapshot!(world(&Files::new(&files).load()), @r#"
    actions: n04 n05 n06 n07 n08 n09 n10 n11 n12
    error: actions perform each other more than 8 deep
     --> n01.yaml:3:10
      |
    3 |   - run: n02
      |          ^^^
      hint: let an action further up perform the others one by one
    error: actions perform each other more than 8 deep
     --> n02.yaml:3:10
      |
    3 |   - run: n03
      |          ^^^
      hint: let an action further up perform the others one by one
    error: actions perform each other more than 8 deep
     --> n03.yaml:3:10
      |
    3 |   - run: n04
      |          ^^^
      hint: let an action further up perform the others one by one
    error: `self` performs itself: self → self
     --> self.yaml:3:10
      |
    3 |   - run: self
      |          ^^^^
      hint: let one of them do without the other
    error: `z` can't be performed
     --> to_z.yaml:3:10
      |
    3 |   - run: z
      |          ^
      hint: see its own problems
    error: `x` performs itself: x → y → z → x
     --> x.yaml:3:10
      |
    3 |   - run: y.yaml
      |          ^^^^^^
      hint: let one of them do without the other
    error: `y` performs itself: y → z → x → y
     --> y.yaml:3:10
      |
    3 |   - run: z
      |          ^
      hint: let one of them do without the other
    error: `z` performs itself: z → x → y → z
     --> z.yaml:3:10
      |
    3 |   - run: x
      |          ^
      hint: let one of them do without the other
    "#);
}

#[test]
fn a_caller_keeps_the_parts_it_could_be_joined_with() {
    let good = "description: x\nsteps: [get_title]\n";
    let files = Files::new(&[("a.yaml", &calling("_b.yaml")), ("_b.yaml", good)]);
    let first = files.load();
    let version = |catalog: &Catalog| catalog.get("a").and_then(|a| Some(a.part("_b.yaml")?.version.clone()));
    // The part breaks, then asks for more than it is given, then is gone: the caller performs what it could last.
    files.write("_b.yaml", "steps: [get_titel]\n");
    let second = files.load_after(&first);
    assert_eq!(version(&second), version(&first));
    files.write("_b.yaml", "inputs: { email: string }\nsteps: [get_title]\n");
    let third = files.load_after(&second);
    insta::assert_snapshot!(world(&third), @r"
    actions: a
    warning: the input `email` is never used
     --> _b.yaml:1:11
      |
    1 | inputs: { email: string }
      |           ^^^^^
      hint: write `${{ inputs.email }}` where it belongs, or remove it
    error: `_b` needs `email`
     --> a.yaml:3:10
      |
    3 |   - run: _b.yaml
      |          ^^^^^^^
      hint: add `with: { email: … }`
    ");
    assert_eq!((version(&third), third.stale("a").is_some()), (version(&first), true));
    fs::remove_file(files.path().join("_b.yaml")).expect("it is there");
    let fourth = files.load_after(&third);
    assert_eq!((version(&fourth), fourth.stale("a").is_some()), (version(&first), true));
    assert!(
        load(&LoadRequest { directories: vec![files.path().into()], builtins: false }, &Catalog::default())
            .get("a")
            .is_none()
    );
    files.write("_b.yaml", format!("{good}  # newer"));
    let fifth = files.load_after(&fourth);
    assert_eq!((world(&fifth).as_str(), fifth.stale("a")), ("actions: a\n", None));
    assert_ne!(version(&fifth), version(&first));
}
