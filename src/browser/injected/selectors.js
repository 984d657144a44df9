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
  if (filter) return filter(current ?? [...elementsIn(root)], part, root);
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
    const element = refs.get(part.ref);
    if (!element || !dom.isConnected(element)) throw new Stop({ status: "none", gone: part.ref });
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
    return current.filter((element) => matches(rawTextOf(element)));
  },
  "has-not-text": (current, part) => {
    const matches = textMatcher(part.text);
    return current.filter((element) => !matches(rawTextOf(element)));
  },
  and: (current, part, root) => {
    const others = new Set(resolve(part.selector, root));
    return current.filter((element) => others.has(element));
  },
  or: (current, part, root) => inDocumentOrder([...new Set([...current, ...resolve(part.selector, root)])]),
  layout: (current, part) => byDistance(current, part.relation, resolve(part.selector)),
};

function elementsByRole(scope, part) {
  const role = canonicalRole(part.role);
  const matches = part.name ? textMatcher(part.name) : null;
  // What is cheap and tells most apart comes first.
  return candidatesForRole(scope, role).filter(
    (element) =>
      roleOf(element) === role &&
      (!matches || matches(accessibleName(element))) &&
      statesMatch(element, part) &&
      (part.include_hidden || !isHiddenForAria(element)),
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

/** What an XPath expression finds; below an element, its absolute paths start there. */
function elementsByXPath(scope, xpath) {
  const branches = splitTopLevel(xpath, "|");
  const isAbsolute = branches.some((branch) => branch.startsWith("/"));
  const below = branches.map((branch) => (branch.startsWith("/") ? `.${branch}` : branch)).join(" | ");
  // A shadow root can't be a context node, so that what stands directly in it is reached from there.
  const fromChild = below.replaceAll(/(^|\| )\.\/\//g, "$1./descendant-or-self::");
  const query = (path, context) => {
    const result = dom.evaluate(document, path, context, null, XPathResult.ANY_TYPE, null);
    if (result.resultType !== XPathResult.UNORDERED_NODE_ITERATOR_TYPE)
      throw new Stop({ status: "invalid", message: `\`${xpath}\` gives a value, not elements` });
    const nodes = [];
    for (let node = result.iterateNext(); node; node = result.iterateNext()) nodes.push(node);
    return nodes;
  };
  try {
    const found = query(scope === document ? xpath : below, scope);
    if (isAbsolute)
      for (const root of shadowRootsIn(scope))
        for (let child = root.firstElementChild; child; child = child.nextElementSibling)
          found.push(...query(fromChild, child));
    const elements = found.filter(isElement);
    if (found.length && !elements.length)
      throw new Stop({
        status: "invalid",
        message: `\`${xpath}\` finds ${dom.nodeType(found[0]) === 2 ? "attributes" : "text"}, not elements`,
      });
    return inDocumentOrder([...new Set(elements)]);
  } catch (error) {
    if (error instanceof Stop) throw error;
    throw new Stop({ status: "invalid", message: `\`${xpath}\` is not a valid XPath expression` });
  }
}

/** Whether the element is an option of a `datalist`, which no one sees in its place. */
function isSuggestion(element) {
  return element instanceof HTMLOptionElement && dom.closest(element, "datalist") !== null;
}

/** The elements that stand in `relation` to one of the anchors, nearest first. */
function byDistance(current, relation, anchors) {
  const boxes = anchors.map((anchor) => dom.getBoundingClientRect(anchor)).filter((box) => box.width || box.height);
  const scored = [];
  for (const element of current) {
    const box = dom.getBoundingClientRect(element);
    if ((!box.width && !box.height) || anchors.includes(element)) continue;
    const best = Math.min(...boxes.map((anchor) => distance(box, anchor, relation)));
    if (best < Infinity) scored.push({ element, best });
  }
  return scored.sort((a, b) => a.best - b.best).map(({ element }) => element);
}

const NEAR = 50;

/** CSS pixels from `anchor` to `box`, plus what of the anchor's side the box does not face; Infinity on another side. */
function distance(box, anchor, relation) {
  const rows = Math.max(anchor.bottom - box.bottom, 0) + Math.max(box.top - anchor.top, 0);
  const columns = Math.max(anchor.right - box.right, 0) + Math.max(box.left - anchor.left, 0);
  // Boxes that touch may overlap by a rounding error.
  const beyond = (gap, off) => (gap >= -1 ? Math.max(gap, 0) + off : Infinity);
  switch (relation) {
    case "right-of":
      return beyond(box.left - anchor.right, rows);
    case "left-of":
      return beyond(anchor.left - box.right, rows);
    case "below":
      return beyond(box.top - anchor.bottom, columns);
    case "above":
      return beyond(anchor.top - box.bottom, columns);
    case "near": {
      const across = Math.max(box.left - anchor.right, anchor.left - box.right, 0);
      const down = Math.max(box.top - anchor.bottom, anchor.top - box.bottom, 0);
      return across + down <= NEAR ? across + down : Infinity;
    }
  }
  throw new TypeError(`unknown relation \`${relation}\``);
}
