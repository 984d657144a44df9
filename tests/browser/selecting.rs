//! Every kind of selector on pages made for it: which elements it finds.

use repertoire::browser::{Deadline, Page, Reading, Session};

use crate::support::{Site, deadline, element, open, session};

/// The ids of what a selector finds, in its order.
async fn ids(page: &Page<'_>, selector: &str, limit: &Deadline) -> Result<String, String> {
    let count = page.count(&element(selector), limit).await.map_err(|error| error.to_string())?;
    let mut ids = Vec::new();
    for index in 0..count {
        let one = element(&format!("{selector} >> nth:{index}"));
        let id = page.read("get_attribute", &one, &Reading::Attribute("id".to_owned()), limit).await;
        ids.push(id.map_err(|error| error.to_string())?.as_str().unwrap_or("?").to_owned());
    }
    Ok(ids.join(" "))
}

async fn finds(session: &mut Session, site: &Site, body: &str, cases: &[(&str, &str)]) {
    let page = open(session, site, body).await;
    for (selector, expected) in cases {
        let found = ids(&page, selector, &deadline(5_000)).await.unwrap_or_else(|error| error);
        assert_eq!(found, *expected, "{selector} in {body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn text_is_what_a_person_reads() {
    let (site, mut session) = (Site::start().await, session());
    let body = "
        <p id=spaces>Good&nbsp;morning,\n   <!-- comment --> world</p>
        <p id=hidden-marks>Dear \u{2068}Ada\u{2069}, co\u{ad}operate without\u{200b}gap</p>
        <p id=accent>cafe\u{301}</p>
        <h2 id=lines>First<br>Second</h2>
        <div id=blocks><p>Alpha</p><p>Beta</p></div>
        <div id=split>Total: <b id=part>12</b><i> pieces</i></div>
        <div id=outer>Tree<div id=inner>Tree</div></div>
        <div id=nested><div><span id=deep>Leaf</span></div></div>
        <div id=quote>say \"so\" or 'so' &gt;&gt; \\</div>
        <input id=send type=submit value=Send> <input id=push type=button value=Push> <input id=wipe type=reset>
        <input id=typed value=Send> <style>.Send {}</style> <script>'Send'</script> <noscript>Send</noscript>
        <template>Send</template>
        <alert-box id=alert>Saved</alert-box>
        <span id=empty></span>
        <div id=host></div>
        <script>
            host.attachShadow({ mode: 'open' }).innerHTML = '<em id=in-shadow>Shadow <slot></slot></em>';
            host.innerHTML = '<u id=slotted>slotted</u>';
        </script>";
    let cases = [
        ("text:good morning, WORLD", "spaces"),
        ("text:\"Good morning, world\"", "spaces"),
        ("text:\"good morning, world\"", ""),
        ("text:\"morning\"", ""),
        ("text:/^Good\\smorning/", "spaces"),
        ("text:/^Good morning, world$/", "spaces"),
        ("text:Dear Ada, cooperate withoutgap", "hidden-marks"),
        ("text:caf\u{e9}", "accent"),
        ("text:\"First Second\"", "lines"),
        ("text:FirstSecond", "lines"),
        ("text:Alpha Beta", "blocks"),
        ("css:div >> has-text:AlphaBeta", "blocks"),
        ("text:Total: 12 pieces", "split"),
        ("text:12", "part"),
        ("text:Tree", "inner"),
        ("text:TreeTree", "outer"),
        ("text:Leaf", "deep"),
        ("text:\"say \\\"so\\\" or 'so' >> \\\\\"", "quote"),
        ("text:/so' >> \\\\/", "quote"),
        ("text:Send", "send"),
        ("text:Push", "push"),
        ("text:Reset", "wipe"),
        ("css:alert-box >> text:Saved", "alert"),
        ("css:#split >> text:12 pieces", "split"),
        ("css:#empty >> text:\"\"", "empty"),
        ("text:Shadow", "in-shadow"),
        ("text:slotted", "slotted"),
        ("css:div >> has-text:slotted", "host"),
        ("css:h2 >> or:#split >> has-not-text:Total", "lines"),
    ];
    finds(&mut session, &site, body, &cases).await;
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fields_are_found_by_what_names_them() {
    let (site, mut session) = (Site::start().await, session());
    let body = "
        <label for=mail>Your <b>email</b> address</label><input id=mail placeholder='Any address' title=Mail>
        <label for=mail>or phone</label>
        <label>Size <select id=size><option>Small</option></select></label>
        <label>I agree to <a href='#'>the terms</a><input type=checkbox id=agree></label>
        <span id=words>Amount</span><input id=amount aria-labelledby=words aria-label=Sum>
        <label>Wrong<input id=search aria-label='Search goods' aria-placeholder='Type here'></label>
        <label for=blank>Blank</label><input id=blank aria-label=''>
        <label style='display: none' for=unseen>Unseen</label><textarea id=unseen placeholder='Two\nlines'></textarea>
        <label for=secret>Secret</label><input type=hidden id=secret>
        <label for=custom>Custom</label><own-field id=custom></own-field>
        <div id=host></div><img id=logo alt='The Logo' data-testid='logo \"1\"'><svg id=icon aria-label=Close></svg>
        <datalist><option aria-label='Search goods'></datalist>
        <script>
            host.attachShadow({ mode: 'open' }).innerHTML = '<label for=f>Inside</label><input id=f data-testid=inner>';
            customElements.define('own-field', class extends HTMLElement { static formAssociated = true });
        </script>";
    let cases = [
        ("label:email address", "mail"),
        ("label:\"Your email address\"", "mail"),
        ("label:or phone", "mail"),
        ("label:Size", "size"),
        ("label:Small", ""),
        ("label:agree to the terms", "agree"),
        ("label:Amount", "amount"),
        ("label:Sum", ""),
        ("label:Search goods", "search"),
        ("label:Wrong", ""),
        ("label:Blank", "blank"),
        ("label:Unseen", "unseen"),
        ("label:Secret", ""),
        ("label:Custom", "custom"),
        ("label:Inside", "f"),
        ("label:Close", "icon"),
        ("placeholder:any address", "mail"),
        ("placeholder:\"Type here\"", "search"),
        ("placeholder:\"Two lines\"", "unseen"),
        ("title:/^ma/i", "mail"),
        ("alt:logo", "logo"),
        ("testid:logo \"1\"", "logo"),
        ("testid:inn", ""),
        ("testid:/^inn/", "f"),
    ];
    finds(&mut session, &site, body, &cases).await;
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn css_and_xpath_stay_inside_and_see_through_shadow_roots() {
    let (site, mut session) = (Site::start().await, session());
    let body = "
        <main id=main><ul id=list><li id=a class=x><b id=ab></b></li><li id=b></li><li id=c class=x lang='p,q'></li></ul></main>
        <x-card id=card><p id=light>light</p></x-card>
        <script>
            const shadow = card.attachShadow({ mode: 'open' });
            shadow.innerHTML = '<nav id=nav><a id=l1 class=x></a><a id=l2></a></nav><div id=box></div><slot></slot>';
            shadow.getElementById('box').attachShadow({ mode: 'open' }).innerHTML = '<i id=core class=x></i>';
        </script>";
    let cases = [
        ("css:li, ul", "list a b c"),
        ("css:[lang='p,q'], b", "ab c"),
        ("css:li:nth-child(2 of .x)", "c"),
        ("css:x-card a", "l1 l2"),
        ("css:x-card > nav > a + a", "l2"),
        ("css:x-card i.x", "core"),
        ("css:x-card > p", "light"),
        ("css:x-card:has(i)", "card"),
        ("css:div:has(> i)", "box"),
        ("css:a:not(x-card .x)", "l2"),
        ("css::is(nav a, ul b)", "ab l1 l2"),
        ("#card >> css::scope > nav", "nav"),
        ("#card >> css:> p", "light"),
        ("#main >> css:main li", ""),
        ("#main >> css:ul li.x", "a c"),
        ("#a >> css:~ li", "b c"),
        ("#a >> css:+ *", "b"),
        ("#c >> css:li ~ :scope", "c"),
        ("css:li >> css::scope.x", "a c"),
        ("css:ul:has(:scope > .x)", "list"),
        ("css:main >> css:main", ""),
        ("//li[2]", "b"),
        ("(//li)[last()]", "c"),
        ("//li[@id='a'] | //nav", "a nav"),
        ("#list >> //b | //nav", "ab"),
        ("#ab >> xpath:..", "a"),
        ("#ab >> xpath:../following-sibling::*", "b c"),
        ("xpath://nav/a[2]", "l2"),
        ("css:i:", "the selector `css:i:` is not valid: `i:` is not a valid CSS selector"),
        ("//li/@id", "the selector `xpath://li/@id` is not valid: `//li/@id` finds attributes, not elements"),
        ("//p/text()", "the selector `xpath://p/text()` is not valid: `//p/text()` finds text, not elements"),
        (
            "xpath:count(//li)",
            "the selector `xpath:count(//li)` is not valid: `count(//li)` gives a value, not elements",
        ),
        ("//li[x:", "the selector `xpath://li[x:` is not valid: `//li[x:` is not a valid XPath expression"),
    ];
    finds(&mut session, &site, body, &cases[..cases.len() - 1]).await;
    session.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_narrow_down_and_relations_sort() {
    let (site, mut session) = (Site::start().await, session());
    let rows: String = ["Ada|sold out", "Bob|here", "Cleo|here"]
        .iter()
        .zip(1..)
        .map(|(row, number)| {
            let (name, state) = row.split_once('|').expect("two cells");
            format!("<li id=r{number}>{name} <em>{state}</em> <button id=b{number} title=Buy>Buy</button></li>")
        })
        .collect();
    let boxes: String = [(0, 0), (100, 0), (300, 10), (100, 100), (40, 300), (420, 0)]
        .iter()
        .zip('p'..)
        .map(|((x, y), id)| {
            format!("<i id={id} style='position: absolute; left: {x}px; top: {y}px; width: 40px; height: 40px'></i>")
        })
        .collect();
    let body = format!(
        "<ul>{rows}</ul><b id=x1>x</b><b id=x2 hidden>x</b><b id=x3 style='display: contents'>x</b>
        <section style='position: relative; height: 400px'>{boxes}</section>"
    );
    let cases = [
        ("css:li >> has-text:here", "r2 r3"),
        ("css:li >> has-not-text:here", "r1"),
        ("css:li >> has:text:sold", "r1"),
        ("css:li >> has-not:text:sold >> has-text:/^Bob/", "r2"),
        ("css:li >> has:(css:button >> right-of:css:em)", "r1 r2 r3"),
        ("css:button >> and:title:Buy >> nth:1", "b2"),
        ("css:li >> css:button >> or:css:em >> nth:-1", "b3"),
        ("css:nothing >> or:(css:li >> last)", "r3"),
        ("css:li >> first >> css:button", "b1"),
        ("css:li >> nth:7", ""),
        ("css:li >> nth:-3", "r1"),
        ("css:b >> visible", "x1 x3"),
        ("css:i >> right-of:#p", "q s r t u"),
        ("css:i >> left-of:#r", "q s p t"),
        ("css:i >> below:#q", "s t"),
        ("css:i >> above:#t", "s p q r u"),
        ("css:i >> near:#r", ""),
        ("css:i >> near:(#p >> or:#s)", ""),
        ("css:i >> right-of:#p >> below:#q", "s t"),
    ];
    finds(&mut session, &site, &body, &cases).await;
    session.close().await;
}

/// What a script can't look into is found all the same, and clicked, and the page sees a click like any other.
#[tokio::test(flavor = "multi_thread")]
async fn closed_shadow_roots_are_looked_into() {
    let (site, mut session) = (Site::start().await, session());
    let body = "<div id=host></div><p><template shadowrootmode=closed><input aria-label=Written></template></p><script>
        const root = host.attachShadow({ mode: 'closed' });
        root.innerHTML = '<button id=in>Pay</button><div id=deep></div>';
        const deep = root.getElementById('deep').attachShadow({ mode: 'closed' });
        deep.innerHTML = '<button id=deeper>Confirm</button>';
        for (const root_ of [root, deep]) root_.addEventListener('click', event => event.target.textContent += '!');
    </script>";
    let page = open(&mut session, &site, body).await;
    let limit = || deadline(10_000);
    let options = repertoire::browser::ClickOptions::default();
    page.click(&element("role:button[Pay]"), &options, &limit()).await.expect("clicked");
    page.click(&element("css:#host #deeper"), &options, &limit()).await.expect("clicked");
    page.fill(&element("label:Written"), "text", false, &limit()).await.expect("filled");
    let texts = ids(&page, "css:button >> has-text:!", &limit()).await;
    assert_eq!(texts.as_deref(), Ok("in deeper"));
    // Without waiting, too: a document of its own starts anew.
    let page = open(&mut session, &site, body).await;
    assert_eq!(page.count(&element("role:button"), &limit()).await.expect("counted"), 2);
    session.close().await;
}
