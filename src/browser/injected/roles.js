// ARIA roles: explicit ones, the implicit ones of HTML and SVG, and how presentation resolves.
// https://www.w3.org/TR/wai-aria-1.2/ · https://www.w3.org/TR/html-aam-1.0/

const ROLES = new Set(
  (
    "alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox " +
    "comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic " +
    "graphics-document graphics-object graphics-symbol grid gridcell group heading img insertion link list listbox " +
    "listitem log main mark marquee math menu menubar menuitem menuitemcheckbox menuitemradio meter navigation none " +
    "note option paragraph progressbar radio radiogroup region row rowgroup rowheader scrollbar search searchbox " +
    "separator slider spinbutton status strong subscript suggestion superscript switch tab table tablist tabpanel " +
    "term textbox time timer toolbar tooltip tree treegrid treeitem"
  ).split(" "),
);

const ROLE_SYNONYMS = { presentation: "none", image: "img" };

// Elements whose role depends on nothing but their name.
const PLAIN_ROLES = {
  address: "group",
  article: "article",
  blockquote: "blockquote",
  button: "button",
  caption: "caption",
  code: "code",
  datalist: "listbox",
  dd: "definition",
  del: "deletion",
  details: "group",
  dfn: "term",
  dialog: "dialog",
  dt: "term",
  em: "emphasis",
  fieldset: "group",
  figure: "figure",
  h1: "heading",
  h2: "heading",
  h3: "heading",
  h4: "heading",
  h5: "heading",
  h6: "heading",
  hgroup: "group",
  hr: "separator",
  html: "document",
  ins: "insertion",
  main: "main",
  mark: "mark",
  math: "math",
  menu: "list",
  meter: "meter",
  nav: "navigation",
  ol: "list",
  optgroup: "group",
  option: "option",
  output: "status",
  p: "paragraph",
  progress: "progressbar",
  s: "deletion",
  search: "search",
  strong: "strong",
  sub: "subscript",
  sup: "superscript",
  table: "table",
  textarea: "textbox",
  time: "time",
  ul: "list",
};

// Types that HTML-AAM leaves without a role (`password`, `date`…) are textboxes here: people type into them.
const INPUT_ROLES = {
  button: "button",
  checkbox: "checkbox",
  file: "button",
  image: "button",
  number: "spinbutton",
  radio: "radio",
  range: "slider",
  reset: "button",
  search: "searchbox",
  submit: "button",
};

const LISTS = new Set(["list", "directory"]);
const TABLES = new Set(["table", "grid", "treegrid"]);
const TABLE_PARTS = { thead: "rowgroup", tbody: "rowgroup", tfoot: "rowgroup", tr: "row" };
const SECTIONING = { article: "article", aside: "complementary", main: "main", nav: "navigation", section: "region" };

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
    return role;
  }
  return null;
}

function resistsPresentation(element) {
  return isFocusable(element) || GLOBAL_ARIA.some((name) => Boolean(attributeOf(element, name)));
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
  if (fold(attributeOf(element, "aria-label") ?? "") || fold(attributeOf(element, "title") ?? "")) return true;
  return referenced(element, "aria-labelledby").some(
    (target) => fold(dom.textContent(target) ?? "") !== "" || hasOwnLabel(target),
  );
}

function hasOwnLabel(element) {
  return Boolean(attributeOf(element, "aria-label") || attributeOf(element, "alt") || attributeOf(element, "title"));
}

function implicitRole(element) {
  const tag = tagOf(element);
  if (element instanceof SVGElement) {
    if (tag === "svg") return "img";
    if (tag === "a" && isLink(element)) return "link";
    if (!attributeOf(element, "aria-label")) return "generic";
    return tag === "g" ? "group" : "img";
  }
  const plain = Object.hasOwn(PLAIN_ROLES, tag) ? PLAIN_ROLES[tag] : null;
  if (plain) return plain === "caption" ? captionRole(element) : plain;
  switch (tag) {
    case "a":
    case "area":
      return isLink(element) ? "link" : "generic";
    case "aside":
      return isScoped(element, "main") && !hasNameAttribute(element) ? "generic" : "complementary";
    case "footer":
      return isScoped(element) ? "generic" : "contentinfo";
    case "header":
      return isScoped(element) ? "generic" : "banner";
    case "form":
      return hasNameAttribute(element) ? "form" : "generic";
    case "section":
      return hasNameAttribute(element) ? "region" : "generic";
    case "img":
      return attributeOf(element, "alt") === "" && !attributeOf(element, "title") && !resistsPresentation(element)
        ? "none"
        : "img";
    case "input":
      return inputRole(element);
    case "li":
      return listItemRole(element);
    case "select":
      return element.multiple || element.size > 1 ? "listbox" : "combobox";
    case "summary":
      return isDetailsSummary(element) ? "button" : "generic";
    case "tbody":
    case "tfoot":
    case "thead":
    case "tr":
    case "td":
    case "th":
      return tablePartRole(element, tag);
    case "head":
    case "link":
    case "meta":
    case "noscript":
    case "script":
    case "style":
    case "template":
    case "title":
      return "";
  }
  return "generic";
}

function inputRole(element) {
  const type = inputType(element);
  if (type === "hidden") return "";
  const takesList = ["email", "search", "tel", "text", "url"].includes(type);
  if (takesList && element.list) return "combobox";
  return INPUT_ROLES[type] ?? "textbox";
}

/** Whether sectioning content (but for `except`) encloses the element, so that it is no landmark of the page. */
function isScoped(element, except = "") {
  for (let at = flatParent(element); at; at = flatParent(at)) {
    const role = explicitRole(at) ?? SECTIONING[tagOf(at)];
    if (role && role !== except && Object.values(SECTIONING).includes(role)) return true;
  }
  return false;
}

function listItemRole(element) {
  const parent = flatParent(element);
  const role = parent ? roleOf(parent) : "";
  if (role === "none") return "none";
  // A list that was given another role takes its items' role along; one astray keeps it, as browsers have it.
  return LISTS.has(role) || !parent || !dom.matches(parent, "ul, ol, menu") ? "listitem" : "generic";
}

function captionRole(element) {
  const table = dom.closest(element, "table");
  return table && roleOf(table) === "none" ? "none" : "caption";
}

function tablePartRole(element, tag) {
  const table = dom.closest(element, "table");
  if (!table) return "generic";
  const tableRole = roleOf(table);
  if (tableRole === "none") return "none";
  if (!TABLES.has(tableRole)) return "generic";
  if (TABLE_PARTS[tag]) return TABLE_PARTS[tag];
  if (tag === "th") return headerCellRole(element, tableRole);
  return tableRole === "table" ? "cell" : "gridcell";
}

/** A `th` without `scope` heads its row when data cells stand beside it, otherwise its column. */
function headerCellRole(element, tableRole) {
  switch ((attributeOf(element, "scope") ?? "").toLowerCase()) {
    case "col":
    case "colgroup":
      return "columnheader";
    case "row":
    case "rowgroup":
      return "rowheader";
  }
  const isData = (cell) => cell !== null && tagOf(cell) === "td" && fold(dom.textContent(cell)) !== "";
  const before = dom.previousElementSibling(element);
  const after = dom.nextElementSibling(element);
  if (!before && !after && element.closest("table").rows.length < 2) return tableRole === "table" ? "cell" : "gridcell";
  return isData(before) || isData(after) ? "rowheader" : "columnheader";
}
