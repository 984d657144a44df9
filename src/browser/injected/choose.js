// Choosing: the state of checkboxes and their like, the options of a `select`, and where files go.

const LABELS_SHOWN = 8;

function isCheckable(element) {
  return checkedState(element) !== null && roleOf(element) !== "option";
}

/** Whether it is checked; `want` is the state that the caller is after. */
function checkState(arg) {
  const element = retarget(theElement(arg), isCheckable);
  const checked = checkedState(element);
  if (checked === null) return missingForGood("checkable", element, null);
  if (arg.want === false && checked === true && roleOf(element) === "radio")
    return missingForGood("unchecked", element, "a radio button is unchecked by checking another one");
  return ok(element, { checked });
}

function selectOption(arg) {
  const named = theElement(arg);
  const around = named instanceof HTMLOptionElement ? (dom.closest(named, "select") ?? named) : named;
  const element = retarget(around, (candidate) => candidate instanceof HTMLSelectElement);
  if (!(element instanceof HTMLSelectElement)) return missingForGood("select", element, null);
  if (!arg.force) {
    requireVisible(element);
    requireEnabled(element);
  }
  if (!element.multiple && arg.options.length > 1)
    return missingForGood("option", element, `it takes one option, ${arg.options.length} were given`);
  const all = [...element.options];
  const chosen = [];
  for (const wanted of arg.options) {
    const option = findOption(all, wanted);
    if (!option) return missing("option", element, `its options: ${listOptions(all)}`);
    if (isNativelyDisabled(option) && !arg.force)
      return missing("option", element, `\`${optionLabel(option)}\` is disabled`);
    chosen.push(option);
  }
  dom.focus(element, { preventScroll: true });
  if (element.multiple) for (const option of all) option.selected = chosen.includes(option);
  else if (chosen.length) chosen[0].selected = true;
  else element.selectedIndex = -1;
  element.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  element.dispatchEvent(new Event("change", { bubbles: true }));
  const selected = [...element.selectedOptions];
  return ok(element, { selected: selected.map(optionLabel), values: selected.map((option) => option.value) });
}

function optionLabel(option) {
  return fold(option.label);
}

/** The first option that has the label and the position that are given, and the value before the label of `any`. */
function findOption(all, { any, label, index }) {
  const fits = all.filter(
    (option, at) => (label === null || optionLabel(option) === fold(label)) && (index === null || at === index),
  );
  if (any === null) return fits[0];
  const byPosition = /^\d+$/.test(any) ? all[Number(any)] : undefined;
  return (
    fits.find((option) => option.value === any) ??
    fits.find((option) => optionLabel(option) === fold(any)) ??
    (fits.includes(byPosition) ? byPosition : undefined)
  );
}

function listOptions(all) {
  if (!all.length) return "none";
  const labels = all
    .slice(0, LABELS_SHOWN)
    .map((option) => `\`${cut(optionLabel(option), 40)}\``)
    .join(", ");
  return all.length > LABELS_SHOWN ? `${labels} and ${all.length - LABELS_SHOWN} more` : labels;
}

/** The file input that an element is or stands for, emptied on request; none where a click may open a file chooser. */
function prepareUpload(arg) {
  const named = theElement(arg);
  const input = retarget(named, (candidate) => inputType(candidate) === "file");
  if (inputType(input) === "file") {
    requireEnabled(input);
    // Chromium takes an empty list for no change.
    if (arg.clear && input.files.length) setNatively(input, "");
    return ok(input, { input: tokens.keyOf(input), multiple: input.multiple, directory: input.webkitdirectory });
  }
  const opensNothing = isTypable(named) && neverEditable(named) !== "it is a button";
  return opensNothing ? missingForGood("file input", named, null) : ok(named);
}
