// The text of elements and how selectors compare it: `contains`, `exact`, `regex`.

// Stands in raw text where a line ends though no white space is written: at `<br>` and around blocks. What is one line
// to a selector's author may be written without a space there, so both readings count.
const LINE_END = "\u001e";

/** Compiles `{ match, text, flags }` into a predicate over raw text. */
function textMatcher(wanted) {
  const test = lineMatcher(wanted);
  const necessary = necessaryText(wanted);
  // A long text is folded twice only if it holds what is looked for.
  return (actual) =>
    actual.includes(LINE_END)
      ? (necessary === null || squeezed(actual).includes(necessary)) && readings(actual).some(test)
      : test(actual);
}

function lineMatcher({ match, text, flags }) {
  switch (match) {
    case "contains": {
      const wanted = comparable(text).toLowerCase();
      return (actual) => comparable(actual).toLowerCase().includes(wanted);
    }
    case "exact": {
      const wanted = comparable(text);
      return (actual) => comparable(actual) === wanted;
    }
    case "regex": {
      const pattern = regularExpression(text, flags);
      return (actual) => pattern.test(comparable(actual)) || pattern.test(actual);
    }
  }
  throw new TypeError(`unknown text match \`${match}\``);
}

/** Raw text with its line ends read as spaces, and as nothing. */
function readings(raw) {
  return raw.includes(LINE_END) ? [raw.replaceAll(LINE_END, " "), raw.replaceAll(LINE_END, "")] : [raw];
}

/** Folded text without what no one can see or type: marks of direction, joiners of words, ways to write one accent. */
function comparable(text) {
  const folded = fold(text);
  return /^[\x20-\x7e]*$/.test(folded)
    ? folded
    : fold(folded.replace(/[\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g, "").normalize());
}

function regularExpression(source, flags = "") {
  try {
    // `g` and `y` would make a predicate remember where it stopped.
    return new RegExp(source, flags.replace(/[gy]/g, ""));
  } catch (error) {
    throw new Stop({ status: "invalid", message: error.message });
  }
}

/** What must occur in the squeezed text of a match and of all that is around it; null where nothing is known. */
function necessaryText({ match, text }) {
  // Other alphabets have letters that are written in several ways.
  return match === "regex" || /[^\x20-\x7e]/.test(comparable(text)) ? null : squeezed(text);
}

/** Text in lower case without white space and line ends. */
function squeezed(text) {
  return text.replace(/[\s\x1e\xad\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069]+/g, "").toLowerCase();
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

/** The text of an element as `text:` sees it: shadow content included, buttons by their value. */
function textOf(element) {
  return readings(rawTextOf(element))[0];
}

/** The same for a `textMatcher`: lines end with `LINE_END`. */
function rawTextOf(element) {
  let text = memo.texts.get(element);
  if (text !== undefined) return text;
  if (hasNoText(element)) text = "";
  else if (Object.hasOwn(BUTTON_TEXTS, inputType(element))) text = element.value || BUTTON_TEXTS[inputType(element)];
  else text = childText(element, null);
  memo.texts.set(element, text);
  return text;
}

// What browsers write on buttons without a value.
const BUTTON_TEXTS = { button: "", reset: "Reset", submit: "Submit" };

// A style sheet may say otherwise; to ask each element for its style would cost more than it tells.
const BLOCKS = new Set(
  (
    "address article aside blockquote caption dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 " +
    "h3 h4 h5 h6 header hr legend li main menu nav ol option p pre search section summary table td th tr ul"
  ).split(" "),
);

/** The text of the children, and of an open shadow root after them; `skip` and its content are left out. */
function childText(element, skip) {
  let text = "";
  const add = (parent) => {
    for (let child = dom.firstChild(parent); child; child = dom.nextSibling(child)) {
      const type = dom.nodeType(child);
      if (type === 3) text += child.data;
      else if (type === 1 && child !== skip) {
        const inner = skip ? childTextOrValue(child, skip) : rawTextOf(child);
        const tag = tagOf(child);
        text += tag === "br" ? LINE_END : BLOCKS.has(tag) ? LINE_END + inner + LINE_END : inner;
      }
    }
  };
  add(element);
  const shadow = dom.shadowRoot(element);
  if (shadow) add(shadow);
  return text;
}

function childTextOrValue(element, skip) {
  return hasNoText(element) || inputType(element) ? rawTextOf(element) : childText(element, skip);
}

/** The smallest elements with a text that matches: the scope itself, or below it. */
function elementsByText(scope, text) {
  const matches = textMatcher(text);
  const necessary = necessaryText(text);
  const found = [];
  /** Whether the element or something inside of it matched. */
  const visit = (element) => {
    if (hasNoText(element)) return false;
    const own = rawTextOf(element);
    if (necessary !== null && !squeezed(own).includes(necessary)) return false;
    let inner = false;
    for (const child of composedChildren(element)) if (visit(child)) inner = true;
    if (inner || !matches(own)) return inner;
    found.push(element);
    return true;
  };
  if (isElement(scope)) visit(scope);
  else for (const element of composedChildren(scope)) visit(element);
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
  const labels = tagOf(element).includes("-") ? labelsOfCustom(element) : labelsOf(element);
  return labels.map((native) => readings(childText(native, element))[0]);
}

/** The labels of a custom element, which has no `labels` itself. */
function labelsOfCustom(element) {
  return [...queryAll(dom.getRootNode(element), "label")].filter((label) => label.control === element);
}
