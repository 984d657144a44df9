// What must hold before an element is acted on: one match, visible, enabled, still. That it is hit is for `aim`.
// Each check ends the call with `missing` and what was seen, so that the host can wait and try again.

const CANDIDATE_LIMIT = 10;

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

// What takes clicks on anything in it.
const TAKES_CLICKS = "button, input, select, textarea, [role=button], [role=checkbox], [role=radio], [role=switch]";

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

/** Where the element is a part of a control or of its label, the control must be enabled. */
function requireEnabled(element) {
  const control = controlOf(element);
  if (isDisabled(control)) throw new Stop(missing("enabled", element, whyDisabled(control, element)));
}

/** The control that a click on the element is for: itself, the button around it, or its label's. */
function controlOf(element) {
  if (dom.matches(element, `${TAKES_CLICKS}, a, option, optgroup`)) return element;
  for (let at = element; at; at = flatParent(at)) {
    if (dom.matches(at, `${TAKES_CLICKS}, a`)) return at;
    if (at instanceof HTMLLabelElement) return at.control ?? element;
  }
  return element;
}

function whyInvisible(element) {
  if (element instanceof HTMLAreaElement) return "its image is not";
  for (let at = element; at; at = flatParent(at)) {
    const style = getComputedStyle(at);
    const where = at === element ? "" : ` on ${describe(at)}`;
    if (style.display === "none") return `\`display: none\`${where}`;
    if (at === element) continue;
    if (at instanceof HTMLDetailsElement && !at.open) return `${describe(at)} is closed`;
    if (style.contentVisibility === "hidden") return `\`content-visibility: hidden\`${where}`;
  }
  if (getComputedStyle(element).visibility !== "visible") return "`visibility: hidden`";
  const box = dom.getBoundingClientRect(element);
  return box.width > 0 && box.height > 0 ? null : `its box is ${Math.round(box.width)} × ${Math.round(box.height)} px`;
}

function whyDisabled(control, element) {
  if (control !== element) return `${describe(control)} is disabled`;
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

/** The running animations that could move the element: its own and those of what is around it, in any tree. */
function animationsOf(element) {
  const around = new Set();
  for (let at = element; at; at = flatParent(at)) around.add(at);
  const roots = new Set([...around].map((at) => dom.getRootNode(at)));
  const running = [...roots].flatMap((root) => (root instanceof ShadowRoot ? root.getAnimations() : dom.getAnimations(document)));
  return running.filter((animation) => {
    const { target, pseudoElement } = animation.effect ?? {};
    return animation.playState === "running" && !pseudoElement && around.has(target);
  });
}

/** Resolves at the next frame, or soon after where a page in the background gets none. */
function nextFrame() {
  return Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), later(100)]);
}

/**
 * Compares the box over frames, but only when an animation could move it. Returns whether one could. An endless one is
 * waited for in vain; as long as it keeps the element under the pointer, a person hits it. It is looked at once more, for
 * what swings is where it was after a whole swing.
 */
async function settle(element) {
  const moving = animationsOf(element);
  if (!moving.length) return false;
  const isSwinging = moving.every(isEndless);
  await nextFrame();
  let before = dom.getBoundingClientRect(element);
  for (let looks = isSwinging ? 2 : 1; looks > 0; looks -= 1) {
    // Without a frame in between, as on a busy machine, nothing has had the time to move.
    const time = dom.timeline(document).currentTime;
    for (let waits = 0; waits < 10 && dom.timeline(document).currentTime === time; waits += 1) await nextFrame();
    forget();
    const after = dom.getBoundingClientRect(element);
    const isStill = ["x", "y", "width", "height"].every((side) => before[side] === after[side]);
    if (!isStill && !(isSwinging && isSlow(before, after))) throw new Stop(missing("stable", element, "it is moving"));
    before = after;
  }
  return true;
}

function isEndless(animation) {
  return animation.effect.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
}

/** Whether what lay at the middle of a box is still well inside of it a frame later. */
function isSlow(before, after) {
  const [from, to] = [middle(before), middle(after)];
  return Math.abs(to.x - from.x) <= after.width / 4 && Math.abs(to.y - from.y) <= after.height / 4;
}
