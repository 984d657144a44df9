// Naming elements to people: a short markup, and a selector that finds exactly this element.
// Neither ever contains what was typed into a field.

const DESCRIPTION_LENGTH = 80;
const NAME_LENGTH = 60;
const REPEATED_ROLES = new Set(["article", "listitem", "option", "row", "treeitem"]);

// The attribute that `testid:` stands for, as the current call's host configures it.
let testidAttribute = "data-testid";

/** `<button#pay.primary "Pay now">`, at most 80 characters. */
function describe(element) {
  const id = attributeOf(element, "id");
  const firstClass = dom.classList(element)[0];
  const type = inputType(element);
  let head = tagOf(element);
  if (type && type !== "text") head += `[type=${type}]`;
  if (id) head += `#${cut(id, 30)}`;
  if (firstClass) head += `.${cut(firstClass, 30)}`;
  const label = shortLabel(element);
  const room = DESCRIPTION_LENGTH - head.length - 5;
  return label && room > 4 ? `<${head} "${cut(label, room)}">` : `<${cut(head, DESCRIPTION_LENGTH - 2)}>`;
}

/** The accessible name, else a field's placeholder or own text. */
function shortLabel(element) {
  return valueFreeName(element) || fold(attributeOf(element, "placeholder") ?? "") || ownText(element);
}

/** The text directly inside of an element, except where people type. */
function ownText(element) {
  if (hasNoText(element) || element instanceof HTMLTextAreaElement || isTypedInto(element)) return "";
  let text = "";
  for (let child = dom.firstChild(element); child; child = dom.nextSibling(child))
    if (dom.nodeType(child) === 3) text += child.data;
  return fold(text);
}

function isTypedInto(element) {
  if (isHtml(element) && dom.isContentEditable(element)) return true;
  return ["textbox", "searchbox"].includes(roleOf(element));
}

/** Quotes text for a selector that compares it whole. */
function quoted(text) {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function exactly(text) {
  return { match: "exact", text };
}

/** Selectors that may find the element, most telling first: `{ text, part }`. */
function* candidateSelectors(element) {
  const testid = attributeOf(element, testidAttribute);
  if (testid && fold(testid) === testid) {
    const text = /^[\w:.-]+$/.test(testid) ? testid : quoted(testid);
    yield { text: `testid:${text}`, part: { kind: "testid", attribute: testidAttribute, text: exactly(testid) } };
  }
  const role = roleOf(element);
  const name = valueFreeName(element);
  if (name && name.length <= NAME_LENGTH && role !== "generic" && role !== "none") {
    yield { text: `role:${role}[${quoted(name)}]`, part: { kind: "role", role, name: exactly(name) } };
  }
  for (const label of inputType(element) || isFormField(element) ? labelTexts(element).map(fold) : []) {
    if (label && label.length <= NAME_LENGTH)
      yield { text: `label:${quoted(label)}`, part: { kind: "label", text: exactly(label) } };
  }
  for (const kind of ["placeholder", "alt", "title"]) {
    const value = fold(attributeOf(element, kind) ?? "");
    if (value && value.length <= NAME_LENGTH)
      yield { text: `${kind}:${quoted(value)}`, part: { kind, text: exactly(value) } };
  }
  const text =
    isTypedInto(element) || queryAll(element, "[contenteditable], textarea, [role=textbox]").length
      ? ""
      : fold(textOf(element));
  if (text && text.length <= NAME_LENGTH && !isFormField(element))
    yield { text: `text:${quoted(text)}`, part: { kind: "text", text: exactly(text) } };
  for (const css of shortCss(element)) yield { text: `css:${css}`, part: { kind: "css", css } };
}

function isFormField(element) {
  return dom.matches(element, "input, textarea, select, meter, progress, output");
}

function* shortCss(element) {
  const id = attributeOf(element, "id");
  if (id) yield `#${CSS.escape(id)}`;
  const tag = CSS.escape(dom.localName(element));
  const name = attributeOf(element, "name");
  if (name) yield `${tag}[name=${quoted(name)}]`;
  for (const className of [...dom.classList(element)].slice(0, 4)) yield `${tag}.${CSS.escape(className)}`;
  if (element === dom.documentElement(document) || element === dom.body(document)) yield tag;
}

function findsOnly(parts, element) {
  const found = resolve(parts);
  return found.length === 1 && found[0] === element;
}

/** Selector text that finds exactly this element, checked with the engine. */
function uniqueSelector(element) {
  let fallback = null;
  for (const { text, part } of candidateSelectors(element)) {
    // A selector that can't be told as it is would find something else.
    if (!text.isWellFormed()) continue;
    const found = resolve([part]);
    if (found.length === 1 && found[0] === element) return text;
    const index = found.indexOf(element);
    if (index >= 0) fallback ??= { text, part, index };
  }
  if (fallback) return scopedSelector(element, fallback) ?? `${fallback.text} >> nth:${fallback.index}`;
  return structuralSelector(element);
}

/** Tells repeated elements apart by what encloses them: `role:row["Bob"] >> role:button["Delete"]`. */
function scopedSelector(element, { text, part }) {
  let tries = 0;
  for (let above = composedParent(element); above && tries < 6; above = composedParent(above)) {
    for (const { text: outer, parts } of enclosingSelectors(above, element)) {
      tries += 1;
      if (findsOnly([...parts, part], element)) return `${outer} >> ${text}`;
    }
  }
  return null;
}

/** How to name what encloses an element: by itself, or an item by the first text in it. */
function* enclosingSelectors(above, element) {
  for (const { text, part } of candidateSelectors(above)) {
    if (part.kind === "text" || (part.kind === "css" && !part.css.startsWith("#"))) continue;
    yield { text, parts: [part] };
  }
  const role = roleOf(above);
  if (!REPEATED_ROLES.has(role)) return;
  for (const inner of elementsIn(above)) {
    const words = composedContains(element, inner) || composedContains(inner, element) ? "" : ownText(inner);
    // Only text that needs no quotes: quoted, it would have to be the whole text of the item.
    if (!/^[\p{L}\p{N}][\p{L}\p{N} .,'-]{0,40}$/u.test(words)) continue;
    const has = { kind: "has-text", text: { match: "contains", text: words } };
    yield { text: `role:${role} >> has-text:${words}`, parts: [{ kind: "role", role }, has] };
    return;
  }
}

/** The last resort: the place among the elements of its kind. */
function structuralSelector(element) {
  const css = CSS.escape(dom.localName(element));
  const index = resolve([{ kind: "css", css }]).indexOf(element);
  return `css:${css} >> nth:${Math.max(index, 0)}`;
}
