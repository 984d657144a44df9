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

/** Finds where to click and arms the watch; the events themselves are the host's. */
async function prepareClick(arg) {
  const element = theElement(arg);
  if (!arg.force) {
    requireVisible(element);
    if (!arg.hover) requireEnabled(element);
  }
  const animated = arg.force ? false : await settle(element);
  if (!dom.isConnected(element)) throw new Stop(noneFound(arg));
  const point = clickPoint(element, arg);
  const token = tokens.keyOf(element);
  stopWatching();
  if (!arg.hover && !arg.force) startWatching(element, token);
  return ok(element, { x: point.x, y: point.y, token, animated });
}

/** A point in the viewport that belongs to the element; scrolls only when there is none without. */
function clickPoint(element, arg) {
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
    if (reaches(hit, element)) return point;
    const other = arg.position ? null : otherPoint(element, hit);
    if (other) return other;
    failure = missing("hit", element, coveredBy(hit, element));
  }
  throw new Stop(failure);
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

/** Where the middle shows what lies behind (an L-shaped path, a gap between lines), another point may do. */
function otherPoint(element, hit) {
  if (!hit || !composedContains(hit, element)) return null;
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
      if (reaches(elementAt(point), element)) return point;
    }
  }
  return null;
}

/** Called at every trusted pointer event from the first moment of the document on, before the page's own listeners. */
function onPointerEvent(event) {
  if (!watch || !event.isTrusted) return;
  const { target } = watch;
  const hit = event.composedPath()[0];
  const reached = isElement(hit) && reaches(hit, target);
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

function startWatching(target, token) {
  listenForPointerEvents();
  let settled;
  const ended = new Promise((resolve) => (settled = resolve));
  const started = { target, token, missed: null, arrived: false, delivered: 0, ended, settled };
  watch = started;
  // A host that never comes back must not leave the page deaf.
  later(WATCH_LIMIT_MS).then(() => stopWatching(started));
}

function stopWatching(which = watch) {
  if (watch === which) watch = null;
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
  const { target, missed, arrived, delivered } = watched;
  if (missed) return { ...missing("hit", target, missed), delivered };
  return arrived ? ok(target) : missing("hit", target, "the click did not arrive");
}
