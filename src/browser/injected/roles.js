// ARIA roles: those that a page declares, and how presentation resolves. Those of HTML and SVG are in implicit.js.
// https://www.w3.org/TR/wai-aria-1.2/ · https://w3c.github.io/aria/

const ROLES = new Set(
  (
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox " +
    "comment complementary contentinfo definition deletion dialog document emphasis feed figure form generic " +
    "graphics-document graphics-object graphics-symbol grid gridcell group heading img insertion link list listbox " +
    "listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none " +
    "note option paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox " +
    "sectionfooter sectionheader separator slider spinbutton status strong subscript suggestion superscript switch " +
    "tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid treeitem " +
    // https://www.w3.org/TR/dpub-aria-1.1/
    "doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-bibliography doc-biblioref " +
    "doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnotes " +
    "doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref doc-index " +
    "doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part " +
    "doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc"
  ).split(" "),
);

const ROLE_SYNONYMS = { directory: "list", image: "img", presentation: "none" };

const GLOBAL_ARIA = (
  "atomic busy controls current describedby details dropeffect flowto grabbed keyshortcuts label labelledby live " +
  "owns relevant roledescription"
)
  .split(" ")
  .map((name) => `aria-${name}`);

/** The element's role; `generic` for none in particular, `none` for presentational ones, "" for what has no semantics. */
function roleOf(element) {
  const known = memo.roles.get(element);
  if (known !== undefined) return known;
  const role = explicitRole(element) ?? implicitRole(element);
  memo.roles.set(element, role);
  return role;
}

function canonicalRole(token) {
  const role = token.toLowerCase();
  return ROLE_SYNONYMS[role] ?? role;
}

function explicitRole(element) {
  const tokens = attributeOf(element, "role");
  if (!tokens) return null;
  for (const token of tokens.split(/\s+/)) {
    const role = canonicalRole(token);
    if (!ROLES.has(role)) continue;
    // A focusable or otherwise meaningful element can't be declared presentational (conflict resolution).
    if (role === "none" && resistsPresentation(element)) return null;
    // A landmark without a name is no landmark.
    if ((role === "region" || role === "form") && !hasNameAttribute(element)) continue;
    // What a role requires around it (an option its listbox) is its author's business: the element means what it says.
    return role;
  }
  return null;
}

function resistsPresentation(element) {
  return isFocusable(element) || GLOBAL_ARIA.some((name) => !isBlank(attributeOf(element, name)));
}

function isFocusable(element) {
  if (Number.isInteger(parseInt(attributeOf(element, "tabindex") ?? "", 10))) return !isNativelyDisabled(element);
  switch (tagOf(element)) {
    case "a":
    case "area":
      return isLink(element);
    case "button":
    case "select":
    case "textarea":
      return !isNativelyDisabled(element);
    case "input":
      return inputType(element) !== "hidden" && !isNativelyDisabled(element);
    case "iframe":
      return true;
    case "summary":
      return isDetailsSummary(element);
    case "audio":
    case "video":
      return dom.hasAttribute(element, "controls");
  }
  return isEditingHost(element);
}

function isLink(element) {
  return dom.hasAttribute(element, "href") || dom.hasAttribute(element, "xlink:href");
}

/** The summary that opens its `details`: the first one among its children. */
function isDetailsSummary(element) {
  const details = dom.parentElement(element);
  if (!(details instanceof HTMLDetailsElement)) return false;
  let first = dom.firstElementChild(details);
  while (first && tagOf(first) !== "summary") first = dom.nextElementSibling(first);
  return first === element;
}

function hasNameAttribute(element) {
  if (["aria-label", "title"].some((name) => !isBlank(attributeOf(element, name)))) return true;
  return referenced(element, "aria-labelledby").some(
    (target) => !isBlank(dom.textContent(target)) || hasOwnLabel(target),
  );
}

function hasOwnLabel(element) {
  return Boolean(attributeOf(element, "aria-label") || attributeOf(element, "alt") || attributeOf(element, "title"));
}
