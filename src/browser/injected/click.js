// Clicks, and what else the pointer does to an element: which element or label it goes to.

/**
 * Finds where to point and arms the watch; the events themselves are the host's. `for` is `hover`, `drag`, `drop`, or
 * nothing for a click. With `control`, the click is to change a checkbox, radio button or switch, and may go to the
 * label of one that styling hides.
 */
async function prepareClick(arg) {
  const named = theElement(arg);
  const element = arg.control ? retarget(named, isCheckable) : named;
  requireNoDropdownOption(element);
  const aim = arg.control ? controlAim : plainAim;
  const stood = dom.getBoundingClientRect(element);
  const { target, reached, point, animated } = await aim(element, arg);
  await afterScrolling(element, stood);
  // Rendered anew under the pointer, what the selector finds then is the same to a person.
  const again = (hit) => {
    const found = resolve(arg.selector);
    return found.length === 1 && reaches(hit, arg.control ? retarget(found[0], isCheckable) : found[0]);
  };
  const token = tokens.keyOf(element);
  stopWatching();
  if (arg.for === "drop") watchDrop(target, token);
  else startWatching({ target, token, reached, force: Boolean(arg.force), touch: Boolean(arg.touch), purpose: arg.for ?? "click", again });
  return ok(element, { x: point.x, y: point.y, token, animated });
}

/** The options of a closed dropdown are drawn outside of the page, where no click of its own can go. */
function requireNoDropdownOption(element) {
  if (!(element instanceof HTMLOptionElement || element instanceof HTMLOptGroupElement) || isVisible(element)) return;
  const select = dom.closest(element, "select");
  if (select && !select.multiple && select.size <= 1)
    throw new Stop(missingForGood("visible", element, `use \`select_option\` on ${describe(select)}`));
}

/** Where to click to reach the element itself. */
async function aimAt(element, arg) {
  if (!arg.force) {
    requireVisible(element);
    if (!arg.for) requireEnabled(element);
  }
  const animated = arg.force ? false : await settle(element);
  if (!dom.isConnected(element)) throw new Stop(noneFound(arg));
  const reached = (hit) => reaches(hit, element);
  return { target: element, reached, point: clickPoint(element, arg, reached), animated };
}

async function plainAim(element, arg) {
  try {
    return await aimAt(element, arg);
  } catch (error) {
    if (!(error instanceof Stop) || arg.for) throw error;
    const { state, detail } = error.result;
    const unseen = state === "visible" || state === "in view" || (state === "hit" && !detail.startsWith("covered"));
    const label = unseen ? visibleLabels(element)[0] : undefined;
    if (!label) throw error;
    const name = cut(fold(shownText(label)), NAME_LENGTH);
    const which = name ? `its label \`${name}\`` : `its label ${describe(label)}`;
    throw new Stop(missing(state, element, `${which} is visible: use \`check\`, or click the label`));
  }
}

/** Tries the control and then its labels; of several failures, tells the one of what a person could see. */
async function controlAim(control, arg) {
  if (!arg.force) requireEnabled(control);
  const failures = [];
  const checked = { ...arg, force: false };
  for (const aim of [
    () => aimAt(control, checked),
    ...visibleLabels(control).map((label) => () => aimAtLabel(label, control)),
  ]) {
    try {
      return await aim();
    } catch (error) {
      if (!(error instanceof Stop)) throw error;
      failures.push(error);
    }
  }
  if (arg.force) return aimAt(control, arg);
  throw failures.find(({ result }) => result.state === "hit" || result.state === "stable") ?? failures[0];
}

/** The labels of a checkbox or radio button that show something. */
function visibleLabels(control) {
  if (!["checkbox", "radio"].includes(inputType(control))) return [];
  return labelsOf(control).filter((label) => visiblePart(label, control));
}

/** The label or, where it has no size of its own, the first thing inside of it that shows. */
function visiblePart(label, control) {
  return [label, ...elementsIn(label)].find((part) => part !== control && isVisible(part));
}

async function aimAtLabel(label, control) {
  const part = visiblePart(label, control);
  const animated = await settle(part);
  const reached = (hit) => activates(hit, label);
  return { target: label, reached, point: clickPoint(part, {}, reached), animated };
}
