//! Typed inputs and outputs: what is declared, what a client sees of it, and what becomes of values.

use serde_json::json;

use super::*;

const CART: &str = r#"
description: x
inputs:
  email: { type: string, format: email, examples: [ann@shop.example] }
  note: string?
  tags: string[]
  sizes: { type: "integer[]?", max_items: 3, uniqueItems: true }
  mode: { const: fast, default: fast }
  cart:
    type: object
    title: The cart
    properties:
      rows:
        type: array
        min_items: 1
        items:
          type: object
          properties:
            id: integer
            count: { type: integer, default: 1, minimum: 1 }
      delivery:
        properties:
          day: { type: string, format: date, default: "2026-03-31" }
          express: boolean?
        required: []
steps:
  - evaluate: |
      ({ cart, inputs }) => cart
    args: ${{ inputs }}
    as: answer
outputs:
  plain: ${{ answer }}
  greeting: Hello ${{ inputs.email }}
  seven: 7
  total: { value: "${{ answer.total }}", type: number, required: true, minimum: 0 }
  when: { value: "${{ answer.when }}", type: string?, format: date-time, title: The moment }
  rows:
    value: ${{ answer.rows }}
    type: array
    items:
      properties: { price: number, name: string? }
"#;

fn pretty(schema: &Map<String, Value>) -> String {
    let lines = schema["properties"].as_object().into_iter().flatten();
    let mut text: Vec<String> = lines.map(|(name, schema)| format!("{name}: {schema}")).collect();
    text.push(format!("required: {}", schema.get("required").unwrap_or(&Value::Null)));
    text.join("\n")
}

#[test]
fn one_declaration_makes_the_schemas() {
    let action = action(CART);
    insta::assert_snapshot!(pretty(&action.input_schema), @r#"
    email: {"type":"string","format":"email","examples":["ann@shop.example"]}
    note: {"type":"string"}
    tags: {"type":"array","items":{"type":"string"}}
    sizes: {"type":"array","items":{"type":"integer"},"maxItems":3,"uniqueItems":true}
    mode: {"type":"string","const":"fast","default":"fast"}
    cart: {"type":"object","title":"The cart","properties":{"rows":{"type":"array","minItems":1,"items":{"type":"object","properties":{"id":{"type":"integer"},"count":{"type":"integer","default":1,"minimum":1}},"required":["id"],"additionalProperties":false}},"delivery":{"type":"object","properties":{"day":{"type":"string","format":"date","default":"2026-03-31"},"express":{"type":"boolean"}},"additionalProperties":false}},"required":["rows","delivery"],"additionalProperties":false}
    required: ["email","tags","cart"]
    "#);
    insta::assert_snapshot!(pretty(action.output_schema.as_ref().expect("it has outputs")), @r#"
    plain: {"description":"The value of `plain`"}
    greeting: {"type":"string","description":"The value of `greeting`"}
    seven: {"type":"integer","description":"The value of `seven`"}
    total: {"type":"number","minimum":0,"description":"The value of `total`"}
    when: {"type":"string","format":"date-time","title":"The moment","description":"The value of `when`"}
    rows: {"type":"array","items":{"type":"object","properties":{"price":{"type":"number"},"name":{"type":"string"}},"required":["price"]},"description":"The value of `rows`"}
    required: ["total"]
    "#);
    for schema in [&action.input_schema, action.output_schema.as_ref().expect("it has outputs")] {
        let schema = Value::Object((**schema).clone());
        assert!(jsonschema::draft202012::meta::validate(&schema).is_ok());
    }
}

#[test]
fn arguments_are_completed_and_checked_at_every_depth() {
    let action = action(CART);
    let answer = |given: Value| {
        let given = given.as_object().cloned().unwrap_or_default();
        match action.arguments(given) {
            Ok(arguments) => Value::Object(arguments).to_string(),
            Err(error) => error.faults.join("\n"),
        }
    };
    let answers = [
        json!({"email": "a@b.c", "tags": [], "cart": {"rows": [{"id": 1, "count": null}], "delivery": {"express": null}}}),
        json!({"email": "a@", "tags": ["x", 1], "sizes": [1, 1], "mode": "slow", "cart": {
            "rows": [{"count": 0}], "delivery": {"day": "2026-02-30", "dya": 1},
        }}),
        json!({"email": "a@b.c", "tags": "x", "cart": {"rows": []}}),
    ];
    insta::assert_snapshot!(answers.map(answer).join("\n\n"), @r#"
    {"email":"a@b.c","tags":[],"cart":{"rows":[{"id":1,"count":1}],"delivery":{"day":"2026-03-31"}},"mode":"fast","note":null,"sizes":null}

    `email`: expected the format `email`, such as `ann@shop.example`, found "a@"
    `tags[1]`: expected a string, found 1
    `sizes`: expected items that differ, found [1,1]
    `mode`: expected "fast", found "slow"
    `cart.rows[0].count`: expected at least 1, found 0
    `cart.rows[0]`: `id` is missing
    `cart.delivery.day`: expected the format `date`, such as `2026-03-31`, found "2026-02-30"
    `cart.delivery`: `dya` is not known

    `tags`: expected a list, found "x"
    `cart`: `delivery` is missing
    `cart.rows`: expected at least 1 items, found []
    "#);
}

#[test]
fn outputs_fit_their_declaration() {
    let action = action(CART);
    let Body::Shortcut(shortcut) = &action.body;
    let outputs = |answer: Value| {
        let inputs = json!({"email": "a@b.c"});
        let mut scope = Scope::new(inputs.as_object().expect("it is a map"));
        scope.set("answer", &answer);
        match shortcut.outputs(&scope) {
            Ok(values) => Value::Object(values).to_string(),
            Err(error) => format!("{error}\nhint: {}", error.hint().unwrap_or_default()),
        }
    };
    let answers = [
        json!({"total": "12.50", "when": null, "rows": [{"price": "3", "name": null}, {"price": 4, "more": true}]}),
        json!({"total": "€ 1,234.50", "when": null, "rows": null}),
        json!({"total": null, "when": null, "rows": null}),
        json!({"total": -1, "when": null, "rows": null}),
        json!({"total": 1, "when": "yesterday", "rows": null}),
        json!({"total": 1, "when": null, "rows": [{"name": "x"}, {"price": "free"}]}),
    ];
    insta::assert_snapshot!(answers.map(outputs).join("\n\n"), @r#"
    {"plain":{"rows":[{"name":null,"price":"3"},{"more":true,"price":4}],"total":"12.50","when":null},"greeting":"Hello a@b.c","seven":7,"total":12.5,"rows":[{"price":3},{"more":true,"price":4}]}

    output `total`: expected a number, found "€ 1,234.50"
    hint: take units and separators away: `${{ total | replace('€', '') | replace(',', '') }}`

    output `total`: it is required and has no value
    hint: write `required: false`, or give a default in its expression

    output `total`: expected at least 0, found -1
    hint: change what the output declares, or convert the value in its expression

    output `when`: expected the format `date-time`, such as `2026-03-31T12:00:00Z`, found "yesterday"
    hint: change what the output declares, or convert the value in its expression

    output `rows`: `[0]`: `price` is missing; `[1].price`: expected a number, found "free"
    hint: change what the output declares, or convert the value in its expression
    "#);
}

#[test]
fn declarations_that_no_value_fits() {
    insta::assert_snapshot!(problems(
        r#"
description: x
inputs:
  password: { type: string, secret: true }
  pin: secret
  when: datetime
  home: url
  size: { type: string, enum: [s, 5], default: xl }
  vat: { type: string, default: 7.50 }
  fast: { type: boolean, default: yes }
  age: { type: integer, minimum: 18, maximum: 5, min_length: 2 }
  must: { type: string, required: true, default: x }
  list: array
  deep: { properties: { rows: { type: array, items: { properties: { day: { type: string, format: day } } } } }, default: {} }
  cart: { properties: { id: integer }, required: [di], default: { id: x } }
  any: { oneOf: [string, integer] }
  both: [string, integer]
  none:
  many: { type: commands, min_items: 2 }
steps:
  - get_title
outputs:
  total: { type: number }
  paid: { value: "${{ page.title }}", type: boolean, default: false }
  all: { value: x, type: commands }
  empty:
"#
    ), @r#"
    error: an input can't be a secret: a client sends it, so its model has read it
     --> a.yaml:4:29
      |
    4 |   password: { type: string, secret: true }
      |                             ^^^^^^
      hint: leave it out: write `$<<NAME>>` where it is typed, and set NAME in `.env`
    error: unknown type `secret`
     --> a.yaml:5:8
      |
    5 |   pin: secret
      |        ^^^^^^
      hint: leave it out: write `$<<NAME>>` where it is typed, and set NAME in `.env`
    error: unknown type `datetime`
     --> a.yaml:6:9
      |
    6 |   when: datetime
      |         ^^^^^^^^
      hint: write `{ type: string, format: date-time }`
    error: unknown type `url`
     --> a.yaml:7:9
      |
    7 |   home: url
      |         ^^^
      hint: write `{ type: string, format: uri }`
    error: `enum`: expected a string, found 5
     --> a.yaml:8:35
      |
    8 |   size: { type: string, enum: [s, 5], default: xl }
      |                                   ^
      hint: write it in quotes: `"5"`
    error: `default`: expected one of "s", 5, found "xl"
     --> a.yaml:8:48
      |
    8 |   size: { type: string, enum: [s, 5], default: xl }
      |                                                ^^
      hint: for example `s`
    error: `default`: expected a string, found 7.5
     --> a.yaml:9:33
      |
    9 |   vat: { type: string, default: 7.50 }
      |                                 ^^^^
      hint: write it in quotes: `"7.50"`
    error: `default`: expected a boolean, found "yes"
      --> a.yaml:10:35
       |
    10 |   fast: { type: boolean, default: yes }
       |                                   ^^^
      hint: write `true`
    error: no value is at least 18 and at most 5
      --> a.yaml:11:34
       |
    11 |   age: { type: integer, minimum: 18, maximum: 5, min_length: 2 }
       |                                  ^^
      hint: exchange them
    error: `min_length` has no meaning for the type `integer`
      --> a.yaml:11:50
       |
    11 |   age: { type: integer, minimum: 18, maximum: 5, min_length: 2 }
       |                                                  ^^^^^^^^^^
      hint: it belongs to `string`
    error: a value that is required has no default
      --> a.yaml:12:50
       |
    12 |   must: { type: string, required: true, default: x }
       |                                                  ^
      hint: keep one of the two
    error: a list needs `items`
      --> a.yaml:13:9
       |
    13 |   list: array
       |         ^^^^^
      hint: write `string[]`, or `{ type: array, items: … }` with what else the list holds
    error: unknown format `day`
      --> a.yaml:14:98
       |
    14 |   deep: { properties: { rows: { type: array, items: { properties: { day: { type: string, format: day } } } } }, default: {} }
       |                                                                                                  ^^^
      hint: the formats are `email`, `uri`, `uri-reference`, `iri`, `date`, `date-time`, `time`, `duration`, `uuid`, `hostname`, `ipv4`, `ipv6`, `regex`, `json-pointer`
    error: `di` is none of the properties
      --> a.yaml:15:51
       |
    15 |   cart: { properties: { id: integer }, required: [di], default: { id: x } }
       |                                                   ^^
      hint: did you mean `id`?
    error: `oneOf` can't declare an input: some clients refuse such schemas
      --> a.yaml:16:10
       |
    16 |   any: { oneOf: [string, integer] }
       |          ^^^^^
      hint: write out `type`, `properties` and `items`
    error: an input is declared by a type or a map
      --> a.yaml:17:9
       |
    17 |   both: [string, integer]
       |         ^
      hint: write one of `string`, `integer`, `number`, `boolean`, `array`, `object`, `commands`, or `{ type: string, … }`
    error: an input is declared by a type or a map
      --> a.yaml:18:3
       |
    18 |   none:
       |   ^^^^
      hint: write one of `string`, `integer`, `number`, `boolean`, `array`, `object`, `commands`, or `{ type: string, … }`
    error: `min_items` can't be set for a list of commands
      --> a.yaml:19:27
       |
    19 |   many: { type: commands, min_items: 2 }
       |                           ^^^^^^^^^
      hint: `type: commands` says what the list holds
    error: the output has no value
      --> a.yaml:23:3
       |
    23 |   total: { type: number }
       |   ^^^^^
      hint: write `total: ${{ value }}`, or `value:` beside its `type`
    error: an output has no `default`
      --> a.yaml:24:54
       |
    24 |   paid: { value: "${{ page.title }}", type: boolean, default: false }
       |                                                      ^^^^^^^
      hint: write it into the value: `${{ … | default(0) }}`
    error: unknown type `commands`
      --> a.yaml:25:26
       |
    25 |   all: { value: x, type: commands }
       |                          ^^^^^^^^
      hint: the types are `string`, `integer`, `number`, `boolean`, `array`, `object`
    error: the output has no value
      --> a.yaml:26:3
       |
    26 |   empty:
       |   ^^^^^
      hint: write `empty: ${{ value }}`, or `value:` beside its `type`
    "#);
}

#[test]
fn inputs_that_nothing_reads() {
    insta::assert_snapshot!(problems(
        r#"
description: x
inputs: { email: string, shop-name: string?, page: { type: integer, default: 1 } }
steps:
  - navigate: https://shop.example/${{ inputs.page }}
"#
    ), @r"
    warning: the input `email` is never used
     --> a.yaml:3:11
      |
    3 | inputs: { email: string, shop-name: string?, page: { type: integer, default: 1 } }
      |           ^^^^^
      hint: write `${{ inputs.email }}` where it belongs, or remove it
    warning: the input `shop-name` is never used
     --> a.yaml:3:26
      |
    3 | inputs: { email: string, shop-name: string?, page: { type: integer, default: 1 } }
      |                          ^^^^^^^^^
      hint: write `${{ inputs['shop-name'] }}` where it belongs, or remove it
    ");
    let whole = "description: x\ninputs: { a: string }\nsteps:\n  - evaluate: x => x\n    args: ${{ inputs }}\n";
    assert_eq!(problems(whole), "");
}
