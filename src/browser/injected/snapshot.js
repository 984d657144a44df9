// The aria snapshot: what of the page becomes a node of it, found in one walk over the flat tree.
// How nodes are pruned and written as lines is told in outline.js.

const OPTIONS_SHOWN = 20;
// Bounds for pages that have no end; what lies beyond is told as missing.
const MAX_ELEMENTS = 200_000;
const MAX_NODES = 20_000;
const MAX_NEW_REFS = 10_000;
const MAX_DEPTH = 100;
const TEXT_LENGTH = 1000;

// Roles that say nothing which their text doesn't: their content joins the surrounding content.
const FLATTENED = new Set(
  (
    "code document emphasis generic insertion mark none rowgroup sectionfooter sectionheader strong subscript suggestion " +
    "superscript time"
  ).split(" "),
);
const ACTIONABLE = new Set(
  (
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar " +
    "searchbox slider spinbutton switch tab textbox treeitem"
  ).split(" "),
);
// What is inside of these is not part of the page's text, or its value says it.
const OPAQUE = new Set("audio frame iframe input object textarea video".split(" "));
// Without attributes, only elements of these roles have states.
const STATEFUL = new Set([...DISABLEABLE, "heading"]);
const CELLS = new Set(["cell", "columnheader", "gridcell", "rowheader"]);
// A failed step is told with what encloses its element up to one of these.
const SURROUNDINGS = new Set(
  "alertdialog article banner complementary contentinfo dialog form main navigation region row search".split(" "),
);

/**
 * One document as lines: `depths`, `ranks` and the nodes' `refs` stand beside them, and the iframes to be filled in.
 * `selector`, `mode`, `urls` and `around` choose what is shown; refs are counted from `first_ref`.
 */
function snapshot(arg) {
  refs.countFrom(arg.first_ref ?? 1);
  const walk = {
    active: focusedElement(),
    body: dom.body(document),
    mask: arg.mask_values === true,
    urls: arg.urls === true,
    elements: 0,
    nodes: 0,
    newRefs: refs.count + MAX_NEW_REFS,
    truncated: false,
    named: null,
  };
  const nodes = rootsOf(arg, walk).flatMap((root) => nodesOf(root, root === walk.body, walk));
  return { status: "ok", ...outline(nodes, arg, walk), next_ref: refs.count + 1 };
}

/** Where to begin: the selected element, what surrounds it, the open modal dialog, or everything. */
function rootsOf(arg, walk) {
  const everything = modals().length ? [modals().at(-1)] : [dom.body(document) ?? dom.documentElement(document)];
  if (arg.around) {
    const found = arg.selector ? resolve(arg.selector) : [];
    const element = found.find(isVisible) ?? found[0] ?? null;
    walk.named = element;
    for (let at = element ?? walk.active; at; at = flatParent(at)) if (SURROUNDINGS.has(roleOf(at))) return [at];
    return everything.filter(Boolean);
  }
  return arg.selector ? [theElement(arg)] : everything.filter(Boolean);
}

/**
 * The nodes of an element, or only of its content. Keeps its own stack: pages may nest deeper than calls can.
 * Text gathers as strings between the nodes.
 */
function nodesOf(root, contentOnly, walk) {
  const top = [];
  const parent = flatParent(root);
  const pointer = parent !== null && getComputedStyle(parent).cursor === "pointer";
  const stack = [new Level([root], top, pointer, 0, null)];
  while (stack.length) {
    const level = stack[stack.length - 1];
    if (level.index === level.children.length) {
      level.close?.();
      stack.pop();
      continue;
    }
    const child = level.children[level.index];
    level.index += 1;
    const type = dom.nodeType(child);
    if (type === 3) {
      if (!level.elementsOnly) addText(level.nodes, level.shown(child.data));
    } else if (type === 1) {
      const inside = enter(child, level, contentOnly && child === root, walk);
      if (inside) stack.push(inside);
    }
  }
  return tidy(top);
}

/** Children that are being walked over, and the list that their nodes go to. */
class Level {
  index = 0;
  elementsOnly = false;
  style = null;

  constructor(children, nodes, pointer, depth, close) {
    this.children = children;
    this.nodes = nodes;
    /** The cursor is a pointer already, or a control encloses it: no news about what is inside. */
    this.pointer = pointer;
    this.depth = depth;
    this.close = close;
  }

  /** Text as `text-transform` shows it. */
  shown(text) {
    return this.style ? transformedText(text, this.style) : text;
  }
}

/** The level below an element, which has contributed its node if it is to have one; null when nothing below it counts. */
function enter(element, above, contentOnly, walk) {
  if (hasNoText(element)) return null;
  // Most elements of most pages have no attributes, and need not be asked for each.
  const bare = !dom.hasAttributes(element);
  if (!bare && (ariaToken(element, "aria-hidden") === "true" || dom.hasAttribute(element, "inert"))) return null;
  walk.elements += 1;
  if (walk.elements > MAX_ELEMENTS || walk.nodes > MAX_NODES) {
    walk.truncated = true;
    return null;
  }
  const { nodes, depth } = above;
  if (!dom.checkVisibility(element, { visibilityProperty: true }) && !isRendered(element)) {
    if (getComputedStyle(element).display === "none") return null;
    // Below `visibility: hidden` some elements may still be visible.
    const level = new Level(flatChildren(element), nodes, above.pointer, depth, null);
    level.elementsOnly = true;
    return level;
  }
  if (contentOnly) return descend(element, nodes, above.pointer, depth, null);
  const tag = tagOf(element);
  if (tag === "br") {
    addText(nodes, " ");
    return null;
  }
  const role = roleOf(element);
  if (role === "") return null;
  const frame = tag === "iframe" || tag === "frame";
  const byRole = frame || isActionableByRole(element, role);
  const ownPointer = !byRole && !above.pointer && beginsPointer(element);
  const pointer = byRole || above.pointer || ownPointer;
  const actionable = byRole || (element !== walk.body && isMadeActionable(element, tag, ownPointer, bare));
  if (tag === "label" && !actionable) {
    const own = [];
    const close = () => addAll(nodes, [" ", ...withoutLabelText(element, own), " "]);
    return descend(element, own, pointer, depth, close);
  }
  const flattened = !actionable && FLATTENED.has(role);
  const name = flattened ? "" : snapshotName(element, role, walk, bare);
  if (flattened || (!actionable && role === "group" && !name) || depth === MAX_DEPTH) {
    if (!isBlock(getComputedStyle(element).display)) return descend(element, nodes, pointer, depth, null);
    addText(nodes, " ");
    return descend(element, nodes, pointer, depth, () => addText(nodes, " "));
  }
  // A picture without a name may still hold something that counts.
  if (!name && !actionable && role === "img" && element instanceof SVGElement) {
    const own = [];
    const close = () =>
      addAll(
        nodes,
        own.filter((node) => typeof node !== "string"),
      );
    return descend(element, own, pointer, depth, close);
  }
  const plain = bare && !STATEFUL.has(role) && !RANGES.has(role);
  const node = {
    element,
    role: frame ? "iframe" : role,
    name,
    states: plain ? (element === walk.active ? ["[active]"] : []) : statesOf(element, role, walk),
    ref: actionable ? refOf(element, walk) : null,
    properties: plain ? [] : propertiesOf(element, role, name, walk),
    value: plain ? "" : valueShown(element, role, walk),
    frame,
    children: [],
    omitted: "",
    urgent: false,
  };
  nodes.push(node);
  walk.nodes += 1;
  if (OPAQUE.has(tag) || (walk.mask && isEditingHost(element))) return null;
  const close = () => {
    node.children = tidy(node.children);
    if (repeatsName(node)) node.children = [];
  };
  if (element instanceof HTMLSelectElement)
    return new Level(optionsOf(element, node), node.children, pointer, depth + 1, close);
  return descend(element, node.children, pointer, depth + 1, close);
}

/** The level inside of an element, with the text and the elements that come from elsewhere. */
function descend(element, nodes, pointer, depth, close) {
  addText(nodes, pseudoText(element, "::before"));
  const after = pseudoText(element, "::after");
  const end = after
    ? () => {
        addText(nodes, after);
        close?.();
      }
    : close;
  const level = new Level(semanticChildren(element), nodes, pointer, depth, end);
  if (mayBeStyled(element, "text")) level.style = getComputedStyle(element);
  return level;
}

/** Joins text to the text before it; of the longest runs only the beginning is looked at. */
function addText(nodes, text) {
  if (!text) return;
  const last = nodes.length - 1;
  const piece = text.length > 20 * TEXT_LENGTH ? text.trimStart().slice(0, 20 * TEXT_LENGTH) : text;
  if (last < 0 || typeof nodes[last] !== "string") nodes.push(piece);
  else if (nodes[last].length < 20 * TEXT_LENGTH) nodes[last] += piece;
}

function addAll(nodes, more) {
  for (const node of more) {
    if (typeof node === "string") addText(nodes, node);
    else nodes.push(node);
  }
}

/** A label's text that is its control's name would only be there twice. */
function withoutLabelText(label, children) {
  const text = fold(children.filter((node) => typeof node === "string").join(""));
  const repeated = label.control && snapshotName(label.control, roleOf(label.control), {}).includes(text);
  return repeated ? children.filter((node) => typeof node !== "string") : children;
}

/** A long list of options is cut, but what is selected always shows. */
function optionsOf(select, node) {
  const options = [...select.options];
  const shown = options.filter((option, index) => index < OPTIONS_SHOWN || option.selected).slice(0, 2 * OPTIONS_SHOWN);
  if (shown.length < options.length) node.omitted = `${options.length - shown.length} more options`;
  return shown;
}

function snapshotName(element, role, walk, bare = false) {
  // The name of a row, or of a cell with more than text, repeats what is printed below it.
  const holdsMore = role === "row" || (CELLS.has(role) && dom.firstElementChild(element) !== null);
  if (holdsMore && !hasNameAttribute(element)) return "";
  // ARIA gives some roles no name, but a person who writes one means it.
  const name = nameOrText(element, walk);
  if (name || bare) return name;
  return fold(attributeOf(element, "aria-label") || attributeOf(element, "title") || "");
}

function nameOrText(element, walk) {
  try {
    return walk.mask ? valueFreeName(element) : accessibleName(element);
  } catch (error) {
    // The name is told by what is nested deeper than calls can be.
    if (error instanceof RangeError) return fold(dom.textContent(element).slice(0, TEXT_LENGTH));
    throw error;
  }
}

function isActionableByRole(element, role) {
  if (role === "option") {
    const select = dom.closest(element, "select");
    return !(select && roleOf(select) === "combobox");
  }
  return ACTIONABLE.has(role) && role !== "gridcell" && role !== "treeitem";
}

/** Whether the page made an element clickable or focusable that isn't so by its role. */
function isMadeActionable(element, tag, ownPointer, bare) {
  if (!bare) {
    if (isEditingHost(element) || dom.hasAttribute(element, "onclick")) return true;
    if (Number.parseInt(attributeOf(element, "tabindex") ?? "", 10) >= 0) return true;
    if (ariaToken(element, "draggable") === "true") return true;
  }
  // A label stands in for a control that is not shown.
  if (tag === "label" && element.control) return !isRendered(element.control);
  return ownPointer;
}

/** The ref's number; null when a page has more new elements than one snapshot may name. */
function refOf(element, walk) {
  if (refs.count >= walk.newRefs) walk.truncated = true;
  return refs.count < walk.newRefs || refs.has(element) ? Number(refs.keyOf(element).slice(1)) : null;
}

/** Joins neighbouring text, folds it. */
function tidy(nodes) {
  const result = [];
  for (const node of nodes) {
    if (typeof node !== "string") result.push(node);
    else {
      const folded = fold(node);
      if (folded) result.push(folded);
    }
  }
  return result;
}
