//! Keys and text reach the page as a person's would: the right codes, commands, and compositions.

use std::time::Duration;

use insta::assert_snapshot;
use repertoire::browser::{ClickOptions, Emulation, Error, LaunchOptions, Page, Session};
use serde_json::{Value, json};

use crate::support::{Site, deadline, element, evaluate, open, session};

const LIMIT: u64 = 10_000;

async fn press(page: &Page<'_>, selector: Option<&str>, key: &str) -> Result<(), Error> {
    page.press_key(selector.map(element).as_ref(), key, 1, &deadline(LIMIT)).await
}

async fn type_text(page: &Page<'_>, selector: &str, text: &str) -> Result<(), Error> {
    page.type_text(&element(selector), text, Duration::ZERO, &deadline(LIMIT)).await
}

/// What the page's log holds since it was last read.
async fn log(page: &Page<'_>) -> Value {
    evaluate(page, "log.splice(0)").await
}

const KEYS: &str = "<script>window.log = []; addEventListener('keydown', event => {
    log.push([event.key, event.code, event.keyCode, event.location].join(' ')); event.preventDefault() })</script>";

#[tokio::test(flavor = "multi_thread")]
async fn keys_report_what_a_keyboard_does() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(&mut session, &site, KEYS).await;
    for (key, reported) in [
        ("a", "a KeyA 65 0"),
        ("A", "A KeyA 65 0"),
        ("!", "! Digit1 49 0"),
        ("+", "+ Equal 187 0"),
        ("-", "- Minus 189 0"),
        ("Enter", "Enter Enter 13 0"),
        ("NumpadEnter", "Enter NumpadEnter 13 3"),
        ("Space", "  Space 32 0"),
        ("PageDown", "PageDown PageDown 34 0"),
        ("F13", "F13 F13 124 0"),
        ("ShiftRight", "Shift ShiftRight 16 2"),
        ("ControlLeft", "Control ControlLeft 17 1"),
        ("Numpad0", "0 Numpad0 96 3"),
        ("NumpadSubtract", "- NumpadSubtract 109 3"),
        ("Semicolon", "; Semicolon 186 0"),
        ("MediaPlayPause", "MediaPlayPause MediaPlayPause 179 0"),
    ] {
        press(&page, None, key).await.expect("pressed");
        assert_eq!(log(&page).await, json!([reported]), "{key}");
    }
    for (chord, reported) in [
        ("Shift+Digit3", json!(["Shift ShiftLeft 16 1", "# Digit3 51 0"])),
        ("Shift++", json!(["Shift ShiftLeft 16 1", "+ Equal 187 0"])),
        ("Control+S", json!(["Control ControlLeft 17 1", "s KeyS 83 0"])),
        ("Control+Shift+K", json!(["Control ControlLeft 17 1", "Shift ShiftLeft 16 1", "K KeyK 75 0"])),
    ] {
        press(&page, None, chord).await.expect("pressed");
        assert_eq!(log(&page).await, reported, "{chord}");
    }
    assert_snapshot!(press(&page, None, "Entr").await.expect_err("no key"), @"`Entr` is not a key");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_do_what_they_do_for_a_person() {
    let (site, mut session) = (Site::start().await, session());
    let form = "<input id=a value=hello><input id=b><input id=box type=checkbox><select id=land><option>Austria<option>Ireland</select>
        <input id=volume type=range value=50><input type=radio name=r id=r1><input type=radio name=r id=r2>
        <button id=go onclick='window.clicks = (window.clicks ?? 0) + 1'>Go</button><textarea id=note>x</textarea><div id=rich contenteditable>bold</div>
        <dialog id=dialog><input id=inside></dialog>";
    let page = open(&mut session, &site, form).await;
    for (selector, key) in [
        (Some("#a"), "Control+a"),
        (None, "Control+c"),
        (Some("#b"), "Control+v"),
        (None, "Shift+ArrowLeft"),
        (None, "Shift+ArrowLeft"),
        (None, "p"),
        (None, "Tab"),
        (None, "Space"),
        (Some("#land"), "ArrowDown"),
        (Some("#volume"), "ArrowRight"),
        (Some("#r1"), "ArrowDown"),
        (Some("#go"), "Enter"),
        (Some("#go"), "Space"),
        (Some("#note"), "Enter"),
        (None, "y"),
        (Some("#rich"), "ControlOrMeta+a"),
        (None, "Control+b"),
    ] {
        press(&page, selector, key).await.unwrap_or_else(|error| panic!("{key}: {error}"));
    }
    evaluate(&page, "dialog.showModal()").await;
    press(&page, Some("#inside"), "Escape").await.expect("pressed");
    assert_eq!(
        evaluate(&page, "[a.value, b.value, box.checked, land.value, volume.value, r2.checked, clicks, note.value, rich.innerHTML, dialog.open]").await,
        json!(["hello", "help", true, "Ireland", "51", true, 2, "x\ny", "<b>bold</b>", false])
    );
    page.press_key(Some(&element("#a")), "Backspace", 3, &deadline(LIMIT)).await.expect("pressed thrice");
    assert_eq!(evaluate(&page, "a.value").await, "he");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn text_is_entered_with_the_events_of_its_script() {
    let (site, mut session) = (Site::start().await, session());
    let body = "<script>window.log = []; for (const type of ['keydown', 'keypress', 'beforeinput', 'input', 'compositionstart', 'compositionend', 'keyup'])
        addEventListener(type, event => log.push(`${type} ${event.key ?? event.data ?? event.inputType}`))</script><input id=i>";
    let page = open(&mut session, &site, body).await;
    let keys =
        |key: &str| json!(["keydown", "keypress", "beforeinput", "input", "keyup"].map(|kind| format!("{kind} {key}")));
    for (text, events) in [
        ("a", keys("a")),
        ("ü", keys("ü")),
        (
            "日本",
            json!([
                "keydown Process",
                "compositionstart ",
                "beforeinput 日本",
                "input 日本",
                "beforeinput 日本",
                "input 日本",
                "compositionend 日本",
                "keyup Process"
            ]),
        ),
        ("👨\u{200D}👩", json!(["beforeinput 👨\u{200D}👩", "input 👨\u{200D}👩"])),
    ] {
        type_text(&page, "#i", text).await.expect("typed");
        assert_eq!(log(&page).await, events, "{text}");
    }
    type_text(&page, "#i", " e\u{301} שלום").await.expect("typed");
    assert_eq!(evaluate(&page, "i.value").await, "aü日本👨\u{200D}👩 e\u{301} שלום");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn typing_goes_on_where_a_person_would() {
    let (site, mut session) = (Site::start().await, session());
    let form = "<input id=name value=Ada><input id=count type=number value=4><input id=mail type=email value=ada@><input id=short maxlength=3>
        <form onsubmit='window.sent = query.value; return false'><input id=query></form><textarea id=note></textarea><div id=rich contenteditable>x</div>
        <input id=one maxlength=1 oninput='two.focus()'><input id=two><input id=upper oninput='value = value.toUpperCase()'>
        <div id=game tabindex=0 onkeydown='window.played = (window.played ?? ``) + event.key'>Game</div><label id=label for=name>Name</label>
        <input id=fixed readonly value=x><p id=text>Text</p>";
    let page = open(&mut session, &site, form).await;
    for (selector, text) in [
        ("#name", " L"),
        ("#count", "2"),
        ("#mail", "x.de"),
        ("#short", "abcdef"),
        ("#query", "tea\n"),
        ("#note", "a\r\nb"),
        ("#rich", "yz"),
        ("#one", "12"),
        ("#upper", "abc"),
        ("#game", "wasd"),
        ("#label", "!"),
    ] {
        type_text(&page, selector, text).await.unwrap_or_else(|error| panic!("{selector}: {error}"));
    }
    assert_eq!(
        evaluate(&page, "[name.value, count.value, mail.value, short.value, sent, note.value, rich.innerText, one.value, two.value, upper.value, played]".replace("name.value", "document.all.name.value").as_str()).await,
        json!(["Ada L!", "42", "ada@x.de", "abc", "tea", "a\nb", "xyz", "1", "2", "ABC", "wasd"])
    );
    // A caret that was put somewhere stays there.
    press(&page, Some("#short"), "Home").await.expect("pressed");
    type_text(&page, "#short", "").await.expect("typed");
    press(&page, Some("#short"), "Delete").await.expect("pressed");
    page.click(&element("#text"), &ClickOptions::default(), &deadline(LIMIT)).await.expect("clicked");
    type_text(&page, "#short", "d").await.expect("typed");
    assert_eq!(evaluate(&page, "short.value").await, "bcd");
    let refused = page.type_text(&element("#fixed"), "y", Duration::ZERO, &deadline(300)).await.expect_err("read-only");
    assert_snapshot!(refused.to_string().lines().next().unwrap_or_default(), @"`#fixed` is not editable: it is read-only");
    let refused = page.type_text(&element("#text"), "y", Duration::ZERO, &deadline(300)).await.expect_err("no field");
    assert_snapshot!(refused.to_string().lines().next().unwrap_or_default(), @"`#text` is not focused: it can't be focused");
    session.close().await;
}

/// Pages that move their content themselves listen to the wheel.
#[tokio::test(flavor = "multi_thread")]
async fn the_wheel_turns_where_the_pointer_is() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(
        &mut session,
        &site,
        "<div style='height: 900px'></div>
        <div id=map style='width: 200px; height: 100px' onwheel='event.preventDefault(); zoom += event.deltaY'>Map</div>
        <div id=list style='width: 200px; height: 100px; overflow: auto'><p>One</p><div style='height: 900px'></div></div>
        <div style='height: 900px'></div><script>window.zoom = 0</script>",
    )
    .await;
    let wheel = async |selector: &str, dy: f64| page.wheel(&element(selector), (0.0, dy), &deadline(LIMIT)).await;
    let moved = wheel("#map", -120.0).await.expect("turned");
    assert_eq!((&moved["moved"], evaluate(&page, "zoom").await), (&json!(false), json!(-120)));
    let moved = wheel("text:One", 70.0).await.expect("turned");
    assert_eq!(moved, json!({ "x": 0, "y": 70, "moved": true }));
    assert_eq!(evaluate(&page, "document.querySelector('#list').scrollTop").await, json!(70));
    session.close().await;
}

/// With a touch screen, clicks are taps: the events and the menus of phones.
#[tokio::test(flavor = "multi_thread")]
async fn clicks_are_taps_on_a_touch_screen() {
    let site = Site::start().await;
    let mut session = Session::new(LaunchOptions {
        emulation: Emulation { touch: true, ..Emulation::default() },
        path: std::env::var("PATH").ok(),
        ..LaunchOptions::default()
    });
    let page = open(
        &mut session,
        &site,
        "<button id=plain>Plain</button><button id=own>Own</button><label><input type=checkbox> News</label>
        <a href='/next'>Next</a><div id=cover style='position: fixed; top: 300px; width: 300px; height: 100px'>Cover</div>
        <button id=under style='position: fixed; top: 320px'>Under</button>
        <script>window.log = []
        own.addEventListener('touchstart', event => { event.preventDefault(); log.push('own') })
        for (const type of ['touchstart', 'touchend', 'mousedown', 'click'])
            plain.addEventListener(type, event => log.push(`${type} ${event.pointerType ?? ''}`))
        cover.style.zIndex = 1; cover.addEventListener('touchstart', () => log.push('cover'))</script>",
    )
    .await;
    let tap =
        async |selector: &str, limit| page.click(&element(selector), &ClickOptions::default(), &deadline(limit)).await;
    tap("#plain", LIMIT).await.expect("tapped");
    assert_eq!(log(&page).await, json!(["touchstart ", "touchend ", "mousedown ", "click touch"]));
    tap("#own", LIMIT).await.expect("tapped");
    let covered = tap("#under", 500).await.expect_err("covered");
    assert!(covered.to_string().contains("covered by <div#cover"), "{covered}");
    assert_eq!(log(&page).await, json!(["own"]));
    page.set_checked(&element("label:News"), true, false, &deadline(LIMIT)).await.expect("checked");
    assert_eq!(
        evaluate(&page, "[navigator.maxTouchPoints, matchMedia('(pointer: coarse)').matches]").await,
        json!([1, true])
    );
    site.set("/next", "<h1>Next</h1>");
    tap("role:link[Next]", LIMIT).await.expect("tapped");
    assert_eq!(evaluate(&page, "document.querySelector('h1').textContent").await, json!("Next"));
    session.close().await;
}
