//! What the bundle and what Chromium's tree say of each element of a page, and where the two differ.

use std::collections::HashMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::{Value, json};

use crate::support::devtools::Browser;

/// Chromium's names for what ARIA has no role for, or another one.
const INTERNAL_ROLES: &[(&str, &str)] = &[
    ("Abbr", "generic"),
    ("Canvas", "generic"),
    ("ColorWell", "textbox"),
    ("Date", "textbox"),
    ("DateTime", "textbox"),
    ("DescriptionList", "generic"),
    ("Details", "group"),
    ("DisclosureTriangle", "button"),
    ("DisclosureTriangleGrouped", "button"),
    ("Figcaption", "generic"),
    ("Iframe", "generic"),
    ("InputTime", "textbox"),
    ("LabelText", "generic"),
    ("Legend", "generic"),
    ("LineBreak", "generic"),
    ("MathMLIdentifier", "generic"),
    ("MathMLMath", "math"),
    ("MathMLNumber", "generic"),
    ("PluginObject", "generic"),
    ("Ruby", "generic"),
    ("SvgRoot", "img"),
    ("Video", "generic"),
    ("image", "img"),
    ("none", "generic"),
];

/// Every element of the document, open shadow trees included, in the order in which the bundle lists them.
const DESCRIBE: &str = "
    forget();
    return elementsIn(document).map(element => ({
      tag: tagOf(element),
      markup: dom.outerHTML(element).slice(0, 400),
      role: roleOf(element),
      name: accessibleName(element),
      hidden: isHiddenForAria(element),
      states: {
        checked: checkedState(element),
        disabled: isDisabled(element),
        expanded: expandedState(element),
        level: levelOf(element),
        pressed: pressedState(element),
        required: isRequired(element),
      },
    }));";

/// What the bundle says of an element.
#[derive(Deserialize)]
struct Ours {
    tag: String,
    markup: String,
    role: String,
    name: String,
    hidden: bool,
    states: HashMap<String, Value>,
}

/// What Chromium's tree says of an element that is in it.
struct Theirs {
    role: String,
    name: String,
    /// Chromium passes over the element though it isn't hidden: a box without meaning to it.
    uninteresting: bool,
    states: HashMap<String, Value>,
}

pub struct Element {
    ours: Ours,
    theirs: Option<Theirs>,
}

impl Element {
    /// The beginning of the element's markup.
    pub fn snippet(&self) -> String {
        fold(&self.ours.markup).chars().take(120).collect()
    }

    pub fn differs_in_role_or_name(&self) -> bool {
        self.presence().or_else(|| self.role()).or_else(|| self.name()).is_some()
    }

    pub fn differences(&self) -> Vec<String> {
        match self.presence() {
            Some(difference) => vec![difference],
            None => self.role().into_iter().chain(self.name()).chain(self.states()).collect(),
        }
    }

    /// The element that both describe; none where they agree that there is nothing to describe.
    fn both(&self) -> Option<(&Ours, &Theirs)> {
        // The tree's root stands for the document, not for its element.
        let theirs = self.theirs.as_ref().filter(|theirs| !theirs.uninteresting)?;
        (self.ours.tag != "html").then_some((&self.ours, theirs))
    }

    fn presence(&self) -> Option<String> {
        let Ours { tag, role, name, hidden, .. } = &self.ours;
        match &self.theirs {
            Some(Theirs { uninteresting: true, .. }) if name.is_empty() => None,
            Some(Theirs { uninteresting: false, role: theirs, name, .. }) => {
                hidden.then(|| format!("hidden, Chromium: {theirs} {name:?}"))
            }
            _ if *hidden || tag == "html" || ["", "generic", "none"].contains(&role.as_str()) => None,
            _ => Some(format!("{role} {name:?}, Chromium: none")),
        }
    }

    fn role(&self) -> Option<String> {
        let (ours, theirs) = self.both()?;
        let role = if ours.role == "none" { "generic" } else { &ours.role };
        (role != theirs.role).then(|| format!("role {role}, Chromium: {}", theirs.role))
    }

    fn name(&self) -> Option<String> {
        let (ours, theirs) = self.both()?;
        (ours.name != theirs.name).then(|| format!("name {:?}, Chromium: {:?}", ours.name, theirs.name))
    }

    fn states(&self) -> Vec<String> {
        let Some((ours, theirs)) = self.both() else { return Vec::new() };
        let mut names: Vec<&String> = ours.states.keys().collect();
        names.sort();
        let differing = names.into_iter().filter(|name| match name.as_str() {
            // Chromium numbers all that is nested; here a level is what a heading has.
            "level" => ours.role == "heading",
            // A selection's drop-down is no part of the page.
            "expanded" => ours.tag != "select",
            // Chromium tells it of what can be used, not of the fieldset or group around it.
            "disabled" => !["generic", "group"].contains(&ours.role.as_str()),
            _ => true,
        });
        differing
            .filter_map(|name| {
                let (mine, chromiums) = (text(ours.states.get(name)), text(theirs.states.get(name)));
                (mine != chromiums).then(|| format!("{name} {mine}, Chromium: {chromiums}"))
            })
            .collect()
    }
}

/// A browser whose tree is compared to.
pub struct Referee {
    browser: Browser,
    bundle: String,
}

impl Referee {
    pub fn start() -> Referee {
        let mut browser = Browser::start();
        browser.call("DOM.enable", json!({}));
        browser.call("Accessibility.enable", json!({}));
        Referee { browser, bundle: bundle() }
    }

    /// The elements of a page, after a script has built on it.
    pub fn elements(&mut self, page: &Path, script: Option<&str>) -> Vec<Element> {
        self.browser.forget_events();
        self.browser.call("Page.navigate", json!({ "url": format!("file://{}", page.display()) }));
        self.browser.wait("Page.loadEventFired");
        if let Some(script) = script {
            self.browser.evaluate(script);
        }
        // An image that hasn't loaded is another box than one that has.
        let decoded = "Promise.all([...document.images].map(image => image.decode().catch(() => {}))).then(() => true)";
        self.browser.call("Runtime.evaluate", json!({ "expression": decoded, "awaitPromise": true }));
        let ours = self.ours();
        let document = self.browser.call("DOM.getDocument", json!({ "depth": -1, "pierce": true }));
        let mut nodes = Vec::new();
        collect(&document["root"], &mut nodes);
        assert_eq!(ours.len(), nodes.len(), "both list the same elements of {}", page.display());
        let mut theirs = self.theirs();
        let pair = |(ours, node): (Ours, Node)| {
            assert_eq!(ours.tag, node.tag, "both list elements in the same order");
            Element { ours, theirs: theirs.remove(&node.id) }
        };
        ours.into_iter().zip(nodes).map(pair).collect()
    }

    fn ours(&mut self) -> Vec<Ours> {
        let tree = self.browser.call("Page.getFrameTree", json!({}));
        let world = json!({ "frameId": tree["frameTree"]["frame"]["id"], "worldName": "referee" });
        let world = self.browser.call("Page.createIsolatedWorld", world);
        let describe =
            json!({ "expression": self.bundle, "contextId": world["executionContextId"], "returnByValue": true });
        let mut answer = self.browser.call("Runtime.evaluate", describe);
        serde_json::from_value(answer["result"]["value"].take()).unwrap_or_else(|error| panic!("{error}: {answer}"))
    }

    /// Chromium's answers by the elements' numbers. Of several nodes of one element the one that it shows counts.
    fn theirs(&mut self) -> HashMap<u64, Theirs> {
        let mut tree = self.browser.call("Accessibility.getFullAXTree", json!({}));
        let mut answers = HashMap::new();
        for node in tree["nodes"].as_array_mut().expect("the tree").drain(..) {
            let Some(id) = node["backendDOMNodeId"].as_u64() else { continue };
            let ignored = node["ignored"] == true;
            let uninteresting = node["ignoredReasons"][0]["name"] == "uninteresting";
            if ignored && (!uninteresting || answers.contains_key(&id)) {
                continue;
            }
            let role = node["role"]["value"].as_str().unwrap_or_default();
            let known = INTERNAL_ROLES.iter().find(|(internal, _)| *internal == role);
            let properties = node["properties"].as_array().into_iter().flatten();
            let answer = Theirs {
                role: known.map_or(role, |(_, role)| role).to_owned(),
                name: fold(node["name"]["value"].as_str().unwrap_or_default()),
                uninteresting,
                states: properties
                    .filter_map(|property| {
                        Some((property["name"].as_str()?.to_owned(), property["value"]["value"].clone()))
                    })
                    .collect(),
            };
            answers.insert(id, answer);
        }
        answers
    }
}

struct Node {
    id: u64,
    tag: String,
}

/// The elements below a node as the bundle sees them: open shadow trees first, nothing of other documents.
fn collect(node: &Value, nodes: &mut Vec<Node>) {
    if node["nodeType"] == 1 {
        let tag = node["localName"].as_str().unwrap_or_default().to_lowercase();
        nodes.push(Node { id: node["backendNodeId"].as_u64().expect("a number"), tag });
    }
    let shadows = node["shadowRoots"].as_array().into_iter().flatten();
    for shadow in shadows.filter(|shadow| shadow["shadowRootType"] == "open") {
        collect(shadow, nodes);
    }
    for child in node["children"].as_array().into_iter().flatten() {
        collect(child, nodes);
    }
}

/// The bundle as `src/browser/setup.rs` puts it together, with an answer for every element instead of a door.
fn bundle() -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/browser");
    let setup = std::fs::read_to_string(source.join("setup.rs")).expect("the setup");
    let fragment = regex::Regex::new(r#"include_str!\("(injected/\w+\.js)"\)"#).expect("a pattern");
    let fragments: Vec<String> = fragment
        .captures_iter(&setup)
        .map(|found| std::fs::read_to_string(source.join(&found[1])).expect("a fragment"))
        .collect();
    format!("(() => {{ \"use strict\";\n{}\n{DESCRIBE}\n}})()", fragments.concat())
}

/// A state as text; one that is off or not there is nothing.
fn text(state: Option<&Value>) -> String {
    match state {
        None | Some(Value::Null | Value::Bool(false)) => "false".to_owned(),
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
    }
}

/// White space folded as HTML does, so that no-break spaces stay.
fn fold(text: &str) -> String {
    text.split(['\t', '\n', '\u{c}', '\r', ' ']).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ")
}
