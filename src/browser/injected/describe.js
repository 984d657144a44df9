// Naming elements to people: a short markup that never contains what was typed into a field.

const DESCRIPTION_LENGTH = 80;

/** `<button#pay.primary "Pay now">`, at most 80 characters. */
function describe(element) {
  const id = attributeOf(element, "id");
  const firstClass = dom.classList(element)[0];
  const type = inputType(element);
  let head = tagOf(element);
  if (type && type !== "text") head += `[type=${type}]`;
  if (id) head += `#${cut(id, 30)}`;
  if (firstClass) head += `.${cut(firstClass, 30)}`;
  const label = shortLabel(element);
  const room = DESCRIPTION_LENGTH - head.length - 5;
  return label && room > 4 ? `<${head} "${cut(label, room)}">` : `<${cut(head, DESCRIPTION_LENGTH - 2)}>`;
}

/** The accessible name, else a field's placeholder, an iframe's address or the own text. */
function shortLabel(element) {
  const attribute = (name) => fold(attributeOf(element, name) ?? "");
  const source = holdsFrame(element) ? attribute("src") : "";
  return valueFreeName(element) || attribute("placeholder") || source || ownText(element);
}

/** The text directly inside of an element, except where people type. */
function ownText(element) {
  if (hasNoText(element) || element instanceof HTMLTextAreaElement || isTypedInto(element)) return "";
  let text = "";
  for (let child = dom.firstChild(element); child; child = dom.nextSibling(child))
    if (dom.nodeType(child) === 3) text += child.data;
  return fold(text);
}

function isTypedInto(element) {
  if (isHtml(element) && dom.isContentEditable(element)) return true;
  return ["textbox", "searchbox"].includes(roleOf(element));
}

function isFormField(element) {
  return dom.matches(element, "input, textarea, select, meter, progress, output");
}
