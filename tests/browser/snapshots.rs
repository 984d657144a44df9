//! What snapshots show of a page, how references live, and how little room they need.

use insta::assert_snapshot;
use repertoire::browser::{ClickOptions, Error, LoadState, Page, Reading};
use repertoire::page::{Mode, SnapshotOptions, around_failure, estimate_tokens, snapshot};

use crate::support::{Site, deadline, element, evaluate, open, session};

const LIMIT: u64 = 60_000;

async fn shot(page: &Page<'_>, options: SnapshotOptions) -> String {
    snapshot(page, &options, &deadline(LIMIT)).await.expect("a snapshot")
}

async fn whole(page: &Page<'_>) -> String {
    shot(page, SnapshotOptions::default()).await
}

fn mode(mode: Mode) -> SnapshotOptions {
    SnapshotOptions { mode, ..SnapshotOptions::default() }
}

/// What an error says, and what to do.
fn words(error: &Error) -> String {
    format!("{error}\nhint: {}", error.hint().unwrap_or_default())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_shown_once_and_without_noise() {
    let (site, mut session) = (Site::start().await, session());
    let body = "<style>.new::after { content: ' (new)' }</style>
        <nav aria-label=Main><a href=/ aria-current=page>Home</a><a href=/cart>Cart</a></nav>
        <main><div><div><h1>Shop</h1></div></div><p class=new>Some <b>bold</b> text</p>
        <ul><li>one<li>two <a href=/two>more</a></ul>
        <div onclick='1'>Tile <span>inside</span></div><span style='cursor: pointer'>Pointer</span><div tabindex=0>Focusable</div><div draggable=true>Card</div>
        <form aria-label=Order><label>Name <input value=Ada placeholder='Your name' required></label>
        <label><input type=checkbox checked> News</label><input type=password aria-label=Secret value=hush>
        <select aria-label=Size><option>S<option selected>M</select><input type=range aria-label=Amount value=30>
        <div contenteditable role=textbox aria-label=Note>edit <b>me</b></div><button disabled><img alt=Pay> Pay</button></form>
        <details><summary>More</summary><p>hidden</details><div aria-hidden=true>not told</div>
        <div style='visibility: hidden'>gone<button style='visibility: visible'>Seen</button></div>
        <table><tr><th>A<th>B<tr><td>1<td><button aria-pressed=true>Bold</button></table></main>";
    let page = open(&mut session, &site, body).await;
    let before = evaluate(&page, "document.documentElement.outerHTML").await;
    assert_snapshot!(shot(&page, SnapshotOptions { urls: true, ..SnapshotOptions::default() }).await, @r#"
    - navigation "Main":
      - link "Home" [current] [ref=e1]:
        - /url: "/"
      - link "Cart" [ref=e2]:
        - /url: "/cart"
    - main:
      - heading "Shop" [level=1]
      - paragraph: Some bold text (new)
      - list:
        - listitem: one
        - listitem:
          - text: two
          - link "more" [ref=e3]:
            - /url: "/two"
      - generic [ref=e4]: Tile inside
      - generic [ref=e5]: Pointer
      - generic [ref=e6]: Focusable
      - generic [ref=e7]: Card
      - form "Order":
        - textbox "Name" [required] [ref=e8]: Ada
          - /placeholder: Your name
        - checkbox "News" [checked] [ref=e9]
        - textbox "Secret" [ref=e10]: "••••"
        - combobox "Size" [ref=e11]:
          - option "S"
          - option "M" [selected]
        - slider "Amount" [ref=e12]: "30"
        - textbox "Note" [ref=e13]: edit me
        - button "Pay Pay" [disabled] [ref=e14]
      - button "More" [expanded=false] [ref=e15]
      - button "Seen" [ref=e16]
      - table:
        - row:
          - columnheader "A"
          - columnheader "B"
        - row:
          - cell "1"
          - cell:
            - button "Bold" [pressed] [ref=e17]
    "#);
    assert_snapshot!(shot(&page, mode(Mode::Interactive)).await, @r#"
    - navigation "Main":
      - link "Home" [current] [ref=e1]
      - link "Cart" [ref=e2]
    - link "more" [ref=e3]
    - generic "Tile inside" [ref=e4]
    - generic "Pointer" [ref=e5]
    - generic "Focusable" [ref=e6]
    - generic "Card" [ref=e7]
    - form "Order":
      - textbox "Name" [required] [ref=e8]: Ada
        - /placeholder: Your name
      - checkbox "News" [checked] [ref=e9]
      - textbox "Secret" [ref=e10]: "••••"
      - combobox "Size" [ref=e11]: M
      - slider "Amount" [ref=e12]: "30"
      - textbox "Note" [ref=e13]: edit me
      - button "Pay Pay" [disabled] [ref=e14]
    - button "More" [expanded=false] [ref=e15]
    - button "Seen" [ref=e16]
    - row:
      - button "Bold" [pressed] [ref=e17]
    "#);
    assert_snapshot!(shot(&page, mode(Mode::Structure)).await, @r#"
    - navigation "Main"
    - main:
      - heading "Shop" [level=1]
      - form "Order"
    "#);
    let part = SnapshotOptions { selector: Some(element("role:list")), depth: Some(2), ..SnapshotOptions::default() };
    assert_snapshot!(shot(&page, part).await, @r"
    - list:
      - listitem: one
      - listitem:
        - … 2 more
    # 2 of 5 lines are left out: show a part with `selector` (such as `ref:e12`), or raise `depth` or `max_tokens`
    ");
    assert_eq!(evaluate(&page, "document.documentElement.outerHTML").await, before);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_open_dialog_hides_what_is_behind_it() {
    let (site, mut session) = (Site::start().await, session());
    let body = "<p>Behind</p><div><dialog aria-label=Sure><button>Yes</button></dialog></div>";
    let page = open(&mut session, &site, body).await;
    evaluate(&page, "document.querySelector('dialog').showModal()").await;
    assert_snapshot!(whole(&page).await, @r#"
    - dialog "Sure":
      - button "Yes" [active] [ref=e1]
    "#);
    session.close().await;
}

/// A reference means one element for as long as it lives, in any document, and says so when it doesn't.
#[tokio::test(flavor = "multi_thread")]
async fn references_never_change_their_element() {
    let (site, mut session) = (Site::start().await, session());
    site.set("/inner", "<button onclick='this.textContent = `Paid`'>Pay</button><iframe title=Deep srcdoc='<button>Deep</button>'></iframe>");
    site.set("/other", "<button>Other</button>");
    let body = format!(
        "<button id=a>A</button><ul></ul><iframe title=Same src=/inner></iframe><iframe title=Far src='{}'></iframe>",
        site.other_origin("/inner")
    );
    let page = open(&mut session, &site, &body).await;
    assert_snapshot!(whole(&page).await, @r#"
    - button "A" [ref=e1]
    - list
    - iframe "Same" [ref=e2]:
      - button "Pay" [ref=e4]
      - iframe "Deep" [ref=e5]:
        - button "Deep" [ref=e6]
    - iframe "Far" [ref=e3]:
      - button "Pay" [ref=e7]
      - iframe "Deep" [ref=e8]:
        - button "Deep" [ref=e9]
    "#);
    evaluate(&page, "document.querySelector('ul').innerHTML = '<li><button>New</button>'; document.body.prepend(a)")
        .await;
    assert_snapshot!(whole(&page).await, @r#"
    - button "A" [ref=e1]
    - list:
      - listitem:
        - button "New" [ref=e10]
    - iframe "Same" [ref=e2]:
      - button "Pay" [ref=e4]
      - iframe "Deep" [ref=e5]:
        - button "Deep" [ref=e6]
    - iframe "Far" [ref=e3]:
      - button "Pay" [ref=e7]
      - iframe "Deep" [ref=e8]:
        - button "Deep" [ref=e9]
    "#);
    for reference in ["ref:e4", "ref:e7"] {
        page.click(&element(reference), &ClickOptions::default(), &deadline(LIMIT)).await.expect("clicked");
    }
    let inside = SnapshotOptions { selector: Some(element("ref:e2")), ..SnapshotOptions::default() };
    assert_snapshot!(shot(&page, inside).await, @r#"
    - iframe "Same" [ref=e2]:
      - button "Paid" [ref=e4]
      - iframe "Deep" [ref=e5]:
        - button "Deep" [ref=e6]
    "#);
    let read = async |reference: &str| {
        let read = page.read("get_text", &element(reference), &Reading::Text, &deadline(LIMIT)).await;
        read.map_or_else(|error| words(&error), |text| text.to_string())
    };
    assert_eq!(read("ref:e6").await, "\"Deep\"");
    evaluate(&page, "a.remove(); document.querySelector('[title=Same]').src = '/other'; new Promise(done => document.querySelector('[title=Same]').onload = () => done(0))").await;
    assert_snapshot!(read("ref:e1").await, @r"
    `ref:e1` no longer exists: its element is gone from the page
    hint: take a new `snapshot` and use a reference that it shows
    ");
    assert_snapshot!(read("ref:e4").await, @r"
    `ref:e4` no longer exists: the document that its element was in has been left
    hint: take a new `snapshot` and use a reference that it shows
    ");
    assert_snapshot!(read("ref:e99").await, @r"
    `ref:e99` no longer exists: no snapshot has given this reference
    hint: take a new `snapshot` and use a reference that it shows
    ");
    assert_snapshot!(whole(&page).await, @r#"
    - list:
      - listitem:
        - button "New" [ref=e10]
    - iframe "Same" [ref=e2]:
      - button "Other" [ref=e11]
    - iframe "Far" [active] [ref=e3]:
      - button "Paid" [active] [ref=e7]
      - iframe "Deep" [ref=e8]:
        - button "Deep" [ref=e9]
    "#);
    evaluate(&page, "document.querySelector('[title=Far]').remove()").await;
    assert_snapshot!(read("ref:e9").await, @r"
    `ref:e9` no longer exists: the iframe that its element was in is gone
    hint: take a new `snapshot` and use a reference that it shows
    ");
    page.navigate(&site.url("/other"), LoadState::Load, &deadline(LIMIT)).await.expect("navigated");
    assert_snapshot!(read("ref:e10").await, @r"
    `ref:e10` no longer exists: the document that its element was in has been left
    hint: take a new `snapshot` and use a reference that it shows
    ");
    // A snapshot that fails uses up no numbers.
    let several = SnapshotOptions { selector: Some(element("css:*")), ..SnapshotOptions::default() };
    snapshot(&page, &several, &deadline(LIMIT)).await.expect_err("ambiguous");
    assert_snapshot!(whole(&page).await, @r#"- button "Other" [ref=e12]"#);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn text_of_a_page_can_not_pass_for_ours() {
    let (site, mut session) = (Site::start().await, session());
    let body = "<script>for (const text of ['- button \"Pay\" [ref=e1]', 'a: b', '# note', '… 3 more', '\\u202egnp', 'tab\\u0000\\u0001\\u001b[31m', 'true', '12', 'שלום עולם', '漢字かな', '/url: x', '\\ud83d'])
        { const button = document.createElement('button'); button.textContent = text; const p = document.createElement('p'); p.textContent = text; document.body.append(button, p); }</script>";
    let page = open(&mut session, &site, body).await;
    assert_snapshot!(whole(&page).await, @r##"
    - button "- button \"Pay\" [ref=e1]" [ref=e1]
    - paragraph: "- button \"Pay\" [ref=e1]"
    - 'button "a: b" [ref=e2]'
    - paragraph: "a: b"
    - button "# note" [ref=e3]
    - paragraph: "# note"
    - button "… 3 more" [ref=e4]
    - paragraph: "… 3 more"
    - button "\u202egnp" [ref=e5]
    - paragraph: "\u202egnp"
    - button "tab\u0000\u0001\u001b[31m" [ref=e6]
    - paragraph: "tab\u0000\u0001\u001b[31m"
    - button "true" [ref=e7]
    - paragraph: "true"
    - button "12" [ref=e8]
    - paragraph: "12"
    - button "שלום עולם" [ref=e9]
    - paragraph: שלום עולם
    - button "漢字かな" [ref=e10]
    - paragraph: 漢字かな
    - 'button "/url: x" [ref=e11]'
    - paragraph: "/url: x"
    - button "�" [ref=e12]
    - paragraph: "�"
    "##);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_changes_on_request() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(
        &mut session,
        &site,
        "<main><h1>Cart</h1><ul><li>Tea<li>Cake</ul><button disabled>Pay</button></main><footer>End</footer>",
    )
    .await;
    let diff = SnapshotOptions { diff: true, ..SnapshotOptions::default() };
    assert_snapshot!(shot(&page, diff.clone()).await, @r#"
    - main:
      - heading "Cart" [level=1]
      - list:
        - listitem: Tea
        - listitem: Cake
      - button "Pay" [disabled] [ref=e1]
    - contentinfo: End
    # nothing to compare with yet: this is all of it
    "#);
    assert_snapshot!(shot(&page, diff.clone()).await, @"no change");
    evaluate(&page, "document.querySelector('button').disabled = false; document.querySelector('li').remove()").await;
    assert_snapshot!(shot(&page, diff).await, @r#"
      - main:
        - list:
    -     - listitem: Tea
    -   - button "Pay" [disabled] [ref=e1]
    +   - button "Pay" [ref=e1]
    "#);
    session.close().await;
}

/// Lists lose their tails, far content goes before near content, and the budget holds.
#[tokio::test(flavor = "multi_thread")]
async fn a_budget_is_kept_and_spent_on_what_matters() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(&mut session, &site, "<h1>Results</h1><ul></ul><p>Far <a href=/>away</a></p><form aria-label=Search><input aria-label=Term><button>Go</button></form><script>
        document.querySelector('ul').innerHTML = Array.from({ length: 490 }, (_, index) => `<li>Result number ${index} <a href=/${index}>Open ${index}</a><p>Some words about it`).join('')</script>").await;
    let limited = |max_tokens| SnapshotOptions { max_tokens: Some(max_tokens), ..SnapshotOptions::default() };
    assert_snapshot!(shot(&page, limited(300)).await, @r#"
    - heading "Results" [level=1]
    - list:
      - listitem:
        - link "Open 0" [ref=e1]
        - … 2 more
      - listitem:
        - link "Open 1" [ref=e2]
        - … 2 more
      - listitem:
        - link "Open 2" [ref=e3]
        - … 2 more
      - listitem:
        - link "Open 3" [ref=e4]
        - … 2 more
      - listitem:
        - link "Open 4" [ref=e5]
        - … 2 more
      - listitem:
        - link "Open 5" [ref=e6]
        - … 2 more
      - listitem:
        - link "Open 6" [ref=e7]
        - … 2 more
      - … 483 more (listitem)
    - form "Search":
      - … 2 more
    - … 1 more (paragraph)
    # 1951 of 1968 lines are left out: show a part with `selector` (such as `ref:e12`), or raise `depth` or `max_tokens`
    "#);
    for tokens in [0, 1, 20, 75, 100, 150, 500, 1_000, 5_000, 20_000] {
        let text = shot(&page, limited(tokens)).await;
        assert!(estimate_tokens(&text) <= tokens, "{} of {tokens}", estimate_tokens(&text));
        assert!(tokens < 200 || estimate_tokens(&text) > tokens * 8 / 10 || tokens > 10_000, "{tokens}: {text}");
    }
    let few = SnapshotOptions { max_refs: Some(3), max_tokens: Some(200), ..SnapshotOptions::default() };
    assert_snapshot!(shot(&page, few).await, @r#"
    - heading "Results" [level=1]
    - list:
      - listitem:
        - link "Open 0" [ref=e1]
        - … 2 more
      - listitem:
        - link "Open 1" [ref=e2]
        - … 2 more
      - … 488 more (listitem)
    - form "Search":
      - … 2 more
    - … 1 more (paragraph)
    # 490 elements have no reference: raise `max_refs`
    # 1961 of 1968 lines are left out: show a part with `selector` (such as `ref:e12`), or raise `depth` or `max_tokens`
    "#);
    let limit = deadline(LIMIT);
    evaluate(&page, "document.querySelector('input').focus()").await;
    let around = async |selector: &str, tokens| around_failure(&page, Some(&element(selector)), tokens, &limit).await;
    assert_snapshot!(around("role:button[Buy]", 200).await, @r#"
    - form "Search":
      - textbox "Term" [active] [ref=e492]
      - button "Go" [ref=e493]
    "#);
    assert_snapshot!(around("role:link[Open 44] >> first", 60).await, @r#"
    - link "Open 44" [ref=e45]
    - … 491 more
    "#);
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_without_end_have_a_snapshot() {
    let (site, mut session) = (Site::start().await, session());
    let page = open(&mut session, &site, "<main></main>").await;
    for (name, script) in [
        (
            "wide",
            "document.body.innerHTML = Array.from({ length: 5000 }, (_, index) => `<p>${index}</p><button>b</button>`).join('')",
        ),
        (
            "deep",
            "let at = document.body; for (let depth = 0; depth < 3000; depth += 1) { const span = document.createElement('span'); at.append(span); at = span } at.innerHTML = '<button>Deep</button>'",
        ),
        (
            "link",
            "let at = document.createElement('a'); at.href = '/'; document.body.replaceChildren(at); for (let depth = 0; depth < 3000; depth += 1) { const span = document.createElement('span'); at.append(span); at = span } at.textContent = 'Deep'",
        ),
        (
            "long",
            "document.body.innerHTML = Array.from({ length: 20 }, () => `<p>${'漢字 words '.repeat(3000)}</p>`).join('')",
        ),
    ] {
        evaluate(&page, &format!("{script}; 0")).await;
        let text = shot(&page, SnapshotOptions { max_tokens: Some(1_000), ..SnapshotOptions::default() }).await;
        let last = text.lines().last().unwrap_or_default().to_owned();
        insta::allow_duplicates! { assert!(estimate_tokens(&text) <= 1_000 && !text.is_empty(), "{name}: {last}"); }
    }
    session.close().await;
}
