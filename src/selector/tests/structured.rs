//! Scenarios of the structured form.

use schemars::schema_for;
use serde_json::{Value, json};

use super::super::Selector;

fn read(value: Value) -> Result<String, String> {
    serde_json::from_value::<Selector>(value).map(|selector| selector.to_string()).map_err(|error| error.to_string())
}

/// A map means what its text means.
#[test]
fn maps_become_text() {
    for (map, text) in [
        (json!("role:button[Sign in]"), "role:button[Sign in]"),
        (json!({ "role": "button", "name": "Sign in" }), "role:button[Sign in]"),
        (json!({ "role": "button", "name": "Sign in", "exact": true }), r#"role:button["Sign in"]"#),
        (json!({ "role": "button", "name": "/^sign/i" }), "role:button[/^sign/i]"),
        (json!({ "role": "link", "name": "/home", "exact": false }), r#"role:link["/home"i]"#),
        (
            json!({
                "role": "treeitem", "checked": "mixed", "pressed": false, "expanded": true, "selected": false,
                "disabled": false, "level": 3, "include_hidden": true,
            }),
            "role:treeitem[checked=mixed][pressed=false][expanded][selected=false][disabled=false][level=3][include-hidden]",
        ),
        (json!({ "text": "a >> b" }), r#"text:"a >> b"i"#),
        (json!({ "text": "\"Save\"" }), r#"text:"Save""#),
        (json!({ "testid": "pay" }), "testid:pay"),
        (json!({ "label": "Email" }), "label:Email"),
        (json!({ "placeholder": "Search" }), "placeholder:Search"),
        (json!({ "alt": "Logo" }), "alt:Logo"),
        (json!({ "title": "Close" }), "title:Close"),
        (json!({ "css": "div > a" }), "css:div > a"),
        (json!({ "xpath": "//li" }), "xpath://li"),
        (json!({ "ref": "e12" }), "ref:e12"),
        (
            json!({ "css": "li", "within": "css:form", "frame": { "title": "Payment", "frame": "css:#outer" }, "nth": 1 }),
            "frame:css:#outer >> frame:title:Payment >> css:form >> css:li >> nth:1",
        ),
        (
            json!({ "css": "li", "within": { "css": "ul", "within": "frame:css:a >> css:b" } }),
            "frame:css:a >> css:b >> css:ul >> css:li",
        ),
        (
            json!({
                "css": "li", "last": true, "visible": true, "has_text": "New", "has": { "role": "link", "nth": 0 },
                "has_not": "text:Sold", "right_of": "text:a", "left_of": "text:b", "above": "text:c",
                "below": "text:d", "near": "text:e",
            }),
            "css:li >> has-text:New >> has:(role:link >> nth:0) >> has-not:text:Sold >> visible >> right-of:text:a \
             >> left-of:text:b >> above:text:c >> below:text:d >> near:text:e >> last",
        ),
        (json!({ "css": "li", "first": true }), "css:li >> nth:0"),
    ] {
        assert_eq!(read(map.clone()).as_deref(), Ok(text), "{map}");
    }
}

/// What a map gets wrong is named, with what to write.
#[test]
fn wrong_maps_are_explained() {
    for (map, message) in [
        (json!({ "rol": "button" }), "unknown key `rol` in a selector: did you mean `role`?"),
        (json!({ "css": "a", "has-text": "b" }), "unknown key `has-text` in a selector: did you mean `has_text`?"),
        (
            json!({ "name": "Sign in" }),
            "the selector does not say what to find: give one of `role`, `text`, `testid`, `label`, `placeholder`, \
             `alt`, `title`, `css`, `xpath`, `ref`",
        ),
        (
            json!({ "css": "a", "text": "b" }),
            "`text` and `css` are both given: keep one, and put outer elements into `within`",
        ),
        (json!({ "css": "a", "name": "b" }), "`name` belongs to a `role`: remove it, or give `role` instead of `css`"),
        (json!({ "css": "a", "exact": true }), "`exact` says how text is compared, and `css` has none: remove it"),
        (
            json!({ "role": "button", "exact": true }),
            "`exact` says how `name` is compared: give `name`, or remove `exact`",
        ),
        (json!({ "role": "buton" }), "unknown role `buton`: did you mean `button`?"),
        (json!({ "role": "heading", "level": 0 }), "`level` counts from 1"),
        (
            json!({ "css": "a", "nth": 1, "last": true }),
            "more than one of `nth`, `first` and `last` is given: keep one",
        ),
        (json!({ "css": "a", "visible": false }), "`visible` can only be `true`: remove it"),
        (json!({ "css": "a >> b" }), "`>>` can't stand here in `css`: use `within` for the outer selector"),
        (json!({ "text": " " }), "the text is empty in `text`: write the text to find"),
        (
            json!({ "text": "/a(/" }),
            "the regular expression does not compile in `text`: correct the pattern: unclosed group",
        ),
        (json!({ "css": "a", "has": "frame:b >> c" }), "a frame can't stand inside `has`: use `frame` beside it"),
        (json!("role:buton"), "unknown role `buton` at column 6 of the selector `role:buton`: did you mean `button`?"),
        (
            json!(5),
            "invalid type: integer `5`, expected a selector: text such as `role:button[Sign in]`, or a map such as \
             `{ role: button, name: Sign in }`",
        ),
        (
            json!({ "role": "checkbox", "checked": "maybe" }),
            "invalid value: string \"maybe\", expected `true`, `false` or `mixed`",
        ),
    ] {
        assert_eq!(read(map.clone()), Err(message.to_owned()), "{map}");
    }
}

/// The schema needs no references and carries the mark that loaders look for.
#[test]
fn the_schema_is_plain() {
    let schema = serde_json::to_value(schema_for!(Vec<Selector>)).expect("a schema is JSON");
    let text = schema.to_string();
    assert!(!text.contains("$ref"), "{text}");
    let items = &schema["items"];
    assert_eq!(items["x-repertoire"], json!("selector"));
    assert_eq!(items["anyOf"][0], json!({ "type": "string" }));
    assert_eq!(items["anyOf"][1]["properties"]["checked"], json!({ "enum": [true, false, "mixed"] }));
    assert_eq!(items["anyOf"][1]["additionalProperties"], json!(false));
}
