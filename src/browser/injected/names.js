// Accessible names, after https://www.w3.org/TR/accname-1.2/ as browsers have it.
// The letters in comments are the steps of that algorithm.

const NAMED_BY_CONTENT = new Set(
  (
    "button cell checkbox columnheader doc-backlink doc-biblioref doc-glossref doc-noteref graphics-object gridcell " +
    "heading link menuitem menuitemcheckbox menuitemradio option radio row rowheader switch tab term tooltip " +
    "treeitem"
  ).split(" "),
);

// What is inside of these is no part of the text around them, only their own name is.
const SELF_CONTAINED = new Set(
  (
    "alert alertdialog application article banner blockquote combobox comment complementary contentinfo dialog " +
    "document feed figure form graphics-document graphics-symbol grid group img listbox log main marquee menu " +
    "menubar meter navigation note progressbar radiogroup scrollbar search sectionfooter sectionheader separator " +
    "slider spinbutton status suggestion tablist tabpanel timer toolbar tree treegrid"
  ).split(" "),
);

// ARIA gives these no names, so that their tooltips describe them instead…
const NAMELESS = new Set(
  (
    "caption code definition deletion emphasis generic insertion mark none paragraph strong subscript suggestion " +
    "superscript term time"
  ).split(" "),
);
// …but for elements that are more to browsers than their role says.
const TITLED = new Set("abbr canvas dl figcaption frame iframe label legend object ruby".split(" "));

const UNFOLDED = /[\t\n\f\r\u00ad\u200b\ud800-\udfff]| {2}|^ | $/;
const EDGES = /^[\t\n\f\r ]+|[\t\n\f\r ]+$/g;
const NEUTRAL = new Set(["generic", "none"]);
// Set off from the text around them, wherever they stand.
const CONTROLS = new Set(
  (
    "button checkbox combobox listbox menuitem menuitemcheckbox menuitemradio radio scrollbar searchbox slider " +
    "spinbutton switch tab textbox"
  ).split(" "),
);
const RANGES = new Set(["meter", "progressbar", "scrollbar", "slider", "spinbutton"]);
const UNREAD = new Set("audio iframe img input map meter object progress rp rt select textarea video".split(" "));

/** The accessible name; white space is folded, no-break spaces stay. The empty string for an element without one. */
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
    name = canBeNamed(element) ? (quickName(element) ?? computeName(element, values)) : "";
    cache.set(element, name);
  }
  return name;
}

/** A cheap answer for most elements of a page. */
function canBeNamed(element) {
  if (!NAMELESS.has(roleOf(element)) || roleOf(element) === "term") return true;
  if (element instanceof SVGElement) return true;
  return ["aria-label", "aria-labelledby", "title"].some((name) => dom.hasAttribute(element, name));
}

function computeName(element, values) {
  // `given` tells whether the last text came from an attribute or the like rather than from content.
  const state = { visited: new Set(), values, given: false };
  const walk = { state, nested: false, target: false, mute: false, inside: false, hidden: isHiddenForAria(element) };
  return tidyName(alternative(element, getComputedStyle(element), walk, null));
}

function tidyName(name) {
  if (!UNFOLDED.test(name)) return name;
  return name
    .toWellFormed()
    .replace(/[\u200b\u00ad]/g, "")
    .replace(/[\t\n\f\r ]+/g, " ")
    .replace(/^ | $/g, "");
}

/**
 * The text alternative of one element; null when its content went into the sentence that it is a part of. The walk says
 * whether it is `nested` in another's name, in the `target` of a reference or further `inside`, `hidden`, so that hidden
 * content counts, and whether the target is `mute`, so that none does.
 */
function alternative(element, style, walk, sentence) {
  const { state } = walk;
  const seen = state.visited.has(element);
  if (walk.nested && !walk.target && seen) return "";
  // A
  if (!walk.hidden && (walk.inside || !walk.target) && isHiddenForAria(element)) return "";
  const replaced = replacedText(element, style);
  if (replaced !== null) return given(state, replaced);
  const role = roleOf(element);
  // C: a control inside of another's name contributes its value.
  if (walk.nested && !seen) {
    const value = embeddedValue(element, role, walk);
    if (value !== null) return given(state, value);
  }
  state.visited.add(element);
  if (element instanceof HTMLSlotElement) {
    state.given = false;
    return contentOf(element, style, walk);
  }
  // B: `aria-labelledby`, which is never followed twice.
  if (!walk.target && dom.hasAttribute(element, "aria-labelledby")) {
    const parts = referenced(element, "aria-labelledby").map((target) => nameOfTarget(target, state));
    const name = parts.filter((part) => part !== "").join(" ");
    if (!isBlank(name)) return given(state, name);
  }
  // D
  const label = attributeOf(element, "aria-label");
  if (!isBlank(label)) return given(state, label);
  // E
  const native = role === "none" ? null : nativeName(element, walk);
  if (!isBlank(native)) return given(state, native);
  // F
  if (isReadThrough(element, role, walk)) {
    const before = sentence?.text.length ?? 0;
    const content = contentOf(element, style, walk, sentence ?? newSentence());
    state.given = false;
    if (sentence ? content.length > before : walk.nested ? content !== "" : !isBlank(content))
      return sentence ? null : content;
  }
  // I
  if (role === "none" || (native === "" && isValuedButton(element))) return "";
  return given(state, (isTitled(element, role, walk) && attributeOf(element, "title")) || fallbackName(element) || "");
}

function isTitled(element, role, walk) {
  if (walk.target || !NAMELESS.has(role)) return true;
  return TITLED.has(tagOf(element)) || tagOf(element).includes("-") || isFocusable(element);
}

/** The text alternative of an element that another one's name has a part of. */
function nameOfPart(part, { state, hidden = false }) {
  const walk = { state, nested: true, target: false, mute: false, inside: false, hidden };
  return alternative(part, getComputedStyle(part), walk, null);
}

/** The text alternative of what `aria-labelledby` refers to. Hidden content counts where the target itself is hidden. */
function nameOfTarget(target, state) {
  const hidden = isHiddenForAria(target);
  // What is inert or skipped, but not meant to be hidden, has no content to give.
  const mute = hidden && (isSkipped(target) || (isInert(target) && !composedClosest(target, '[aria-hidden="true" i]')));
  const walk = { state, nested: true, target: true, mute, inside: false, hidden: hidden && !mute };
  return alternative(target, getComputedStyle(target), walk, null);
}

function given(state, text) {
  state.given = text !== "";
  return text;
}

function isValuedButton(element) {
  return ["button", "reset", "submit"].includes(inputType(element));
}

/** Whether the content names the element, or adds to the name that it is a part of. */
function isReadThrough(element, role, walk) {
  if (UNREAD.has(tagOf(element))) return false;
  if (walk.target) return true;
  if (!walk.nested) return NAMED_BY_CONTENT.has(role);
  return !SELF_CONTAINED.has(role) || (["address", "svg"].includes(tagOf(element)) && explicitRole(element) === null);
}

/** F: adds everything inside to the sentence, what stands apart set off by spaces, generated content included. */
function contentOf(element, style, walk, sentence = newSentence(), invisible = false) {
  if (!walk.hidden && (style.contentVisibility === "hidden" || (walk.mute && !walk.inside))) return "";
  // Without boxes there is nothing inline, generated or transformed.
  const boxless = walk.hidden && !dom.checkVisibility(element);
  const inner = walk.inside ? walk : { ...walk, nested: true, inside: true };
  let isOwned = false;
  if (!invisible && !boxless) sayGenerated(element, "::before", sentence);
  for (const child of semanticChildren(element)) {
    const type = dom.nodeType(child);
    if (type === 3 && !invisible)
      say(sentence, boxless ? child.data : transformedText(child.data, style, sentence), boxless, false);
    if (type !== 1) continue;
    if (!isOwned && owners().get(child) === element) sentence.apart = isOwned = true;
    sayElement(child, inner, sentence, boxless);
  }
  if (tagOf(element) === "use") say(sentence, usedText(element, inner), false, true);
  if (!invisible && !boxless) sayGenerated(element, "::after", sentence);
  return sentence.text;
}

/** Text in the making, whether what came last `apart` from it is set off, and whether it was `given` by an attribute. */
function newSentence() {
  return { text: "", apart: false, given: false };
}

function say(sentence, part, apart, isGiven) {
  const { text } = sentence;
  const needsSpace = apart || isGiven || sentence.apart || sentence.given;
  if (needsSpace && part !== "" && text !== "" && !/\s$/.test(text) && !/^\s/.test(part)) sentence.text += " ";
  sentence.text += part;
  sentence.apart = apart;
  if (part !== "") sentence.given = isGiven;
}

function sayGenerated(element, pseudo, sentence) {
  const made = generated(element, pseudo);
  if (made !== null) say(sentence, made.text, made.apart, false);
}

function sayElement(element, walk, sentence, boxless) {
  if (hasNoText(element)) return;
  const tag = tagOf(element);
  if (tag === "br") return say(sentence, " ", false, false);
  if (tag === "wbr") return say(sentence, "", true, false);
  if (!walk.hidden && isHiddenForAria(element)) return sayHidden(element, walk, sentence);
  const style = getComputedStyle(element);
  const { display } = style;
  const role = roleOf(element);
  const boxed = boxless || standsApart(element, display);
  const apart = boxed || CONTROLS.has(role) || tag === "output";
  const plain = NEUTRAL.has(role) && !TITLED.has(tag);
  const part = alternative(element, style, walk, apart || !plain ? null : sentence);
  if (part === null) return;
  // An inline box without meaning or text leaves no trace.
  if (part === "" && plain && display.startsWith("inline")) return;
  // White space at the edges of a box doesn't show.
  say(sentence, boxed ? part.replace(EDGES, "") : part, apart, walk.state.given);
}

/** What is merely invisible may hold something visible; all that is hidden sets apart what is around its box. */
function sayHidden(element, walk, sentence) {
  const style = getComputedStyle(element);
  if (style.display === "none") return;
  const seeThrough = hidingElement(element) === null && style.visibility !== "visible";
  const part = seeThrough ? contentOf(element, style, walk, newSentence(), true) : "";
  if (part !== "" || isBlock(style.display)) say(sentence, part, isBlock(style.display), false);
}

/** The name of what an SVG `use` draws, which is often the only one that an icon has. */
function usedText(element, walk) {
  const id = (attributeOf(element, "href") ?? attributeOf(element, "xlink:href") ?? "").replace(/^#/, "");
  const symbol = id && queryAll(dom.getRootNode(element), `#${CSS.escape(id)}`)[0];
  return symbol ? nameOfPart(symbol, { ...walk, hidden: true }) : "";
}

/** The value of a text field, a list or a range; null for anything else. */
function embeddedValue(element, role, { state }) {
  const native = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  if (role === "textbox" || role === "searchbox" || (role === "combobox" && native)) {
    if (native && !(isTypedText(element) && element.value)) return null;
    if (!state.values || inputType(element) === "password") return "";
    return (native ? element.value : dom.textContent(element)) || null;
  }
  if (!state.values && isHtml(element) && dom.isContentEditable(element)) return "";
  if (role === "combobox" || role === "listbox") return chosenText(element, role, state);
  return RANGES.has(role) ? rangeText(element, role, state) : null;
}

/** The names of the options that are chosen; a focusable combobox without options shows its choice as its text. */
function chosenText(element, role, state) {
  const native = element instanceof HTMLSelectElement;
  const chosen = native
    ? [...element.selectedOptions]
    : [element, ...referenced(element, "aria-owns")]
        .flatMap((list) => elementsIn(list))
        .filter((option) => roleOf(option) === "option" && selectedState(option));
  const walk = { state, nested: true, target: false, mute: false, inside: false, hidden: true };
  if (native || chosen.length) return chosen.map((option) => nameOfPart(option, walk)).join(" ");
  return role === "combobox" && isFocusable(element)
    ? contentOf(element, getComputedStyle(element), walk) || null
    : null;
}

function rangeText(element, role, { values }) {
  const declared = attributeOf(element, "aria-valuetext") || attributeOf(element, "aria-valuenow");
  if (declared) return declared;
  if (element instanceof HTMLInputElement) return values ? element.value || null : "";
  const native = attributeOf(element, "value");
  if (native !== null || role === "progressbar") return native;
  if (role === "meter" || role === "spinbutton") return "0";
  const bound = (name, otherwise) => Number.parseFloat(attributeOf(element, name) ?? otherwise);
  return String((bound("aria-valuemin", "0") + bound("aria-valuemax", "100")) / 2);
}
