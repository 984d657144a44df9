//! An element is acted on when a person could, and not before; the page's own log is the witness of what it got.

use insta::assert_snapshot;
use repertoire::browser::{ClickOptions, Error, MouseButton, Page, Position};
use serde_json::{Value, json};

use crate::support::{Site, deadline, element, evaluate, open, session};

const LIMIT: u64 = 10_000;
/// Long enough for several attempts.
const SHORT: u64 = 1_000;

/// Every pointer event that reaches the page, with the id of what it reached.
const LOG: &str = "<script>window.log = []; for (const type of ['pointerdown', 'mousedown', 'pointerup', 'mouseup', 'click', 'dblclick', 'auxclick', 'contextmenu'])
    addEventListener(type, event => log.push(`${type} ${event.target.id}`), true)</script>";

async fn click(page: &Page<'_>, selector: &str) -> Result<(), Error> {
    page.click(&element(selector), &ClickOptions::default(), &deadline(LIMIT)).await
}

async fn click_with(page: &Page<'_>, selector: &str, options: ClickOptions) -> Result<(), Error> {
    page.click(&element(selector), &options, &deadline(LIMIT)).await
}

/// Why a click was not done, in one line.
async fn refused(page: &Page<'_>, selector: &str) -> String {
    let outcome = page.click(&element(selector), &ClickOptions::default(), &deadline(SHORT)).await;
    let Err(error) = outcome else { return format!("`{selector}` was clicked") };
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// The ids of what was clicked since this was last asked.
async fn clicked(page: &Page<'_>) -> Value {
    evaluate(page, "log.splice(0).filter(entry => entry.startsWith('click ')).map(entry => entry.slice(6))").await
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_person_could_click_is_refused_by_its_reason() {
    let (site, mut session) = (Site::start().await, session());
    let body = format!(
        "{LOG}<style>.own {{ position: relative; width: 80px; height: 30px }} .over {{ position: absolute; inset: 0; background: #eee }}
        @keyframes run {{ to {{ translate: 600px }} }}</style>
        <div id=gone style='display: none'><button id=in-gone>x</button></div><button id=veiled style='visibility: hidden'>x</button><div id=empty></div>
        <details><summary>More</summary><button id=closed>x</button></details><div style='content-visibility: hidden'><button id=skipped>x</button></div>
        <button id=off>x</button><fieldset disabled id=set><legend><button id=legend>x</button></legend><button id=in-set>x</button></fieldset>
        <div role=group aria-label=Group aria-disabled=true><div role=button id=in-group>x</div></div><button disabled><span id=in-button>x</span></button>
        <label id=label>Terms <input type=checkbox disabled></label><x-button id=outer><span id=slotted>x</span></x-button>
        <div class=own><button id=covered>x</button><div class=over id=banner>Cookies?</div></div><button id=through style='pointer-events: none'>x</button>
        <button id=left style='position: absolute; left: -300px'>x</button><button id=runner style='position: relative; width: 20px; animation: run 1s linear infinite alternate'>x</button>
        <button id=slow style='position: relative; animation: run 60s linear'>x</button><div inert><button id=inert>x</button></div>
        <select id=land><option>Austria<option id=option>Ireland</select><button id=clip style='clip-path: inset(50%)'>x</button>
        <script>outer.attachShadow({{ mode: 'open' }}).innerHTML = '<button disabled><slot></slot></button>'</script>"
    );
    let page = open(&mut session, &site, &body).await;
    evaluate(&page, "document.getElementById('off').disabled = true").await;
    let mut told = Vec::new();
    for id in "in-gone veiled empty closed skipped off in-set in-group in-button slotted label covered through left runner slow inert option clip"
        .split(' ')
    {
        told.push(refused(&page, &format!("#{id}")).await);
    }
    assert_snapshot!(told.join("\n"), @r#"
    `#in-gone` is not visible: `display: none` on <div#gone>
    `#veiled` is not visible: `visibility: hidden`
    `#empty` is not visible: its box is 1264 × 0 px
    `#closed` is not visible: <details> is closed
    `#skipped` is not visible: `content-visibility: hidden` on <div>
    `#off` is not enabled
    `#in-set` is not enabled: disabled by <fieldset#set "x">
    `#in-group` is not enabled
    `#in-button` is not enabled: <button "x"> is disabled
    `#slotted` is not enabled: <button "x"> is disabled
    `#label` is not enabled: <input[type=checkbox] "Terms"> is disabled
    `#covered` does not receive the click: covered by <div#banner.over "Cookies?">
    `#through` does not receive the click: it has `pointer-events: none`
    `#left` can't be scrolled into view: its click point is outside of the viewport
    `#runner` is not stable: it is moving
    `#slow` is not stable: it is moving
    `#inert` does not receive the click: <div> is `inert`
    `#option` is not visible: use `select_option` on <select#land>
    `#clip` does not receive the click: it is not at its click point, <body> behind it is
    "#);
    assert_eq!(evaluate(&page, "log").await, json!([]));
    click(&page, "#legend").await.expect("a legend's controls are not disabled");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_will_be_possible_is_waited_for() {
    let (site, mut session) = (Site::start().await, session());
    let body = format!(
        "{LOG}<style>#moving {{ position: relative; left: 0; transition: left .4s linear }}</style>
        <button id=hidden style='display: none'>x</button><fieldset id=set disabled><button id=off>x</button></fieldset>
        <div style='position: relative; width: 90px'><button id=covered>x</button><div id=cover style='position: absolute; inset: 0; background: #eee'></div></div>
        <div id=deaf style='pointer-events: none'><button id=heard>x</button></div><button id=moving>x</button><div id=later></div>
        <script>function start(then) {{ setTimeout(then, 200) }}</script>"
    );
    let page = open(&mut session, &site, &body).await;
    for (id, change) in [
        ("hidden", "document.getElementById('hidden').style.display = 'block'"),
        ("off", "document.getElementById('set').disabled = false"),
        ("covered", "cover.remove()"),
        ("heard", "deaf.style.pointerEvents = 'auto'"),
        ("new", "later.innerHTML = '<button id=new>x</button>'"),
    ] {
        evaluate(&page, &format!("start(() => {{ {change} }})")).await;
        click(&page, &format!("#{id}")).await.unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(clicked(&page).await, json!([id]));
    }
    evaluate(&page, "moving.addEventListener('click', () => window.left = getComputedStyle(moving).left); moving.style.left = '300px'").await;
    click(&page, "#moving").await.expect("clicked where it came to rest");
    assert_eq!(evaluate(&page, "left").await, "300px");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_a_person_hits_is_hit() {
    let (site, mut session) = (Site::start().await, session());
    let pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=";
    let body = format!(
        "{LOG}<style>@keyframes pulse {{ 50% {{ transform: scale(1.1) }} }} @keyframes spin {{ to {{ rotate: 360deg }} }}
        .side {{ position: absolute; width: 90px; height: 30px; backface-visibility: hidden }}</style>
        <button id=faint style='opacity: 0'>x</button> <button id=pulsing style='animation: pulse 1s infinite'>Pulsing</button>
        <button id=busy><i style='display: inline-block; animation: spin 1s linear infinite'>o</i> Busy</button> <button id=rotated style='rotate: 40deg; margin: 40px'>Rotated</button>
        <div style='perspective: 300px; display: inline-block; margin: 20px'><button id=deep style='transform: rotateY(60deg); width: 150px'>Deep</button></div>
        <div style='position: relative; transform-style: preserve-3d; transform: rotateY(180deg); width: 90px; height: 30px'><div class=side id=front>Front</div><div class=side id=back style='transform: rotateY(180deg)'>Back</div></div>
        <div style='width: 120px; line-height: 40px'>xxxxxxxxxxxx <a id=wrapped href=#>ab abcdefgh</a></div><span id=inline><div>Block</div></span>
        <button id=parent><label id=label style='pointer-events: none'>Label</label></button> <div role=button id=role><div style='pointer-events: none'><span id=inner>Inner</span></div></div>
        <svg width=400 height=90><circle id=ring cx=45 cy=45 r=40 fill=none stroke=black /><g id=group><circle cx=120 cy=20 r=10 /><circle cx=200 cy=80 r=10 /></g><path id=line d='M220 80 L260 10 L300 80' fill=none stroke=black stroke-width=3 /><text id=text x=310 y=50>Text</text></svg>
        <img usemap=#map width=200 height=90 src='{pixel}'><map name=map><area id=area shape=rect coords='0,0,50,50' href=#><area id=angle shape=poly coords='100,0,200,0,200,15,115,15,115,90,100,90' href=#></map>
        <div style='display: flex'><button id=bare style='display: contents'>Bare</button></div> <div id=point style='width: 1px; height: 1px; margin: 3.25px'></div>
        <div style='zoom: 1.7'><button id=zoomed>Zoomed</button></div> <button id=half style='position: absolute; left: -60px; width: 90px'>Half</button>
        <x-card id=card><button id=slotted>Slotted</button></x-card><script>card.attachShadow({{ mode: 'open' }}).innerHTML = '<p><slot></slot></p>'</script>"
    );
    let page = open(&mut session, &site, &body).await;
    for id in "faint pulsing busy rotated deep back wrapped inline label inner ring group line text area angle bare point zoomed half slotted"
        .split(' ')
    {
        click(&page, &format!("#{id}")).await.unwrap_or_else(|error| panic!("{id}: {error}"));
        let reached = evaluate(
            &page,
            &format!("log.splice(0).some(entry => entry.startsWith('click') && document.getElementById('{id}').closest('button, [role=button]') || entry === 'click {id}' || document.getElementById('{id}').contains(document.getElementById(entry.slice(6) || '{id}')))"),
        )
        .await;
        assert_eq!(reached, true, "{id}");
    }
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn it_is_scrolled_to_past_what_sticks() {
    let (site, mut session) = (Site::start().await, session());
    let space = "<div style='height: 2000px'></div>";
    let body = format!(
        "{LOG}<style>html {{ scroll-behavior: smooth }} .bar {{ position: fixed; left: 0; right: 0; height: 260px; background: #eee }} .scroller {{ overflow: auto; width: 300px; height: 200px }}</style>
        <div class=bar style='top: 0'>Header</div><div class=bar style='bottom: 0'>Footer</div>{space}<button id=between>x</button>{space}
        <div class=scroller><div style='position: sticky; top: 0; height: 120px; background: #eee'>Head</div>{space}<button id=under>x</button>{space}</div>
        <div class=scroller style='scroll-behavior: smooth'><div style='width: 2000px; height: 1500px; position: relative'><div class=scroller style='position: absolute; left: 1500px; top: 1200px; width: 90px; height: 80px'>{space}<button id=nested style='margin-left: 500px'>x</button></div></div></div>
        <div class=scroller style='scroll-snap-type: y mandatory'><div style='height: 200px; scroll-snap-align: start'></div><div style='height: 200px; scroll-snap-align: start'><button id=snapped>x</button></div></div>
        <div style='overflow: hidden; width: 90px; height: 20px'>{space}<button id=clipped>x</button></div><div style='width: 4000px'><button id=far style='margin-left: 3500px'>x</button></div>
        <div class=scroller dir=rtl><div style='width: 2000px; height: 10px'></div><button id=rtl style='margin-right: 1500px'>x</button></div>
        <div class=scroller><div id=large style='width: 1000px; height: 1000px; background: #eef'></div></div>{space}"
    );
    let page = open(&mut session, &site, &body).await;
    for id in "between under nested snapped clipped far rtl".split(' ') {
        click(&page, &format!("#{id}")).await.unwrap_or_else(|error| panic!("{id}: {error}"));
        assert_eq!(clicked(&page).await, json!([id]));
    }
    evaluate(&page, "large.onclick = event => { const box = large.getBoundingClientRect(); window.at = [event.clientX - box.x, event.clientY - box.y].map(Math.round) }; 0").await;
    let position = Some(Position { x: 900.0, y: 910.0 });
    click_with(&page, "#large", ClickOptions { position, ..ClickOptions::default() }).await.expect("clicked");
    assert_eq!(evaluate(&page, "at").await, json!([900, 910]));
    let outside = ClickOptions { position: Some(Position { x: 1100.0, y: 5.0 }), ..ClickOptions::default() };
    let outside = page.click(&element("#large"), &outside, &deadline(SHORT)).await.expect_err("outside");
    assert_snapshot!(outside.to_string().lines().next().unwrap_or_default(), @"`#large` does not receive the click: the position is outside of it");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_change_under_the_pointer() {
    let (site, mut session) = (Site::start().await, session());
    let body = format!(
        "{LOG}<style>#tip {{ display: none; position: absolute; inset: 0; background: #eee }} .box {{ position: relative; width: 90px; height: 30px }}</style>
        <div class=box><button id=dodges-once>x</button></div><div class=box><button id=dodges style='position: absolute'>x</button></div>
        <div class=box id=wrap><button id=again>x</button></div><div class=box id=tipped><button id=under>x</button><div id=tip>Tip</div></div>
        <div class=box><button id=disables onmouseover='this.disabled = true'>x</button></div><div class=box><button id=leaves onmouseover='this.remove()'>x</button></div>
        <div class=box><button id=down onpointerdown='this.remove()'>x</button></div><div class=box><button id=up onpointerup='this.remove()'>x</button></div>
        <div class=box><button id=done onclick='this.remove()'>x</button></div><div class=box><button id=menu onmousedown='menu.style.display = `block`'>x</button></div>
        <div id=list style='display: none; position: fixed; inset: 0; background: #eee'>Menu</div><div style='height: 900px'></div><button id=jumps onmousedown='window.scrollTo(0, 0)'>x</button><div style='height: 900px'></div>
        <script>const byId = id => document.getElementById(id);
        byId('dodges-once').onmousemove = event => event.target.style.marginLeft = '40px';
        let turn = 0; byId('dodges').onmousemove = event => event.target.style.left = ++turn % 7 * 100 + 'px';
        wrap.onmousemove = () => wrap.innerHTML = wrap.innerHTML; tipped.onmouseover = () => tip.style.display = 'block';
        byId('menu').onmousedown = () => list.style.display = 'block'; list.onclick = () => list.remove()</script>"
    );
    let page = open(&mut session, &site, &body).await;
    click(&page, "#dodges-once").await.expect("clicked where it went");
    assert_eq!(
        evaluate(&page, "log.splice(0)").await,
        json!(["pointerdown", "mousedown", "pointerup", "mouseup", "click"].map(|kind| format!("{kind} dodges-once")))
    );
    let mut told =
        vec![refused(&page, "#dodges").await, refused(&page, "#under").await, refused(&page, "#disables").await];
    told.push(refused(&page, "#leaves").await);
    told.push(refused(&page, "#jumps").await);
    // Where it would be clicked when the time is over may be in either.
    assert_snapshot!(told.join("\n").replace("<div.box> behind", "<body> behind"), @r#"
    `#dodges` does not receive the click: it is not at its click point, <body> behind it is
    `#under` does not receive the click: covered by <div#tip "Tip">
    `#disables` is not enabled
    no element matches `#leaves`
    `#jumps` does not receive the click: it moved away between press and release
    "#);
    assert_eq!(
        evaluate(&page, "log.splice(0).filter(entry => !/dodges$|jumps$| $/.test(entry))").await,
        json!([]),
        "the page saw nothing of the misses"
    );
    for id in ["again", "down", "up", "done", "menu"] {
        click(&page, &format!("#{id}")).await.unwrap_or_else(|error| panic!("{id}: {error}"));
        let presses = evaluate(&page, "log.splice(0).filter(entry => entry.startsWith('pointerdown'))").await;
        assert_eq!(presses, json!([format!("pointerdown {id}")]));
    }
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn buttons_modifiers_and_time() {
    let (site, mut session) = (Site::start().await, session());
    let body = format!(
        "{LOG}<style>body {{ margin: 0 }}</style><button id=b style='width: 90px; height: 40px; border: 5px solid'>x</button><p id=words>one two three</p>
        <script>window.keys = []; for (const type of ['keydown', 'keyup']) addEventListener(type, event => keys.push(`${{type}} ${{event.key}}`));
        let down; b.onmousedown = event => {{ down = event.timeStamp; window.at = [event.offsetX, event.offsetY] }};
        b.onmouseup = event => window.held = event.timeStamp - down; b.onclick = event => window.with = [event.shiftKey, event.ctrlKey]</script>"
    );
    let page = open(&mut session, &site, &body).await;
    for button in [MouseButton::Right, MouseButton::Middle] {
        click_with(&page, "#b", ClickOptions { button, ..ClickOptions::default() }).await.expect("clicked");
    }
    assert_eq!(
        evaluate(&page, "log.splice(0).filter(entry => /menu|click/.test(entry))").await,
        json!(["contextmenu b", "auxclick b", "auxclick b"])
    );
    let modifiers = vec![repertoire::browser::Modifier::Shift, repertoire::browser::Modifier::CONTROL_OR_META];
    let (delay, position) = (std::time::Duration::from_millis(120), Some(Position { x: 7.0, y: 9.0 }));
    click_with(&page, "#b", ClickOptions { modifiers, delay, position, ..ClickOptions::default() })
        .await
        .expect("clicked");
    assert_eq!(
        evaluate(&page, "[window.with, at, held >= 110, keys]").await,
        json!([[true, true], [7, 9], true, ["keydown Control", "keydown Shift", "keyup Shift", "keyup Control"]])
    );
    click_with(&page, "#words", ClickOptions { count: 3, ..ClickOptions::default() }).await.expect("clicked");
    assert_eq!(evaluate(&page, "getSelection().toString().trim()").await, "one two three");
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn force_clicks_and_tells_what_it_hit() {
    let (site, mut session) = (Site::start().await, session());
    let body = format!(
        "{LOG}<button id=free>x</button><button id=off disabled>x</button><div style='position: relative; width: 90px'><button id=covered>x</button><div id=cover style='position: absolute; inset: 0'>Cover</div></div><button id=none style='display: none'>x</button>"
    );
    let page = open(&mut session, &site, &body).await;
    for id in ["free", "off", "covered"] {
        click_with(&page, &format!("#{id}"), ClickOptions { force: true, ..ClickOptions::default() }).await.expect(id);
    }
    assert_eq!(clicked(&page).await, json!(["free", "cover"]));
    let hidden = ClickOptions { force: true, ..ClickOptions::default() };
    let hidden = page.click(&element("#none"), &hidden, &deadline(SHORT)).await.expect_err("nowhere");
    assert_snapshot!(hidden.to_string().lines().next().unwrap_or_default(), @"`#none` is not visible: `display: none`");
    assert_snapshot!(session.take_notes().join("\n"), @r#"
    <button#off "x"> is disabled and got no click
    the click reached <div#cover "Cover"> instead of <button#covered "x">
    "#);
    session.close().await;
}
