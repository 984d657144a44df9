// What an element shows that its document tree doesn't say: generated content, transformed text, and whether a box
// stands apart from the text around it.

// Inline boxes that are one piece.
const ATOMIC = new Set(["audio", "canvas", "embed", "iframe", "img", "input", "object", "svg", "video"]);

/** Whether text before and after the box is separate from what is in it. */
function standsApart(element, display) {
  return (display !== "inline" && display !== "ruby") || ATOMIC.has(tagOf(element));
}

function isBlock(display) {
  return display !== "inline" && display !== "contents";
}

/** Text as `text-transform` shows it after what the sentence already says. */
function transformedText(text, style, sentence = null) {
  const transform = style.textTransform;
  if (transform === "none") return text;
  if (transform.includes("uppercase")) return text.toUpperCase();
  if (transform.includes("lowercase")) return text.toLowerCase();
  if (!transform.includes("capitalize")) return text;
  const before = sentence && !sentence.apart ? sentence.text.slice(-1) : "";
  const capitalized = (before + text).replace(/(?<![\p{L}\p{M}\p{N}_'’])\p{L}/gu, (letter) => letter.toUpperCase());
  return capitalized.slice(before.length);
}

/** What `content: "…"` adds; the alternative text after a slash wins. */
function pseudoText(element, pseudo) {
  const made = generated(element, pseudo);
  if (made === null) return "";
  return made.apart ? ` ${made.text} ` : made.text;
}

/** What a pseudo-element says: `{ text, apart }`; null when there is none. */
function generated(element, pseudo) {
  if (!mayBeStyled(element, pseudo)) return null;
  const style = getComputedStyle(element, pseudo);
  const { content } = style;
  if (content === "none" || content === "normal" || content === "") return null;
  if (style.display === "none" || style.visibility !== "visible") return null;
  const { text, alternative } = contentText(content, element, pseudo);
  return {
    text: alternative ?? transformedText(text, style),
    apart: alternative !== null || isBlock(style.display) || content.startsWith("url("),
  };
}

/** The alternative text of an element that `content: url(…) / "…"` replaces; null for all others. */
function replacedText(element, style) {
  const { content } = style;
  return content === "normal" || content === "none" ? null : contentText(content, element, null).alternative;
}

const CONTENT_PARTS =
  /"((?:[^"\\]|\\.)*)"|(counters?)\(((?:[^()"]|"(?:[^"\\]|\\.)*")*)\)|[\w-]+\((?:[^()"]|"(?:[^"\\]|\\.)*"|\([^)]*\))*\)|(open|close)-quote|(\/)/g;

/** Reads a computed `content`. Counters say nothing outside of alternative text: no one names a thing by its number. */
function contentText(content, element, pseudo) {
  let text = "";
  let alternative = null;
  for (const [, string, counter, counted, quote, slash] of content.matchAll(CONTENT_PARTS)) {
    let part = "";
    if (slash) alternative = "";
    else if (string !== undefined) part = unescaped(string);
    else if (quote) part = quotationMark(element, quote);
    else if (counter && alternative !== null) {
      const [name, ...more] = counted.split(/,\s*(?=(?:[^"]*"[^"]*")*[^"]*$)/);
      const separator = counter === "counters" ? unescaped(more.shift()?.slice(1, -1) ?? "") : null;
      part = counterText(element, pseudo, name.trim(), separator, more[0]?.trim() ?? "decimal");
    }
    if (alternative === null) text += part;
    else alternative += part;
  }
  return { text, alternative };
}

function unescaped(string) {
  return string.replace(/\\(.)/g, "$1");
}

/** Every second level of quotations has the inner marks. */
function quotationMark(element, side) {
  const marks = [...getComputedStyle(element).quotes.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, mark]) =>
    unescaped(mark),
  );
  const pairs = marks.length ? marks : ["“", "”", "‘", "’"];
  let depth = 0;
  for (let at = flatParent(element); at; at = flatParent(at)) {
    if (getComputedStyle(at, "::before").content.includes("open-quote")) depth += 1;
  }
  const index = Math.min(depth, pairs.length / 2 - 1) * 2;
  return pairs[index + (side === "open" ? 0 : 1)] ?? "";
}
