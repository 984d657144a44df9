// Near misses: when nothing matches, what the caller probably meant, and why it was no match.

const NEAR_LIMIT = 3;

/** `{ status: "none", near }`, where `near` is filled only on request. */
function noneFound(arg) {
  return { status: "none", near: arg.near ? nearMisses(arg.selector) : [] };
}

function nearMisses(parts) {
  let current = null;
  for (const part of parts) {
    const next = applyPart(part, current, document);
    if (!next.length) return rank(missesOf(part, current));
    current = next;
  }
  return [];
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

/** Candidates for the part that found nothing: `{ element, score, why }`. */
function missesOf(part, current) {
  const scopes = current ?? [document];
  const all = () => [...new Set(scopes.flatMap((scope) => elementsIn(scope)))];
  switch (part.kind) {
    case "role":
      return roleMisses(part, all());
    case "text":
      return all().flatMap((element) =>
        isFormField(element) ? [] : byText(element, ownText(element), part.text, "text"),
      );
    case "label":
      return all().flatMap((element) =>
        labelTexts(element).flatMap((label) => byText(element, label, part.text, "label")),
      );
    case "placeholder":
    case "alt":
    case "title":
      return all().flatMap((element) => byText(element, attributeOf(element, part.kind) ?? "", part.text, part.kind));
    case "testid":
      return all().flatMap((element) =>
        byText(element, attributeOf(element, part.attribute) ?? "", part.text, part.attribute),
      );
    case "css":
      return cssMisses(part.css, all());
    case "visible":
      return scopes.filter(isElement).map((element) => ({ element, score: 1, why: "not visible" }));
    case "has-text":
      return scopes
        .filter(isElement)
        .map((element) => ({ element, score: 0.6, why: `its text is \`${cut(fold(valueFreeText(element)), 40)}\`` }));
    case "nth":
      return scopes.filter(isElement).map((element, index) => ({ element, score: 0.6, why: `it is nth:${index}` }));
  }
  return [];
}

function valueFreeText(element) {
  return isTypedInto(element) ? "" : ownText(element) || valueFreeName(element);
}

function roleMisses(part, elements) {
  const role = canonicalRole(part.role);
  const matches = part.name ? textMatcher(part.name) : () => true;
  const misses = [];
  for (const element of elements) {
    const actual = roleOf(element);
    if (actual === "generic" && !part.name) continue;
    const name = valueFreeName(element);
    const named = matches(name);
    const hidden = isHiddenForAria(element);
    if (actual === role && named) {
      const state = Object.keys(STATE_READERS).find((key) => !statesMatch(element, { [key]: part[key] }));
      const actualState = state && STATE_READERS[state](element);
      const likeness = part.name ? similarity(name, part.name.text) / 10 : 0;
      if (state)
        misses.push({
          element,
          score: (actualState === null ? 0.6 : 0.9) + likeness,
          why: `${state} is \`${actualState ?? "not set"}\``,
        });
      else if (hidden) misses.push({ element, score: 0.9, why: whyHidden(element) });
    } else if (!hidden && actual === role) {
      const score = part.name.match === "regex" ? 0.5 : Math.max(similarity(name, part.name.text), 0.5);
      misses.push({ element, score, why: name ? `name is \`${cut(name, 40)}\`` : "it has no name" });
    } else if (!hidden && part.name) {
      if (named && name) misses.push({ element, score: 0.95, why: `role is \`${actual}\`` });
      else if (actual === "generic" && matches(ownText(element)) && ownText(element)) {
        misses.push({ element, score: 0.85, why: "it has the text, but no such role" });
      }
    }
  }
  return misses;
}

function whyHidden(element) {
  const hiding = hidingElement(element);
  if (!hiding) return "hidden";
  if (composedContains(hiding, element)) return `hidden from assistive technology by ${describe(hiding)}`;
  return `behind the open ${describe(hiding)}`;
}

function byText(element, raw, wanted, what) {
  const actual = fold(raw);
  if (!actual || (isTypedInto(element) && what === "text")) return [];
  const score =
    wanted.match === "regex"
      ? regularExpression(wanted.text, "i").test(actual)
        ? 0.9
        : 0
      : similarity(actual, wanted.text);
  return score >= 0.5 ? [{ element, score, why: `${what} is \`${cut(actual, 40)}\`` }] : [];
}

/** Elements whose id, class or name resembles one in the selector. */
function cssMisses(css, elements) {
  const wanted = [...css.matchAll(/([#.])((?:\\.|[\w-])+)/g)];
  const misses = [];
  for (const element of elements) {
    const id = attributeOf(element, "id") ?? "";
    for (const [, sigil, name] of wanted) {
      const values = sigil === "#" ? [id] : [...dom.classList(element)];
      for (const value of values) {
        const score = value ? similarity(value, name) : 0;
        if (score < 0.5) continue;
        misses.push({
          element,
          score: score * 0.9,
          why:
            value === name
              ? `\`${sigil}${value}\` is there, the rest differs`
              : `${sigil === "#" ? "id" : "class"} is \`${cut(value, 40)}\``,
        });
      }
    }
  }
  return misses;
}

/** 1 for the same text but for case, near 0 for unrelated ones. */
function similarity(left, right) {
  const a = fold(left).toLowerCase();
  const b = fold(right).toLowerCase();
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
