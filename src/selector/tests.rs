//! Scenarios of the whole grammar: what text means, what its errors say, and that printing and parsing agree.

mod errors;
mod properties;
mod structured;

use serde_json::{Value, json};

use super::Selector;

fn parse(source: &str) -> Selector {
    Selector::parse(source).unwrap_or_else(|error| panic!("`{source}`: {error:?}"))
}

fn page(source: &str) -> Value {
    parse(source).to_page("data-testid")
}

fn contains(text: &str) -> Value {
    json!({ "match": "contains", "text": text, "flags": "" })
}

fn exact(text: &str) -> Value {
    json!({ "match": "exact", "text": text, "flags": "" })
}

/// What the page's side may call an element can be looked for.
#[test]
fn roles_of_the_page_are_known() {
    let bundle = include_str!("../browser/injected/roles.js");
    let list = bundle.split("const ROLES").nth(1).and_then(|rest| rest.split(".split").next()).expect("a list");
    let quoted: Vec<&str> = list.lines().filter_map(|line| line.split('"').nth(1)).collect();
    let roles: Vec<&str> = quoted.iter().flat_map(|line| line.split_whitespace()).collect();
    assert!(roles.len() > 100 && roles.contains(&"doc-toc"), "{roles:?}");
    for role in roles {
        assert_eq!(page(&format!("role:{role}[x]"))[0]["role"], role);
    }
}

/// Every form of the grammar, and the page form it becomes.
#[test]
fn text_becomes_the_page_form() {
    let regex = |text: &str, flags: &str| json!({ "match": "regex", "text": text, "flags": flags });
    for (source, expected) in [
        ("role:button", json!([{ "kind": "role", "role": "button" }])),
        ("role:button[Sign in]", json!([{ "kind": "role", "role": "button", "name": contains("Sign in") }])),
        (r#"role:button["Sign in"]"#, json!([{ "kind": "role", "role": "button", "name": exact("Sign in") }])),
        (
            "role:button[/^sign (in|up)$/i]",
            json!([{ "kind": "role", "role": "button", "name": regex("^sign (in|up)$", "i") }]),
        ),
        (
            "role:checkbox[Remember me][checked]",
            json!([{ "kind": "role", "role": "checkbox", "name": contains("Remember me"), "checked": true }]),
        ),
        (
            "role:button [pressed=mixed] [expanded=false] [selected] [disabled] [level=2] [include-hidden] [Save]",
            json!([{
                "kind": "role", "role": "button", "name": contains("Save"), "pressed": "mixed", "expanded": false,
                "selected": true, "disabled": true, "level": 2, "include_hidden": true,
            }]),
        ),
        (r#"role:button[""]"#, json!([{ "kind": "role", "role": "button", "name": exact("") }])),
        ("role:row[a >> [b]]", json!([{ "kind": "role", "role": "row", "name": contains("a >> [b]") }])),
        ("role:checkbox[chekced]", json!([{ "kind": "role", "role": "checkbox", "name": contains("chekced") }])),
        ("role:link[E=mc2]", json!([{ "kind": "role", "role": "link", "name": contains("E=mc2") }])),
        ("text:Welcome", json!([{ "kind": "text", "text": contains("Welcome") }])),
        (r#"text:"Say \"hi\" \\ \n""#, json!([{ "kind": "text", "text": exact(r#"Say "hi" \ \n"#) }])),
        (r#"text:"a >> b"i"#, json!([{ "kind": "text", "text": contains("a >> b") }])),
        (r"text:/a\/b[/]\d >> c/sim", json!([{ "kind": "text", "text": regex(r"a/b[/]\d >> c", "ims") }])),
        ("testid:pay", json!([{ "kind": "testid", "attribute": "data-testid", "text": exact("pay") }])),
        ("testid:/^pay-/", json!([{ "kind": "testid", "attribute": "data-testid", "text": regex("^pay-", "") }])),
        ("label: Email ", json!([{ "kind": "label", "text": contains("Email") }])),
        ("placeholder:Search", json!([{ "kind": "placeholder", "text": contains("Search") }])),
        ("alt:Logo", json!([{ "kind": "alt", "text": contains("Logo") }])),
        (r#"title:"Close""#, json!([{ "kind": "title", "text": exact("Close") }])),
        ("css:div > a[href='x >> y']", json!([{ "kind": "css", "css": "div > a[href='x >> y']" }])),
        ("xpath://li[2]", json!([{ "kind": "xpath", "xpath": "//li[2]" }])),
        ("ref:e12", json!([{ "kind": "ref", "ref": "e12" }])),
        (
            "role:list >> nth:-2 >> visible",
            json!([{ "kind": "role", "role": "list" }, { "kind": "nth", "index": -2 }, { "kind": "visible" }]),
        ),
        (
            "role:row >> first >> last",
            json!([{ "kind": "role", "role": "row" }, { "kind": "nth", "index": 0 }, { "kind": "nth", "index": -1 }]),
        ),
        (
            "css:li >> has:role:link >> has-not:(text:Sold >> visible) >> has-text:New >> has-not-text:Old",
            json!([
                { "kind": "css", "css": "li" },
                { "kind": "has", "selector": [{ "kind": "role", "role": "link" }] },
                { "kind": "has-not", "selector": [{ "kind": "text", "text": contains("Sold") }, { "kind": "visible" }] },
                { "kind": "has-text", "text": contains("New") },
                { "kind": "has-not-text", "text": contains("Old") },
            ]),
        ),
        (
            "css:li >> and:.new >> or:(css:b >> last)",
            json!([
                { "kind": "css", "css": "li" },
                { "kind": "and", "selector": [{ "kind": "css", "css": ".new" }] },
                { "kind": "or", "selector": [{ "kind": "css", "css": "b" }, { "kind": "nth", "index": -1 }] },
            ]),
        ),
        (
            "role:checkbox >> right-of:text:Me",
            json!([
                { "kind": "role", "role": "checkbox" },
                { "kind": "layout", "relation": "right-of", "selector": [{ "kind": "text", "text": contains("Me") }] },
            ]),
        ),
        ("Sign in>>.card", json!([{ "kind": "text", "text": contains("Sign in") }, { "kind": "css", "css": ".card" }])),
        (r#""Sign in""#, json!([{ "kind": "text", "text": exact("Sign in") }])),
        ("#save", json!([{ "kind": "css", "css": "#save" }])),
        ("[name=q]", json!([{ "kind": "css", "css": "[name=q]" }])),
        ("//li", json!([{ "kind": "xpath", "xpath": "//li" }])),
        ("(//li)[2]", json!([{ "kind": "xpath", "xpath": "(//li)[2]" }])),
        ("Total: 5", json!([{ "kind": "text", "text": contains("Total: 5") }])),
        ("End:5", json!([{ "kind": "text", "text": contains("End:5") }])),
        ("css:a[b=':visible']", json!([{ "kind": "css", "css": "a[b=':visible']" }])),
        ("Total:5", json!([{ "kind": "text", "text": contains("Total:5") }])),
        ("Label:", json!([{ "kind": "text", "text": contains("Label:") }])),
        ("http://shop.example", json!([{ "kind": "text", "text": contains("http://shop.example") }])),
        ("first name", json!([{ "kind": "text", "text": contains("first name") }])),
        ("27\" (new) monitor", json!([{ "kind": "text", "text": contains("27\" (new) monitor") }])),
    ] {
        assert_eq!(page(source), expected, "{source}");
    }
    assert_eq!(
        parse("testid:pay").to_page("data-qa"),
        json!([{ "kind": "testid", "attribute": "data-qa", "text": exact("pay") }])
    );
}

/// Printing gives one spelling, whatever was written.
#[test]
fn printing_is_canonical() {
    for (source, canonical) in [
        (" Sign in>>first ", "text:Sign in >> nth:0"),
        (r#"label:"Email"i"#, "label:Email"),
        (r#"testid:"pay""#, "testid:pay"),
        ("role:button[disabled=true][ Save ]", "role:button[Save][disabled]"),
        (r#"role:button["checked"i]"#, r#"role:button["checked"i]"#),
        ("css:li >> nth:-1", "css:li >> last"),
        ("css:li >> has:(text:a (b))", "css:li >> has:text:a (b)"),
        (r#"css:li >> has:(text:"a)"i >> visible)"#, r#"css:li >> has:(text:"a)"i >> visible)"#),
        ("text:/[/]/", r"text:/[\/]/"),
        ("frame:#pay >> frame:title:Card >> label:Number", "frame:css:#pay >> frame:title:Card >> label:Number"),
    ] {
        assert_eq!(parse(source).to_string(), canonical, "{source}");
        assert_eq!(parse(canonical), parse(source), "{source}");
    }
}

/// Frames are split off outermost first; each keeps the parts that lead to its element.
#[test]
fn frames_are_split_off() {
    let split = |source: &str| {
        let (frames, rest) = parse(source).split_frames();
        (frames.iter().map(Selector::to_string).collect::<Vec<_>>().join(" | "), rest.to_string())
    };
    let expect = |frames: &str, rest: &str| (frames.to_owned(), rest.to_owned());
    assert_eq!(split("css:a >> nth:0"), expect("", "css:a >> nth:0"));
    assert_eq!(split("css:a >> frame:css:b >> css:c"), expect("css:a >> css:b", "css:c"));
    assert_eq!(
        split("frame:(css:a >> last) >> css:b >> frame:title:c >> text:d >> first"),
        expect("css:a >> last | css:b >> title:c", "text:d >> nth:0")
    );
}

/// Bare text that looks like CSS is pointed out; words and prices are not.
#[test]
fn css_without_its_prefix_is_noticed() {
    for (source, suggestion) in [
        ("button[type=submit]", "css:button[type=submit]"),
        ("div.card", "css:div.card"),
        (r#"input[name="q"]"#, r#"css:input[name="q"]"#),
        ("ul > li", "css:ul > li"),
        ("ul > li.item:nth-child(2)", "css:ul > li.item:nth-child(2)"),
        ("form input[name=q] >> Save", "css:form input[name=q] >> Save"),
        ("frame:iframe >> Pay >> div.card", "frame:css:iframe >> Pay >> css:div.card"),
        ("a, button.primary", "css:a, button.primary"),
        ("my-card.big", "css:my-card.big"),
        ("h1", "css:h1"),
        (r#"button:has-text("Buy now")"#, "css:button >> has-text:Buy now"),
        ("div.card:visible", "css:div.card >> visible"),
        ("tr:eq(2)", "css:tr >> nth:2"),
    ] {
        assert_eq!(Selector::looks_like_css(source).as_deref(), Some(suggestion), "{source}");
        parse(suggestion);
    }
    for source in [
        "Save",
        "a button",
        "Home > Products",
        "home > news",
        "Total [USD]",
        "v1.2",
        "shop.example",
        "p.",
        "Sign in",
        "div",
        "css:div.card",
        "text:div.card",
        "role:button[div.card]",
        "a >> >> b",
        "",
    ] {
        let expected = (source == "div").then(|| "css:div".to_owned());
        assert_eq!(Selector::looks_like_css(source), expected, "{source}");
    }
}

/// Selectors of classic shortcuts mean what their authors meant.
#[test]
fn classic_selectors_are_rewritten() {
    for (source, rewritten) in [
        (r#"button[type="submit"]"#, r#"css:button[type="submit"]"#),
        (r#"input[name="q"]"#, r#"css:input[name="q"]"#),
        ("h1", "css:h1"),
        ("button", "css:button"),
        ("form > .x", "css:form > .x"),
        ("div + Card", "css:div + Card"),
        (r#"nav a[href="/x"]"#, r#"css:nav a[href="/x"]"#),
        ("ul li", "css:ul li"),
        ("h1, h2", "css:h1, h2"),
        ("my-card > a > b", "css:my-card > a > b"),
        ("button:has-text('Buy now')", "css:button >> has-text:Buy now"),
        ("text=Sign in", "text:Sign in"),
        (r#"text="Sign >> in" >> nth=2"#, r#"text:"Sign >> in" >> nth:2"#),
        ("text='Say \"hi\"' >> nth=0", r#"text:"Say \"hi\"" >> nth:0"#),
        ("text=/^sign/i", "text:/^sign/i"),
        ("css=div > a >> nth=-1", "css:div > a >> nth:-1"),
        ("css=button:has-text('Buy')", "css:button >> has-text:Buy"),
        ("xpath=//li[2]", "xpath://li[2]"),
        ("ul >> li >> text=Don't", "css:ul >> css:li >> text:Don't"),
    ] {
        assert_eq!(Selector::from_classic(source), rewritten);
        parse(rewritten);
    }
    for source in [
        "Sign in",
        "Button",
        "Save button",
        "Next >",
        "1 + 1",
        "sign-in",
        "#email",
        ".card > a",
        "[name=q]",
        "//li",
        "role:button[Save]",
        "text:h1",
        "label:Email",
        "a=b",
        "id=x",
        "",
        ">> x",
        "\"",
    ] {
        assert_eq!(Selector::from_classic(source), source);
    }
}
