// Clicks: choosing the point, watching that the event arrives at the target, blocking it where it doesn't.

const POINTER_EVENTS = [
  "pointerdown",
  "mousedown",
  "pointerup",
  "mouseup",
  "click",
  "auxclick",
  "dblclick",
  "contextmenu",
];
const WATCH_LIMIT_MS = 10_000;
const ARRIVAL_LIMIT_MS = 250;
// The alignments to try in turn: sticky headers and footers cover what is scrolled right to an edge.
const ALIGNMENTS = ["center", "end", "start"];

let watch = null;

/**
 * Finds where to click and arms the watch; the events themselves are the host's. With `control`, the click is to change
 * a checkbox, radio button or switch, and may go to the label of one that styling hides.
 */
async function prepareClick(arg) {
  const named = theElement(arg);
  const element = arg.control ? retarget(named, isCheckable) : named;
  requireNoDropdownOption(element);
  const aim = arg.control ? controlAim : plainAim;
  const { target, reached, point, animated } = await aim(element, arg);
  const token = tokens.keyOf(element);
  stopWatching();
  if (!arg.hover) startWatching({ target, token, reached, force: Boolean(arg.force) });
  return ok(element, { x: point.x, y: point.y, token, animated });
}

/** The options of a closed dropdown are drawn outside of the page, where no click of its own can go. */
function requireNoDropdownOption(element) {
  if (!(element instanceof HTMLOptionElement || element instanceof HTMLOptGroupElement) || isVisible(element)) return;
  const select = dom.closest(element, "select");
  if (select && !select.multiple && select.size <= 1)
    throw new Stop(missingForGood("visible", element, `use \`select_option\` on ${describe(select)}`));
}

/** Where to click to reach the element itself. */
async function aimAt(element, arg) {
  if (!arg.force) {
    requireVisible(element);
    if (!arg.hover) requireEnabled(element);
  }
  const animated = arg.force ? false : await settle(element);
  if (!dom.isConnected(element)) throw new Stop(noneFound(arg));
  const reached = (hit) => reaches(hit, element);
  return { target: element, reached, point: clickPoint(element, arg, reached), animated };
}

async function plainAim(element, arg) {
  try {
    return await aimAt(element, arg);
  } catch (error) {
    if (!(error instanceof Stop) || arg.hover) throw error;
    const { state, detail } = error.result;
    const unseen = state === "visible" || state === "in view" || (state === "hit" && !detail.startsWith("covered"));
    const label = unseen ? visibleLabels(element)[0] : undefined;
    if (!label) throw error;
    const name = cut(fold(shownText(label)), NAME_LENGTH);
    const which = name ? `its label \`${name}\`` : `its label ${describe(label)}`;
    throw new Stop(missing(state, element, `${which} is visible: use \`check\`, or click the label`));
  }
}

/** Tries the control and then its labels; of several failures, tells the one of what a person could see. */
async function controlAim(control, arg) {
  if (!arg.force) requireEnabled(control);
  const failures = [];
  const checked = { ...arg, force: false };
  for (const aim of [
    () => aimAt(control, checked),
    ...visibleLabels(control).map((label) => () => aimAtLabel(label, control)),
  ]) {
    try {
      return await aim();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      failures.push(error);
    }
  }
  if (arg.force) return aimAt(control, arg);
  throw failures.find(({ result }) => result.state === "hit" || result.state === "stable") ?? failures[0];
}

/** The labels of a checkbox or radio button that show something. */
function visibleLabels(control) {
  if (!["checkbox", "radio"].includes(inputType(control))) return [];
  return labelsOf(control).filter((label) => visiblePart(label, control));
}

/** The label or, where it has no size of its own, the first thing inside of it that shows. */
function visiblePart(label, control) {
  return [label, ...elementsIn(label)].find((part) => part !== control && isVisible(part));
}

async function aimAtLabel(label, control) {
  const part = visiblePart(label, control);
  const animated = await settle(part);
  const reached = (hit) => activates(hit, label);
  return { target: label, reached, point: clickPoint(part, {}, reached), animated };
}

/** A point in the viewport that belongs to the element; scrolls only when there is none without. */
function clickPoint(element, arg, reached) {
  // Another document may clip this one, which only the browser's own scrolling knows.
  if (window.parent !== window) Element.prototype.scrollIntoViewIfNeeded.call(element, true);
  let failure = null;
  for (const alignment of [null, ...ALIGNMENTS]) {
    if (alignment)
      dom.scrollIntoView(element, {
        block: alignment,
        inline: alignment === "center" ? "center" : "nearest",
        behavior: "instant",
      });
    const point = pointInView(element, arg.position, alignment !== null);
    if (!point) {
      failure ??= missing("in view", element, "its click point is outside of the viewport");
      continue;
    }
    if (arg.force) return point;
    const hit = elementAt(point);
    if (reached(hit)) return point;
    const other = arg.position ? null : otherPoint(element, hit, reached);
    if (other) return other;
    failure = missing("hit", element, coveredBy(hit, element));
  }
  if (arg.position && isOutside(arg.position, dom.getBoundingClientRect(element)))
    failure = missing("hit", element, "the position is outside of it");
  throw new Stop(failure);
}

function isOutside({ x, y }, { width, height }) {
  return x < 0 || y < 0 || x >= width || y >= height;
}

/** The middle of the first visible rectangle, or the asked-for position; null when it would need scrolling. */
function pointInView(element, position, scrolled) {
  const clip = clipOf(element);
  if (position) {
    const box = dom.getBoundingClientRect(element);
    const point = { x: box.left + position.x, y: box.top + position.y };
    if (holds(clip, point)) return point;
    if (!scrolled) return null;
    // The element is larger than the view: bring the point itself to the middle.
    window.scrollBy({
      left: point.x - window.innerWidth / 2,
      top: point.y - window.innerHeight / 2,
      behavior: "instant",
    });
    const moved = dom.getBoundingClientRect(element);
    const again = { x: moved.left + position.x, y: moved.top + position.y };
    return holds(clipOf(element), again) ? again : null;
  }
  const rects = rectsOf(element);
  for (const rect of rects) if (holds(clip, middle(rect))) return middle(rect);
  if (!scrolled) return null;
  for (const rect of rects) {
    const part = intersect(rect, clip);
    if (part) return middle(part);
  }
  return null;
}

/** Another point, where the middle shows what lies behind (an L-shaped path, a gap between lines) or a link in a label. */
function otherPoint(element, hit, reached) {
  if (!hit || !(composedContains(hit, element) || composedContains(element, hit))) return null;
  const clip = clipOf(element);
  for (const rect of rectsOf(element)) {
    const part = intersect(rect, clip);
    if (!part) continue;
    for (const [across, down] of [
      [0.5, 0.2],
      [0.2, 0.5],
      [0.8, 0.5],
      [0.5, 0.8],
      [0.1, 0.1],
      [0.9, 0.1],
      [0.1, 0.9],
      [0.9, 0.9],
      [0.5, 0.03],
      [0.5, 0.97],
    ]) {
      const point = { x: part.left + (part.right - part.left) * across, y: part.top + (part.bottom - part.top) * down };
      if (reached(elementAt(point))) return point;
    }
  }
  return null;
}

/** Called at every trusted pointer event from the first moment of the document on, before the page's own listeners. */
function onPointerEvent(event) {
  if (!watch || !event.isTrusted) return;
  const { target } = watch;
  if (event.type === "click" || event.type === "auxclick") guardLinks(event.type);
  if (watch.force) return;
  const hit = event.composedPath()[0];
  const reached = isElement(hit) && watch.reached(hit);
  watch.arrived = true;
  if (event.type === "pointerdown" || event.type === "mousedown") {
    if (!reached) watch.missed ??= isElement(hit) ? coveredBy(hit, target) : "the click reached the document only";
  } else if (event.type === "mouseup" && !watch.missed) {
    // A press may cover the target with what it opens, or remove it; but a target that slid away gets no click.
    const slid =
      !reached &&
      dom.isConnected(target) &&
      !holds(dom.getBoundingClientRect(target), { x: event.clientX, y: event.clientY });
    if (slid) watch.missed = "it moved away between press and release";
    else watch.delivered += 1;
    if (slid) return;
  }
  if (watch.missed) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  if (event.type === "mouseup" || event.type === "click") watch.settled();
}

function listenForPointerEvents() {
  // Adding a listener twice is one listener; `document.open` removes it.
  for (const type of POINTER_EVENTS) window.addEventListener(type, onPointerEvent, { capture: true });
}

/** Schemes that the browser handles itself; a link with any other asks the person to open another program. */
const OWN_SCHEMES = new Set(
  (
    "about: blob: chrome: chrome-extension: chrome-untrusted: data: devtools: file: filesystem: http: https: " +
    "javascript: view-source:"
  ).split(" "),
);

// The browser's question whether to open another program takes all further input away from the page.
function opensAnotherProgram(url) {
  return URL.canParse(url) && !OWN_SCHEMES.has(new URL(url).protocol);
}

/** Listens anew at each click, so that the page's own listeners at the window come first. */
function guardLinks(type) {
  window.removeEventListener(type, onClickEnd);
  window.addEventListener(type, onClickEnd);
}

function onClickEnd(event) {
  if (!watch || event.defaultPrevented) return;
  for (const node of event.composedPath()) {
    const url = linkOf(node);
    if (!url) continue;
    if (opensAnotherProgram(url)) dontFollow(event, url);
    return;
  }
}

/** Catches what is followed otherwise: a script's `location`, a form, a link whose click the page has stopped. */
function onNavigate(event) {
  if (watch && event.cancelable && opensAnotherProgram(event.destination.url)) dontFollow(event, event.destination.url);
}

function linkOf(node) {
  if (node instanceof HTMLAnchorElement || node instanceof HTMLAreaElement) return node.href;
  return node instanceof SVGAElement && node.href.baseVal ? new URL(node.href.baseVal, document.baseURI).href : "";
}

function dontFollow(event, url) {
  event.preventDefault();
  watch.note = `the link \`${cut(url, 80)}\` was not followed: it opens another program`;
}

/** Watches for the click; a forced one may hit whatever is there and is only kept from leaving the browser. */
function startWatching({ target, token, reached, force }) {
  listenForPointerEvents();
  globalThis.navigation?.addEventListener("navigate", onNavigate);
  let settled;
  const ended = new Promise((resolve) => (settled = resolve));
  const started = {
    target,
    token,
    reached,
    force,
    missed: null,
    arrived: force,
    delivered: 0,
    note: null,
    ended,
    settled,
  };
  watch = started;
  // A host that never comes back must not leave the page deaf.
  later(WATCH_LIMIT_MS).then(() => stopWatching(started));
}

function stopWatching(which = watch) {
  if (watch !== which) return;
  watch = null;
  globalThis.navigation?.removeEventListener("navigate", onNavigate);
  for (const type of ["click", "auxclick"]) window.removeEventListener(type, onClickEnd);
}

/** Tells whether the click that `prepareClick` announced has reached its target, and stops watching. */
async function verifyClick({ token }) {
  if (!watch || watch.token !== token) throw new TypeError(`no click is being watched for \`${token}\``);
  const watched = watch;
  if (!watched.arrived) await Promise.race([watched.ended, later(ARRIVAL_LIMIT_MS)]);
  // A later task: what the click started (a submission, a navigation) has been started by then.
  await later();
  stopWatching(watched);
  forget();
  const { target, missed, arrived, delivered, note } = watched;
  if (missed) return { ...missing("hit", target, missed), delivered };
  return arrived ? ok(target, note ? { note } : {}) : missing("hit", target, "the click did not arrive");
}
