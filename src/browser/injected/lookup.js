// Shortcuts for looking at thousands of elements: which can have a role at all, and names that need no algorithm.
// What they answer is what the full way would; where they can't be sure, they leave it to that.

// The elements that can have a role without being given it. Roles that are not here are looked for everywhere.
const ELEMENTS_OF_ROLE = {
  button: "button, input, summary",
  checkbox: "input",
  cell: "td, th",
  columnheader: "td, th",
  combobox: "input, select",
  heading: "h1, h2, h3, h4, h5, h6",
  link: "a, area",
  listitem: "li",
  option: "option",
  radio: "input",
  row: "tr",
  rowheader: "td, th",
  searchbox: "input",
  slider: "input",
  spinbutton: "input",
  switch: "input",
  textbox: "input, textarea",
};

/** The elements below `scope` that may have the role, in shadow-including document order. */
function candidatesForRole(scope, role) {
  if (!Object.hasOwn(ELEMENTS_OF_ROLE, role) || shadowRootsIn(scope).length) return elementsIn(scope);
  return [...queryAll(scope, `[role], ${ELEMENTS_OF_ROLE[role]}`)];
}

// Elements of these kinds are named by their content, or by their labels first, and by nothing else of their own.
const NAMED_BY_TEXT = new Set("a button div h1 h2 h3 h4 h5 h6 li span summary td th".split(" "));
const NAMED_BY_LABEL = new Set("input select textarea".split(" "));
// Of these only attributes make anything with a name, unless their role takes it from their content.
const NAMED_BY_ATTRIBUTES = new Set(
  "article aside dialog div dl footer form header hr li main nav ol p section span tbody td tr ul".split(" "),
);

/** A name that is given outright or by nothing but text; null where it takes the whole algorithm. */
function quickName(element) {
  const role = roleOf(element);
  const tag = tagOf(element);
  const byContent = NAMED_BY_CONTENT.has(role);
  if (!byContent && NAMED_BY_ATTRIBUTES.has(tag) && !dom.hasAttributes(element))
    return showsPlainText(element) ? "" : null;
  if (dom.hasAttribute(element, "aria-labelledby") || !showsPlainText(element)) return null;
  const label = attributeOf(element, "aria-label");
  if (!isBlank(label)) return tidyName(label);
  if (NAMED_BY_LABEL.has(tag) && inputType(element) !== "hidden") return labelsAsText(element);
  if (!byContent || !NAMED_BY_TEXT.has(tag)) return null;
  if (tag === "button" && labelsOf(element).length) return null;
  return plainText(element, null);
}

function labelsAsText(control) {
  const texts = [];
  for (const label of labelsOf(control)) {
    const isPlain = !["aria-label", "aria-labelledby", "role"].some((name) => dom.hasAttribute(label, name));
    if (!isPlain || !showsPlainText(label) || isHiddenForAria(label) || dom.isContentEditable(label)) return null;
    const text = plainText(label, control);
    if (text === null) return null;
    texts.push(text);
  }
  return texts.length ? texts.join(" ") : null;
}

/** The text of an element that holds nothing else, but for `control` at its start or end; null otherwise. */
function plainText(element, control) {
  if (dom.shadowRoot(element) || owners().size) return null;
  let text = null;
  for (let child = dom.firstChild(element); child; child = dom.nextSibling(child)) {
    const type = dom.nodeType(child);
    if (type === 3) {
      if (isBlank(child.data)) continue;
      // Two texts may be set apart or not.
      if (text !== null) return null;
      text = child.data;
    } else if (type === 1 && child !== control) return null;
  }
  if (text === null || generated(element, "::before") || generated(element, "::after")) return null;
  return tidyName(text);
}
