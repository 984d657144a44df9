// Where to point at an element: the parts of it that show, scrolling to them, and what an event there reaches.

// Where in the view to bring it, in turn: sticky headers and footers cover what is scrolled right to an edge.
const ALIGNMENTS = { center: 0.5, end: 0.85, start: 0.15 };

// Where to look for a point that is the element's own, as shares of a rectangle; the middle has been tried.
const ELSEWHERE = [
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
];
// How many points of an outline are looked at.
const OUTLINE_POINTS = 12;

/** A point in the viewport that belongs to the element; scrolls only when there is none without. */
function clickPoint(element, arg, reached) {
  // Another document may clip this one, which only the browser's own scrolling knows.
  if (window.parent !== window) Element.prototype.scrollIntoViewIfNeeded.call(boxOf(element), true);
  let failure = null;
  for (const alignment of alignmentsFor(element)) {
    if (alignment) bring(element, arg.position, alignment);
    const point = pointInView(element, arg.position, alignment !== null);
    if (!point) {
      failure ??= rectsOf(element).length
        ? missing("in view", element, "its click point is outside of the viewport")
        : missing("visible", element, whyInvisible(element));
      continue;
    }
    if (arg.force) return point;
    const hit = elementAt(point);
    if (reached(hit)) return point;
    const other = arg.position ? null : otherPoint(element, hit, reached);
    if (other) return other;
    // What lies over it where it stood is the reason; elsewhere it may get under something else.
    if (failure?.state !== "hit") failure = missing("hit", element, coveredBy(hit, element));
  }
  if (arg.position && !holds(boundsOf(element), pointAt(element, arg.position)))
    failure = missing("hit", element, "the position is outside of it");
  throw new Stop(failure);
}

/** What the element is drawn in: an area of an image map has no box of its own. */
function boxOf(element) {
  return (element instanceof HTMLAreaElement && imageOf(element)) || element;
}

/** Where to bring it, in turn: nowhere at first; within a scroller also to another place of it than of the window. */
function alignmentsFor(element) {
  const names = Object.keys(ALIGNMENTS);
  const same = names.map((name) => ({ inner: name, outer: name }));
  const mixed = scrollersAround(element).length
    ? names.flatMap((inner) => names.filter((outer) => outer !== inner).map((outer) => ({ inner, outer })))
    : [];
  return [null, ...same, ...mixed];
}

/** What scrolls around the element, the innermost first and without the window. */
function scrollersAround(element) {
  const scrollers = [];
  for (let at = flatParent(boxOf(element)); at; at = flatParent(at)) {
    if (at === dom.body(document) || at === dom.documentElement(document)) break;
    const { overflowX, overflowY } = getComputedStyle(at);
    if (/auto|scroll|hidden/.test(overflowX + overflowY)) scrollers.push(at);
  }
  return scrollers;
}

/** Scrolls the element, or a position in it, to a place in the view. */
function bring(element, position, { inner, outer }) {
  const box = boxOf(element);
  if (!position && inner === outer && getComputedStyle(box).display !== "contents") {
    const inline = outer === "center" ? "center" : "nearest";
    dom.scrollIntoView(box, { block: outer, inline, behavior: "instant" });
    return;
  }
  const scrollTo = (scroller, view, share) => {
    const rect = position ? null : rectsOf(element)[0];
    if (!position && !rect) return;
    const point = position ? pointAt(element, position) : middle(rect);
    const left = point.x - (view.left + (view.right - view.left) * share);
    const top = point.y - (view.top + (view.bottom - view.top) * share);
    dom.scrollBy(scroller, { left, top, behavior: "instant" });
  };
  for (const scroller of scrollersAround(element))
    scrollTo(scroller, dom.getBoundingClientRect(scroller), ALIGNMENTS[inner]);
  scrollTo(pageScroller(), viewport(), ALIGNMENTS[outer]);
}

function viewport() {
  return { left: 0, top: 0, right: window.innerWidth, bottom: window.innerHeight };
}

/** Positions count from inside of the border, as the page's own `offsetX` does. */
function pointAt(element, position) {
  const box = boundsOf(element);
  const { borderLeftWidth, borderTopWidth } = getComputedStyle(element);
  const edge = (width) => Number.parseFloat(width) || 0;
  return { x: box.left + edge(borderLeftWidth) + position.x, y: box.top + edge(borderTopWidth) + position.y };
}

/** The middle of the first visible rectangle, or the asked-for position; null when it would need scrolling. */
function pointInView(element, position, scrolled) {
  const clip = clipOf(boxOf(element));
  if (position) {
    const point = pointAt(element, position);
    return holds(clip, point) ? point : null;
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
  if (!hit || !(composedContains(hit, boxOf(element)) || composedContains(element, hit))) return null;
  const clip = clipOf(boxOf(element));
  for (const point of outlineOf(element)) if (holds(clip, point) && reached(elementAt(point))) return point;
  for (const rect of rectsOf(element)) {
    const part = intersect(rect, clip);
    if (!part) continue;
    for (const [across, down] of ELSEWHERE) {
      const point = { x: part.left + (part.right - part.left) * across, y: part.top + (part.bottom - part.top) * down };
      if (reached(elementAt(point))) return point;
    }
  }
  return null;
}

/** Points on the line of an SVG shape, which may have nothing inside. */
function outlineOf(element) {
  if (!(element instanceof SVGGeometryElement)) return [];
  const matrix = element.getScreenCTM();
  const length = element.getTotalLength();
  if (!matrix || !(length > 0)) return [];
  return Array.from({ length: OUTLINE_POINTS }, (_, index) => {
    const { x, y } = element.getPointAtLength((length * (index + 0.5)) / OUTLINE_POINTS).matrixTransform(matrix);
    return { x, y };
  });
}

/** The part of the viewport in which the element's content isn't clipped by a scroller or the window. */
function clipOf(element) {
  const root = dom.documentElement(document);
  const clip = viewport();
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
  if (element instanceof HTMLAreaElement) return areaRects(element);
  const rects = [...dom.getClientRects(element)].filter((rect) => rect.width > 0 && rect.height > 0);
  if (rects.length || getComputedStyle(element).display !== "contents") return rects;
  return flatChildren(element).flatMap((child) => (isElement(child) ? rectsOf(child) : textRects(child)));
}

function textRects(node) {
  if (dom.nodeType(node) !== 3) return [];
  const range = new Range();
  range.selectNode(node);
  return [...range.getClientRects()].filter((rect) => rect.width > 0 && rect.height > 0);
}

/** The rectangle around an area's shape, on the image that it belongs to. */
function areaRects(area) {
  const image = imageOf(area);
  if (!image) return [];
  const numbers = (attributeOf(area, "coords") ?? "").split(/[\s,;]+/).map(Number.parseFloat);
  let [left, top, right, bottom] = numbers;
  switch ((attributeOf(area, "shape") ?? "rect").toLowerCase()) {
    case "default":
      return [dom.getBoundingClientRect(image)];
    case "circ":
    case "circle":
      [left, top, right, bottom] = [left - right, top - right, left + right, top + right];
      break;
    case "poly":
    case "polygon": {
      const across = numbers.filter((_, index) => index % 2 === 0);
      const down = numbers.filter((_, index) => index % 2 === 1);
      [left, top, right, bottom] = [Math.min(...across), Math.min(...down), Math.max(...across), Math.max(...down)];
    }
  }
  const near = ofContent(image, left, top);
  const far = ofContent(image, right, bottom);
  const rect = new DOMRect(near.x, near.y, far.x - near.x, far.y - near.y);
  return rect.width > 0 && rect.height > 0 ? [rect] : [];
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
  for (const around of ["label", "button, a, [role=button], [role=link]"]) {
    const whole = composedClosest(target, around);
    if (whole && composedContains(whole, hit)) return true;
  }
  return false;
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
  const inert = composedClosest(target, "[inert]");
  if (inert) return inert === target ? "it is `inert`" : `${describe(inert)} is \`inert\``;
  if (!hit) return "nothing is at its click point";
  let cover = hit;
  for (let at = composedParent(hit); at && !composedContains(at, target); at = composedParent(at)) cover = at;
  const named = cover === hit || attributeOf(hit, "id") || !attributeOf(cover, "id") ? hit : cover;
  if (composedContains(hit, target)) return `it is not at its click point, ${describe(hit)} behind it is`;
  return `covered by ${describe(named)}`;
}
