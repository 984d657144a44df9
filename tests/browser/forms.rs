//! Form controls behave as for a person: boxes hidden behind styled labels, fields that format or limit what they take,
//! and mistakes that no waiting mends.

use std::time::{Duration, Instant};

use insta::assert_snapshot;
use repertoire::browser::{ClickOptions, Error, OptionChoice, Page};
use serde_json::json;

use crate::support::{Site, deadline, element, evaluate, open, session};

const LIMIT: u64 = 10_000;

async fn check(page: &Page<'_>, selector: &str, checked: bool) -> Result<(), Error> {
    page.set_checked(&element(selector), checked, false, &deadline(LIMIT)).await
}

async fn fill(page: &Page<'_>, selector: &str, value: &str) -> Result<(), Error> {
    page.fill(&element(selector), value, false, &deadline(LIMIT)).await
}

/// The first line of an error: what was wrong.
fn words<T: std::fmt::Debug>(outcome: Result<T, Error>) -> String {
    outcome.expect_err("refused").to_string().lines().next().unwrap_or_default().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn boxes_hidden_behind_their_labels_are_checked_by_them() {
    let (site, mut session) = (Site::start().await, session());
    let form = "<style>.sr { position: absolute; width: 1px; height: 1px; clip: rect(0 0 0 0); overflow: hidden }</style>
        <p><input type=checkbox id=none hidden><label for=none>None</label>
        <p><input type=checkbox id=clipped class=sr><label for=clipped>Clipped</label>
        <p><input type=radio id=away style='position: absolute; left: -9999px'><label for=away>Away</label>
        <p><input type=checkbox id=faint style='position: absolute; opacity: 0; width: 0'><label for=faint>Faint</label>
        <p><label><input type=checkbox id=terms hidden> I accept <a href=/terms>all of the terms and conditions</a></label>";
    let page = open(&mut session, &site, form).await;
    for name in ["None", "Clipped", "Away", "Faint", "I accept"] {
        check(&page, &format!("label:{name}"), true).await.expect("checked");
    }
    check(&page, "#none", false).await.expect("unchecked");
    assert_eq!(
        evaluate(&page, "[location.pathname, ...Array.from(document.querySelectorAll('input'), box => box.checked)]")
            .await,
        json!(["/", false, true, true, true, true])
    );
    let click = page.click(&element("#none"), &ClickOptions::default(), &deadline(500)).await;
    assert_snapshot!(words(click), @"`#none` is not visible: its label `None` is visible: use `check`, or click the label");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_that_format_take_the_same_text_again() {
    let (site, mut session) = (Site::start().await, session());
    let form = "<script>window.inputs = 0; addEventListener('input', () => inputs += 1)</script>
        <input id=upper oninput='this.value = this.value.toUpperCase()'>
        <input id=phone oninput='this.value = this.value.replace(/\\D/g, ``).replace(/^(\\d{3})(\\d+)/, `($1) $2`)'>
        <input id=fixed value=old oninput='this.value = `old`'>";
    let page = open(&mut session, &site, form).await;
    for _ in 0..2 {
        fill(&page, "#upper", "abc").await.expect("filled");
        fill(&page, "#phone", "5551234").await.expect("filled");
    }
    assert_eq!(evaluate(&page, "[upper.value, phone.value, inputs]").await, json!(["ABC", "(555) 1234", 4]));
    assert_snapshot!(words(fill(&page, "#fixed", "new").await), @"`#fixed` did not take the value: the page did not keep the text");
    assert_eq!(evaluate(&page, "[fixed.value, inputs]").await, json!(["old", 7]));
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_are_told_at_once() {
    let (site, mut session) = (Site::start().await, session());
    let form = "<input id=pin maxlength=4 value=12><input id=day type=date value=2031-12-24><input id=file type=file>
        <input type=radio id=only checked><select id=land><option>Ireland<option>Austria</select><p id=text>Text</p>";
    let page = open(&mut session, &site, form).await;
    let began = Instant::now();
    let both = ["Ireland", "Austria"].map(|label| OptionChoice::Label(label.to_owned()));
    let limit = deadline(LIMIT);
    let told = [
        words(fill(&page, "#pin", "123456").await),
        words(fill(&page, "#day", "tomorrow").await),
        words(fill(&page, "#file", "a.txt").await),
        words(fill(&page, "#land", "Austria").await),
        words(check(&page, "#only", false).await),
        words(check(&page, "#text", true).await),
        words(page.select_option(&element("#land"), &both, false, &limit).await),
        words(page.select_option(&element("#text"), &both, false, &limit).await),
        words(page.click(&element("css:#land >> css:option >> nth:1"), &ClickOptions::default(), &limit).await),
    ];
    assert_snapshot!(told.join("\n"), @r"
    `#pin` did not take the value: it takes 4 characters, 6 were given
    `#day` did not take the value: a date input takes `yyyy-mm-dd`
    `#file` is not editable: use `upload_file`
    `#land` is not editable: use `select_option`
    `#only` is not unchecked: a radio button is unchecked by checking another one
    `#text` is not a checkbox, radio button or switch
    `#land` has no such option: it takes one option, 2 were given
    `#text` is not a select element
    `css:#land >> css:option >> nth:1` is not visible: use `select_option` on <select#land>
    ");
    assert!(began.elapsed() < Duration::from_millis(LIMIT), "{:?}", began.elapsed());
    assert_eq!(evaluate(&page, "[pin.value, day.value, land.value]").await, json!(["12", "2031-12-24", "Ireland"]));
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_out_of_the_browser_are_clicked_but_not_followed() {
    let (site, mut session) = (Site::start().await, session());
    let body = "<script>window.log = []; addEventListener('click', event => log.push(`${event.target.id} ${event.defaultPrevented}`))</script>
        <a id=call href=tel:1>Call</a> <a id=stop href=zoom:1 onclick='event.stopPropagation()'>Meet</a>
        <button id=mail onclick='location.href = `mailto:a@b.c`'>Mail</button> <button id=last>Last</button>";
    let page = open(&mut session, &site, body).await;
    for selector in ["#call", "#stop", "#mail", "#last"] {
        page.click(&element(selector), &ClickOptions::default(), &deadline(LIMIT)).await.expect("clicked");
    }
    assert_eq!(evaluate(&page, "log").await, json!(["call false", "mail false", "last false"]));
    session.close().await;
}
