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
    // What is neither checked nor unchecked may take two clicks.
    for wanted in [true, false] {
        evaluate(&page, "none.hidden = false; none.indeterminate = true").await;
        check(&page, "#none", wanted).await.expect("brought there");
        assert_eq!(evaluate(&page, "[none.checked, none.indeterminate]").await, json!([wanted, false]));
    }
    evaluate(&page, "none.hidden = true").await;
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
    let both =
        ["Ireland", "Austria"].map(|label| OptionChoice { label: Some(label.to_owned()), ..OptionChoice::default() });
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

#[tokio::test(flavor = "multi_thread")]
async fn every_kind_of_field_is_filled_or_tells_its_format() {
    let (site, mut session) = (Site::start().await, session());
    let kinds = [
        ("date", "2031-12-24", "24.12.2031"),
        ("time", "13:15", "25:05"),
        ("datetime-local", "2031-12-24T13:15", "tomorrow"),
        ("month", "2031-07", "2031-13"),
        ("week", "2031-W50", "2031-123"),
        ("color", "#aabbcc", "red"),
        ("range", "42", "200"),
        ("number", "-1.5", "1,5"),
    ];
    let fields: String = kinds.iter().map(|(kind, ..)| format!("<input id={kind} type={kind}>")).collect();
    let script = "<script>window.log = []; for (const type of ['input', 'change']) addEventListener(type, event => log.push(`${type} ${event.target.value}`))</script>";
    let page = open(&mut session, &site, &format!("{script}{fields}")).await;
    let mut told = Vec::new();
    for (kind, value, wrong) in kinds {
        fill(&page, &format!("#{kind}"), value).await.expect("filled");
        told.push(words(fill(&page, &format!("#{kind}"), wrong).await));
        let (input, change) = (format!("input {value}"), format!("change {value}"));
        assert_eq!(evaluate(&page, "log.splice(0)").await, json!([input, change]), "{kind}");
    }
    assert_snapshot!(told.join("\n"), @r"
    `#date` did not take the value: a date input takes `yyyy-mm-dd`
    `#time` did not take the value: a time input takes `hh:mm`
    `#datetime-local` did not take the value: a datetime-local input takes `yyyy-mm-ddThh:mm`
    `#month` did not take the value: a month input takes `yyyy-mm`
    `#week` did not take the value: a week input takes `yyyy-Www`
    `#color` did not take the value: a color input takes `#rrggbb`
    `#range` did not take the value: a range input takes a number from 0 to 100
    `#number` did not take the value: a number input takes a number such as `1.5`
    ");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn editors_are_filled_by_the_browsers_own_input() {
    let (site, mut session) = (Site::start().await, session());
    let form = "<div id=plain contenteditable>old <b>bold</b></div><div id=list contenteditable><ul><li>one<li>two</ul></div>
        <div id=model contenteditable>old</div><div id=host contenteditable><p id=part>one</p><p>two</p></div><x-edit id=shadow></x-edit>
        <div id=swap></div><iframe id=rich srcdoc='<body contenteditable>old</body>'></iframe><script>
        model.addEventListener('beforeinput', event => { event.preventDefault(); window.told = [event.inputType, event.data, event.isTrusted]; model.textContent = event.data });
        shadow.attachShadow({ mode: 'open' }).innerHTML = '<div id=inside contenteditable>old</div>';
        swap.innerHTML = '<input id=swapped>'; swap.addEventListener('focusin', () => swap.innerHTML = '<input id=swapped>', { once: true })</script>";
    let page = open(&mut session, &site, form).await;
    for id in ["plain", "list", "model", "part", "inside"] {
        fill(&page, &format!("#{id}"), "new").await.unwrap_or_else(|error| panic!("{id}: {error}"));
    }
    assert_eq!(
        evaluate(&page, "[plain.innerText, list.innerText.trim(), model.innerText, told, host.innerText, shadow.shadowRoot.textContent]").await,
        json!(["new", "new", "new", ["insertText", "new", true], "new\n\ntwo", "new"])
    );
    fill(&page, "#plain", "two\nlines").await.expect("filled");
    fill(&page, "#list", "").await.expect("emptied");
    fill(&page, "#swapped", "kept").await.expect("filled what replaced it");
    assert_eq!(
        evaluate(&page, "[plain.innerText, list.innerText.trim(), swapped.value]").await,
        json!(["two\nlines", "", "kept"])
    );
    // The body of an iframe has the focus in its document, and keys go elsewhere all the same.
    let rich = element("frame:#rich >> css:body");
    fill(&page, "frame:#rich >> css:body", "new").await.expect("filled");
    fill(&page, "#swapped", "kept").await.expect("the focus is elsewhere");
    page.type_text(&rich, "er", Duration::ZERO, &deadline(LIMIT)).await.expect("typed");
    assert_eq!(evaluate(&page, "[rich.contentDocument.body.innerText, swapped.value]").await, json!(["newer", "kept"]));
    evaluate(&page, "document.designMode = 'on'").await;
    fill(&page, "css:body", "all").await.expect("filled");
    assert_eq!(evaluate(&page, "document.body.innerText.trim()").await, "all");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn options_are_chosen_by_all_that_is_given() {
    let (site, mut session) = (Site::start().await, session());
    let form = "<select id=one><option value=a>L1<option value=b>L2<option id=own value=c>L3</select><select id=many multiple><option selected>x<option>y<option>z</select>
        <select id=late><option>now<optgroup id=group disabled label=Group><option>soon</optgroup></select>
        <script>setTimeout(() => group.disabled = false, 300); setTimeout(() => late.add(new Option('late')), 600)</script>";
    let page = open(&mut session, &site, form).await;
    let limit = deadline(LIMIT);
    let any = |value: &str| OptionChoice { any: Some(value.to_owned()), ..OptionChoice::default() };
    for value in ["soon", "late"] {
        page.select_option(&element("#late"), &[any(value)], false, &limit).await.expect("waited for");
        assert_eq!(evaluate(&page, "late.value").await, value);
    }
    let both = OptionChoice { label: Some("L2".to_owned()), index: Some(1), ..any("b") };
    page.select_option(&element("#one"), &[both], false, &limit).await.expect("selected");
    let neither = OptionChoice { label: Some("L2".to_owned()), ..any("a") };
    let neither = page.select_option(&element("#one"), &[neither], false, &deadline(500)).await;
    assert_snapshot!(words(neither), @"`#one` has no such option: its options: `L1`, `L2`, `L3`");
    assert_eq!(evaluate(&page, "one.value").await, "b");
    page.select_option(&element("#own"), &[any("c")], false, &limit).await.expect("the option stands for its select");
    page.select_option(&element("#many"), &[any("y"), any("z")], false, &limit).await.expect("selected");
    assert_eq!(
        evaluate(&page, "[one.value, ...Array.from(many.selectedOptions, option => option.value)]").await,
        json!(["c", "y", "z"])
    );
    page.select_option(&element("#many"), &[], false, &limit).await.expect("none of them");
    assert_eq!(evaluate(&page, "many.selectedOptions.length").await, 0);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_given_to_inputs_and_choosers() {
    let (site, mut session) = (Site::start().await, session());
    let directory = tempfile::tempdir().expect("a directory");
    let path = |name: &str| directory.path().join(name);
    std::fs::create_dir(path("album")).expect("made");
    for name in ["a.txt", "b.txt", "album/c.txt"] {
        std::fs::write(path(name), name).expect("written");
    }
    let form = "<label id=label>Pick <input id=hidden type=file style='display: none'></label><div id=drop>Drop here <input id=many type=file multiple hidden></div>
        <input id=folder type=file webkitdirectory><button id=up>Upload</button><button id=other>Other</button><input id=off type=file disabled>
        <script>up.onclick = () => setTimeout(() => { const input = document.createElement('input'); input.type = 'file';
        input.onchange = () => window.chosen = input.files[0].name; input.click() }, 100)</script>";
    let page = open(&mut session, &site, form).await;
    let limit = deadline(LIMIT);
    let both = [path("a.txt"), path("b.txt")];
    page.upload(&element("#label"), &both[..1], &limit).await.expect("by its label");
    page.upload(&element("#drop"), &both, &limit).await.expect("by what is around it");
    page.upload(&element("#folder"), &[path("album")], &limit).await.expect("a directory");
    page.upload(&element("#up"), &both[1..], &limit).await.expect("by the chooser that it opens");
    assert_eq!(
        evaluate(&page, "[hidden.files[0].name, many.files.length, folder.files[0].webkitRelativePath, chosen]").await,
        json!(["a.txt", 2, "album/c.txt", "b.txt"])
    );
    page.upload(&element("#hidden"), &[], &limit).await.expect("emptied");
    assert_eq!(evaluate(&page, "hidden.files.length").await, 0);
    let told = [
        words(page.upload(&element("#hidden"), &both, &limit).await),
        words(page.upload(&element("#hidden"), &[path("album")], &limit).await),
        words(page.upload(&element("#folder"), &both[..1], &limit).await),
        words(page.upload(&element("#up"), &both, &limit).await),
        words(page.upload(&element("#other"), &both[..1], &limit).await),
        words(page.upload(&element("#off"), &both[..1], &deadline(500)).await),
    ];
    assert_snapshot!(told.join("\n"), @r"
    `#hidden` takes one file, 2 were given
    `#hidden` takes files, and `album` is a directory
    `#folder` takes one directory
    `#up` takes one file, 2 were given
    `#other` is not a file input: it was clicked, and no file chooser opened
    `#off` is not enabled
    ");
    session.close().await;
}
