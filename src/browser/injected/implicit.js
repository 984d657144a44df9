// The roles that HTML and SVG give their elements, with the contexts they depend on.
// https://www.w3.org/TR/html-aam-1.0/ · https://www.w3.org/TR/svg-aam-1.0/

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
  dir: "list",
  dt: "term",
  em: "emphasis",
  fieldset: "group",
  figure: "figure",
  form: "form",
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

const TABLES = new Set(["table", "grid", "treegrid"]);
const ROW_GROUPS = new Set(["tbody", "tfoot", "thead"]);
const SECTIONING = { article: "article", aside: "complementary", main: "main", nav: "navigation", section: "region" };

const SVG_ROLES = {
  circle: "graphics-symbol",
  ellipse: "graphics-symbol",
  g: "group",
  image: "img",
  line: "graphics-symbol",
  path: "graphics-symbol",
  polygon: "graphics-symbol",
  polyline: "graphics-symbol",
  rect: "graphics-symbol",
  use: "graphics-object",
};

function implicitRole(element) {
  const tag = tagOf(element);
  if (element instanceof SVGElement) return svgRole(element, tag);
  if (Object.hasOwn(PLAIN_ROLES, tag)) return PLAIN_ROLES[tag];
  switch (tag) {
    case "a":
      // An anchor that answers clicks is what its author uses as a link.
      return isLink(element) || dom.hasAttribute(element, "onclick") ? "link" : "generic";
    case "area":
      return isLink(element) ? "link" : "generic";
    case "aside":
      return isScoped(element, "main") && !hasNameAttribute(element) ? "generic" : "complementary";
    case "footer":
      return isScoped(element) ? "sectionfooter" : "contentinfo";
    case "header":
      return isScoped(element) ? "sectionheader" : "banner";
    case "section":
      return hasNameAttribute(element) ? "region" : "generic";
    case "img":
      return attributeOf(element, "alt") === "" && !resistsPresentation(element) ? "none" : "img";
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
  // What opens over the page is at least a group, so that its beginning and end can be told.
  return dom.hasAttribute(element, "popover") ? "group" : "generic";
}

/** https://www.w3.org/TR/svg-aam-1.0/: shapes and groups matter once someone has named or could reach them. */
function svgRole(element, tag) {
  if (tag === "svg" && !(dom.parentElement(element) instanceof SVGElement)) return "img";
  if (tag === "a") return isLink(element) ? "link" : "generic";
  const role = tag === "svg" ? "group" : Object.hasOwn(SVG_ROLES, tag) ? SVG_ROLES[tag] : "generic";
  const matters = hasNameAttribute(element) || !isBlank(svgTitle(element)) || isFocusable(element);
  return matters ? role : "generic";
}

function svgTitle(element) {
  for (let child = dom.firstElementChild(element); child; child = dom.nextElementSibling(child)) {
    if (tagOf(child) === "title") return dom.textContent(child);
  }
  return null;
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
  return role === "list" || !parent || !dom.matches(parent, "ul, ol, menu") ? "listitem" : "generic";
}

function tablePartRole(element, tag) {
  const table = dom.closest(element, "table");
  if (!table) return "generic";
  const tableRole = roleOf(table);
  if (tableRole === "none") return "none";
  if (!TABLES.has(tableRole)) return "generic";
  if (ROW_GROUPS.has(tag)) return "rowgroup";
  // A row or cell is one only as long as what holds it still is a part of the table.
  const parent = dom.parentElement(element);
  if (parent !== table && roleOf(parent) !== (tag === "tr" ? "rowgroup" : "row")) return "generic";
  if (tag === "tr") return "row";
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
  const isData = (cell) => cell !== null && tagOf(cell) === "td" && !isBlank(dom.textContent(cell));
  const before = dom.previousElementSibling(element);
  const after = dom.nextElementSibling(element);
  if (!before && !after && element.closest("table").rows.length < 2) return tableRole === "table" ? "cell" : "gridcell";
  return isData(before) || isData(after) ? "rowheader" : "columnheader";
}
