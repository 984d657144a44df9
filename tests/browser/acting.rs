//! Acting happens when and only when a person could, and an error says what was missing.

use std::time::Duration;

use insta::assert_snapshot;
use repertoire::browser::{ClickOptions, Error, OptionChoice, Page, Reading};
use serde_json::json;

use crate::support::{Site, deadline, element, evaluate, open, session};

const LIMIT: u64 = 10_000;

async fn click(page: &Page<'_>, selector: &str, milliseconds: u64) -> Result<(), Error> {
    page.click(&element(selector), &ClickOptions::default(), &deadline(milliseconds)).await
}

/// The story of a failure, with what differs between runs replaced.
fn story(error: &Error) -> String {
    let counts = regex::Regex::new(r"(?m)^  \d+ ×").expect("a pattern");
    let hint = error.hint().map(|hint| format!("\nhint: {hint}")).unwrap_or_default();
    counts.replace_all(&format!("{error}{hint}"), "  N ×").into_owned()
}

/// The page's own log is the referee of what reached it.
const LOG: &str = "<script>window.log = []; for (const type of ['click', 'dblclick', 'contextmenu', 'auxclick', 'input', 'change', 'keydown'])
  addEventListener(type, event => log.push(`${type} ${event.target.id} ${event.isTrusted}`), true);</script>";

#[tokio::test(flavor = "multi_thread")]
async fn a_click_reaches_its_element_once_and_is_trusted() {
    let (site, mut session) = (Site::start().await, session());
    let page =
        open(&mut session, &site, &format!("{LOG}<button id=save>Save</button><button id=cancel>Cancel</button>"))
            .await;
    click(&page, "role:button[save]", LIMIT).await.expect("clicked");
    let twice = ClickOptions { count: 2, ..ClickOptions::default() };
    page.click(&element("testid:none >> nth:0"), &twice, &deadline(1_000)).await.expect_err("no such element");
    page.click(&element("#cancel"), &twice, &deadline(LIMIT)).await.expect("double-clicked");
    let right = ClickOptions { button: repertoire::browser::MouseButton::Right, ..ClickOptions::default() };
    page.click(&element("#cancel"), &right, &deadline(LIMIT)).await.expect("right-clicked");
    assert_eq!(
        evaluate(&page, "log").await,
        json!([
            "click save true",
            "click cancel true",
            "click cancel true",
            "dblclick cancel true",
            "contextmenu cancel true",
            "auxclick cancel true"
        ])
    );
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_element_is_waited_for() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(
        &mut session,
        &site,
        &format!("{LOG}<button id=save disabled>Save</button><button id=never disabled>Never</button>"),
    )
    .await;
    evaluate(&page, "setTimeout(() => save.disabled = false, 200)").await;
    click(&page, "#save", LIMIT).await.expect("clicked once enabled");
    assert_eq!(evaluate(&page, "log").await, json!(["click save true"]));
    assert_snapshot!(story(&click(&page, "#never", 1_000).await.expect_err("disabled")), @r#"
    `#never` is not enabled
      found <button#never "Never">
      click: waited 1s
      N × is not enabled
    hint: wait for what enables it, or use `optional: true`
    "#);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_covered_element_is_not_clicked() {
    let (site, mut session) = (Site::start().await, session());
    let cover = "<div id=banner style='position:fixed;inset:0;background:white'>Cookies?</div>";
    let page = open(&mut session, &site, &format!("{LOG}<button id=save>Save</button>{cover}")).await;
    assert_snapshot!(story(&click(&page, "#save", 1_000).await.expect_err("covered")), @r#"
    `#save` does not receive the click: covered by <div#banner "Cookies?">
      found <button#save "Save">
      click: waited 1s
      N × does not receive the click: covered by <div#banner "Cookies?">
    hint: close or wait for what covers it, or use `force: true`
    "#);
    assert_eq!(evaluate(&page, "log").await, json!([]));
    evaluate(&page, "setTimeout(() => banner.remove(), 200)").await;
    click(&page, "#save", LIMIT).await.expect("clicked once uncovered");
    assert_eq!(evaluate(&page, "log").await, json!(["click save true"]));
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_match_names_the_nearest() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(&mut session, &site, "<button>Sign in</button><button>Sign up</button><a href=/>Home</a>").await;
    let selector = element("role:button[Sign inn]");
    let error = page.click(&selector, &ClickOptions::default(), &deadline(1_000)).await.expect_err("no match");
    let error = page.explain(error, &selector, &deadline(LIMIT)).await;
    assert_snapshot!(story(&error), @r#"
    no element matches `role:button[Sign inn]`
      click: waited 1s
      N × no match
      near miss: role:button["Sign in"]: name is `Sign in`, <button "Sign in">
      near miss: role:button["Sign up"]: name is `Sign up`, <button "Sign up">
    hint: look at the page with `snapshot` and use a name, label or test id that it shows
    "#);
    assert_snapshot!(story(&click(&page, "role:button", 1_000).await.expect_err("two match")), @r#"
    2 elements match `role:button`, but it must be exactly one
      role:button["Sign in"]: <button "Sign in">
      role:button["Sign up"]: <button "Sign up">
    hint: use one of these selectors, add `>> nth:0`, or narrow it with `PARENT >> …`
    "#);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_take_text_with_the_events_of_a_keyboard() {
    let (site, mut session) = (Site::start().await, session());
    let form = "<label>Name <input id=name value=old></label><textarea id=note aria-label=Note></textarea><div id=rich contenteditable>old</div>
        <input id=day type=date aria-label=Day><input id=fixed aria-label=Fixed readonly value=x>";
    let page = open(&mut session, &site, &format!("{LOG}{form}")).await;
    for (selector, value) in
        [("label:Name", "Ada"), ("label:Note", "two\nlines"), ("#rich", "new"), ("label:Day", "2031-12-24")]
    {
        page.fill(&element(selector), value, false, &deadline(LIMIT)).await.expect("filled");
    }
    page.type_text(&element("label:Name"), " Lovelace é", Duration::ZERO, &deadline(LIMIT)).await.expect("typed");
    let read = async |selector: &str| {
        page.read("get_value", &element(selector), &Reading::Value, &deadline(LIMIT)).await.expect("read")
    };
    assert_eq!(read("label:Name").await, "Ada Lovelace é");
    assert_eq!(read("label:Note").await, "two\nlines");
    assert_eq!(read("label:Day").await, "2031-12-24");
    assert_eq!(evaluate(&page, "rich.innerText").await, "new");
    let events = evaluate(&page, "log.filter(entry => entry.startsWith('input name'))").await;
    assert!(
        events
            .as_array()
            .is_some_and(|events| !events.is_empty() && events.iter().all(|event| event == "input name true")),
        "{events}"
    );
    let fixed = page.fill(&element("label:Fixed"), "y", false, &deadline(1_000)).await.expect_err("read only");
    assert_snapshot!(story(&fixed), @r#"
    `label:Fixed` is not editable: it is read-only
      found <input#fixed "Fixed">
      fill: waited 1s
      N × is not editable: it is read-only
    "#);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn boxes_options_and_keys() {
    let (site, mut session) = (Site::start().await, session());
    let form = "<label><input type=checkbox id=news> News</label><select id=land aria-label=Country><option value=ie>Ireland<option value=at>Austria<option disabled>Mars</select>
        <input id=search aria-label=Search onkeydown='if (event.key === `Enter`) document.title = `searched ${this.value}`'>";
    let page = open(&mut session, &site, form).await;
    let limit = deadline(LIMIT);
    for _ in 0..2 {
        page.set_checked(&element("label:News"), true, false, &limit).await.expect("checked");
    }
    assert_eq!(evaluate(&page, "news.checked").await, true);
    page.set_checked(&element("role:checkbox"), false, false, &limit).await.expect("unchecked");
    assert_eq!(evaluate(&page, "news.checked").await, false);
    let choose = async |option: &str, limit| {
        page.select_option(
            &element("label:Country"),
            &[OptionChoice { any: Some(option.to_owned()), ..OptionChoice::default() }],
            false,
            &limit,
        )
        .await
    };
    assert_eq!(choose("Austria", deadline(LIMIT)).await.expect("selected"), ["Austria"]);
    assert_eq!(choose("ie", deadline(LIMIT)).await.expect("selected"), ["Ireland"]);
    assert!(
        choose("Mars", deadline(1_000))
            .await
            .expect_err("disabled")
            .to_string()
            .starts_with("`label:Country` has no such option")
    );
    page.fill(&element("label:Search"), "kettle", false, &limit).await.expect("filled");
    page.press_key(Some(&element("label:Search")), "Enter", 1, &limit).await.expect("pressed");
    assert_eq!(page.title(&limit).await.expect("a title"), "searched kettle");
    page.press_key(None, "Control+a", 1, &limit).await.expect("pressed");
    page.press_key(None, "Delete", 1, &limit).await.expect("pressed");
    assert_eq!(evaluate(&page, "search.value").await, "");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn drags_of_both_kinds_arrive() {
    let (site, mut session) = (Site::start().await, session());
    let native = "<div id=card draggable=true ondragstart='event.dataTransfer.setData(`text`, `card`)'>Card</div>
        <div id=bin style='height:60px' ondragover='event.preventDefault()' ondrop='this.textContent = `got ` + event.dataTransfer.getData(`text`)'>Bin</div>";
    let pointer =
        "<div id=knob style='width:40px;height:40px;background:red' onpointerdown='window.held = true'>Knob</div>
        <div id=hole style='height:60px' onpointerup='if (window.held) this.textContent = `dropped`'>Hole</div>";
    let page = open(&mut session, &site, &format!("{native}{pointer}")).await;
    page.drag((&element("#card"), None), (&element("#bin"), None), &deadline(LIMIT)).await.expect("dragged");
    page.drag((&element("#knob"), None), (&element("#hole"), None), &deadline(LIMIT)).await.expect("dragged");
    assert_eq!(evaluate(&page, "[bin.textContent, hole.textContent]").await, json!(["got card", "dropped"]));
    session.close().await;
}
