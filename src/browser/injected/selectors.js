// The selector engine: parts applied left to right, each within what was found so far.

/** Ends a call early with a result that the caller expects. */
class Stop {
  constructor(result) {
    this.result = result;
  }
}

/** All elements that the parts select, in document order (by distance after a layout part). */
function resolve(parts, root = document) {
  let current = null;
  for (const part of parts) current = applyPart(part, current, root);
  return current ?? [...elementsIn(root)];
}

function applyPart(part, current, root) {
  const filter = Object.hasOwn(filters, part.kind) ? filters[part.kind] : null;
  if (filter) return filter(current ?? [...elementsIn(root)], part);
  const engine = Object.hasOwn(engines, part.kind) ? engines[part.kind] : null;
  if (!engine) throw new TypeError(`unknown selector part \`${part.kind}\``);
  if (current === null) return [...new Set(engine(root, part))];
  if (current.length === 1) return [...new Set(engine(current[0], part))];
  return inDocumentOrder([...new Set(current.flatMap((scope) => engine(scope, part)))]);
}

const engines = {
  role: (scope, part) => elementsByRole(scope, part),
  text: (scope, part) => elementsByText(scope, part.text),
  label: (scope, part) => {
    const matches = textMatcher(part.text);
    return elementsIn(scope).filter((element) => labelTexts(element).some(matches) && !isSuggestion(element));
  },
  placeholder: (scope, part) => elementsByAttribute(scope, ["placeholder", "aria-placeholder"], part.text),
  alt: (scope, part) => elementsByAttribute(scope, ["alt"], part.text),
  title: (scope, part) => elementsByAttribute(scope, ["title"], part.text),
  testid: (scope, part) => elementsByAttribute(scope, [part.attribute], part.text),
  css: (scope, part) => elementsByCss(scope, part.css),
  xpath: (scope, part) => elementsByXPath(scope, part.xpath),
  ref: (scope, part) => {
    const element = refs.get(part.ref.replace(/^.*?(?=e\d+$)/, ""));
    if (!element || !dom.isConnected(element)) throw new Stop({ status: "none", gone: true, near: [] });
    return scope === document || (scope !== element && composedContains(scope, element)) ? [element] : [];
  },
};

const filters = {
  nth: (current, part) => {
    const element = current.at(part.index);
    return element ? [element] : [];
  },
  visible: (current) => current.filter(isVisible),
  has: (current, part) => current.filter((element) => resolve(part.selector, element).length > 0),
  "has-not": (current, part) => current.filter((element) => resolve(part.selector, element).length === 0),
  "has-text": (current, part) => {
    const matches = textMatcher(part.text);
    return current.filter((element) => matches(textOf(element)));
  },
  layout: (current, part) => byDistance(current, part.relation, resolve(part.selector)),
};

function elementsByRole(scope, part) {
  const role = canonicalRole(part.role);
  const matches = part.name ? textMatcher(part.name) : null;
  return elementsIn(scope).filter(
    (element) =>
      roleOf(element) === role &&
      statesMatch(element, part) &&
      (part.include_hidden || !isHiddenForAria(element)) &&
      (!matches || matches(accessibleName(element))),
  );
}

const STATE_READERS = {
  checked: checkedState,
  pressed: pressedState,
  expanded: expandedState,
  selected: selectedState,
  disabled: isDisabled,
  level: levelOf,
};

function statesMatch(element, part) {
  for (const state in STATE_READERS) {
    const wanted = part[state];
    if (wanted === undefined || wanted === null) continue;
    if (STATE_READERS[state](element) !== wanted) return false;
  }
  return true;
}

function elementsByAttribute(scope, attributes, text) {
  const matches = textMatcher(text);
  const css = attributes.map((attribute) => `[${CSS.escape(attribute)}]`).join(", ");
  return inEveryTree(scope, (root) => queryAll(root, css)).filter((element) =>
    attributes.some((attribute) => {
      const value = attributeOf(element, attribute);
      return value !== null && matches(value);
    }),
  );
}

/** What `query` finds in the scope's own tree and in the open shadow trees below, in document order. */
function inEveryTree(scope, query) {
  const found = [...query(scope)];
  const roots = shadowRootsIn(scope);
  if (!roots.length) return found;
  for (const root of roots) found.push(...query(root));
  return inDocumentOrder(found);
}

function elementsByXPath(scope, xpath) {
  // An absolute path inside of an element starts at that element.
  const path = scope !== document && xpath.startsWith("/") ? `.${xpath}` : xpath;
  const query = (root) => {
    const result = dom.evaluate(document, path, root, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE, null);
    return Array.from({ length: result.snapshotLength }, (_, index) => result.snapshotItem(index)).filter(isElement);
  };
  try {
    const found = [...query(scope)];
    const inside = xpath.startsWith("/") ? `.${xpath}` : null;
    if (!inside) return found;
    for (const root of shadowRootsIn(scope)) {
      for (let child = root.firstElementChild; child; child = child.nextElementSibling) {
        const wrapped = dom.evaluate(
          document,
          inside.replace(/^\.\/\//, "./descendant-or-self::"),
          child,
          null,
          XPathResult.ORDERED_NODE_SNAPSHOT_TYPE,
          null,
        );
        for (let index = 0; index < wrapped.snapshotLength; index += 1) found.push(wrapped.snapshotItem(index));
      }
    }
    return found.length > 1 ? inDocumentOrder(found.filter(isElement)) : found.filter(isElement);
  } catch (error) {
    throw new Stop({
      status: "invalid",
      message: `\`${xpath}\` is not a valid XPath expression`,
      cause: error.message,
    });
  }
}

/** Whether the element is an option of a `datalist`, which no one sees in its place. */
function isSuggestion(element) {
  return element instanceof HTMLOptionElement && dom.closest(element, "datalist") !== null;
}

/** The elements that stand in `relation` to the nearest anchor, nearest first. */
function byDistance(current, relation, anchors) {
  const boxes = anchors.map((anchor) => dom.getBoundingClientRect(anchor)).filter((box) => box.width || box.height);
  const scored = [];
  for (const element of current) {
    const box = dom.getBoundingClientRect(element);
    if (!box.width && !box.height) continue;
    let best = Infinity;
    for (let index = 0; index < boxes.length; index += 1) {
      if (anchors.includes(element)) continue;
      best = Math.min(best, distance(box, boxes[index], relation));
    }
    if (best < Infinity) scored.push({ element, best });
  }
  return scored.sort((a, b) => a.best - b.best).map(({ element }) => element);
}

const NEAR = 50;

/** CSS pixels from `anchor` to `box`, plus what they are out of line; Infinity outside of the relation. */
function distance(box, anchor, relation) {
  const gapX = Math.max(box.left - anchor.right, anchor.left - box.right, 0);
  const gapY = Math.max(box.top - anchor.bottom, anchor.top - box.bottom, 0);
  const offX = Math.abs(box.left + box.width / 2 - anchor.left - anchor.width / 2);
  const offY = Math.abs(box.top + box.height / 2 - anchor.top - anchor.height / 2);
  // Boxes that touch may overlap by a rounding error.
  const beyond = (edge, other) => edge >= other - 1;
  switch (relation) {
    case "right-of":
      return beyond(box.left, anchor.right) ? gapX + 2 * gapY + offY / 10 : Infinity;
    case "left-of":
      return beyond(anchor.left, box.right) ? gapX + 2 * gapY + offY / 10 : Infinity;
    case "below":
      return beyond(box.top, anchor.bottom) ? gapY + 2 * gapX + offX / 10 : Infinity;
    case "above":
      return beyond(anchor.top, box.bottom) ? gapY + 2 * gapX + offX / 10 : Infinity;
    case "near": {
      const gap = Math.hypot(gapX, gapY);
      return gap <= NEAR ? gap + (offX + offY) / 100 : Infinity;
    }
  }
  throw new TypeError(`unknown relation \`${relation}\``);
}
