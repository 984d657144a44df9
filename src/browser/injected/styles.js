// Which elements the style sheets give what a page's text depends on: `::before` and `::after`, a pointer over what
// can be clicked, text that is shown otherwise than written.
//
// Asking for the style of each of thousands of elements is slow. After the first few, the rules are read once: they
// tell the elements that can't have what is asked for.

const ASKED_FIRST = 60;
const MAX_RULES = 4000;
const MAX_SELECTORS = 60;
const CHANGED_TEXT =
  ["text-transform", "content"].map((name) => `[style*="${name}"]`).join(", ") + ", [hidden=until-found]";
// Where these stand, a selector without its pseudo-element, or outside of its rule, means something else.
const BOUND = /&|:scope|:host|::slotted|::part/;

/** Whether the cursor over the element is a pointer where it isn't one over its parent. */
function beginsPointer(element) {
  const mayBegin = mayBeStyled(element, "pointer") || dom.hasAttribute(element, "style");
  return mayBegin && getComputedStyle(element).cursor === "pointer";
}

/** Whether the text of an element is shown as it is written. */
function showsPlainText(element) {
  if (!mayBeStyled(element, "text")) return true;
  const style = getComputedStyle(element);
  return style.textTransform === "none" && style.contentVisibility !== "hidden" && !addsContent(style.content);
}

/** Whether a rule may give the element a pseudo-element, a `pointer`, or may change how its `text` is shown. */
function mayBeStyled(element, what) {
  memo.stylesAsked += 1;
  if (memo.stylesAsked <= ASKED_FIRST) return true;
  memo.styled ??= { ...styledElements(), shadows: shadowRootsIn(document).length > 0 };
  const possible = memo.styled[what];
  if (!possible || (possible.size > 0 && possible.has(element))) return true;
  // Shadow trees have style sheets of their own.
  return memo.styled.shadows && dom.getRootNode(element) !== document;
}

/** The document's elements that a rule gives a pseudo-element's text or a pointer; what the rules can't tell is left out. */
function styledElements() {
  // The browser's own sheet puts quotation marks around `q`.
  const read = { rules: 0, "::before": ["q"], "::after": ["q"], pointer: [], text: false };
  const sheets = [...document.styleSheets, ...document.adoptedStyleSheets];
  const styled = {};
  try {
    if (!sheets.every((sheet) => sheet.disabled || readRules(sheet.cssRules, read))) return styled;
    for (const what of ["::before", "::after", "pointer"]) {
      const css = read[what].join(", ");
      if (read[what].length <= MAX_SELECTORS) styled[what] = new Set(css ? queryAll(document, css) : []);
    }
    // What changes text is inherited, so that a rule somewhere means anywhere.
    if (!read.text && !queryAll(document, CHANGED_TEXT).length) styled.text = new Set();
  } catch {
    return {}; // a sheet of another origin keeps its rules to itself
  }
  return styled;
}

/** Whether these rules, with those inside of them, could be read as selectors of plain elements. */
function readRules(rules, read) {
  for (const rule of rules) {
    read.rules += 1;
    if (read.rules > MAX_RULES) return false;
    if (rule.styleSheet && !readRules(rule.styleSheet.cssRules, read)) return false;
    if (!(rule instanceof CSSStyleRule)) {
      if (rule.cssRules && !readRules(rule.cssRules, read)) return false;
      // Declarations of their own, nested in a rule or a scope.
      if (rule.style && addsAnything(rule.style)) return false;
      continue;
    }
    // What is nested may add to it, and has selectors that mean something by it.
    if (rule.cssRules.length) return false;
    if (!addsAnything(rule.style)) continue;
    if (BOUND.test(rule.selectorText) || !isPlainParent(rule.parentRule)) return false;
    for (const selector of splitTopLevel(rule.selectorText, ",")) readSelector(selector, rule.style, read);
  }
  return true;
}

function readSelector(selector, style, read) {
  const parts = /^(.*?)::?(before|after)$/i.exec(selector);
  if (parts && addsContent(style.content)) {
    read[`::${parts[2].toLowerCase()}`].push(/[\s>+~]$|^$/.test(parts[1]) ? `${parts[1]}*` : parts[1]);
  }
  if (selector.includes("::")) return;
  if (style.cursor) read.pointer.push(selector);
  if (changesText(style)) read.text = true;
}

function isPlainParent(rule) {
  if (!rule) return true;
  return (rule instanceof CSSConditionRule || rule instanceof CSSLayerBlockRule) && isPlainParent(rule.parentRule);
}

function addsAnything(style) {
  return addsContent(style.content) || Boolean(style.cursor) || changesText(style);
}

function changesText({ content, textTransform, contentVisibility }) {
  return addsContent(content) || Boolean(textTransform) || Boolean(contentVisibility);
}

function addsContent(content) {
  return !["", '""', "none", "normal"].includes(content);
}
