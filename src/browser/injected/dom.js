// Reading the document: accessors that page content can't shadow, the shadow-including and the flat
// tree, folded text, visibility. Knows nothing of roles, selectors or actions.

// A form's named controls and the document's named images shadow built-in properties even in an isolated
// world (`<input name="parentNode">`), so whatever may meet a form or the document goes through `dom`.
// https://webidl.spec.whatwg.org/#LegacyOverrideBuiltIns
const dom = {};
for (const [prototype, names] of [
  [
    Node.prototype,
    "nodeType parentNode firstChild nextSibling isConnected textContent compareDocumentPosition getRootNode parentElement",
  ],
  [
    Element.prototype,
    "localName namespaceURI shadowRoot assignedSlot getAttribute hasAttribute hasAttributes matches closest querySelectorAll id " +
      "getBoundingClientRect getClientRects checkVisibility scrollIntoView previousElementSibling nextElementSibling " +
      "firstElementChild classList clientWidth clientHeight scrollWidth " +
      "scrollHeight scrollLeft scrollTop scrollBy outerHTML",
  ],
  [HTMLElement.prototype, "innerText isContentEditable focus"],
  [
    Document.prototype,
    "body documentElement scrollingElement activeElement elementFromPoint execCommand evaluate getAnimations hasFocus timeline",
  ],
]) {
  for (const name of names.split(" ")) {
    const { get, value } = Object.getOwnPropertyDescriptor(ownerOf(prototype, name), name);
    // Bound `call` rather than a closure: the optimizer sees through it.
    dom[name] = Function.prototype.call.bind(get ?? value);
  }
}

// The closed shadow roots that the host has found, by their hosts.
const closedRoots = new WeakMap();
let knowsClosedRoots = false;
const openShadowRoot = dom.shadowRoot;
dom.shadowRoot = (element) => openShadowRoot(element) ?? (knowsClosedRoots ? (closedRoots.get(element) ?? null) : null);

/** Makes a closed shadow root one to look into, as open ones are. Answers whether it is news. */
function adopt(root) {
  if (!(root instanceof ShadowRoot) || root.ownerDocument !== document || dom.shadowRoot(root.host)) return false;
  closedRoots.set(root.host, root);
  knowsClosedRoots = true;
  return true;
}

function ownerOf(prototype, name) {
  while (!Object.hasOwn(prototype, name)) prototype = Object.getPrototypeOf(prototype);
  return prototype;
}

// What one call has computed so far. Pages change between calls, so nothing outlives one.
let memo;

function forget() {
  memo = {
    elements: new Map(),
    order: null,
    modals: null,
    hidden: new Map(),
    hiding: new Map(),
    owners: null,
    roles: new Map(),
    names: new Map(),
    valueFreeNames: new Map(),
    texts: new Map(),
    css: new Map(),
    labels: new Map(),
    labelsAsked: 0,
    shadowRoots: new Map(),
    styled: null,
    stylesAsked: 0,
    found: new Map(),
    placesEnd: null,
    unique: new Map(),
  };
}

function isElement(node) {
  return node !== null && dom.nodeType(node) === 1;
}

function isHtml(element) {
  return element instanceof HTMLElement;
}

/** The local name in lower case; SVG's keep their prefix-free name (`linearGradient` → `lineargradient`). */
function tagOf(element) {
  return dom.localName(element).toLowerCase();
}

function attributeOf(element, name) {
  return dom.getAttribute(element, name);
}

/** The value of an ARIA attribute that takes one of a few words, which are compared without regard to case. */
function ariaToken(element, name) {
  return attributeOf(element, name)?.toLowerCase() ?? null;
}

/** The type of an `input`, lower case; the empty string for anything else. */
function inputType(element) {
  return element instanceof HTMLInputElement ? element.type : "";
}

// Most texts are as they should be; telling so is several times faster than making them so.
const FOLDED = /^(?:[\x21-\x7e]+(?: [\x21-\x7e]+)*)?$/;

/** Text as people compare it. Half a surrogate pair becomes what the host is told of it, so that both compare equal. */
function fold(text) {
  const trimmed = text.trim();
  if (trimmed.length < 200 && FOLDED.test(trimmed)) return trimmed;
  return text
    .toWellFormed()
    .replace(/[\u200b\u00ad]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function isBlank(text) {
  return text === null || !/[^\t\n\f\r ]/.test(text);
}

function cut(text, length) {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`;
}

/** The parent in the shadow-including tree: a shadow root's parent is its host. */
function composedParent(node) {
  const parent = dom.parentNode(node);
  if (!parent) return null;
  if (dom.nodeType(parent) === 1) return parent;
  return parent instanceof ShadowRoot ? parent.host : null;
}

/** The parent in the flat tree, where slotted nodes hang below their slot. */
function flatParent(element) {
  return dom.assignedSlot(element) ?? composedParent(element);
}

/** The children in the flat tree, text nodes included; of closed `details` only what still shows. */
function flatChildren(element) {
  if (element instanceof HTMLSlotElement) {
    const assigned = element.assignedNodes();
    if (assigned.length) return assigned;
  }
  const children = [];
  if (element instanceof HTMLDetailsElement && !element.open) {
    for (const child of element.children)
      if (tagOf(child) === "summary" && isDetailsSummary(child)) children.push(child);
    return children;
  }
  const first = dom.firstChild(dom.shadowRoot(element) ?? element);
  for (let child = first; child; child = dom.nextSibling(child)) children.push(child);
  return children;
}

function composedContains(ancestor, node) {
  for (let at = node; at; at = composedParent(at)) if (at === ancestor) return true;
  return false;
}

/** `closest` that continues outside of shadow roots. */
function composedClosest(element, css) {
  for (let at = element; at; at = composedParent(at)) if (dom.matches(at, css)) return at;
  return null;
}

function queryAll(root, css) {
  if (root === document) return Document.prototype.querySelectorAll.call(document, css);
  return isElement(root) ? dom.querySelectorAll(root, css) : root.querySelectorAll(css);
}

/** All elements below `scope`, in shadow-including document order. */
function elementsIn(scope) {
  let list = memo.elements.get(scope);
  if (list) return list;
  list = [];
  const roots = [];
  const collect = (root) => {
    const all = queryAll(root, "*");
    for (let index = 0, { length } = all; index < length; index += 1) {
      const element = all[index];
      list.push(element);
      const shadow = dom.shadowRoot(element);
      if (shadow) collectShadow(shadow);
    }
  };
  const collectShadow = (shadow) => {
    roots.push(shadow);
    collect(shadow);
  };
  const own = scope !== document && isElement(scope) ? dom.shadowRoot(scope) : null;
  if (own) collectShadow(own);
  collect(scope);
  memo.elements.set(scope, list);
  memo.shadowRoots.set(scope, roots);
  return list;
}

/** The open shadow roots below `scope`, the scope's own first. */
function shadowRootsIn(scope) {
  elementsIn(scope);
  return memo.shadowRoots.get(scope);
}

function inDocumentOrder(elements) {
  if (elements.length < 2) return elements;
  memo.order ??= new Map(elementsIn(document).map((element, index) => [element, index]));
  return elements.sort((a, b) => (memo.order.get(a) ?? 0) - (memo.order.get(b) ?? 0));
}

/** The elements that an attribute of ids (`aria-labelledby`) names, in its order, within the element's own tree. */
function referenced(element, attribute) {
  const ids = attributeOf(element, attribute);
  if (!ids) return [];
  const root = dom.getRootNode(element);
  const found = [];
  for (const id of ids.split(/\s+/)) {
    const target = id && queryAll(root, `#${CSS.escape(id)}`)[0];
    if (target) found.push(target);
  }
  return found;
}

/** The parent for assistive technology: who claims the element with `aria-owns`, else the one in the flat tree. */
function semanticParent(element) {
  return owners().get(element) ?? flatParent(element);
}

/** Who owns what by `aria-owns`: the first to claim it, unless that owner is hidden or would own itself. */
function owners() {
  if (memo.owners) return memo.owners;
  memo.owners = new Map();
  for (const owner of inEveryTree(document, (root) => queryAll(root, "[aria-owns]"))) {
    if (!dom.checkVisibility(owner) || composedClosest(owner, '[aria-hidden="true" i], [inert]')) continue;
    for (const target of referenced(owner, "aria-owns")) {
      if (!memo.owners.has(target) && !isBelow(owner, target)) memo.owners.set(target, owner);
    }
  }
  return memo.owners;
}

function isBelow(element, ancestor) {
  for (let at = element; at; at = semanticParent(at)) if (at === ancestor) return true;
  return false;
}

/** The children for assistive technology, text nodes included: without those owned elsewhere, then the owned ones. */
function semanticChildren(element) {
  const children = flatChildren(element);
  if (!owners().size) return children;
  const owned = [...owners()].filter(([, owner]) => owner === element).map(([target]) => target);
  return [...children.filter((child) => !owners().has(child)), ...owned];
}

/** Whether the element has a box of some size that is not `visibility: hidden`. */
function isVisible(element) {
  if (element instanceof HTMLAreaElement) {
    const image = imageOf(element);
    return image !== null && isVisible(image);
  }
  const style = getComputedStyle(element);
  if (style.display === "contents") {
    return flatChildren(element).some((child) => (isElement(child) ? isVisible(child) : textHasBox(child)));
  }
  if (!dom.checkVisibility(element, { visibilityProperty: true })) return false;
  const box = dom.getBoundingClientRect(element);
  return box.width > 0 && box.height > 0;
}

function textHasBox(node) {
  if (dom.nodeType(node) !== 3) return false;
  const range = new Range();
  range.selectNode(node);
  const box = range.getBoundingClientRect();
  return box.width > 0 && box.height > 0;
}

/** Whether the element is kept from assistive technology: not rendered, or hidden or inert from above. */
function isHiddenForAria(element) {
  let hidden = memo.hidden.get(element);
  if (hidden === undefined) {
    hidden = hidingElement(element) !== null || !isRendered(element);
    memo.hidden.set(element, hidden);
  }
  return hidden;
}

/** What hides the element though it may be rendered: `aria-hidden`, `inert`, or a modal dialog that it is not in. */
function hidingElement(element) {
  const known = memo.hiding.get(element);
  if (known !== undefined) return known;
  let hiding = null;
  if (ariaToken(element, "aria-hidden") === "true" || dom.hasAttribute(element, "inert")) hiding = element;
  else if (!modals().includes(element)) {
    const parent = semanticParent(element);
    hiding = parent ? hidingElement(parent) : (modals().at(-1) ?? null);
  }
  memo.hiding.set(element, hiding);
  return hiding;
}

/** Whether the element has no box only because content around it is skipped: `content-visibility`, closed `details`. */
function isSkipped(element) {
  let skipped = false;
  for (let at = element, below = null; at; below = at, at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (style.display === "none") return false;
    if (!below) continue;
    skipped ||= style.contentVisibility === "hidden";
    skipped ||= at instanceof HTMLDetailsElement && !at.open && !isDetailsSummary(below);
  }
  return skipped;
}

/** Whether the element shows, but no one can reach it: it or something around it is inert, or a modal is open. */
function isInert(element) {
  const hiding = hidingElement(element);
  return hiding !== null && ariaToken(hiding, "aria-hidden") !== "true" && isRendered(element);
}

function modals() {
  memo.modals ??= inEveryTree(document, (root) => queryAll(root, "dialog:modal"));
  return memo.modals;
}

function isRendered(element) {
  if (dom.checkVisibility(element, { visibilityProperty: true })) return true;
  switch (tagOf(element)) {
    // These have no box of their own, but are shown through another element's.
    case "option":
    case "optgroup": {
      const select = dom.closest(element, "select");
      return select !== null && getComputedStyle(element).display !== "none" && isRendered(select);
    }
    case "area": {
      const image = imageOf(element);
      return image !== null && isRendered(image);
    }
  }
  const style = getComputedStyle(element);
  if (style.display === "none" || style.visibility !== "visible") return false;
  const parent = flatParent(element);
  // What a canvas falls back to has no boxes, but is there for those who can't see the canvas.
  if (parent && composedClosest(element, "canvas")) return isRendered(parent);
  if (style.display !== "contents") return false;
  return parent === null || isRendered(parent) || getComputedStyle(parent).visibility !== "visible";
}

/** The image that an area of an image map is a part of. */
function imageOf(area) {
  const name = dom.closest(area, "map")?.getAttribute("name");
  return (name && queryAll(dom.getRootNode(area), `img[usemap="#${CSS.escape(name)}"]`)[0]) || null;
}

/** Resolves in a later task. Unlike `setTimeout`, also in documents whose sandbox forbids scripts. */
function later(milliseconds = 0) {
  return scheduler.postTask(() => {}, { delay: milliseconds });
}

/** The focused element, looked up through open shadow roots; null when it is just the body. */
function focusedElement() {
  let active = dom.activeElement(document);
  while (active) {
    const inner = dom.shadowRoot(active)?.activeElement;
    if (!inner) break;
    active = inner;
  }
  return active && active !== dom.body(document) && active !== dom.documentElement(document) ? active : null;
}

function isEditingHost(element) {
  if (!dom.hasAttribute(element, "contenteditable") && dom.parentElement(element) !== null) return false;
  if (!isHtml(element) || !dom.isContentEditable(element)) return false;
  const parent = dom.parentElement(element);
  return !(parent && isHtml(parent) && dom.isContentEditable(parent));
}
