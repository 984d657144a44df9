// The mouse wheel: where it is turned, and when what it scrolls stands still.

const STILL_FRAMES = 3;
const MOST_FRAMES = 90;

async function prepareWheel(arg) {
  const prepared = await prepareClick({ ...arg, for: "hover" });
  return { ...prepared, before: scrollPositions(theElement(arg)) };
}

/** Waits until nothing around the element scrolls any more. */
async function verifyWheel(arg) {
  const verdict = await verifyClick(arg);
  if (verdict.status !== "ok") return verdict;
  const element = theElement(arg);
  let last = scrollPositions(element);
  for (let still = 0, frames = 0; still < STILL_FRAMES && frames < MOST_FRAMES; frames += 1) {
    await nextFrame();
    const now = scrollPositions(element);
    still = now === last ? still + 1 : 0;
    last = now;
  }
  forget();
  const scroller = scrollerOf(element, arg);
  return ok(element, { x: dom.scrollLeft(scroller), y: dom.scrollTop(scroller), moved: last !== arg.before });
}
