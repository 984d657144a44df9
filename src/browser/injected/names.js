// Accessible names, after https://www.w3.org/TR/accname-1.2/ and HTML-AAM's table of native names.
// The letters in comments are the steps of that algorithm.

const NAMELESS = new Set(
  (
    "caption code definition deletion emphasis generic insertion mark none paragraph strong subscript suggestion " +
    "superscript term time"
  ).split(" "),
);

const NAMED_BY_CONTENT = new Set(
  (
    "button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row " +
    "rowheader switch tab tooltip treeitem"
  ).split(" "),
);

const RANGES = new Set(["meter", "progressbar", "scrollbar", "slider", "spinbutton"]);

/** The accessible name, folded; the empty string for an element without one. */
function accessibleName(element) {
  return cachedName(element, memo.names, true);
}

/** The accessible name without what people typed: embedded fields' values and editable text are left out. */
function valueFreeName(element) {
  return cachedName(element, memo.valueFreeNames, false);
}

function cachedName(element, cache, values) {
  let name = cache.get(element);
  if (name === undefined) {
    name = NAMELESS.has(roleOf(element)) ? "" : computeName(element, values);
    cache.set(element, name);
  }
  return name;
}

function computeName(element, values) {
  const walk = {
    root: element,
    visited: new Set(),
    values,
    hidden: isHiddenForAria(element),
    nested: false,
    referenced: false,
    inLabel: false,
  };
  return fold(alternative(element, walk));
}

/** The text alternative of one element in the course of `walk`. */
function alternative(element, walk) {
  if (walk.visited.has(element)) return "";
  walk.visited.add(element);
  // A: hidden content counts only below a hidden element that was asked for by name.
  if (!walk.hidden && isHiddenForAria(element)) return "";
  // B: `aria-labelledby`, which is never followed twice.
  if (!walk.referenced) {
    const parts = referenced(element, "aria-labelledby").map((target) =>
      alternative(target, {
        ...walk,
        visited: new Set(),
        hidden: isHiddenForAria(target),
        nested: false,
        referenced: true,
      }),
    );
    const name = parts.join(" ");
    if (fold(name)) return name;
  }
  const role = roleOf(element);
  // C: a control inside of another's label or content contributes its value.
  if (walk.nested) {
    if (element === walk.root) return "";
    const value = embeddedValue(element, role, walk);
    if (value !== null) return value;
  } else if (walk.referenced && element !== walk.root) {
    const value = embeddedValue(element, role, walk);
    if (value) return value;
  }
  // D
  const label = attributeOf(element, "aria-label");
  if (label && fold(label)) return label;
  // E
  if (role !== "none") {
    const native = nativeName(element, walk);
    if (native !== null && fold(native)) return native;
  }
  // F
  if (walk.nested || walk.referenced || walk.inLabel || NAMED_BY_CONTENT.has(role)) {
    const content = namedByContent(element, role) ? contentOf(element, { ...walk, nested: true }) : "";
    if (fold(content)) return content;
  }
  // I
  return role === "none" ? "" : attributeOf(element, "title") || fallbackName(element) || "";
}

function namedByContent(element, role) {
  return (
    role !== "img" &&
    !(element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) &&
    tagOf(element) !== "iframe"
  );
}

/** The value of a text field, a list or a range; null for anything else. */
function embeddedValue(element, role, walk) {
  if (role === "textbox" || role === "searchbox" || (role === "combobox" && element instanceof HTMLInputElement)) {
    if (!walk.values || inputType(element) === "password") return "";
    if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) return element.value;
    return dom.textContent(element);
  }
  if (!walk.values && isHtml(element) && dom.isContentEditable(element)) return "";
  if (role === "combobox" || role === "listbox") {
    if (element instanceof HTMLSelectElement)
      return [...element.selectedOptions].map((option) => option.label).join(" ");
    const options = elementsIn(element).filter((option) => roleOf(option) === "option" && selectedState(option));
    const texts = options.map((option) => alternative(option, { ...walk, visited: new Set([walk.root]) }));
    return texts.length || role === "listbox" ? texts.join(" ") : dom.textContent(element);
  }
  if (!RANGES.has(role)) return null;
  const declared = attributeOf(element, "aria-valuetext") ?? attributeOf(element, "aria-valuenow");
  if (declared !== null) return declared;
  if (element instanceof HTMLInputElement) return walk.values ? element.value : "";
  return attributeOf(element, "value") ?? "";
}

/** The name that HTML or SVG itself gives; null where the language has no say. */
function nativeName(element, walk) {
  switch (tagOf(element)) {
    case "input":
      return inputName(element, walk);
    case "button":
    case "meter":
    case "output":
    case "progress":
    case "select":
    case "textarea":
      return labelText(element, walk);
    case "img":
    case "area":
      return attributeOf(element, "alt");
    case "fieldset":
      return childName(element, "legend", walk);
    case "figure":
      return childName(element, "figcaption", walk);
    case "table":
      return childName(element, "caption", walk) ?? attributeOf(element, "summary");
    case "optgroup":
    case "option":
      return attributeOf(element, "label");
  }
  if (!(element instanceof SVGElement)) return isFormAssociated(element) ? labelText(element, walk) : null;
  for (let child = dom.firstElementChild(element); child; child = dom.nextElementSibling(child)) {
    if (tagOf(child) === "title" && fold(dom.textContent(child))) return dom.textContent(child);
  }
  return attributeOf(element, "xlink:title");
}

function isFormAssociated(element) {
  return isHtml(element) && element.constructor.formAssociated === true;
}

function inputName(element, walk) {
  const label = labelText(element, walk);
  if (label !== null && fold(label)) return label;
  switch (inputType(element)) {
    case "button":
      return element.value;
    case "submit":
      return dom.hasAttribute(element, "value") ? element.value : "Submit";
    case "reset":
      return dom.hasAttribute(element, "value") ? element.value : "Reset";
    case "image":
      return attributeOf(element, "alt") || attributeOf(element, "title") || "Submit";
    case "file":
      return attributeOf(element, "title") || (element.multiple ? "Choose Files" : "Choose File");
  }
  return null;
}

/** What stands in for a name when even a `title` is missing. */
function fallbackName(element) {
  const native = dom.matches(element, "input, textarea") ? attributeOf(element, "placeholder") : null;
  return native || attributeOf(element, "aria-placeholder");
}

function labelsOf(element) {
  try {
    return element.labels ? [...element.labels] : [];
  } catch {
    return []; // a custom element that is not form-associated
  }
}

function labelText(element, walk) {
  const labels = labelsOf(element);
  if (!labels.length) return null;
  const inside = { ...walk, nested: false, inLabel: true };
  return labels.map((label) => alternative(label, { ...inside, hidden: isHiddenForAria(label) })).join(" ");
}

function childName(element, tag, walk) {
  for (let child = dom.firstElementChild(element); child; child = dom.nextElementSibling(child)) {
    if (tagOf(child) === tag)
      return alternative(child, { ...walk, inLabel: true, nested: false, hidden: isHiddenForAria(child) });
  }
  return null;
}

/** F: the text of everything inside, blocks set apart by spaces, CSS content included. */
function contentOf(element, walk) {
  let text = pseudoText(element, "::before");
  for (const child of [...flatChildren(element), ...referenced(element, "aria-owns")]) {
    const type = dom.nodeType(child);
    if (type === 3) text += child.data;
    if (type !== 1 || isBranch(child, element)) continue;
    const part = alternative(child, walk);
    text += tagOf(child) === "br" || isBlock(getComputedStyle(child).display) ? ` ${part} ` : part;
  }
  return text + pseudoText(element, "::after");
}

/** A tree item's or menu item's own items are not part of its name. */
function isBranch(child, parent) {
  return ["group", "menu", "tree"].includes(roleOf(child)) && ["treeitem", "menuitem"].includes(roleOf(parent));
}

function isBlock(display) {
  return display !== "inline" && display !== "contents";
}

/** What `content: "…"` adds; the alternative text after a slash wins. */
function pseudoText(element, pseudo) {
  const style = getComputedStyle(element, pseudo);
  const content = style.content;
  if (
    content === "none" ||
    content === "normal" ||
    content === "" ||
    style.display === "none" ||
    style.visibility !== "visible"
  )
    return "";
  const strings = /"((?:[^"\\]|\\.)*)"|(\/)/g;
  let text = "";
  for (const [, string, slash] of content.matchAll(strings)) {
    text = slash ? "" : text + string.replace(/\\(.)/g, "$1");
  }
  return isBlock(style.display) ? ` ${text} ` : text;
}
