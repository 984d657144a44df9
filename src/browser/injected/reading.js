// Reading and measuring: text, values, attributes, counts, states, boxes, scrolling.

function read(arg) {
  const element = theElement(arg);
  switch (arg.what) {
    case "text":
      return ok(element, { value: fold(shownText(element)) });
    case "inner_text":
      return ok(element, { value: shownText(element) });
    case "value":
      return readValue(retarget(element, hasValue));
    case "attribute":
      return ok(element, { value: attributeOf(element, arg.name) });
    case "html":
      return ok(element, { value: dom.outerHTML(element) });
  }
  throw new TypeError(`can't read \`${arg.what}\``);
}

/** The text that a person sees; of hidden elements, the text they would see. */
function shownText(element) {
  if (["button", "reset", "submit"].includes(inputType(element))) return element.value;
  if (!isHtml(element) || !isVisible(element)) return textOf(element);
  const text = dom.innerText(element);
  // innerText leaves shadow trees out.
  return text.trim() || !shadowRootsIn(element).length ? text : textOf(element);
}

function hasValue(element) {
  return dom.matches(element, "input, textarea, select") || isEditingHost(element);
}

function readValue(element) {
  if (dom.matches(element, "input, textarea, select")) return ok(element, { value: element.value });
  if (isHtml(element) && dom.isContentEditable(element)) return ok(element, { value: dom.innerText(element) });
  return missing("value", element, "only fields have a value");
}

function count(arg) {
  return { status: "ok", count: resolve(arg.selector).length };
}

function state(arg) {
  const found = resolve(arg.selector);
  const { satisfied, detail = null } = stateOf(found, arg.state);
  return { status: "ok", satisfied, count: found.length, detail };
}

/** Waiting is not strict: the first match decides, and absence satisfies `hidden` and `detached`. */
function stateOf(found, wanted) {
  const element = found[0];
  const none = "no element matches";
  switch (wanted) {
    case "attached":
      return { satisfied: found.length > 0, detail: element ? describe(element) : none };
    case "detached":
      return { satisfied: !found.length, detail: element ? `${describe(element)} is there` : none };
    case "hidden": {
      const shown = found.find(isVisible);
      return { satisfied: !shown, detail: shown ? `${describe(shown)} is visible` : none };
    }
  }
  if (!element) return { satisfied: false, detail: none };
  const target = wanted === "visible" ? element : retargetForState(element, wanted);
  const satisfied = STATE_TESTS[wanted];
  if (!satisfied) throw new TypeError(`unknown state \`${wanted}\``);
  return {
    satisfied: satisfied(target),
    detail: satisfied(target) ? describe(target) : `${describe(target)} is not ${wanted}`,
  };
}

function retargetForState(element, wanted) {
  if (wanted === "checked" || wanted === "unchecked") return retarget(element, isCheckable);
  return element instanceof HTMLLabelElement && element.control ? element.control : element;
}

const STATE_TESTS = {
  visible: isVisible,
  enabled: (element) => !isDisabled(element),
  disabled: isDisabled,
  editable: (element) => !isDisabled(element) && notEditable(element) === null,
  checked: (element) => checkedState(element) === true,
  unchecked: (element) => checkedState(element) === false,
  focused: (element) => focusedElement() === element,
};

function scroll(arg) {
  const element = arg.selector ? theElement(arg) : null;
  const scroller = element ? scrollerOf(element, arg) : pageScroller();
  const before = scrollPositions(element ?? scroller);
  if (scroller && (horizontally(arg) || vertically(arg))) {
    // An axis that is not given stays as it is.
    const left = isGiven(arg.x) ? arg.x - dom.scrollLeft(scroller) : (arg.dx ?? 0);
    const top = isGiven(arg.y) ? arg.y - dom.scrollTop(scroller) : (arg.dy ?? 0);
    dom.scrollBy(scroller, { left, top, behavior: "instant" });
  } else if (element) {
    dom.scrollIntoView(element, { block: "center", inline: "nearest", behavior: "instant" });
  }
  const position = scroller ? { x: dom.scrollLeft(scroller), y: dom.scrollTop(scroller) } : { x: 0, y: 0 };
  const result = { ...position, moved: scrollPositions(element ?? scroller) !== before };
  return element ? ok(element, result) : { status: "ok", ...result };
}

function isGiven(amount) {
  return amount !== undefined && amount !== null;
}

function horizontally(arg) {
  return isGiven(arg.x) || isGiven(arg.dx);
}

function vertically(arg) {
  return isGiven(arg.y) || isGiven(arg.dy);
}

function pageScroller() {
  return dom.scrollingElement(document) ?? dom.documentElement(document);
}

/** The element itself or what is nearest above it that can scroll along an axis asked for; the page otherwise. */
function scrollerOf(element, arg) {
  for (let at = element; at; at = flatParent(at)) {
    if (at === dom.body(document) || at === dom.documentElement(document)) break;
    const { overflowX, overflowY } = getComputedStyle(at);
    // What hides its overflow is scrolled only when it is meant itself: cards and buttons often clip a pixel.
    const scrolls = at === element ? /auto|scroll|hidden/ : /auto|scroll/;
    const scrollsX = scrolls.test(overflowX) && dom.scrollWidth(at) > dom.clientWidth(at);
    const scrollsY = scrolls.test(overflowY) && dom.scrollHeight(at) > dom.clientHeight(at);
    if ((scrollsX && horizontally(arg)) || (scrollsY && vertically(arg))) return at;
  }
  return pageScroller();
}

function scrollPositions(element) {
  const positions = [];
  for (let at = element; at; at = flatParent(at)) positions.push(dom.scrollLeft(at), dom.scrollTop(at));
  return positions.join();
}

/** The box in page coordinates, and the same corner in the viewport's. */
function box(arg) {
  const element = theElement(arg);
  requireVisible(element);
  if (arg.scroll) dom.scrollIntoView(element, { block: "center", inline: "nearest", behavior: "instant" });
  const { x, y, width, height } = boundsOf(element);
  return ok(element, { x: x + window.scrollX, y: y + window.scrollY, width, height, viewport: { x, y } });
}

function boundsOf(element) {
  if (getComputedStyle(element).display !== "contents") return dom.getBoundingClientRect(element);
  const rects = rectsOf(element);
  const left = Math.min(...rects.map((rect) => rect.left));
  const top = Math.min(...rects.map((rect) => rect.top));
  const right = Math.max(...rects.map((rect) => rect.right));
  const bottom = Math.max(...rects.map((rect) => rect.bottom));
  return rects.length ? new DOMRect(left, top, right - left, bottom - top) : dom.getBoundingClientRect(element);
}

/** Whether there is the one element; with `near`, what comes closest where there is none. */
function locate(arg) {
  return ok(theElement(arg), {});
}

function pageText() {
  const root = dom.body(document) ?? dom.documentElement(document);
  if (!root) return { status: "ok", text: "" };
  return { status: "ok", text: isHtml(root) ? dom.innerText(root) : fold(textOf(root)) };
}
