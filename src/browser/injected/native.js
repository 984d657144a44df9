// The names that HTML and SVG themselves give: labels, legends, captions, alternative texts, values, defaults.
// https://www.w3.org/TR/html-aam-1.0/#accessible-name-and-description-computation

const TEXT_TYPES = new Set("email number password search tel text url".split(" "));
const BUTTON_LABELS = { reset: "Reset", submit: "Submit" };

/** The name that HTML or SVG itself gives; null where the language has no say, "" where it says that there is none. */
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
    case "table":
      return childName(element, "caption", walk) ?? attributeOf(element, "summary");
    case "optgroup":
      return attributeOf(element, "label");
    case "option":
      return element.label;
  }
  if (!(element instanceof SVGElement)) return isFormAssociated(element) ? labelText(element, walk) : null;
  const title = svgTitle(element);
  return isBlank(title) && tagOf(element) === "a" ? attributeOf(element, "xlink:title") : title;
}

function isFormAssociated(element) {
  return isHtml(element) && element.constructor.formAssociated === true;
}

function inputName(element, walk) {
  const label = labelText(element, walk);
  if (!isBlank(label)) return label;
  const type = inputType(element);
  switch (type) {
    case "button":
    case "reset":
    case "submit":
      return attributeOf(element, "value") ?? BUTTON_LABELS[type] ?? null;
    case "image":
      return attributeOf(element, "alt") || element.value || attributeOf(element, "title") || BUTTON_LABELS.submit;
    case "file":
      return element.multiple ? "Choose Files" : "Choose File";
  }
  return null;
}

// Asked for fewer controls than this, their own `labels` cost less than looking at every label.
const LABELS_ASKED_FIRST = 10;

/** The labels of a control. Its own `labels` looks through the whole tree each time; for many, the tree is looked at once. */
function labelsOf(element) {
  memo.labelsAsked += 1;
  if (memo.labelsAsked <= LABELS_ASKED_FIRST) {
    try {
      return element.labels ? [...element.labels] : [];
    } catch {
      return []; // a custom element that is not form-associated
    }
  }
  const root = dom.getRootNode(element);
  let labels = memo.labels.get(root);
  if (!labels) {
    memo.labels.set(root, (labels = new Map()));
    for (const label of isElement(root) ? [] : queryAll(root, "label")) {
      const { control } = label;
      if (control) labels.set(control, [...(labels.get(control) ?? []), label]);
    }
  }
  return labels.get(element) ?? [];
}

function labelText(element, walk) {
  const names = labelsOf(element).map((label) => nameOfPart(label, { state: walk.state }));
  return names.length ? names.join(" ") : null;
}

/** The name that the first child of a kind gives, if it isn't hidden; null without one. */
function childName(element, tag, walk) {
  let child = dom.firstElementChild(element);
  while (child && tagOf(child) !== tag) child = dom.nextElementSibling(child);
  return child && nameOfPart(child, { state: walk.state });
}

/** What stands in for a name when even a `title` is missing. */
function fallbackName(element) {
  const native = isTypedText(element) ? attributeOf(element, "placeholder") : null;
  return native || attributeOf(element, "aria-placeholder");
}

/** Whether people type text into it; dates, colours and ranges have controls of their own. */
function isTypedText(element) {
  if (!(element instanceof HTMLInputElement)) return element instanceof HTMLTextAreaElement;
  return TEXT_TYPES.has(inputType(element));
}
