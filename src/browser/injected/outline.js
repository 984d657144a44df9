// The aria snapshot's nodes as lines of indented YAML-like text: names, states, values, what may be left out, and
// how much each line matters to somebody who can't read all of them.

const NAME_SHOWN = 200;
const URL_LENGTH = 200;
const BULLETS = "••••";
// Stands in a line where the host puts the ref; text can't hold it unescaped.
const REF_MARK = "\u0001";

// Inside of these, text can't be separate content: it is their name.
const NAME_IS_CONTENT = new Set(["button", "checkbox", "link", "menuitem", "option", "radio", "switch", "tab"]);
const URGENT = new Set(["alert", "alertdialog", "dialog"]);
const LANDMARKS = new Set("banner complementary contentinfo form heading main navigation region search".split(" "));
// In an `interactive` snapshot these stay as context around what can be acted on.
const CONTEXT = new Set(
  (
    "alertdialog banner contentinfo dialog form group list listitem main menu navigation radiogroup region row search " +
    "table tablist tabpanel toolbar tree"
  ).split(" "),
);

/** Writes the nodes down: a line each, with its depth and rank, the refs in their order, the iframes' lines. */
function outline(nodes, { mode, budget }, walk) {
  let kept = nodes;
  if (mode === "interactive") kept = nodes.flatMap(keepInteractive);
  else if (mode === "structure") kept = nodes.flatMap(keepStructure);
  const paper = { lines: [], depths: [], ranks: [], refs: [], frames: [], owners: [], length: 0 };
  for (const node of kept) print(node, 0, null, paper, walk);
  // Boxes are measured only for a choice.
  if (paper.length > (budget ?? Infinity)) addPlaces(paper);
  const { lines, depths, ranks, refs: numbers, frames } = paper;
  return { text: lines.join("\n"), depths, ranks, refs: numbers, frames, truncated: walk.truncated };
}

function print(node, depth, owner, paper, walk) {
  if (typeof node === "string") {
    put(`- text: ${yamlValue(shortened(node))}`, depth, owner?.urgent ? 1 : 3, owner, paper);
    return;
  }
  let head = node.role;
  if (node.name) head += ` ${quotedText(cut(node.name, NAME_SHOWN))}`;
  for (const state of node.states) head += ` ${state}`;
  if (node.ref !== null) {
    head += REF_MARK;
    paper.refs.push(node.ref);
  }
  const { children, properties } = node;
  node.urgent = URGENT.has(node.role) || (owner?.urgent ?? false);
  const told = node.value || (children.length === 1 && typeof children[0] === "string" ? shortened(children[0]) : "");
  const inline = told && (node.value || !properties.length) ? `: ${yamlValue(told)}` : "";
  const below = inline && !node.value ? [] : children;
  const end = inline || (properties.length || below.length || node.omitted || node.frame ? ":" : "");
  if (node.frame) paper.frames.push({ line: paper.lines.length, ref: node.ref, token: tokens.keyOf(node.element) });
  put(`- ${yamlKey(head)}${end}`, depth, rankOf(node, walk), node, paper);
  for (const property of properties) put(`- ${property}`, depth + 1, 3, node, paper);
  for (const child of below) print(child, depth + 1, node, paper, walk);
  if (node.omitted) put(`- … ${node.omitted}`, depth + 1, 3, node, paper);
}

function put(line, depth, rank, owner, paper) {
  paper.lines.push(line);
  paper.depths.push(depth);
  paper.ranks.push(rank);
  paper.owners.push(owner?.element ?? null);
  paper.length += line.length + 1;
}

/** From 0, what nobody should miss, to 3, what only adds to it. */
function rankOf(node, walk) {
  if (URGENT.has(node.role) || node.element === walk.active || node.element === walk.named) return 0;
  if (LANDMARKS.has(node.role) || node.urgent) return 1;
  return node.ref !== null ? 2 : 3;
}

/** What lies outside of the viewport ranks lower by 4. */
function addPlaces(paper) {
  const known = new Map();
  for (const [index, element] of paper.owners.entries()) {
    if (!element || !paper.ranks[index]) continue;
    let away = known.get(element);
    if (away === undefined) {
      const box = dom.getBoundingClientRect(element);
      const seen = box.bottom > 0 && box.right > 0 && box.top < window.innerHeight && box.left < window.innerWidth;
      known.set(element, (away = !seen));
    }
    if (away) paper.ranks[index] += 4;
  }
}

/** What stands below a node as `/name: value`: a link's address, a placeholder that is not the name. */
function propertiesOf(element, role, name, walk) {
  const properties = [];
  if (walk.urls && role === "link") {
    const url = attributeOf(element, "href") ?? attributeOf(element, "xlink:href");
    if (url !== null) properties.push(`/url: ${yamlValue(cut(url, URL_LENGTH))}`);
  }
  const placeholder = isTextControl(element) ? fold(attributeOf(element, "placeholder") ?? "") : "";
  if (placeholder && placeholder !== name) properties.push(`/placeholder: ${yamlValue(cut(placeholder, NAME_SHOWN))}`);
  return properties;
}

function isTextControl(element) {
  return element instanceof HTMLTextAreaElement || inputType(element) !== "";
}

function statesOf(element, role, walk) {
  const states = [];
  const add = (name, value) => {
    if (value === true) states.push(`[${name}]`);
    else if (value === "mixed") states.push(`[${name}=mixed]`);
  };
  const control = isTextControl(element) || element instanceof HTMLSelectElement;
  add("checked", checkedState(element));
  add("disabled", DISABLEABLE.has(role) && isDisabled(element));
  add("editable", isEditingHost(element) && role !== "textbox" && role !== "searchbox");
  const expanded = expandedState(element);
  if (expanded !== null && role !== "group") states.push(expanded ? "[expanded]" : "[expanded=false]");
  add("invalid", (control || dom.hasAttribute(element, "aria-invalid")) && isInvalid(element));
  const level = levelOf(element);
  if (level) states.push(`[level=${level}]`);
  add("pressed", pressedState(element));
  add("required", (control || dom.hasAttribute(element, "aria-required")) && isRequired(element));
  add("selected", selectedState(element));
  const current = attributeOf(element, "aria-current");
  if (current && current !== "false") states.push("[current]");
  add("active", element === walk.active);
  return states;
}

/** The text after the colon of a field; passwords and masked values are bullets. */
function valueShown(element, role, walk) {
  const hide = (value) => (value && walk.mask ? BULLETS : value);
  const type = inputType(element);
  if (type === "password") return element.value ? BULLETS : "";
  if (type && ["button", "checkbox", "file", "image", "radio", "reset", "submit"].includes(type)) return "";
  if (type || element instanceof HTMLTextAreaElement) return hide(cut(fold(element.value), NAME_SHOWN));
  if (walk.mask && isEditingHost(element)) return fold(dom.textContent(element)) ? BULLETS : "";
  if (!RANGES.has(role)) return "";
  const declared = attributeOf(element, "aria-valuetext") ?? attributeOf(element, "aria-valuenow");
  return cut(fold(declared ?? attributeOf(element, "value") ?? ""), NAME_SHOWN);
}

/** Whether all that is inside of a node only says its name again. */
function repeatsName({ name, role, children }) {
  if (!name || !children.length) return false;
  const isContent = NAME_IS_CONTENT.has(role);
  const texts = children.map((child) =>
    typeof child === "string" ? child : child.role === "img" && child.ref === null && isContent ? child.name : null,
  );
  if (texts.includes(null)) return false;
  return texts.join(" ") === name || (isContent && texts.every((text) => name.includes(text)));
}

/** For `interactive`: what can be acted on, and the named or structural containers around it. */
function keepInteractive(node) {
  if (typeof node === "string") return [];
  if (isTypedInto(node.element)) return [node];
  const chosen =
    node.element instanceof HTMLSelectElement
      ? node.children.filter((option) => option.states?.includes("[selected]"))
      : [];
  // A clickable container without a name is told by its text.
  if (node.ref !== null && !node.name && node.role !== "combobox") node.name = cut(textOfNodes(node.children), 60);
  node.children = node.children.flatMap(keepInteractive);
  if (chosen.length) node.children = [chosen.map((option) => option.name).join(", ")];
  node.omitted = "";
  if (node.ref !== null || node.role === "alert") return [node];
  if (!node.children.length) return [];
  return CONTEXT.has(node.role) && (node.name || node.role === "row" || node.role === "dialog")
    ? [node]
    : node.children;
}

/** For `structure`: landmarks, headings, dialogs and frames, what to choose a scope from. */
function keepStructure(node) {
  if (typeof node === "string") return [];
  const children = node.children.flatMap(keepStructure);
  if (!LANDMARKS.has(node.role) && !URGENT.has(node.role) && !node.frame) return children;
  // As a scope it needs a name to be called by.
  node.children = node.role === "heading" ? [] : children;
  return [node];
}

function textOfNodes(nodes) {
  return fold(
    nodes.map((node) => (typeof node === "string" ? node : node.name || textOfNodes(node.children))).join(" "),
  );
}

function shortened(text) {
  if (text.length <= TEXT_LENGTH) return text;
  return `${text.slice(0, TEXT_LENGTH)}…`;
}

/** A mapping key stays plain unless YAML would read it otherwise. */
function yamlKey(text) {
  return /: |:$| #/.test(text) ? `'${text.replace(/'/g, "''")}'` : text;
}

/** Plain only where neither YAML nor a reader could take the text for something else. */
function yamlValue(text) {
  const plain =
    /^[\p{L}\p{N}]/u.test(text) &&
    !/[[\]{}"`\\\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|: |:$| #|…$/u.test(text) &&
    !/^(true|false|null|yes|no|on|off|[\d.+-]+)$/i.test(text);
  return plain ? text : quotedText(text);
}

/** A JSON string in which nothing invisible can reorder, end or imitate a line. */
function quotedText(text) {
  if (text.length < 200 && FOLDED.test(text)) return JSON.stringify(text);
  return JSON.stringify(text).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
