// Watching that the pointer's events arrive at their target, and keeping those that don't from the page.

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
// Before the mouse events that a tap stands for.
const TOUCHES = ["touchstart", "touchend"];
const MOVES = ["pointermove", "mousemove"];
const WATCH_LIMIT_MS = 10_000;
const ARRIVAL_LIMIT_MS = 250;

let watch = null;

/** Called at every trusted pointer event from the first moment of the document on, before the page's own listeners. */
function onPointerEvent(event) {
  if (!event.isTrusted) return;
  const hit = targetOf(event);
  if (event.type === "mousedown" && isElement(hit)) edited = new WeakRef(hit);
  if (!watch) return;
  if (event.type === "click" || event.type === "auxclick") guardLinks(event.type);
  const isMove = MOVES.includes(event.type);
  if (isMove && watch.arrived) return;
  watch.arrived = true;
  if (isMove || ((event.type === "pointerdown" || event.type === "mousedown") && !watch.pressed)) {
    // What follows may go elsewhere: a press may cover the target with what it opens, or remove it.
    watch.pressed = !isMove;
    judge(hit);
  } else if (event.type === "mouseup" && watch.pressed) {
    watch.pressed = false;
    if (!watch.missed && !watch.force && hasSlid(hit, event)) {
      watch.missed = { state: "hit", detail: "it moved away between press and release" };
      return;
    }
    if (!watch.missed) watch.delivered += 1;
  }
  if (watch.missed && !isMove) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
  if (watch.endsAt.includes(event.type)) watch.settled();
}

/** What an event is for. Listeners outside of a closed shadow root are told of its host only. */
function targetOf(event) {
  const [hit] = event.composedPath();
  return isElement(hit) && closedRoots.has(hit) ? elementAt({ x: event.clientX, y: event.clientY }) : hit;
}

/** Whether an event reached the target, at the moment when it decides; a forced one is only told of. */
function judge(hit) {
  forget();
  const { target, purpose, force, delivered } = watch;
  const there = isElement(hit);
  const isGone = !dom.isConnected(target);
  let missed = null;
  if (!(there && (watch.reached(hit) || (isGone && watch.again(hit))))) {
    const cover = there ? coveredBy(hit, target) : "only the document is there";
    missed = { state: "hit", detail: isGone ? "it was removed as the pointer came" : cover };
  } else if (purpose === "click" && !delivered && !isGone && isDisabled(controlOf(target))) {
    missed = { state: "enabled", detail: "it was disabled as the pointer came" };
  }
  if (!missed) return;
  if (!force) watch.missed ??= missed;
  else if (missed.state === "enabled") watch.note ??= `${describe(target)} is disabled and got no click`;
  else watch.note ??= `the ${purpose} reached ${there ? describe(hit) : "the document"} instead of ${describe(target)}`;
}

/** A target that slid away from under a pressed button gets no click. */
function hasSlid(hit, { clientX, clientY }) {
  const { target, reached } = watch;
  if (!dom.isConnected(target) || (isElement(hit) && reached(hit))) return false;
  return !rectsOf(target).some((rect) => holds(rect, { x: clientX, y: clientY }));
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

/** Watches for what the pointer is about to do. */
function startWatching({ target, token, reached, force, touch = false, purpose = "click", again = () => false }) {
  listenForPointerEvents();
  if (purpose === "hover") for (const type of MOVES) window.addEventListener(type, onPointerEvent, { capture: true });
  if (touch) for (const type of TOUCHES) window.addEventListener(type, onPointerEvent, { capture: true, passive: false });
  if (purpose === "drag") watchDragStart();
  globalThis.navigation?.addEventListener("navigate", onNavigate);
  let settled;
  const ended = new Promise((resolve) => (settled = resolve));
  const started = {
    target,
    token,
    reached,
    again,
    force,
    purpose,
    touch,
    endsAt: { click: touch ? ["click"] : ["mouseup", "click"], hover: MOVES, drag: ["mousedown"] }[purpose],
    missed: null,
    arrived: false,
    pressed: false,
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
  for (const type of [...MOVES, ...TOUCHES]) window.removeEventListener(type, onPointerEvent, { capture: true });
}

/** Tells whether what `prepareClick` announced has reached its target, and stops watching. */
async function verifyClick({ token }) {
  if (!watch || watch.token !== token) throw new TypeError(`nothing is being watched for \`${token}\``);
  const watched = watch;
  // The click of a tap comes a moment after the finger has left, or never, as the page likes.
  if (!watched.arrived || (watched.touch && !watched.missed)) await Promise.race([watched.ended, later(ARRIVAL_LIMIT_MS)]);
  // A later task: what the click started (a submission, a navigation) has been started by then.
  await later();
  // A press that missed is kept from the page to its end.
  if (watched.purpose !== "drag" || !watched.missed) stopWatching(watched);
  forget();
  const { target, purpose, missed, arrived, delivered, note, force } = watched;
  if (missed) return { ...missing(missed.state, target, missed.detail), delivered };
  if (arrived || force) return ok(target, { note: note ?? (arrived ? null : `the ${purpose} did not arrive`) });
  return missing("hit", target, `the ${purpose} did not arrive`);
}
