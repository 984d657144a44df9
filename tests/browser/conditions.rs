//! Conditions on the page: what holds now, what is waited for, and what a failed expectation tells.

use std::time::Duration;

use repertoire::browser::{Condition, ElementState, Error, Reading, TextTest};
use repertoire::selector::TextMatch;

use crate::support::{Site, deadline, element, evaluate, open, session};

fn state(selector: &str, state: ElementState) -> Condition {
    Condition::State { selector: element(selector), state }
}

fn text(selector: &str, test: TextTest) -> Condition {
    Condition::Read { selector: element(selector), reading: Reading::Text, tests: vec![test] }
}

fn count(selector: &str, least: u64, most: Option<u64>) -> Condition {
    Condition::Count { selector: element(selector), least, most }
}

fn equals(text: &str) -> TextTest {
    TextTest::Equals(text.to_owned())
}

fn contains(text: &str) -> TextTest {
    TextTest::Contains(text.to_owned())
}

fn like(pattern: &str) -> TextTest {
    TextTest::Matches(TextMatch::pattern(pattern).expect("a pattern"))
}

fn not(condition: Condition) -> Condition {
    Condition::Not(Box::new(condition))
}

/// What a failed expectation says, with the number of looks replaced.
fn story(error: &Error) -> String {
    let counts = regex::Regex::new(r"looked \d+ times|(?m)^  \d+ ×").expect("a pattern");
    counts.replace_all(&error.to_string(), "N").into_owned()
}

const BODY: &str = "<p id=total> 12.00
      € </p><p class=row hidden>one</p><p class=row>two</p><button disabled>Pay</button><button>Go</button>
    <label>Name <input value='  Ada  Lovelace ' autofocus></label><label><input type=checkbox checked>Remember me</label>
    <input type=text readonly aria-label=Fixed><a href='/x' data-state=paid>Order</a>
    <iframe title=Inner srcdoc='<p id=inside>Inside</p>'></iframe>";

#[tokio::test(flavor = "multi_thread")]
async fn conditions_hold_or_not_now() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(&mut session, &site, BODY).await;
    let attribute = |name: &str, tests| Condition::Read {
        selector: element("role:link[Order]"),
        reading: Reading::Attribute(name.to_owned()),
        tests,
    };
    let value = |test| Condition::Read { selector: element("label:Name"), reading: Reading::Value, tests: vec![test] };
    let known = |holds| Condition::Known { words: "x".to_owned(), holds };
    use ElementState as Is;
    let cases = [
        (state("#total", Is::Visible), true),
        // Any visible match counts, and `hidden` is the opposite.
        (state("css:.row", Is::Visible), true),
        (state("css:.row", Is::Hidden), false),
        (state("css:.row >> nth:0", Is::Visible), false),
        (state("testid:none", Is::Hidden), true),
        (state("testid:none", Is::Visible), false),
        (state("testid:none", Is::Enabled), false),
        (state("role:button[Pay]", Is::Enabled), false),
        (state("role:button[Pay]", Is::Disabled), true),
        (state("role:checkbox[Remember me]", Is::Checked), true),
        (state("text:Remember me", Is::Unchecked), false),
        (state("label:Name", Is::Editable), true),
        (state("label:Fixed", Is::Editable), false),
        (state("label:Name", Is::Focused), true),
        (text("#total", equals("12.00 €")), true),
        (text("#total", equals("12.00")), false),
        (text("#total", contains("00 €")), true),
        (text("#total", like("^\\d+\\.00")), true),
        (text("testid:none", contains("")), false),
        (value(equals("Ada Lovelace")), true),
        (attribute("data-state", vec![equals("paid")]), true),
        (attribute("data-state", vec![]), true),
        (attribute("data-none", vec![]), false),
        (count("css:.row", 2, Some(2)), true),
        (count("css:.row", 3, None), false),
        (count("testid:none", 0, Some(0)), true),
        (Condition::Url(vec![contains("127.0.0.1")]), true),
        (Condition::Url(vec![like("/\\/$/")]), true),
        (Condition::Title(vec![equals("/")]), true),
        (state("frame:title:Inner >> #inside", Is::Visible), true),
        (state("frame:title:Other >> #inside", Is::Visible), false),
        (state("frame:title:Other >> #inside", Is::Hidden), true),
        (not(state("#total", Is::Hidden)), true),
        (Condition::Any(vec![known(false), state("#total", Is::Visible), known(false)]), true),
        (
            Condition::All(vec![
                known(true),
                state("#total", Is::Visible),
                text("frame:title:Inner >> #inside", equals("x")),
            ]),
            false,
        ),
        (Condition::All(vec![not(Condition::Any(vec![known(false), known(false)])), known(true)]), true),
    ];
    for (condition, expected) in cases {
        let holds = page.holds(&condition, &deadline(5_000)).await;
        assert_eq!(holds.map_err(|error| error.to_string()), Ok(expected), "{condition}");
    }
    let ambiguous = Condition::All(vec![state("#total", Is::Visible), text("css:.row", equals("two"))]);
    let error = page.holds(&ambiguous, &deadline(5_000)).await.expect_err("it is ambiguous").to_string();
    assert_eq!(error.lines().next(), Some("2 elements match `.row`, but it must be exactly one"));
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn expectations_are_waited_for_and_tell_what_was_seen() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(&mut session, &site, BODY).await;
    evaluate(
        &page,
        "setTimeout(() => { document.querySelector('#total').textContent = '13.00'; document.title = 'Done'; }, 300)",
    )
    .await;
    let both = Condition::All(vec![text("#total", equals("13.00")), Condition::Title(vec![equals("Done")])]);
    page.expect(&both, &deadline(5_000)).await.expect("it comes");
    // Of a page that is replaced the new document answers.
    site.set("/next", "<p id=total>next</p>");
    evaluate(&page, "setTimeout(() => location = '/next', 100)").await;
    page.expect(&text("#total", equals("next")), &deadline(5_000)).await.expect("it comes");
    evaluate(&page, "document.body.innerHTML = '<p id=total>11.00</p><p id=b hidden>b</p>'").await;
    let limit = || deadline(400);
    let failures = [
        text("#total", equals("12.00")),
        state("#b", ElementState::Visible),
        state("#c", ElementState::Enabled),
        count("css:p", 3, Some(4)),
        count("css:p", 3, Some(3)),
        Condition::Url(vec![TextTest::Matches(TextMatch::parse("/orders").expect("a text"))]),
        not(state("#total", ElementState::Visible)),
        Condition::All(vec![text("#total", contains("11")), Condition::Title(vec![like("/^x/i")])]),
        Condition::Any(vec![text("#total", contains("12")), not(state("#b", ElementState::Hidden))]),
        Condition::Known { words: "total == 12".to_owned(), holds: false },
    ];
    let mut stories = Vec::new();
    for condition in failures {
        let began = std::time::Instant::now();
        let error = page.expect(&condition, &limit()).await.expect_err("it does not come");
        stories.push(story(&error).replace(&site.url("/"), "SITE/"));
        assert!(began.elapsed() < Duration::from_secs(3), "{condition}");
    }
    insta::assert_snapshot!(stories.join("\n"), @r#"
    expected `#total` to have text "12.00", last seen "11.00" (N in 400ms)
    expected `#b` to be visible, last seen <p#b "b">, hidden (N in 400ms)
    expected `#c` to be enabled, last seen no element (N in 400ms)
    expected 3 to 4 elements to match `css:p`, last seen 2 (N in 400ms)
    expected 3 elements to match `css:p`, last seen 2 (N in 400ms)
    expected the address to be one containing "/orders", last seen "SITE/next" (N in 400ms)
    expected not (`#total` to be visible), last seen `#total`: <p#total "11.00">, visible (N in 400ms)
    expected `#total` to have text containing "11" and the title to be one matching `/^x/i`, last seen the title: "/next" (N in 400ms)
    expected `#total` to have text containing "12" or not (`#b` to be hidden), last seen `#total`: "11.00"; `#b`: <p#b "b">, hidden (N in 400ms)
    expected `${{ total == 12 }}` to be true, but it is false
    "#);
    evaluate(&page, "setTimeout(() => document.querySelector('#total').remove(), 150)").await;
    let error = page.expect(&text("#total", equals("12.00")), &limit()).await.expect_err("it does not come");
    insta::assert_snapshot!(story(&error), @r#"
    expected `#total` to have text "12.00", last seen no element (N in 400ms)
    N "11.00"
    N no element
    "#);
    session.close().await;
}
