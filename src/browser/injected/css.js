// CSS that sees through open shadow roots: `article button` also finds the button in the article's shadow tree.

/** The elements below `scope` that match, in shadow-including document order. */
function elementsByCss(scope, css) {
  const relative = /^\s*[>+~]/.test(css) ? `:scope ${css}` : css;
  let found;
  try {
    found = [...queryAll(scope, relative)];
  } catch {
    throw new Stop({ status: "invalid", message: `\`${css}\` is not a valid CSS selector` });
  }
  if (!shadowRootsIn(scope).length && (scope === document || dom.getRootNode(scope) === document)) return found;
  // `:scope` can't be matched element by element, and only means the scope's own tree.
  if (relative.includes(":scope")) return found;
  const chains = splitTopLevel(relative, ",").map(parseChain);
  return elementsIn(scope).filter((element) => chains.some((chain) => matchesChain(element, chain, chain.length - 1)));
}

/** Splits `a > b c` into `[{ css: "a" }, { combinator: ">", css: "b" }, { combinator: " ", css: "c" }]`. */
function parseChain(css) {
  const chain = [];
  let combinator = null;
  for (const token of splitTopLevel(css, " >+~")) {
    if (token === ">" || token === "+" || token === "~") combinator = token;
    else if (token !== " ") {
      chain.push({ combinator: chain.length ? (combinator ?? " ") : null, css: token });
      combinator = null;
    }
  }
  return chain;
}

/** Cuts at separators outside of brackets, parentheses, strings and escapes; combinators stay as tokens. */
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
      push();
      if (char !== ",") tokens.push(/\s/.test(char) ? " " : char);
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

function matchesChain(element, chain, index) {
  if (!dom.matches(element, chain[index].css)) return false;
  if (index === 0) return true;
  switch (chain[index].combinator) {
    case ">": {
      const parent = composedParent(element);
      return parent !== null && matchesChain(parent, chain, index - 1);
    }
    case "+": {
      const before = dom.previousElementSibling(element);
      return before !== null && matchesChain(before, chain, index - 1);
    }
    case "~":
      for (let at = dom.previousElementSibling(element); at; at = dom.previousElementSibling(at)) {
        if (matchesChain(at, chain, index - 1)) return true;
      }
      return false;
    default:
      for (let at = composedParent(element); at; at = composedParent(at)) {
        if (matchesChain(at, chain, index - 1)) return true;
      }
      return false;
  }
}
