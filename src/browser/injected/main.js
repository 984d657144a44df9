// The door to the host: `__repertoire.call(method, arg)`, `__repertoire.element(token)` and `__repertoire.adopt(root)`.
//
// The bundle is one function scope; the host concatenates its files in the order in which they use each other.
// Expected states of a page are results; exceptions mean that the host has called wrongly.

const methods = {
  prepareClick,
  verifyClick,
  verifyDrag,
  verifyDrop,
  prepareWheel,
  verifyWheel,
  fill,
  verifyFill,
  focus: focusElement,
  checkState,
  selectOption,
  prepareUpload,
  read,
  count,
  state,
  look,
  scroll,
  box,
  locate,
  enter: enterFrame,
  outward,
  selectorFor,
  survey,
  snapshot,
  text: pageText,
};

function resultOf(error) {
  if (error instanceof Stop) return error.result;
  throw error;
}

/** Page text may hold half of a surrogate pair, which is no text to the host; the result is changed in place. */
function wellFormed(value) {
  if (typeof value === "string") return value.toWellFormed();
  if (Array.isArray(value) && typeof value[0] === "number") return value;
  if (value !== null && typeof value === "object") for (const key in value) value[key] = wellFormed(value[key]);
  return value;
}

function call(method, arg = {}) {
  if (!Object.hasOwn(methods, method)) throw new TypeError(`unknown method \`${method}\``);
  forget();
  testidAttribute = arg.testid_attribute ?? "data-testid";
  try {
    const result = methods[method](arg);
    return result instanceof Promise ? result.catch(resultOf).then(wellFormed) : wellFormed(result);
  } catch (error) {
    return wellFormed(resultOf(error));
  }
}

// An evaluation in a world that has the bundle already must not restart its refs.
if (!Object.hasOwn(globalThis, "__repertoire")) {
  listenForPointerEvents();
  globalThis.__repertoire = Object.freeze({ call, element: (token) => tokens.get(token), adopt });
}
