// Iframes: entering them, and the way of a point of their content out into the documents around them.

// How long a document around a frame keeps a click off that was meant for the frame.
const GUARD_MS = 1_000;

/** Whether the element can hold a document of its own. */
function holdsFrame(element) {
  return ["embed", "fencedframe", "frame", "iframe", "object"].includes(dom.localName(element));
}

/** Finds the one iframe that a selector names. */
function enterFrame(arg) {
  const element = theElement(arg);
  if (!holdsFrame(element)) {
    const inside = elementsIn(element).filter(holdsFrame);
    return ok(element, { holds: false, inside: inside.length === 1 ? uniqueSelector(inside[0]) : null });
  }
  // Out of view it would never load.
  if (attributeOf(element, "loading") === "lazy" && !isInView(element)) bringIntoView(element);
  entered.set(element, dom.getBoundingClientRect(element));
  return ok(element, { holds: true, token: tokens.keyOf(element) });
}

// Where iframes stood when they were entered.
const entered = new WeakMap();

/**
 * Waits after scrolling until the browser knows where iframes of other processes are now: till then it hands them
 * clicks that are meant for what is here.
 */
async function afterScrolling(element, before) {
  const now = dom.getBoundingClientRect(element);
  if (!before || (now.x === before.x && now.y === before.y)) return;
  if (!inEveryTree(document, (root) => queryAll(root, "iframe, frame, object")).some(isOfOtherProcess)) return;
  await nextFrame();
  await nextFrame();
}

function isOfOtherProcess(frame) {
  return !frame.contentDocument;
}

function isInView(element) {
  const box = dom.getBoundingClientRect(element);
  return box.bottom >= 0 && box.right >= 0 && box.top <= window.innerHeight && box.left <= window.innerWidth;
}

function bringIntoView(element) {
  dom.scrollIntoView(element, { block: "center", inline: "nearest", behavior: "instant" });
}

/**
 * Where a point of an iframe's content lies in this viewport. With `check`, it is brought into view and nothing may lie
 * over it; with `guard`, a click that reaches this document all the same is stopped.
 */
async function outward({ token, x, y, check = false, guard = false }) {
  const element = tokens.get(token);
  if (!element || !dom.isConnected(element)) return { status: "none" };
  if (!check) return { status: "ok", ...ofContent(element, x, y) };
  const reached = reachedPoint(element, x, y);
  await afterScrolling(element, entered.get(element));
  if (guard) {
    startWatching({ target: element, token, reached: () => false, force: false });
    const guarding = watch;
    later(GUARD_MS).then(() => stopWatching(guarding));
  }
  return { status: "ok", ...reached };
}

/** Brings a point of an iframe's content where nothing lies over it: into view, else to the middle of it. */
function reachedPoint(element, x, y) {
  const reached = (hit) => hit === element;
  for (const margin of [0, 0.5]) {
    bringPointIntoView(element, x, y, margin);
    const point = ofContent(element, x, y);
    if (reached(elementAt(point))) return point;
  }
  const box = dom.getBoundingClientRect(element);
  const point = ofContent(element, x, y);
  return clickPoint(element, { position: { x: point.x - box.x, y: point.y - box.y } }, reached);
}

/**
 * Scrolls what holds an iframe so that a point of its content shows: the iframe may be much larger than the view. The
 * margin is what part of the view on each side is too close to its edge.
 */
function bringPointIntoView(element, x, y, margin) {
  for (let at = flatParent(element); at; at = flatParent(at)) {
    const { overflowX, overflowY } = getComputedStyle(at);
    if (overflowX === "visible" && overflowY === "visible") continue;
    const isRoot = at === dom.documentElement(document) || at === dom.body(document);
    if (!isRoot) scrollTo(at, ofContent(element, x, y), dom.getBoundingClientRect(at), margin);
  }
  const view = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
  scrollTo(pageScroller(), ofContent(element, x, y), view, margin);
}

/** Scrolls a point of the viewport to the middle of the scroller's view if it is not inside, a margin left out. */
function scrollTo(scroller, point, view, margin) {
  const across = (view.right - view.left) * margin;
  const down = (view.bottom - view.top) * margin;
  const inner = {
    left: view.left + across,
    top: view.top + down,
    right: view.right - across,
    bottom: view.bottom - down,
  };
  if (!scroller || holds(inner, point)) return;
  const center = middle(view);
  dom.scrollBy(scroller, { left: point.x - center.x, top: point.y - center.y, behavior: "instant" });
}

/** A point of an iframe's or image's content in this viewport. */
function ofContent(element, x, y) {
  const bounds = dom.getBoundingClientRect(element);
  const style = getComputedStyle(element);
  const sum = (...properties) => properties.reduce((total, property) => total + Number.parseFloat(style[property]), 0);
  const borderBox = style.boxSizing === "border-box";
  const around = (first, second) =>
    borderBox ? 0 : sum(`border${first}Width`, `padding${first}`, `padding${second}`, `border${second}Width`);
  // Unlike `offsetWidth`, computed lengths are not rounded to whole pixels.
  const width = sum("width") + around("Left", "Right");
  const height = sum("height") + around("Top", "Bottom");
  const fromLeft = sum("borderLeftWidth", "paddingLeft") + x;
  const fromTop = sum("borderTopWidth", "paddingTop") + y;
  const linear = linearPart(element);
  if (linear.b || linear.c) {
    // Whatever turns the box, its middle stays the middle of its bounds.
    const { x: right, y: down } = linear.transformPoint({ x: fromLeft - width / 2, y: fromTop - height / 2 });
    return { x: bounds.x + bounds.width / 2 + right, y: bounds.y + bounds.height / 2 + down };
  }
  return {
    x: bounds.x + fromLeft * (bounds.width / width || 1),
    y: bounds.y + fromTop * (bounds.height / height || 1),
  };
}

/** How the transforms of an element and of what is around it turn and stretch it, without where they move it. */
function linearPart(element) {
  let linear = new DOMMatrix();
  for (let at = element; at; at = flatParent(at)) {
    const { transform, rotate, scale } = getComputedStyle(at);
    if (transform === "none" && rotate === "none" && scale === "none") continue;
    const own = new DOMMatrix(/^[\d.e+-]+deg$/.test(rotate) ? `rotate(${rotate})` : "none");
    const [across = 1, down = across] = scale === "none" ? [] : scale.split(" ").map(Number);
    const { a, b, c, d } = own.scale(across, down).multiply(new DOMMatrix(transform));
    linear = new DOMMatrix([a, b, c, d, 0, 0]).multiply(linear);
  }
  return linear;
}
