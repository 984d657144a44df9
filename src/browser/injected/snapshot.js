// The aria snapshot: the page as assistive technology sees it, as indented YAML-like text with refs.

const OPTIONS_SHOWN = 20;
const URL_LENGTH = 200;
const BULLETS = "••••";

// Roles that say nothing which their text doesn't: their content joins the surrounding content.
const FLATTENED = new Set(
  "code document emphasis generic insertion mark none rowgroup strong subscript suggestion superscript time".split(" "),
);
// Inside of these, text can't be separate content: it is their name.
const NAME_IS_CONTENT = new Set(["button", "checkbox", "link", "menuitem", "option", "radio", "switch", "tab"]);
const ACTIONABLE = new Set(
  (
    "button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar " +
    "searchbox slider spinbutton switch tab textbox treeitem"
  ).split(" "),
);
// In an `interactive` snapshot these stay as context around what can be acted on.
const CONTEXT = new Set(
  (
    "alertdialog banner contentinfo dialog form group list listitem main menu navigation radiogroup region row search " +
    "table tablist tabpanel toolbar tree"
  ).split(" "),
);
const CELLS = new Set(["cell", "columnheader", "gridcell", "rowheader"]);

function snapshot(arg) {
  const root = arg.selector ? theElement(arg) : (dom.body(document) ?? dom.documentElement(document));
  const printer = { lines: [], frames: [], maxDepth: arg.max_depth ?? Infinity };
  if (root) {
    const walk = {
      active: focusedElement(),
      prefix: arg.prefix ?? "",
      mask: arg.mask_values === true,
      interactive: arg.interactive === true,
      owned: ownedElements(),
    };
    let nodes = arg.selector ? nodesOf(root, walk) : childNodesOf(root, walk);
    nodes = tidy(nodes);
    if (walk.interactive) nodes = nodes.flatMap(keepInteractive);
    for (const node of nodes) print(node, 0, printer);
  }
  return { status: "ok", text: printer.lines.join("\n"), frames: printer.frames };
}

function ownedElements() {
  const owned = new Set();
  for (const owner of queryAll(document, "[aria-owns]"))
    for (const element of referenced(owner, "aria-owns")) owned.add(element);
  return owned;
}

/** What one element contributes: a node of its own, or its children's. */
function nodesOf(element, walk) {
  if (hasNoText(element) || hidingElement(element)) return [];
  if (!isRendered(element)) return getComputedStyle(element).display === "none" ? [] : visibleAmong(element, walk);
  const role = roleOf(element);
  if (role === "") return [];
  const frame = element instanceof HTMLIFrameElement || element instanceof HTMLFrameElement;
  const actionable = frame || isActionable(element, role);
  const ref = actionable ? walk.prefix + refs.keyOf(element) : null;
  const children = isOpaque(element, frame) ? [] : childNodesOf(element, walk);
  if (element instanceof HTMLLabelElement && !actionable) return withoutLabelText(element, children);
  if (!actionable && FLATTENED.has(role))
    return isBlock(getComputedStyle(element).display) ? [" ", ...children, " "] : children;
  const name = snapshotName(element, role, walk);
  if (element instanceof SVGElement && role === "img" && !name)
    return children.filter((node) => typeof node !== "string");
  return [
    {
      element,
      role: frame ? "iframe" : role,
      name,
      states: statesOf(element, role, walk),
      ref,
      url: role === "link" ? linkUrl(element) : null,
      value: valueShown(element, role, walk),
      frame,
      children: walk.mask && isEditingHost(element) ? [] : children,
    },
  ];
}

/** Below `visibility: hidden` some elements may still be visible. */
function visibleAmong(element, walk) {
  return flatChildren(element).flatMap((child) =>
    isElement(child) && !walk.owned.has(child) ? nodesOf(child, walk) : [],
  );
}

/** A label's text that is its control's name would only be there twice. */
function withoutLabelText(label, children) {
  const text = fold(children.filter((node) => typeof node === "string").join(""));
  const repeated = label.control && accessibleName(label.control).includes(text);
  return [" ", ...(repeated ? children.filter((node) => typeof node !== "string") : children), " "];
}

function isOpaque(element, frame) {
  return (
    frame ||
    element instanceof HTMLTextAreaElement ||
    inputType(element) !== "" ||
    element instanceof HTMLMediaElement ||
    tagOf(element) === "object"
  );
}

function childNodesOf(element, walk) {
  if (element instanceof HTMLSelectElement) return optionNodes(element, walk);
  const nodes = [pseudoText(element, "::before")];
  const children = flatChildren(element);
  for (const child of children) {
    const type = dom.nodeType(child);
    if (type === 3) nodes.push(child.data);
    else if (type === 1 && !walk.owned.has(child))
      nodes.push(...(tagOf(child) === "br" ? [" "] : nodesOf(child, walk)));
  }
  for (const child of referenced(element, "aria-owns"))
    if (!composedContains(child, element)) nodes.push(...nodesOf(child, walk));
  nodes.push(pseudoText(element, "::after"));
  return nodes;
}

/** A long list of options is cut, but what is selected always shows. */
function optionNodes(select, walk) {
  const options = [...select.options];
  const shown = options.filter((option, index) => index < OPTIONS_SHOWN || option.selected);
  const nodes = shown.flatMap((option) => nodesOf(option, walk));
  if (shown.length < options.length) nodes.push(`… ${options.length - shown.length} more options`);
  return nodes;
}

function snapshotName(element, role, walk) {
  // The name of a row, or of a cell with more than text, repeats what is printed below it.
  const holdsMore = role === "row" || (CELLS.has(role) && dom.firstElementChild(element) !== null);
  if (holdsMore && !walk.interactive && !hasNameAttribute(element)) return "";
  const name = walk.mask ? valueFreeName(element) : accessibleName(element);
  // ARIA gives these no name, but a person who writes one means it.
  return name || fold(attributeOf(element, "aria-label") || attributeOf(element, "title") || "");
}

/** Whether a person can act on it: by its role, or because the page made it clickable or focusable. */
function isActionable(element, role) {
  if (role === "option")
    return !(dom.closest(element, "select") && roleOf(dom.closest(element, "select")) === "combobox");
  if (role === "gridcell" || role === "treeitem")
    return dom.hasAttribute(element, "tabindex") || hasOwnPointer(element);
  if (ACTIONABLE.has(role)) return true;
  if (element === dom.body(document)) return false;
  if (isEditingHost(element)) return true;
  const tabindex = Number.parseInt(attributeOf(element, "tabindex") ?? "", 10);
  if (tabindex >= 0 || dom.hasAttribute(element, "onclick")) return true;
  // A label stands in for a control that is not shown.
  if (element instanceof HTMLLabelElement && element.control) return !isRendered(element.control);
  return hasOwnPointer(element);
}

/** `cursor: pointer` that begins here rather than being inherited. */
function hasOwnPointer(element) {
  if (getComputedStyle(element).cursor !== "pointer") return false;
  const parent = flatParent(element);
  return parent === null || getComputedStyle(parent).cursor !== "pointer";
}

function linkUrl(element) {
  const url = attributeOf(element, "href") ?? attributeOf(element, "xlink:href");
  return url === null ? null : cut(url, URL_LENGTH);
}

function statesOf(element, role, walk) {
  const states = [];
  const add = (name, value) => {
    if (value === true) states.push(`[${name}]`);
    else if (value === "mixed") states.push(`[${name}=mixed]`);
  };
  add("checked", checkedState(element));
  add("disabled", isDisabled(element));
  add("editable", isEditingHost(element) && role !== "textbox" && role !== "searchbox");
  const expanded = expandedState(element);
  if (expanded !== null && role !== "group") states.push(expanded ? "[expanded]" : "[expanded=false]");
  add("invalid", isInvalid(element));
  const level = levelOf(element);
  if (level) states.push(`[level=${level}]`);
  add("pressed", pressedState(element));
  add("required", isRequired(element));
  add("selected", selectedState(element));
  add("active", element === walk.active);
  return states;
}

/** The text after the colon of a field; passwords and masked values are bullets. */
function valueShown(element, role, walk) {
  const hide = (value) => (value && walk.mask ? BULLETS : value);
  const type = inputType(element);
  if (type === "password") return element.value ? BULLETS : "";
  if (type && ["button", "checkbox", "file", "image", "radio", "reset", "submit"].includes(type)) return "";
  if (type || element instanceof HTMLTextAreaElement) return hide(cut(fold(element.value), 200));
  if (walk.mask && isEditingHost(element)) return fold(dom.textContent(element)) ? BULLETS : "";
  if (RANGES.has(role))
    return (
      attributeOf(element, "aria-valuetext") ??
      attributeOf(element, "aria-valuenow") ??
      attributeOf(element, "value") ??
      ""
    );
  return "";
}

/** Joins neighbouring text, folds it, drops what only repeats a name. */
function tidy(nodes) {
  const result = [];
  let text = "";
  const flush = () => {
    const folded = fold(text);
    if (folded) result.push(folded);
    text = "";
  };
  for (const node of nodes) {
    if (typeof node === "string") {
      text += node;
      continue;
    }
    flush();
    node.children = tidy(node.children);
    if (repeatsName(node)) node.children = [];
    result.push(node);
  }
  flush();
  return result;
}

function repeatsName({ name, role, children }) {
  if (!name || !children.length || !children.every((child) => typeof child === "string")) return false;
  return children.join(" ") === name || (NAME_IS_CONTENT.has(role) && name.includes(children.join(" ")));
}

/** For `interactive`: what can be acted on, and the named or structural containers around it. */
function keepInteractive(node) {
  if (typeof node === "string") return [];
  const chosen =
    node.element instanceof HTMLSelectElement
      ? node.children.filter((option) => option.states?.includes("[selected]"))
      : [];
  // A clickable container without a name is told by its text.
  if (node.ref !== null && !node.name && !isTypedInto(node.element)) node.name = cut(textOfNodes(node.children), 60);
  node.children = node.children.flatMap(keepInteractive);
  if (chosen.length) node.children = [chosen.map((option) => option.name).join(", ")];
  if (node.ref !== null) return [node];
  if (!node.children.length) return [];
  return CONTEXT.has(node.role) && (node.name || node.role === "row" || node.role === "dialog")
    ? [node]
    : node.children;
}

function textOfNodes(nodes) {
  return fold(
    nodes.map((node) => (typeof node === "string" ? node : node.name || textOfNodes(node.children))).join(" "),
  );
}

function print(node, depth, printer) {
  const indent = "  ".repeat(depth);
  if (typeof node === "string") {
    printer.lines.push(`${indent}- text: ${yamlValue(node)}`);
    return;
  }
  let head = node.role;
  if (node.name) head += ` ${JSON.stringify(cut(node.name, 200))}`;
  for (const state of node.states) head += ` ${state}`;
  if (node.ref) head += ` [ref=${node.ref}]`;
  const key = yamlKey(head);
  const [only] = node.children;
  if (node.frame)
    printer.frames.push({
      ref: node.ref,
      token: tokens.keyOf(node.element),
      indent: indent.length + 2,
      line: printer.lines.length,
    });
  if (node.value && !node.url) {
    printer.lines.push(`${indent}- ${key}: ${yamlValue(node.value)}`);
  } else if (node.children.length === 1 && typeof only === "string" && !node.url) {
    printer.lines.push(`${indent}- ${key}: ${yamlValue(only)}`);
  } else if (!node.children.length && !node.url) {
    printer.lines.push(`${indent}- ${key}`);
  } else if (depth >= printer.maxDepth) {
    printer.lines.push(`${indent}- ${key}: …`);
  } else {
    printer.lines.push(`${indent}- ${key}:`);
    if (node.url) printer.lines.push(`${indent}  - /url: ${yamlValue(node.url)}`);
    for (const child of node.children) print(child, depth + 1, printer);
  }
}

/** A mapping key stays plain unless YAML would read it otherwise. */
function yamlKey(text) {
  return /: |:$| #/.test(text) ? `'${text.replace(/'/g, "''")}'` : text;
}

function yamlValue(text) {
  const plain =
    !/^[\s\-?:,[\]{}#&*!|>'"%@`~]|: |:$| #|\s$/.test(text) && !/^(true|false|null|yes|no|on|off|[\d.+-]+)$/i.test(text);
  return plain ? text : JSON.stringify(text);
}
