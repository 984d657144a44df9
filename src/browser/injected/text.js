// The text of elements and how selectors compare it: `contains`, `exact`, `regex`.

/** Compiles `{ match, text, flags }` into a predicate over raw text. */
function textMatcher({ match, text, flags }) {
  switch (match) {
    case "contains": {
      const wanted = fold(text).toLowerCase();
      return (actual) => fold(actual).toLowerCase().includes(wanted);
    }
    case "exact": {
      const wanted = fold(text);
      return (actual) => fold(actual) === wanted;
    }
    case "regex": {
      const pattern = regularExpression(text, flags);
      return (actual) => pattern.test(fold(actual));
    }
  }
  throw new TypeError(`unknown text match \`${match}\``);
}

function regularExpression(source, flags = "") {
  try {
    // `g` and `y` would make a predicate remember where it stopped.
    return new RegExp(source, flags.replace(/[gy]/g, ""));
  } catch (error) {
    throw new Stop({ status: "invalid", message: error.message });
  }
}

/** Text that must occur in the text of every ancestor of a match; null where nothing of the kind is known. */
function necessaryText({ match, text }) {
  return match === "regex" ? null : fold(text).toLowerCase();
}

function hasNoText(element) {
  switch (tagOf(element)) {
    case "datalist":
    case "head":
    case "noscript":
    case "script":
    case "style":
    case "template":
      return true;
  }
  return false;
}

/** The raw text of an element as `text:` sees it: shadow content included, buttons by their value. */
function textOf(element) {
  let text = memo.texts.get(element);
  if (text !== undefined) return text;
  if (hasNoText(element)) text = "";
  else if (["button", "reset", "submit"].includes(inputType(element))) text = element.value;
  else text = childText(element, null);
  memo.texts.set(element, text);
  return text;
}

/** The text of the children, and of an open shadow root after them; `skip` and its content are left out. */
function childText(element, skip) {
  let text = "";
  const add = (parent) => {
    for (let child = dom.firstChild(parent); child; child = dom.nextSibling(child)) {
      const type = dom.nodeType(child);
      if (type === 3) text += child.data;
      else if (type === 1 && child !== skip) text += skip ? childTextOrValue(child, skip) : textOf(child);
    }
  };
  add(element);
  const shadow = dom.shadowRoot(element);
  if (shadow) add(shadow);
  return text;
}

function childTextOrValue(element, skip) {
  return hasNoText(element) || inputType(element) ? textOf(element) : childText(element, skip);
}

/** The smallest elements below `scope` whose text matches. */
function elementsByText(scope, text) {
  const matches = textMatcher(text);
  const necessary = necessaryText(text);
  const found = [];
  /** Whether the element or something inside of it matched. */
  const visit = (element) => {
    if (hasNoText(element)) return false;
    const own = textOf(element);
    if (necessary !== null && !fold(own).toLowerCase().includes(necessary)) return false;
    let inner = false;
    for (const child of composedChildren(element)) if (visit(child)) inner = true;
    if (inner || !matches(own)) return inner;
    found.push(element);
    return true;
  };
  for (const element of composedChildren(scope)) visit(element);
  return found;
}

/** Element children in shadow-including order: those of an open shadow root, then the light ones. */
function composedChildren(scope) {
  const children = [];
  const add = (parent) => {
    for (let child = dom.firstChild(parent); child; child = dom.nextSibling(child)) {
      if (dom.nodeType(child) === 1) children.push(child);
    }
  };
  const shadow = isElement(scope) ? dom.shadowRoot(scope) : null;
  if (shadow) add(shadow);
  add(scope);
  return children;
}

/** The texts that label an element: `aria-labelledby`, else `aria-label`, else its `<label>`s. */
function labelTexts(element) {
  const targets = referenced(element, "aria-labelledby");
  if (targets.length) return targets.map(textOf);
  const label = attributeOf(element, "aria-label");
  if (label && fold(label)) return [label];
  if (inputType(element) === "hidden") return [];
  // A label's text is what stands around its control, so that a select's options don't count.
  return labelsOf(element).map((native) => childText(native, element));
}
