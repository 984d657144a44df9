// Choosing: the state of checkboxes and their like, and the options of a `select`.

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
  const element = retarget(theElement(arg), (candidate) => candidate instanceof HTMLSelectElement);
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

function findOption(all, wanted) {
  if (wanted.index !== undefined) return all[wanted.index];
  if (wanted.value !== undefined) return all.find((option) => option.value === wanted.value);
  if (wanted.label !== undefined) return all.find((option) => optionLabel(option) === fold(wanted.label));
  const any = wanted.any;
  return (
    all.find((option) => option.value === any) ??
    all.find((option) => optionLabel(option) === fold(any)) ??
    (/^\d+$/.test(any) ? all[Number(any)] : undefined)
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
