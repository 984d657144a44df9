//! Drags of both kinds: with the mouse alone, and native ones that the browser carries out.

use insta::assert_snapshot;
use repertoire::browser::{ClickOptions, Error, Page, Position};
use serde_json::json;

use crate::support::{Site, deadline, element, evaluate, open, session};

const LIMIT: u64 = 10_000;

async fn drag(page: &Page<'_>, source: &str, target: &str) -> Result<(), Error> {
    page.drag((&element(source), None), (&element(target), None), &deadline(LIMIT)).await
}

#[tokio::test(flavor = "multi_thread")]
async fn native_drags_end_with_a_drop_or_an_error() {
    let (site, mut session) = (Site::start().await, session());
    let body = "<style>div, p { height: 30px; background: #eee; margin: 4px } #late { display: none }</style>
        <p id=card draggable=true>Card</p><p id=only-copy draggable=true>Copy</p><p id=empty draggable=true>Empty</p><a id=link href=/there>Link</a><p id=shower draggable=true>Shower</p>
        <div id=bin>Bin</div><div id=moving>Moves only</div><div id=deaf>Deaf</div><div id=late>Late</div><button id=after>After</button><p style='height: 3000px'></p><div id=far>Far</div>
        <script>window.log = []; for (const type of ['dragstart', 'dragenter', 'drop', 'dragend', 'mouseup'])
            addEventListener(type, event => log.push(`${type} ${event.target.id}`), true);
        card.ondragstart = event => event.dataTransfer.setData('custom', 'ace');
        document.getElementById('only-copy').ondragstart = event => event.dataTransfer.effectAllowed = 'copy';
        shower.ondragstart = () => setTimeout(() => late.style.display = 'block');
        for (const zone of [bin, moving, late, far]) { zone.ondragover = event => { event.preventDefault(); if (zone === moving) event.dataTransfer.dropEffect = 'move' };
            zone.ondrop = event => { event.preventDefault(); window.got = event.dataTransfer.getData('custom') || event.dataTransfer.getData('text/uri-list') } }
        after.onclick = () => window.clicked = true</script>";
    let page = open(&mut session, &site, body).await;
    drag(&page, "#card", "#bin").await.expect("dropped");
    assert_eq!(
        evaluate(&page, "[got, ...log.splice(0)]").await,
        json!(["ace", "dragstart card", "dragenter bin", "drop bin", "dragend card"])
    );
    for (source, target) in [("#empty", "#bin"), ("#shower", "#late"), ("#card", "#far"), ("#only-copy", "#bin")] {
        drag(&page, source, target).await.unwrap_or_else(|error| panic!("{source}: {error}"));
    }
    drag(&page, "#link", "#bin").await.expect("dropped");
    assert_eq!(evaluate(&page, "new URL(got).pathname").await, "/there");
    let mut told = Vec::new();
    for target in ["#moving", "#deaf"] {
        let error = drag(&page, "#only-copy", target).await.expect_err("not dropped");
        told.extend(error.to_string().lines().next().map(str::to_owned));
    }
    assert_snapshot!(told.join("\n"), @r"
    `#moving` is not a drop target: it did not take what was dropped
    `#deaf` is not a drop target: it did not take what was dropped
    ");
    // A drag that is given up leaves the mouse free.
    let nowhere = page.drag((&element("#card"), None), (&element("#nowhere"), None), &deadline(1_000)).await;
    nowhere.expect_err("no target");
    page.click(&element("#after"), &ClickOptions::default(), &deadline(LIMIT)).await.expect("clicked");
    assert_eq!(evaluate(&page, "clicked").await, true);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_mouse_alone_drags_what_listens_to_it() {
    let (site, mut session) = (Site::start().await, session());
    let body = "<style>body { margin: 0 } div { height: 50px; background: #eee } #knob { width: 50px; position: absolute; top: 300px; background: red }</style>
        <div id=a>A</div><div id=b style='margin-top: 90px'>B</div><div id=knob></div><p id=words>one <b id=last>two</b></p>
        <script>window.log = []; for (const type of ['mousedown', 'mousemove', 'mouseup'])
            addEventListener(type, event => log.push([type, event.buttons, event.clientX, event.clientY]));
        let held = null; knob.onpointerdown = event => held = event.pointerId;
        addEventListener('pointermove', event => { if (held !== null) { knob.style.left = event.clientX - 25 + 'px'; knob.style.top = event.clientY - 25 + 'px' } });
        addEventListener('pointerup', event => { if (held === null) return; held = null; window.under = document.elementsFromPoint(event.clientX, event.clientY).map(element => element.id) })</script>";
    let page = open(&mut session, &site, body).await;
    let at = |x, y| Some(Position { x, y });
    let (a, b) = (element("#a"), element("#b"));
    page.drag((&a, at(34.0, 7.0)), (&b, at(10.0, 20.0)), &deadline(LIMIT)).await.expect("dragged");
    assert_eq!(
        evaluate(&page, "[log[0], log[1], log.slice(2, -1).every(([type, buttons]) => type === 'mousemove' && buttons === 1), log.length >= 8, log.at(-1)]").await,
        json!([["mousemove", 0, 34, 7], ["mousedown", 1, 34, 7], true, true, ["mouseup", 0, 10, 160]])
    );
    drag(&page, "#knob", "#b").await.expect("dragged");
    assert_eq!(evaluate(&page, "under.slice(0, 2)").await, json!(["knob", "b"]));
    session.close().await;
}
