// Drags: whether a press has begun a native one, and whether what was dropped was taken.

let dragStart = null;
let drop = null;

function onDragStart(event) {
  if (event.isTrusted) dragStart = event;
}

function watchDragStart() {
  dragStart = null;
  window.addEventListener("dragstart", onDragStart, { capture: true });
}

/** Tells whether the press of a drag has reached its element, and whether the page lets the browser drag it. */
async function verifyDrag(arg) {
  const verdict = await verifyClick(arg);
  window.removeEventListener("dragstart", onDragStart, { capture: true });
  return verdict.status === "ok" ? { ...verdict, native: dragStart !== null && !dragStart.defaultPrevented } : verdict;
}

function onDrop(event) {
  if (event.isTrusted && drop) drop.taken = true;
}

/** Some pages sort their items on the way and never listen to the drop itself, so a change counts for one. */
function watchDrop(target, token) {
  drop?.changes.disconnect();
  const started = { target, token, taken: false, changes: new MutationObserver(() => (started.taken = true)) };
  drop = started;
  drop.changes.observe(document, { subtree: true, childList: true, characterData: true });
  window.addEventListener("drop", onDrop, { capture: true });
}

async function verifyDrop({ token }) {
  if (!drop || drop.token !== token) throw new TypeError(`no drop is being watched for \`${token}\``);
  await later();
  const { target, taken, changes } = drop;
  changes.disconnect();
  window.removeEventListener("drop", onDrop, { capture: true });
  drop = null;
  return ok(target, { taken });
}
