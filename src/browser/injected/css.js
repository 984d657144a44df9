// CSS that sees through shadow roots: `article button` also finds the button in the article's shadow tree, and so does
// `article:has(button)`. Where there is nothing to see through the browser's own engine answers.

/** The elements below `scope` that match, in shadow-including document order. All of a selector lies inside the scope. */
function elementsByCss(scope, css) {
  const list = parseCss(css);
  const within = scope === document ? null : scope;
  // Only from within an element, `:scope` or a sibling of it lead out of what `querySelectorAll` returns.
  const leadsOut = within !== null && list.some((chain) => chain.leadsOut);
  const isNative = !leadsOut && !list.some((chain) => chain.isOwn) && !shadowRootsIn(scope).length;
  if (isNative && (!within || dom.getRootNode(scope) === document)) {
    return [...queryAll(scope, within ? list.map((chain) => chain.within).join(", ") : css)];
  }
  const scopeElement = within ?? dom.documentElement(document);
  const known = new Map();
  const candidates = leadsOut ? [scope, ...siblingsAfter(scope).flatMap(withDescendants), ...elementsIn(scope)] : elementsIn(scope);
  const found = candidates.filter((element) =>
    list.some((chain) => matchesChain(element, chain, { scope: scopeElement, within, known })),
  );
  return leadsOut ? inDocumentOrder(found) : found;
}

function withDescendants(element) {
  return [element, ...elementsIn(element)];
}

function siblingsAfter(element) {
  const siblings = [];
  for (let at = dom.nextElementSibling(element); at; at = dom.nextElementSibling(at)) siblings.push(at);
  return siblings;
}

// The shadow-piercing pseudo-classes; all others are the browser's to match.
const LOGICAL = new Set(["has", "is", "not", "where"]);

/** Parses a list of selectors, once the browser has accepted it; one may start with a combinator. */
function parseCss(css) {
  let list = memo.css.get(css);
  if (list) return list;
  const texts = splitTopLevel(css, ",");
  const isRelative = (text) => /^[>+~]/.test(text);
  const relative = texts.map((text) => (isRelative(text) ? `:scope ${text}` : text));
  try {
    document.createDocumentFragment().querySelector(texts.some(isRelative) ? relative.join(", ") : css);
  } catch {
    throw new Stop({ status: "invalid", message: `\`${css}\` is not a valid CSS selector` });
  }
  list = texts.map((text, index) => {
    const steps = parseChain(relative[index]);
    const hasScope = steps.some((step) => step.isScope);
    return {
      steps,
      hasScope,
      leadsOut: hasScope && !/^:scope\s*[\s>]\s*[^:>+~\s]/i.test(relative[index]),
      // In `:has()` the browser takes `:scope` for the root of the whole query.
      isOwn: /:has\([^]*:scope/i.test(text),
      within: hasScope ? relative[index] : `:scope ${text}`,
    };
  });
  memo.css.set(css, list);
  return list;
}

/** Splits `a > b:not(.x)` into `[{ css: "a" }, { combinator: ">", css: "b", logical: [{ name: "not", list }] }]`. */
function parseChain(css) {
  const steps = [];
  let combinator = null;
  for (const token of splitTopLevel(css, " >+~")) {
    if (token === ">" || token === "+" || token === "~") combinator = token;
    else if (token !== " ") {
      steps.push({ combinator: steps.length ? (combinator ?? " ") : null, ...parseCompound(token) });
      combinator = null;
    }
  }
  return steps;
}

/** Takes the logical pseudo-classes and `:scope` out of a compound selector. */
function parseCompound(css) {
  const logical = [];
  let isScope = false;
  let rest = "";
  for (const piece of splitTopLevel(css, ":")) {
    const [, name, inner] = /^:([\w-]+)\(([^]*)\)$/.exec(piece) ?? [];
    if (/^:scope(?![\w-])/i.test(piece)) {
      isScope = true;
      rest += piece.slice(":scope".length);
    } else if (name && LOGICAL.has(name.toLowerCase())) logical.push({ name: name.toLowerCase(), list: forgiving(inner) });
    else rest += piece;
  }
  return { css: rest, isScope, logical };
}

/** What `:is()` and `:where()` are given may be wrong in part, which then matches nothing. */
function forgiving(css) {
  return splitTopLevel(css, ",").flatMap((text) => {
    try {
      return parseCss(text);
    } catch {
      return [];
    }
  });
}

/**
 * Cuts at separators outside of brackets, parentheses, strings and escapes. Combinators stay as tokens, a `:` stays with
 * what follows it, `,` and `|` go.
 */
function splitTopLevel(css, separators) {
  const tokens = [];
  let depth = 0;
  let quote = "";
  let token = "";
  const push = () => {
    if (token.trim()) tokens.push(token.trim());
    token = "";
  };
  for (let index = 0; index < css.length; index += 1) {
    const char = css[index];
    if (char === "\\") {
      token += char + (css[index + 1] ?? "");
      index += 1;
    } else if (quote) {
      token += char;
      if (char === quote) quote = "";
    } else if (depth === 0 && (separators.includes(char) || (separators.includes(" ") && /\s/.test(char)))) {
      // Both colons of a pseudo-element belong to it.
      if (char !== ":" || token !== ":") push();
      if (char === ":") token += char;
      else if (char !== "," && char !== "|") tokens.push(/\s/.test(char) ? " " : char);
    } else {
      token += char;
      if (char === '"' || char === "'") quote = char;
      else if (char === "(" || char === "[") depth += 1;
      else if (char === ")" || char === "]") depth -= 1;
    }
  }
  push();
  return tokens;
}

/** Whether an element ends a chain. `scope` is what `:scope` means; without it all steps must lie `within` an element. */
function matchesChain(element, chain, context) {
  return matchesStep(element, chain, chain.steps.length - 1, context);
}

function matchesStep(element, chain, index, context) {
  // A chain over many levels would try the same again and again.
  let known = context.known.get(chain);
  if (!known) context.known.set(chain, (known = chain.steps.map(() => new Map())));
  let matches = known[index].get(element);
  if (matches === undefined) known[index].set(element, (matches = tryStep(element, chain, index, context)));
  return matches;
}

function tryStep(element, chain, index, context) {
  const step = chain.steps[index];
  if (!matchesCompound(element, step, context)) return false;
  if (index === 0) return chain.hasScope || isWithin(element, context);
  switch (step.combinator) {
    case ">": {
      const parent = composedParent(element);
      return parent !== null && matchesStep(parent, chain, index - 1, context);
    }
    case "+": {
      const before = dom.previousElementSibling(element);
      return before !== null && matchesStep(before, chain, index - 1, context);
    }
    case "~":
      for (let at = dom.previousElementSibling(element); at; at = dom.previousElementSibling(at)) {
        if (matchesStep(at, chain, index - 1, context)) return true;
      }
      return false;
    default:
      for (let at = composedParent(element); at; at = composedParent(at)) {
        if (matchesStep(at, chain, index - 1, context)) return true;
      }
      return false;
  }
}

function isWithin(element, { within }) {
  return within === null || (element !== within && composedContains(within, element));
}

function matchesCompound(element, { css, isScope, logical }, context) {
  if (isScope && element !== context.scope) return false;
  if (css && !dom.matches(element, css)) return false;
  return logical.every(({ name, list }) => {
    if (name === "has") return list.some((chain) => hasInside(element, chain));
    // What stands in parentheses may reach out of the scope.
    const open = { ...context, within: null };
    return list.some((chain) => matchesChain(element, chain, open)) !== (name === "not");
  });
}

/** `:has()`: the element is the scope, and stands before or around what is looked for. */
function hasInside(element, chain) {
  const candidates = chain.leadsOut ? siblingsAfter(element).flatMap(withDescendants) : [];
  const context = { scope: element, within: element, known: new Map() };
  return [...candidates, ...elementsIn(element)].some((inner) => matchesChain(inner, chain, context));
}
