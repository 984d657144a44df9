// The values of CSS counters, which no interface of the browser tells. Only names whose alternative text counts
// something need them, so that pages hardly ever pay for the walk.
// https://drafts.csswg.org/css-lists-3/#auto-numbering

// prettier-ignore
const NUMERALS = [
  [1000, "m"], [900, "cm"], [500, "d"], [400, "cd"], [100, "c"], [90, "xc"], [50, "l"], [40, "xl"],
  [10, "x"], [9, "ix"], [5, "v"], [4, "iv"], [1, "i"],
];

/** What `counter(…)` or `counters(…)` shows in a pseudo-element of this element. */
function counterText(element, pseudo, name, separator, style) {
  memo.counters ??= countEverything();
  const values = memo.counters.get(element)?.[pseudo]?.get(name) ?? [0];
  const texts = values.map((value) => numeral(value, style));
  return separator === null ? texts.at(-1) : texts.join(separator);
}

/** The counters in scope of each pseudo-element that generates content: `{ "::before": Map(name → values) }`. */
function countEverything() {
  const counted = new Map();
  const scopes = new Map(); // name → the nested counters: `{ value, parent }`, innermost last
  const apply = (style, parent) => {
    for (const [name, value] of changes(style.counterReset, 0)) {
      const scope = scopes.get(name) ?? scopes.set(name, []).get(name);
      // A sibling's counter ends where the next one of the same name begins.
      if (scope.at(-1)?.parent === parent) scope.pop();
      scope.push({ value, parent });
    }
    const counterOf = (name) => {
      const scope = scopes.get(name) ?? scopes.set(name, []).get(name);
      if (!scope.length) scope.push({ value: 0, parent });
      return scope.at(-1);
    };
    for (const [name, value] of changes(style.counterIncrement, 1)) counterOf(name).value += value;
    for (const [name, value] of changes(style.counterSet, 0)) counterOf(name).value = value;
  };
  const pseudo = (element, name, record) => {
    const style = getComputedStyle(element, name);
    if (style.content === "none" || style.content === "normal" || style.display === "none") return;
    apply(style, element);
    record[name] = new Map([...scopes].map(([key, scope]) => [key, scope.map(({ value }) => value)]));
  };
  const visit = (element, parent) => {
    const style = getComputedStyle(element);
    if (style.display === "none") return;
    apply(style, parent);
    const record = {};
    pseudo(element, "::before", record);
    for (const child of flatChildren(element)) if (isElement(child)) visit(child, element);
    pseudo(element, "::after", record);
    if (record["::before"] || record["::after"]) counted.set(element, record);
    for (const scope of scopes.values()) while (scope.at(-1)?.parent === element) scope.pop();
  };
  const root = dom.documentElement(document);
  if (root) visit(root, null);
  return counted;
}

/** `item 2 page` as `[["item", 2], ["page", otherwise]]`. */
function changes(value, otherwise) {
  if (!value || value === "none") return [];
  return [...value.matchAll(/([^\s\d+-][^\s()]*|reversed\([^)]*\))(?:\s+(-?\d+))?/g)].map(([, name, number]) => [
    name,
    number === undefined ? otherwise : Number(number),
  ]);
}

function numeral(value, style) {
  const upper = style.startsWith("upper-");
  const cased = (text) => (upper ? text.toUpperCase() : text);
  if (/-(alpha|latin)$/.test(style) && value > 0) {
    let text = "";
    for (let rest = value; rest > 0; rest = Math.floor((rest - 1) / 26)) {
      text = String.fromCharCode(97 + ((rest - 1) % 26)) + text;
    }
    return cased(text);
  }
  if (/-roman$/.test(style) && value > 0 && value < 4000) {
    let rest = value;
    return cased(
      NUMERALS.map(([unit, letters]) => {
        const count = Math.floor(rest / unit);
        rest %= unit;
        return letters.repeat(count);
      }).join(""),
    );
  }
  return style === "decimal-leading-zero" && value >= 0 && value < 10 ? `0${value}` : String(value);
}
