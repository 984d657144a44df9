//! Flow, conditions and names: what is taken, where names live, what is never reached, and limits.

use super::*;

const ALL: &str = r#"
description: Everything that flow can say
inputs: { products: { type: array, items: string }, most: { type: integer, default: 3 } }
needs: [{ run: b, unless: { visible: "testid:session" } }, b]
steps:
  - set: { rows: [] }
  - if: ${{ inputs.products }}
    then:
      - get_text: testid:a
        as: word
    else:
      - set: { word: none }
  - for_each:
      in: ${{ inputs.products }}
      as: product
      index: number
      steps:
        - click: role:link[${{ product }}]
          when: { not: { disabled: "role:link[${{ product }}]" } }
        - set: { rows: "${{ rows + [product ~ number ~ (last or '')] }}" }
        - get_text: testid:last
          as: last
  - repeat:
      max: ${{ inputs.most }}
      index: round
      until: { any: [{ hidden: "role:link[Next]" }, "${{ round > 5 }}"] }
      steps:
        - click: role:link[Next]
          retry: { attempts: 3, backoff: 100ms }
  - group: [reload, { expect: { visible: testid:total, text: { selector: testid:total, matches: "^€ \\d" } } }]
    retry: 2
    optional: true
  - run: b
    with: { count: 2 }
    as: answer
  - expect:
      all:
        - count: { selector: role:listitem, at_least: 1, at_most: "${{ inputs.most }}" }
        - value: { selector: label:Quantity, equals: 1.50 }
        - attribute: { selector: testid:order, name: data-state }
        - url: /orders
        - title: { contains: Orders }
        - ${{ rows }}
    timeout: 3s
  - return: { word: early }
    when: ${{ word == 'none' }}
  - fail: { code: sold_out, message: "${{ answer }} is sold out", hint: try another }
    when: ${{ not rows }}
finally:
  - screenshot: { path: last.png }
    when: ${{ error.code }}
errors:
  - { when: { visible: text:Wrong password }, code: bad, message: "wrong: ${{ error.message }}" }
outputs:
  rows: ${{ rows }}
  word: ${{ word }}
"#;

const B: &str = "description: b\ninputs: { count: { type: integer, default: 1 } }\nsteps: [get_title]\n";

#[test]
fn flow_is_taken() {
    let catalog = Files::new(&[("a.yaml", ALL), ("b.yaml", B)]).load();
    insta::assert_snapshot!(world(&catalog), @r"
    actions: a b
    warning: the input `count` is never used
     --> b.yaml:2:11
      |
    2 | inputs: { count: { type: integer, default: 1 } }
      |           ^^^^^
      hint: write `${{ inputs.count }}` where it belongs, or remove it
    ");
    let action = catalog.get("a").expect("it is there");
    let Body::Shortcut(shortcut) = &action.body;
    let words: Vec<&str> = shortcut.steps.iter().map(Step::word).collect();
    assert_eq!(words, ["set", "if", "for_each", "repeat", "group", "run", "expect", "return", "fail"]);
    assert_eq!(action.part("b").map(|part| part.name.as_str()), Some("b"));
    let StepKind::If { otherwise, .. } = &shortcut.steps[1].kind else { panic!("it is an `if`") };
    assert_eq!(otherwise[0].number, 2, "the numbers of `else` go on");
}

#[test]
fn names_live_where_they_are_given() {
    insta::assert_snapshot!(problems(r#"
description: x
steps:
  - if: ${{ true }}
    then:
      - { type: get_title, as: title }
      - click: text:${{ address }}
    else:
      - { type: get_url, as: address }
      - click: text:${{ title }}
      - { type: get_url, as: title }
  - click: text:${{ title }} ${{ address }}
  - for_each:
      in: [1, 2]
      as: item
      steps:
        - click: text:${{ item }} ${{ later or '' }}
        - { type: get_url, as: later }
        - { type: get_url, as: item }
        - for_each: { in: "${{ item }}", as: item, steps: [get_title] }
  - click: text:${{ item }} ${{ later }}
  - set: { title: "${{ title }}!" }
  - { type: get_title, as: later }
  - click: text:${{ error.message }}
"#), @r#"
    error: `address` is captured by a later step
     --> a.yaml:7:25
      |
    7 |       - click: text:${{ address }}
      |                         ^^^^^^^
      hint: use it after the step that captures it
    warning: these steps are never performed: the condition is always `true`
     --> a.yaml:9:7
      |
    9 |       - { type: get_url, as: address }
      |       ^
    error: `title` is given by the other branch only
      --> a.yaml:10:25
       |
    10 |       - click: text:${{ title }}
       |                         ^^^^^
      hint: only one of `then` and `else` is performed: use it after the `if`, where it may be null
    error: `item` is already the name of a loop on line 15
      --> a.yaml:19:32
       |
    19 |         - { type: get_url, as: item }
       |                                ^^^^
      hint: give each `as` its own name; `set` may change a name
    error: `item` is already the name of a loop on line 15
      --> a.yaml:20:46
       |
    20 |         - for_each: { in: "${{ item }}", as: item, steps: [get_title] }
       |                                              ^^^^
      hint: give the loop another name
    error: `item` is known inside its loop only
      --> a.yaml:21:21
       |
    21 |   - click: text:${{ item }} ${{ later }}
       |                     ^^^^
      hint: keep what is needed after the loop with `set`
    error: `later` is already captured on line 18
      --> a.yaml:23:28
       |
    23 |   - { type: get_title, as: later }
       |                            ^^^^^
      hint: give each `as` its own name; `set` may change a name
    error: `error` is known in `errors` and `finally` only
      --> a.yaml:24:21
       |
    24 |   - click: text:${{ error.message }}
       |                     ^^^^^
      hint: read it there; a step that may fail is `optional: true`
    "#);
}

#[test]
fn what_is_never_reached_or_never_used() {
    insta::assert_snapshot!(problems(r#"
description: x
steps:
  - { type: get_title, as: title }
  - set: { total: 1 }
  - if: false
    then: [get_url]
  - if: true
    then: [return]
    else: [get_url]
  - if: ${{ page.url }}
    then: [return]
    else:
      - fail: no page
      - get_url
  - get_title
  - get_url
"#), @r#"
    warning: `title` is captured but never used
     --> a.yaml:4:28
      |
    4 |   - { type: get_title, as: title }
      |                            ^^^^^
      hint: use it in a later step or in `outputs`, or remove the `as`
    warning: `total` is set but never used
     --> a.yaml:5:12
      |
    5 |   - set: { total: 1 }
      |            ^^^^^
      hint: use it in a later step or in `outputs`, or remove the `set`
    warning: these steps are never performed: the condition is always `false`
     --> a.yaml:7:11
      |
    7 |     then: [get_url]
      |           ^
    warning: these steps are never performed: the condition is always `true`
      --> a.yaml:10:11
       |
    10 |     else: [get_url]
       |           ^
    warning: this step is never reached: `fail` on line 14 ends the action
      --> a.yaml:15:9
       |
    15 |       - get_url
       |         ^^^^^^^
      hint: remove it, or give the step that ends the action a `when`
    warning: this step is never reached: `if` on line 11 ends the action
      --> a.yaml:16:5
       |
    16 |   - get_title
       |     ^^^^^^^^^
      hint: remove it, or give the step that ends the action a `when`
    "#);
}

#[test]
fn steps_are_bounded() {
    let nested = |depth: usize| {
        let open: String = (0..depth).map(|level| format!("{}- group:\n", "  ".repeat(level + 1))).collect();
        format!("description: x\nsteps:\n{open}{}- get_title\n", "  ".repeat(depth + 1))
    };
    assert_eq!(problems(&nested(8)), "");
    insta::assert_snapshot!(problems(&nested(9)), @r#"
    error: steps are nested more than 8 deep
      --> a.yaml:12:23
       |
    12 |                     - get_title
       |                       ^
      hint: move the inner steps into an action of their own, and `run` it
    "#);
    let long = |inner: usize| {
        format!(
            "description: x\nsteps:\n{}  - group:\n{}",
            "  - get_title\n".repeat(500),
            "    - get_url\n".repeat(inner)
        )
    };
    assert_eq!(problems(&long(499)), "");
    insta::assert_snapshot!(problems(&long(500)), @r#"
    error: the file has more than 1000 steps
       --> a.yaml:504:7
        |
    504 |     - get_url
        |       ^
      hint: move a part of them into an action of their own, and `run` it
    "#);
}
