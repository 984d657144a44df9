// What must hold before an element is acted on: one match, visible, enabled, still, in view, unobstructed.
// Each check ends the call with `missing` and what was seen, so that the host can wait and try again.

const CANDIDATE_LIMIT = 5;

/** The one element that the call's selector finds; ends the call with `none` or `many` otherwise. */
function theElement(arg) {
  const found = resolve(arg.selector);
  if (found.length === 1) return found[0];
  if (!found.length) throw new Stop(noneFound(arg));
  const candidates = found
    .slice(0, CANDIDATE_LIMIT)
    .map((element) => ({ selector: uniqueSelector(element), description: describe(element) }));
  throw new Stop({ status: "many", count: found.length, candidates });
}

function missing(state, element, detail = null) {
  return { status: "missing", state, detail, element: describe(element) };
}

/** What no waiting can mend, so that the host need not try again. */
function missingForGood(state, element, detail) {
  return { ...missing(state, element, detail), final: true };
}

function ok(element, rest = {}) {
  return { status: "ok", element: describe(element), ...rest };
}

function requireVisible(element) {
  if (!isVisible(element)) throw new Stop(missing("visible", element, whyInvisible(element)));
}

function requireEnabled(element) {
  if (isDisabled(element)) throw new Stop(missing("enabled", element, whyDisabled(element)));
}

function whyInvisible(element) {
  for (let at = element; at; at = flatParent(at)) {
    const style = getComputedStyle(at);
    if (style.display === "none") return at === element ? "`display: none`" : `\`display: none\` on ${describe(at)}`;
  }
  if (getComputedStyle(element).visibility !== "visible") return "`visibility: hidden`";
  const box = dom.getBoundingClientRect(element);
  return box.width > 0 && box.height > 0 ? null : `its box is ${Math.round(box.width)} × ${Math.round(box.height)} px`;
}

function whyDisabled(element) {
  if (dom.matches(element, ":disabled") && !dom.hasAttribute(element, "disabled")) {
    const fieldset = dom.closest(element, "fieldset:disabled");
    if (fieldset) return `disabled by ${describe(fieldset)}`;
  }
  return null;
}

/** The control of a label, the label's control around it, or the one field inside of a wrapper. */
function retarget(element, wanted) {
  if (wanted(element)) return element;
  const label = composedClosest(element, "label");
  if (label instanceof HTMLLabelElement && label.control) return label.control;
  const inside = elementsIn(element).filter(wanted);
  return inside.length === 1 ? inside[0] : element;
}

/** The running animations that could move the element: its own and those above it. */
function animationsOf(element) {
  return dom.getAnimations(document).filter((animation) => {
    const { target, pseudoElement } = animation.effect ?? {};
    return animation.playState === "running" && target && !pseudoElement && composedContains(target, element);
  });
}

/** Resolves at the next frame, or soon after where a page in the background gets none. */
function nextFrame() {
  return Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), later(100)]);
}

/** Compares the box over two frames, but only when an animation could move it. Returns whether one could. */
async function settle(element) {
  if (!animationsOf(element).length) return false;
  await nextFrame();
  const before = dom.getBoundingClientRect(element);
  await nextFrame();
  forget();
  const after = dom.getBoundingClientRect(element);
  if (["x", "y", "width", "height"].every((side) => before[side] === after[side])) return true;
  throw new Stop(missing("stable", element, "it is moving"));
}

/** The part of the viewport in which the element's content isn't clipped by a scroller or the window. */
function clipOf(element) {
  const root = dom.documentElement(document);
  const clip = { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
  let position = getComputedStyle(element).position;
  for (let at = flatParent(element); at && at !== root && position !== "fixed"; at = flatParent(at)) {
    const style = getComputedStyle(at);
    const passes = position === "absolute" && style.position === "static";
    if (passes || style.display === "contents") continue;
    if ((style.overflowX !== "visible" || style.overflowY !== "visible") && at !== dom.body(document)) {
      const box = dom.getBoundingClientRect(at);
      clip.left = Math.max(clip.left, box.left);
      clip.top = Math.max(clip.top, box.top);
      clip.right = Math.min(clip.right, box.right);
      clip.bottom = Math.min(clip.bottom, box.bottom);
    }
    position = style.position;
  }
  return clip;
}

/** The element's rectangles of some size, in order; one that wraps over lines has several. */
function rectsOf(element) {
  const rects = [...dom.getClientRects(element)].filter((rect) => rect.width > 0 && rect.height > 0);
  if (rects.length || getComputedStyle(element).display !== "contents") return rects;
  return flatChildren(element).filter(isElement).flatMap(rectsOf);
}

function intersect(rect, clip) {
  const left = Math.max(rect.left, clip.left);
  const top = Math.max(rect.top, clip.top);
  const right = Math.min(rect.right, clip.right);
  const bottom = Math.min(rect.bottom, clip.bottom);
  return right - left > 0.5 && bottom - top > 0.5 ? { left, top, right, bottom } : null;
}

function middle({ left, top, right, bottom }) {
  return { x: (left + right) / 2, y: (top + bottom) / 2 };
}

function holds({ left, top, right, bottom }, { x, y }) {
  return x >= left && x < right && y >= top && y < bottom;
}

/** The element at a point of the viewport, looked up through open shadow roots. */
function elementAt({ x, y }) {
  let hit = dom.elementFromPoint(document, x, y);
  while (hit) {
    const shadow = dom.shadowRoot(hit);
    const inner = shadow?.elementFromPoint(x, y);
    if (!inner || inner === hit || dom.getRootNode(inner) !== shadow) break;
    hit = inner;
  }
  return hit;
}

/** Whether an event at `hit` reaches `target`: it is inside, or both belong to one button, link or label. */
function reaches(hit, target) {
  if (!hit) return false;
  if (composedContains(target, hit)) return true;
  const label = composedClosest(hit, "label");
  if (label instanceof HTMLLabelElement && label.control === target) return true;
  const around = composedClosest(target, "label, button, a, [role=button], [role=link]");
  return around !== null && composedContains(around, hit);
}

// What takes a click for itself inside of a label. https://html.spec.whatwg.org/#interactive-content
const INTERACTIVE = "a[href], audio, button, details, embed, iframe, input, select, textarea, video";

/** Whether a click at `hit` activates the label's control: on the label, and not on a link or the like inside of it. */
function activates(hit, label) {
  if (!hit || !composedContains(label, hit)) return false;
  const taker = composedClosest(hit, `label, ${INTERACTIVE}`);
  return taker === label || taker === label.control;
}

/** What lies over the target, named by the outermost element that doesn't also hold the target. */
function coveredBy(hit, target) {
  // The element at the point is chosen without it.
  if (getComputedStyle(target).pointerEvents === "none") return "it has `pointer-events: none`";
  if (!hit) return "nothing is at its click point";
  let cover = hit;
  for (let at = composedParent(hit); at && !composedContains(at, target); at = composedParent(at)) cover = at;
  const named = cover === hit || attributeOf(hit, "id") || !attributeOf(cover, "id") ? hit : cover;
  if (composedContains(hit, target)) return `it is not at its click point, ${describe(hit)} behind it is`;
  return `covered by ${describe(named)}`;
}
