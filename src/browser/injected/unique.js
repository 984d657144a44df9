// The selector generator: text that finds exactly one given element, checked with the engine. It prefers what people
// see and what stays when the page is built anew, and never contains what was typed into a field.

const NAME_LENGTH = 60;
// Elements above that are tried as the place of an element that can't be told by itself.
const PLACE_LIMIT = 12;
const SAME_PLACES = 20;
// What one call may spend on telling elements apart by their places, on pages of many thousand elements.
const PLACE_BUDGET_MS = 400;
const REPEATED_ROLES = new Set(["article", "group", "listitem", "option", "row", "treeitem"]);
const OTHER_TEST_IDS = ["data-testid", "data-test-id", "data-test", "data-cy", "data-qa"];

// The attribute that `testid:` stands for, as the current call's host configures it.
let testidAttribute = "data-testid";

/** Answers the selectors' texts for a call of the host, who knows the element by a selector. */
function selectorFor(arg) {
  const element = theElement(arg);
  return ok(element, { selector: uniqueSelector(element) });
}

/** Selector text that finds exactly this element. */
function uniqueSelector(element) {
  const known = memo.unique.get(element);
  if (known !== undefined) return known;
  const selector = findUniqueSelector(element);
  memo.unique.set(element, selector);
  return selector;
}

function findUniqueSelector(element) {
  let first = null;
  for (const candidate of candidates(element)) {
    const found = foundBy(candidate.part);
    if (found.length === 1 && found[0] === element) return candidate.text;
    const index = found.indexOf(element);
    // One that finds a few is worth more than one that finds half of the page.
    if (index >= 0 && (!first || found.length < first.count / 4)) first = { ...candidate, index, count: found.length };
  }
  return first ? (placed(element) ?? `${first.text} >> nth:${first.index}`) : byTag(element);
}

/** What a part finds in the document. Many elements of a list share their candidates. */
function foundBy(part) {
  const key = JSON.stringify(part);
  let found = memo.found.get(key);
  if (!found) memo.found.set(key, (found = resolve([part])));
  return found;
}

/** What may find the element, most telling first: `{ text, part }`. */
function* candidates(element) {
  for (const candidate of everyCandidate(element)) {
    // A selector that can't be told as it is would find something else.
    if (candidate.text.isWellFormed()) yield candidate;
  }
}

function* everyCandidate(element) {
  const testid = attributeOf(element, testidAttribute);
  if (isTelling(testid) && fold(testid) === testid) {
    const text = /^[\w:.-]+$/.test(testid) ? testid : quoted(testid);
    yield { text: `testid:${text}`, part: { kind: "testid", attribute: testidAttribute, text: exactly(testid) } };
  }
  const role = roleOf(element);
  const hasRole = role !== "generic" && role !== "none";
  const name = hasRole ? valueFreeName(element) : "";
  if (isTelling(name)) {
    for (const { text, value } of spellings(name))
      yield { text: `role:${role}[${text}]`, part: { kind: "role", role, name: value } };
  }
  for (const label of isFormField(element) || tagOf(element).includes("-") ? labelTexts(element) : []) {
    if (isTelling(label)) yield* textCandidates("label", label);
  }
  for (const kind of ["placeholder", "alt", "title"]) {
    const value = attributeOf(element, kind);
    if (isTelling(value)) yield* textCandidates(kind, value);
  }
  if (!isFormField(element) && !isTypedInto(element) && !holdsTypedText(element)) {
    const text = textOf(element);
    if (isTelling(text)) yield* textCandidates("text", text);
  }
  for (const css of shortCss(element)) yield { text: `css:${css}`, part: { kind: "css", css } };
  if (hasRole) yield { text: `role:${role}`, part: { kind: "role", role } };
}

function holdsTypedText(element) {
  return queryAll(element, "[contenteditable], textarea, [role=textbox]").length > 0;
}

/** Text that says something: icon fonts write with characters that no one can type. */
function isTelling(text) {
  return text !== null && /[\p{L}\p{N}]/u.test(text);
}

function* textCandidates(kind, raw) {
  for (const { text, value } of spellings(fold(raw))) yield { text: `${kind}:${text}`, part: { kind, text: value } };
}

/** The text as a whole where it is short, else its first words. */
function* spellings(text) {
  if (text.length <= NAME_LENGTH) yield { text: quoted(text), value: { match: "exact", text } };
  else {
    const words = text.slice(0, NAME_LENGTH).replace(/\s+\S*$/, "");
    yield { text: `${quoted(words)}i`, value: { match: "contains", text: words } };
  }
}

/** Quotes text as the grammar reads it. */
function quoted(text) {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

function exactly(text) {
  return { match: "exact", text };
}

function* shortCss(element) {
  const id = attributeOf(element, "id");
  if (id && !isGenerated(id)) yield `#${CSS.escape(id)}`;
  const tag = CSS.escape(dom.localName(element));
  for (const name of OTHER_TEST_IDS) {
    const value = name === testidAttribute ? null : attributeOf(element, name);
    if (isPlain(value)) yield `[${name}=${quoted(value)}]`;
  }
  for (const name of ["name", "href", "src", "for", "type"]) {
    const value = attributeOf(element, name);
    if (isPlain(value) && !isGenerated(value)) yield `${tag}[${name}=${quoted(value)}]`;
  }
  for (const className of [...dom.classList(element)].slice(0, 6))
    if (!isGenerated(className)) yield `${tag}.${CSS.escape(className)}`;
  if (element === dom.documentElement(document) || element === dom.body(document)) yield tag;
}

/** An attribute's value that reads well in a selector. */
function isPlain(value) {
  return value !== null && value.length <= NAME_LENGTH && /^[\x21-\x7e]+$/.test(value);
}

// How libraries begin the ids that they count up.
const COUNTED = /^(?:__BVID|cdk-|downshift|ember|ext-|headlessui|jss|mat-|mui-|radix|rc_|react-|yui)|[:«_]r[0-9a-z]{1,4}[:»_]/;

/** Whether a name was most likely made by a build or a counter, and will be another one tomorrow. */
function isGenerated(name) {
  if (COUNTED.test(name) || /\d{4}/.test(name)) return true;
  return name.split(/[-_:.\/]+/).some((word) => {
    if (word.length >= 5 && /\d/.test(word) && /[a-z]/i.test(word) && !/^[a-z]+\d{1,3}$/i.test(word)) return true;
    // `bdVaJa`: capitals closer together than words could be.
    const humps = word.match(/[a-z][A-Z]/g)?.length ?? 0;
    return humps >= 2 && word.length / (humps + 1) < 3;
  });
}

/** Tells repeated elements apart by what encloses them: `role:row["Bob"] >> role:button["Delete"]`. */
function placed(element) {
  const inner = [...candidates(element)];
  memo.placesEnd ??= performance.now() + PLACE_BUDGET_MS;
  let tries = 0;
  for (let above = composedParent(element); above && tries < PLACE_LIMIT; above = composedParent(above)) {
    for (const { text, parts } of places(above, element)) {
      if (performance.now() > memo.placesEnd) return null;
      tries += 1;
      const scopes = parts.length === 1 ? foundBy(parts[0]) : resolve(parts);
      // Another place of the same name is as good as none, unless it holds no such element.
      if (!scopes.includes(above) || scopes.length > SAME_PLACES) continue;
      for (const { text: innerText, part } of inner) {
        const found = applyPart(part, scopes, document);
        if (found.length === 1 && found[0] === element) return `${text} >> ${innerText}`;
      }
    }
  }
  return null;
}

/** How to name what encloses an element: by itself, or as an item that holds a text. */
function* places(above, element) {
  const role = roleOf(above);
  for (const { text, part } of candidates(above)) {
    const isWeak = part.kind === "css" ? !part.css.startsWith("#") && !part.css.startsWith("[") : !part.name && part.kind === "role";
    if (part.kind !== "text" && !isWeak) yield { text, parts: [part] };
  }
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
function byTag(element) {
  const css = CSS.escape(dom.localName(element));
  const index = resolve([{ kind: "css", css }]).indexOf(element);
  return `css:${css} >> nth:${Math.max(index, 0)}`;
}
