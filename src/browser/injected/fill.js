// Typing: fill and focus. Values are never part of a result, they may be secrets.

// These have parts instead of a caret; their value can only be set as a whole.
const SET_WHOLE = new Set(["color", "date", "datetime-local", "month", "number", "range", "time", "week"]);
const WITH_CARET = new Set(["email", "number", "password", "search", "tel", "text", "url"]);
const FORMATS = {
  color: "`#rrggbb`",
  date: "`yyyy-mm-dd`",
  "datetime-local": "`yyyy-mm-ddThh:mm`",
  month: "`yyyy-mm`",
  number: "a number such as `1.5`",
  range: "a number",
  time: "`hh:mm`",
  week: "`yyyy-Www`",
};

// How long a page may take to show what was entered.
const RENDERING_MS = 200;

function isTypable(element) {
  return dom.matches(element, "input, textarea, select") || isEditingHost(element);
}

/** The field that an element is or stands for; within an editor, the element itself. */
function fieldOf(element) {
  return isHtml(element) && dom.isContentEditable(element) ? element : retarget(element, isTypable);
}

async function fill(arg) {
  const element = fieldOf(theElement(arg));
  const never = neverEditable(element);
  if (never) return missingForGood("editable", element, never);
  const reason = notEditable(element);
  if (!arg.force || !isTypable(element)) {
    requireVisible(element);
    requireEnabled(element);
    if (reason) return missing("editable", element, reason);
  }
  if (SET_WHOLE.has(inputType(element))) return setWhole(element, arg.value);
  const wanted =
    element instanceof HTMLInputElement ? arg.value.replace(/[\r\n]/g, "") : arg.value.replace(/\r\n?/g, "\n");
  const limit = isHtmlEditable(element) ? -1 : element.maxLength;
  if (limit >= 0 && wanted.length > limit) {
    const room = limit === 1 ? "1 character" : `${limit} characters`;
    return missingForGood("value", element, `it takes ${room}, ${wanted.length} were given`);
  }
  const before = currentText(element);
  focusForTyping(element);
  if (!dom.isConnected(element)) return missing("attached", element, "it was replaced as it got the focus");
  // An editor that keeps a model of its own changes it at `beforeinput`, which comes of the host's input only.
  if (wanted && isHtmlEditable(element) && isFocused(element)) {
    getSelection().selectAllChildren(element);
    editing = { element, before };
    return ok(element, { insert: tokens.keyOf(element) });
  }
  const taken = await enterText(element, wanted);
  forget();
  if (!taken) return missingForGood("value", element, "the page did not keep the text");
  return ok(element, { changed: currentText(element) !== before });
}

/** What `fill` has prepared for the host's input, with the text that it replaces. */
let editing = null;

/** Whether an editor now shows the text that the host has inserted, or what the page makes of it. */
async function verifyFill({ token, value }) {
  const element = tokens.get(token);
  if (!element || editing?.element !== element) throw new TypeError(`no fill was prepared for \`${token}\``);
  const { before } = editing;
  const shows = () => !dom.isConnected(element) || holdsText(element, value) || currentText(element) !== before;
  for (const end = performance.now() + RENDERING_MS; !shows() && performance.now() < end; ) await nextFrame();
  return shows() ? ok(element) : missingForGood("value", element, "the page did not keep the text");
}

/**
 * Whether the element now shows the text, or what the page makes of it. Every attempt is an input to the page, so this
 * finds out in one call and is not to be repeated.
 */
async function enterText(element, wanted) {
  const before = currentText(element);
  const shows = () => holdsText(element, wanted) || currentText(element) !== before;
  const edited = replaceText(element, wanted) || (!isHtmlEditable(element) && setNatively(element, wanted));
  if (shows()) return true;
  // A mask has made of it what stood there already.
  if (edited && likeness(before) && likeness(before) === likeness(wanted)) return true;
  // Editors and some frameworks render on their own time.
  for (const end = performance.now() + RENDERING_MS; !shows() && performance.now() < end; ) await nextFrame();
  if (shows()) return true;
  if (!edited || !before) return false;
  // Emptied first, a field that formats shows what it makes of the text; one that refuses it never changes.
  if (!wanted) return true;
  replaceText(element, "");
  const emptied = currentText(element) !== before;
  replaceText(element, wanted);
  const after = likeness(currentText(element));
  return emptied ? currentText(element) !== "" : after !== "" && likeness(wanted).includes(after);
}

/** What formatting leaves alone: letters and digits, whatever their case. */
function likeness(text) {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function isHtmlEditable(element) {
  return !(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement);
}

function currentText(element) {
  return isHtmlEditable(element) ? dom.innerText(element) : element.value;
}

function holdsText(element, wanted) {
  const actual = currentText(element);
  return isHtmlEditable(element) ? fold(actual) === fold(wanted) : actual === wanted;
}

/** What has the focus while an element is typed into: itself, or the editor that it is a part of. */
function focusOf(element) {
  if (!isHtml(element) || !dom.isContentEditable(element)) return element;
  let host = element;
  for (let at = element; at && isHtml(at) && dom.isContentEditable(at); at = dom.parentElement(at)) host = at;
  return host === dom.documentElement(document) ? dom.body(document) : host;
}

function isFocused(element) {
  return (focusedElement() ?? dom.body(document)) === focusOf(element);
}

function focusForTyping(element) {
  // Keys go to the document that has the focus; the body of any other one is its active element all the same.
  if (window.parent !== window && !dom.hasFocus(document)) window.focus();
  if (!isFocused(element)) dom.focus(focusOf(element), { preventScroll: true });
}

/** Replaces everything by way of the editor, so that the page sees trusted input events; false when it can't. */
function replaceText(element, wanted) {
  // A focus handler may have moved the focus: never type into something else.
  if (!isFocused(element)) return false;
  if (isHtmlEditable(element)) {
    getSelection().selectAllChildren(element);
  } else {
    element.select();
    // Which the editing commands leave out; who prevents it enters the text itself.
    const inputType = wanted ? "insertText" : "deleteContentBackward";
    const data = wanted || null;
    const announced = new InputEvent("beforeinput", { bubbles: true, cancelable: true, composed: true, inputType, data });
    if (!element.dispatchEvent(announced)) return true;
  }
  try {
    if (wanted) return dom.execCommand(document, "insertText", false, wanted);
    return !currentText(element) || dom.execCommand(document, "delete", false);
  } catch {
    return false; // documents other than HTML have no editing commands
  }
}

/** The prototype's setter: a page's own `value` property (React's tracker) must not learn of it before the event. */
function setNatively(element, value) {
  const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  Object.getOwnPropertyDescriptor(prototype, "value").set.call(element, value);
  announceChange(element);
  return true;
}

function announceChange(element) {
  element.dispatchEvent(new InputEvent("input", { bubbles: true, composed: true, inputType: "insertReplacementText" }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
}

function setWhole(element, value) {
  const before = element.value;
  const wanted = fold(value);
  focusForTyping(element);
  const set = (text) => Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set.call(element, text);
  set(wanted);
  const type = inputType(element);
  const taken = element.value;
  const same =
    type === "color" || type === "range" || type === "number"
      ? taken.toLowerCase() === wanted.toLowerCase() || Number(taken) === Number(wanted)
      : taken !== "" || wanted === "";
  if (!same) {
    set(before);
    const step = element.step && element.step !== "any" ? ` in steps of ${element.step}` : "";
    const limits = type === "range" ? ` from ${element.min || 0} to ${element.max || 100}${step}` : "";
    return missingForGood("value", element, `a ${type} input takes ${FORMATS[type]}${limits}`);
  }
  if (taken !== before) announceChange(element);
  return ok(element, { changed: taken !== before });
}

// What was pressed on or typed into last: its caret is where it was put.
let edited = null;

/** Focuses for keys that the host sends. The caret goes to the end of a text field, unless it has been put somewhere. */
function focusElement(arg) {
  const named = theElement(arg);
  const element = isFocusable(named) ? named : fieldOf(retarget(named, isFocusable));
  requireVisible(element);
  requireEnabled(element);
  if (arg.typing && isTypable(element) && !neverEditable(element)) {
    const reason = notEditable(element);
    if (reason) return missing("editable", element, reason);
  }
  const isKept = isFocused(element) && composedContains(element, edited?.deref() ?? null);
  const before = focusedElement();
  focusForTyping(element);
  const focused = focusedElement();
  if (!isFocused(element) && !(focused && composedContains(element, focused))) {
    const went = focused && focused !== before;
    return missing("focused", element, went ? `the focus went to ${describe(focused)}` : "it can't be focused");
  }
  if (!isKept) moveCaretToEnd(element);
  edited = new WeakRef(element);
  return ok(element);
}

function moveCaretToEnd(element) {
  if (isHtml(element) && dom.isContentEditable(element)) {
    getSelection().selectAllChildren(element);
    getSelection().collapseToEnd();
  } else if (element instanceof HTMLTextAreaElement || WITH_CARET.has(inputType(element))) {
    // Not every type of input lets its selection be set.
    getSelection().modify("move", "forward", "documentboundary");
  }
}
