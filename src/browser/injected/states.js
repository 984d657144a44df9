// ARIA states, native and declared: checked, pressed, expanded, selected, disabled, level and the like.
// https://www.w3.org/TR/wai-aria-1.2/#states_and_properties

const CHECKABLE = new Set(["checkbox", "menuitemcheckbox", "menuitemradio", "option", "radio", "switch", "treeitem"]);
const SELECTABLE = new Set(["columnheader", "gridcell", "option", "row", "rowheader", "tab", "treeitem"]);
const LEVELED = new Set(["heading", "listitem", "row", "treeitem"]);
const DISABLEABLE = new Set(
  (
    "application button checkbox columnheader combobox composite grid gridcell group input link listbox menu menubar " +
    "menuitem menuitemcheckbox menuitemradio option radio radiogroup row rowheader scrollbar searchbox select separator " +
    "slider spinbutton switch tab tablist textbox toolbar tree treegrid treeitem"
  ).split(" "),
);
const TRISTATE = new Set(["checkbox", "menuitemcheckbox", "option", "treeitem"]);

/** `true`, `false`, `"mixed"`, or null when the element can't be checked at all. */
function checkedState(element) {
  const type = inputType(element);
  if (type === "checkbox" || type === "radio") {
    if (type === "checkbox" && element.indeterminate) return "mixed";
    return element.checked;
  }
  const role = roleOf(element);
  if (!CHECKABLE.has(role)) return null;
  const value = ariaToken(element, "aria-checked");
  if (value === "mixed" && TRISTATE.has(role)) return "mixed";
  if (value === null && (role === "option" || role === "treeitem")) return null;
  return value === "true";
}

/** `true`, `false`, `"mixed"`, or null when the button is no toggle. */
function pressedState(element) {
  if (roleOf(element) !== "button") return null;
  const value = ariaToken(element, "aria-pressed");
  if (value === "mixed") return "mixed";
  return value === "true" || value === "false" ? value === "true" : null;
}

/** `true`, `false`, or null when nothing can be expanded. */
function expandedState(element) {
  const value = ariaToken(element, "aria-expanded");
  if (value === "true" || value === "false") return value === "true";
  if (roleOf(element) !== "button") return null;
  if (tagOf(element) === "summary") return isDetailsSummary(element) ? dom.parentElement(element).open : null;
  const popover = element.popoverTargetElement;
  return popover ? dom.matches(popover, ":popover-open") : null;
}

/** `true`, `false`, or null when nothing can be selected; a tab or option that says nothing is not selected. */
function selectedState(element) {
  if (element instanceof HTMLOptionElement) return element.selected;
  const role = roleOf(element);
  if (!SELECTABLE.has(role)) return null;
  const value = ariaToken(element, "aria-selected");
  if (value === "true" || value === "false") return value === "true";
  return role === "tab" || role === "option" ? false : null;
}

/** Whether the element, a fieldset above it, or `aria-disabled` on it or above it disables it. */
function isDisabled(element) {
  if (isNativelyDisabled(element)) return true;
  if (!DISABLEABLE.has(roleOf(element)) && !isEditingHost(element)) return false;
  for (let at = element; at; at = flatParent(at)) {
    const value = ariaToken(at, "aria-disabled");
    if (value === "true") return true;
    if (value === "false") return false;
  }
  return false;
}

/** `:disabled` knows fieldsets and their first legend; `option` also inherits from its `select`. */
function isNativelyDisabled(element) {
  if (element instanceof HTMLOptionElement) {
    const select = dom.closest(element, "select");
    return dom.matches(element, ":disabled") || (select !== null && dom.matches(select, ":disabled"));
  }
  return dom.matches(element, ":disabled");
}

/** The level of a heading, list item, row or tree item; null when there is none. */
function levelOf(element) {
  const role = roleOf(element);
  if (!LEVELED.has(role)) return null;
  const declared = Number.parseInt(attributeOf(element, "aria-level") ?? "", 10);
  if (declared >= 1) return declared;
  const native = /^h([1-6])$/.exec(tagOf(element));
  if (role !== "heading") return null;
  return native ? Number(native[1]) : 2;
}

function isRequired(element) {
  if (dom.matches(element, "input, select, textarea") && element.required) return true;
  return ariaToken(element, "aria-required") === "true";
}

/** What the page itself declares invalid; native constraint validation says nothing before a submission. */
function isInvalid(element) {
  const value = ariaToken(element, "aria-invalid");
  if (value !== null && value !== "") return value !== "false";
  return dom.matches(element, "input:user-invalid, select:user-invalid, textarea:user-invalid");
}

/** Why no one can ever type into a control of this kind; null for all others. */
function neverEditable(element) {
  const type = inputType(element);
  if (type === "checkbox" || type === "radio") return "use `check` or `uncheck`";
  if (type === "file") return "use `upload_file`";
  if (["button", "image", "reset", "submit"].includes(type)) return "it is a button";
  if (type === "hidden") return "it is a hidden input";
  return element instanceof HTMLSelectElement ? "use `select_option`" : null;
}

/** Why a person could not type into the element; null when they could. */
function notEditable(element) {
  const never = neverEditable(element);
  if (never) return never;
  const isTextControl = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  if (isTextControl && element.readOnly) return "it is read-only";
  if (!isTextControl && !(isHtml(element) && dom.isContentEditable(element))) {
    return "it is not an input, a textarea or contenteditable";
  }
  return ariaToken(element, "aria-readonly") === "true" ? "it is read-only" : null;
}
