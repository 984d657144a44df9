// Near misses: when nothing matches, what the caller probably meant, and why it was no match.

const NEAR_LIMIT = 3;
const FRAME_LIMIT = 20;
// A page of many thousand elements is not looked through to its end.
const NEAR_BUDGET_MS = 300;

/** `{ status: "none", near }`, where `near` is filled only on request. */
function noneFound(arg) {
  return { status: "none", near: arg.near ? nearMisses(arg.selector) : [] };
}

function nearMisses(parts) {
  let current = null;
  for (const part of parts) {
    const next = applyPart(part, current, document);
    if (!next.length) return rank([...outside(part, current), ...missesOf(part, current)]);
    current = next;
  }
  return [];
}

/** What a selector finds in this document, and the iframes in which it may find more. */
function survey(arg) {
  let found = [];
  try {
    found = resolve(arg.selector);
  } catch (error) {
    if (!(error instanceof Stop)) throw error;
  }
  const told = (element) => ({ selector: uniqueSelector(element), description: describe(element) });
  const frames = elementsIn(document)
    .filter(holdsFrame)
    .slice(0, FRAME_LIMIT)
    .map((element) => ({ token: tokens.keyOf(element), selector: uniqueSelector(element), element: describe(element) }));
  return { status: "ok", found: found.slice(0, NEAR_LIMIT).map(told), frames };
}

function rank(misses) {
  const seen = new Set();
  // Where something comes close, what merely has the right role is noise.
  const least = misses.some(({ score }) => score >= 0.7) ? 0.6 : 0.5;
  return misses
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score)
    .filter(({ element }) => !seen.has(element) && seen.add(element))
    .slice(0, NEAR_LIMIT)
    .map(({ element, why }) => ({ selector: uniqueSelector(element), description: describe(element), why }));
}

/** What the part finds elsewhere in the document. */
function outside(part, current) {
  if (!current || Object.hasOwn(filters, part.kind)) return [];
  const scope = describe(current[0]);
  const where = current.length > 1 ? `${scope} and ${current.length - 1} more` : scope;
  return applyPart(part, null, document)
    .slice(0, NEAR_LIMIT)
    .map((element) => ({ element, score: 0.98, why: `it is outside of ${where}` }));
}

/** Candidates for the part that found nothing: `{ element, score, why }`. */
function missesOf(part, current) {
  const scopes = current ?? [document];
  const found = scopes.filter(isElement);
  const all = [...new Set(scopes.flatMap((scope) => elementsIn(scope)))];
  switch (part.kind) {
    case "role":
      return lookThrough(all, roleMisses(part));
    case "text":
    case "label":
    case "placeholder":
    case "alt":
    case "title":
    case "testid":
      return lookThrough(all, (element) => textMisses(part, element));
    case "css":
      return lookThrough(all, cssMisses(part.css));
    case "visible":
      return found.map((element) => ({ element, score: 1, why: `not visible${because(whyInvisible(element))}` }));
    case "has-text":
    case "has-not-text":
      return found.map((element) => ({ element, score: 0.6, why: `its text is ${shown(valueFreeText(element))}` }));
    case "has":
      return found.map((element) => ({ element, score: 0.6, why: "it holds no such element" }));
    case "has-not":
      return found.map((element) => ({ element, score: 0.6, why: "it holds such an element" }));
    case "and":
      return found.map((element) => ({ element, score: 0.6, why: "the selector in `and:` does not find it" }));
    case "layout":
      return found.map((element) => ({ element, score: 0.6, why: `it is not ${part.relation} that` }));
    case "nth":
      return found.map((element, index) => ({ element, score: 0.6, why: `it is nth:${index}` }));
  }
  return [];
}

/** All misses among the elements, as far as the time goes. */
function lookThrough(elements, missesOfOne) {
  const misses = [];
  const end = performance.now() + NEAR_BUDGET_MS;
  for (let index = 0; index < elements.length; index += 1) {
    if (index % 64 === 63 && performance.now() > end) break;
    misses.push(...missesOfOne(elements[index]));
  }
  return misses;
}

function shown(text) {
  return `\`${cut(fold(text), 40)}\``;
}

function because(reason) {
  return reason ? `: ${reason}` : "";
}

function valueFreeText(element) {
  return isTypedInto(element) ? "" : ownText(element) || valueFreeName(element) || textOf(element);
}

function roleMisses(part) {
  const role = canonicalRole(part.role);
  const matches = part.name ? textMatcher(part.name) : () => true;
  return (element) => {
    const actual = roleOf(element);
    if (actual !== role && (!part.name || !mayBeNamed(element, matches))) return [];
    const name = valueFreeName(element);
    const isHidden = isHiddenForAria(element);
    const isNamed = matches(name) || (isHidden && matches(hiddenName(element)));
    const likeness = part.name ? similarity(name, part.name.text) / 10 : 0;
    if (actual === role && isNamed) {
      const state = Object.keys(STATE_READERS).find((key) => !statesMatch(element, { [key]: part[key] }));
      if (!state) return isHidden ? [{ element, score: 0.9, why: whyHidden(element) }] : [];
      const is = STATE_READERS[state](element);
      const score = (is === null ? 0.6 : 0.9) + likeness;
      return [{ element, score, why: `${state} is \`${is ?? "not set"}\`` }];
    }
    if (isHidden) return [];
    if (actual === role) {
      const score = part.name.match === "regex" ? 0.5 : Math.max(similarity(name, part.name.text), 0.5);
      return [{ element, score, why: name ? `name is ${shown(name)}${inAnotherCase(name, part.name)}` : "it has no name" }];
    }
    if (isNamed && name) return [{ element, score: 0.95, why: `role is \`${actual}\`` }];
    const text = actual === "generic" ? ownText(element) : "";
    return text && matches(text) ? [{ element, score: 0.85, why: "it has the text, but no such role" }] : [];
  };
}

/** Whether an element's name can match, as far as can be told without computing it. */
function mayBeNamed(element, matches) {
  return (
    matches(rawTextOf(element)) ||
    isFormField(element) ||
    ["aria-label", "aria-labelledby", "title", "alt"].some((name) => dom.hasAttribute(element, name))
  );
}

/** What a hidden element would be called: hidden content has no name of its own. */
function hiddenName(element) {
  return attributeOf(element, "aria-label") ?? (isTypedInto(element) ? "" : textOf(element));
}

function inAnotherCase(actual, { match, text }) {
  return match === "exact" && comparable(actual).toLowerCase() === comparable(text).toLowerCase()
    ? ", in another case"
    : "";
}

function whyHidden(element) {
  const hiding = hidingElement(element);
  if (hiding)
    return composedContains(hiding, element)
      ? `hidden from assistive technology by ${describe(hiding)}`
      : `behind the open ${describe(hiding)}`;
  const details = composedClosest(element, "details:not([open])");
  return details ? `inside the closed ${describe(details)}` : `hidden${because(whyInvisible(element))}`;
}

/** What each kind of part compares, and what else people take for it. */
const TEXTS = {
  text: (element) => (isFormField(element) ? null : ownText(element)),
  label: (element) => labelTexts(element),
  placeholder: (element) => attributeOf(element, "placeholder"),
  alt: (element) => attributeOf(element, "alt"),
  title: (element) => attributeOf(element, "title"),
  testid: (element, part) => attributeOf(element, part.attribute),
};
const LOOKALIKES = {
  text: ["label", "placeholder", "alt", "title", "name"],
  label: ["placeholder", "title", "name"],
  placeholder: ["label", "title", "name"],
  alt: ["title", "name"],
  title: ["alt", "name"],
  testid: ["id"],
};
const OTHER_TEXTS = { ...TEXTS, name: valueFreeName, id: (element) => attributeOf(element, "id") };

function textMisses(part, element) {
  if (hasNoText(element) || (part.kind === "text" && isTypedInto(element) && !isFormField(element))) return [];
  const texts = (kind) => [OTHER_TEXTS[kind](element, part) ?? []].flat().map(fold).filter(Boolean);
  const misses = texts(part.kind).flatMap((actual) => byText(element, actual, part));
  if (misses.length || (roleOf(element) === "generic" && part.kind !== "testid")) return misses;
  const matches = textMatcher(part.text);
  const kind = LOOKALIKES[part.kind].find((other) => texts(other).some(matches));
  return kind ? [{ element, score: 0.92, why: `that is its ${kind}, not its ${part.kind}` }] : [];
}

function byText(element, actual, { kind, attribute, text: wanted }) {
  const isMatch = wanted.match === "regex" && regularExpression(wanted.text, "i").test(actual);
  const score = isMatch ? 0.9 : wanted.match === "regex" ? 0 : similarity(actual, wanted.text);
  const what = attribute ?? kind;
  return score >= 0.5 ? [{ element, score, why: `${what} is ${shown(actual)}${inAnotherCase(actual, wanted)}` }] : [];
}

/** Elements whose id, class or name resembles one in the selector. */
function cssMisses(css) {
  const wanted = [...css.matchAll(/([#.])((?:\\.|[\w-])+)/g)];
  return (element) =>
    wanted.flatMap(([, sigil, name]) => {
      const values = sigil === "#" ? [attributeOf(element, "id") ?? ""] : [...dom.classList(element)];
      return values.flatMap((value) => {
        const score = value ? similarity(value, name) * 0.9 : 0;
        if (score < 0.45) return [];
        const what = sigil === "#" ? "id" : "class";
        const why = value === name ? `\`${sigil}${value}\` is there, the rest differs` : `${what} is ${shown(value)}`;
        return [{ element, score, why }];
      });
    });
}

/** 1 for the same text but for case, near 0 for unrelated ones. */
function similarity(left, right) {
  const a = comparable(left).toLowerCase();
  const b = comparable(right).toLowerCase();
  if (a === b) return 1;
  if (!a || !b) return 0;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (long.includes(short)) return 0.6 + (0.35 * short.length) / long.length;
  const wordsA = new Set(a.split(" "));
  const wordsB = new Set(b.split(" "));
  const common = [...wordsA].filter((word) => wordsB.has(word)).length;
  const overlap = common / Math.max(wordsA.size, wordsB.size);
  return Math.max(overlap * 0.9, long.length <= 80 ? 1 - editDistance(a, b) / long.length : 0);
}

/** Levenshtein's distance, one row at a time. */
function editDistance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next[j] = Math.min(next[j - 1] + 1, row[j] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1));
    }
    row = next;
  }
  return row[b.length];
}
