//! What is told where a selector finds several elements or none, and the selectors that are suggested.

use insta::assert_snapshot;
use repertoire::browser::{ClickOptions, LoadState, Page, Reading};

use super::stress::page::Page as RandomPage;
use crate::support::{Site, deadline, element, evaluate, open, session, without_attempts};

async fn told(page: &Page<'_>, selector: &str) -> String {
    let (selector, limit) = (element(selector), deadline(300));
    let error = page.click(&selector, &ClickOptions::default(), &limit).await.expect_err("nothing to click");
    let error = page.explain(error, &selector, &deadline(5_000)).await;
    without_attempts(&error)
}

#[tokio::test(flavor = "multi_thread")]
async fn several_matches_are_told_apart() {
    let (site, mut session) = (Site::start().await, session());
    let rows: String = ["Ada", "Bob"].map(|name| format!("<tr><td>{name}<td><button>Delete</button>")).concat();
    let todo: String = ["buy milk", "call Eve"]
        .map(|what| format!("<li><input type=checkbox aria-label=Done> <span>{what}</span></li>"))
        .concat();
    let body = format!(
        "<table>{rows}</table><ul>{todo}</ul>
        <div data-testid=left><input></div><div data-testid=right><input></div><div id=css-1q2w3e4r><input id=«r1»></div>
        <p>{}</p>",
        "<a href=/>More</a>".repeat(12)
    );
    let page = open(&mut session, &site, &body).await;
    assert_snapshot!(told(&page, "role:button[Delete]").await, @r#"
    2 elements match `role:button[Delete]`, but it must be exactly one
      role:row["Ada Delete"] >> role:button["Delete"]: <button "Delete">
      role:row["Bob Delete"] >> role:button["Delete"]: <button "Delete">
    "#);
    assert_snapshot!(told(&page, "label:Done").await, @r#"
    2 elements match `label:Done`, but it must be exactly one
      role:listitem >> has-text:buy milk >> role:checkbox["Done"]: <input[type=checkbox] "Done">
      role:listitem >> has-text:call Eve >> role:checkbox["Done"]: <input[type=checkbox] "Done">
    "#);
    assert_snapshot!(told(&page, "role:textbox").await, @r#"
    3 elements match `role:textbox`, but it must be exactly one
      testid:left >> role:textbox: <input>
      testid:right >> role:textbox: <input>
      role:textbox >> nth:2: <input#«r1»>
    "#);
    assert_snapshot!(told(&page, "role:link").await, @r#"
    12 elements match `role:link`, but it must be exactly one
      role:link["More"] >> nth:0: <a "More">
      role:link["More"] >> nth:1: <a "More">
      role:link["More"] >> nth:2: <a "More">
      role:link["More"] >> nth:3: <a "More">
      role:link["More"] >> nth:4: <a "More">
      role:link["More"] >> nth:5: <a "More">
      role:link["More"] >> nth:6: <a "More">
      role:link["More"] >> nth:7: <a "More">
      role:link["More"] >> nth:8: <a "More">
      role:link["More"] >> nth:9: <a "More">
      and 2 more
    "#);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn near_misses_say_why() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/pay", "<label>Card <input></label><button>Pay now</button>");
    let body = format!(
        "<form id=login><input placeholder=User><button>Sign in</button></form><a href=#>Sign up</a>
        <button hidden>Ghost</button><details><summary>More</summary><button>Folded</button></details>
        <button aria-label=Close title='Close the window'>x</button><div class=btn>Buy</div>
        <input type=checkbox aria-label=News checked><iframe title=Payment src='{}'></iframe>",
        site.other_origin("/pay")
    );
    let page = open(&mut session, &site, &body).await;
    let mut answers = Vec::new();
    for selector in [
        "role:button[\"sign in\"]",
        "role:button[Sign inn]",
        "role:button[Sign up]",
        "role:button[Ghost]",
        "role:button[Folded]",
        "role:button[Buy]",
        "role:checkbox[News][checked=false]",
        "label:User",
        "text:Close",
        "#login >> role:link[Sign up]",
        "#logn",
        "role:button[Pay now]",
        "frame:title:Payment >> role:button[Sign in]",
        "frame:title:Paiment >> label:Card",
        "role:button[Sign in] >> nth:3",
    ] {
        answers.push(told(&page, selector).await);
    }
    assert_snapshot!(answers.join("\n"), @r#"
    no element matches `role:button["sign in"]`
      near miss: role:button["Sign in"]: name is `Sign in`, in another case, <button "Sign in">
    no element matches `role:button[Sign inn]`
      near miss: role:button["Sign in"]: name is `Sign in`, <button "Sign in">
    no element matches `role:button[Sign up]`
      near miss: role:link["Sign up"]: role is `link`, <a "Sign up">
      near miss: role:button["Sign in"]: name is `Sign in`, <button "Sign in">
    no element matches `role:button[Ghost]`
      near miss: text:"Ghost": hidden: `display: none`, <button "Ghost">
    no element matches `role:button[Folded]`
      near miss: text:"Folded": inside the closed <details>, <button "Folded">
    no element matches `role:button[Buy]`
      near miss: text:"Buy": it has the text, but no such role, <div.btn "Buy">
    no element matches `role:checkbox[News][checked=false]`
      near miss: role:checkbox["News"]: checked is `true`, <input[type=checkbox] "News">
    no element matches `label:User`
      near miss: role:textbox["User"]: that is its placeholder, not its label, <input "User">
    no element matches `text:Close`
      near miss: role:button["Close"]: that is its label, not its text, <button "Close">
    no element matches `css:#login >> role:link[Sign up]`
      near miss: role:link["Sign up"]: it is outside of <form#login>, <a "Sign up">
    no element matches `#logn`
      near miss: css:#login: id is `login`, <form#login>
    no element matches `role:button[Pay now]`
      near miss: frame:title:"Payment" >> role:button["Pay now"]: it is in this iframe, <button "Pay now">
      near miss: role:button["Sign in"]: name is `Sign in`, <button "Sign in">
    no element matches `frame:title:Payment >> role:button[Sign in]`
      near miss: role:button["Sign in"]: it is in the page itself, <button "Sign in">
      near miss: frame:title:Payment >> role:button["Pay now"]: name is `Pay now`, <button "Pay now">
    no element matches `frame:title:Paiment >> label:Card`: no iframe matches `title:Paiment`
      near miss: title:"Payment": title is `Payment`, <iframe "Payment">
    no element matches `role:button[Sign in] >> nth:3`
      near miss: role:button["Sign in"]: it is nth:0, <button "Sign in">
    "#);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_dialog_is_the_reason() {
    let (site, mut session) = (Site::start().await, session());
    let body = "<button>Buy</button><div inert id=still><button>Wait</button></div>
        <dialog id=ask>Sure? <button>Yes</button></dialog><script>ask.showModal()</script>";
    let page = open(&mut session, &site, body).await;
    assert_snapshot!(told(&page, "role:button[Buy]").await, @r#"
    no element matches `role:button[Buy]`
      near miss: text:"Buy": behind the open <dialog#ask "Sure?">, <button "Buy">
    "#);
    assert_snapshot!(told(&page, "role:button[Wait]").await, @r#"
    no element matches `role:button[Wait]`
      near miss: text:"Wait": hidden from assistive technology by <div#still>, <button "Wait">
    "#);
    session.close().await;
}

/// What the generator prefers, and what it leaves out because a build or a counter made it.
#[tokio::test(flavor = "multi_thread")]
async fn a_selector_is_one_that_lasts() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/inner", "<button>Pay</button><p>x</p><p>x</p>");
    let body = "
        <button data-testid=pay id=pay>Pay now</button> <button id=save>Save</button> <input id=em placeholder=Email>
        <label>City <input></label> <p id=para>Some <b>text</b></p> <div id=plain></div>
        <div data-cy=cy></div> <i id=ember123></i> <i class='sc-bdVaJa'></i> <i class='badge sc-bdVaJa'></i>
        <div data-testid=row><u></u><u></u></div>
        <button>A name that is so long that nobody would want to read all of it in one line of text</button>
        <button data-k=icon>\u{f1d4}</button><div contenteditable role=textbox>typed secret</div>
        <section id=area><iframe id=pays src=/inner></iframe></section>";
    let page = open(&mut session, &site, body).await;
    for (selector, unique) in [
        ("#pay", "testid:pay"),
        ("#save", "role:button[\"Save\"]"),
        ("#em", "role:textbox[\"Email\"]"),
        ("label:City", "role:textbox[\"City\"]"),
        ("#para", "text:\"Some text\""),
        ("css:b", "text:\"text\""),
        ("#plain", "#plain"),
        ("css:[data-cy]", "[data-cy=\"cy\"]"),
        ("#ember123", "css:i >> nth:0"),
        ("css:i >> nth:1", "css:i >> nth:1"),
        ("css:i.badge", "css:i.badge"),
        ("css:u >> nth:1", "css:u >> nth:1"),
        ("role:button[A name]", "role:button[A name that is so long that nobody would want to read all]"),
        ("css:[data-k]", "role:button >> nth:3"),
        ("css:[contenteditable]", "role:textbox >> nth:2"),
        ("css:html", "css:html"),
        ("frame:css:section iframe >> role:button", "frame:css:#pays >> role:button[\"Pay\"]"),
        ("frame:#pays >> css:p >> last", "frame:css:#pays >> text:\"x\" >> nth:1"),
    ] {
        let found = page.selector_for(&element(selector), &deadline(5_000)).await;
        let found = found.map_or_else(|error| error.to_string(), |found| found.to_string());
        assert_eq!(found, unique, "{selector}");
    }
    session.close().await;
}

/// Numbers the elements of the page, those in open shadow roots too, and answers how many there are.
const NUMBER: &str = "
    let count = 0;
    const number = (root) => {
        for (const element of root.querySelectorAll('*')) {
            element.dataset.n = count++;
            if (element.shadowRoot) number(element.shadowRoot);
        }
    };
    number(document);
    count";

/// On random pages each element's selector finds that element and no other.
#[tokio::test(flavor = "multi_thread")]
async fn every_element_has_its_selector() {
    let (site, mut session) = (Site::start().await, session());
    for seed in [3, 14, 159] {
        let random = RandomPage::random(seed, &site);
        let page = session.page(&deadline(30_000)).await.expect("a page");
        page.navigate(&site.url(&random.path), LoadState::Load, &deadline(10_000)).await.expect("navigated");
        let count = evaluate(&page, NUMBER).await.as_u64().expect("a number");
        for number in 0..count {
            let number = number.to_string();
            let selector = element(&format!("css:[data-n=\"{number}\"]"));
            let limit = deadline(5_000);
            // Hazards make some elements anew, without their number.
            if page.count(&selector, &limit).await.expect("counted") == 0 {
                continue;
            }
            let unique = page.selector_for(&selector, &limit).await.expect("a selector");
            let found = page.read("get_attribute", &unique, &Reading::Attribute("data-n".to_owned()), &limit).await;
            assert_eq!(found.expect("one element"), number, "seed {seed}: {unique}");
        }
    }
    session.close().await;
}
