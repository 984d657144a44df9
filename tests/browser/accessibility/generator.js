// Builds a page of random but repeatable markup: elements in elements, attributes that names and roles depend on,
// references across the page, boxes of every kind. Says nothing about what is right: Chromium does.

function generate(seed, elements) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const chance = (probability) => random() < probability;
  const pick = (list) => list[Math.floor(random() * list.length)];
  const words = "save open close north river seven green table first order light paper stone cloud empty full".split(
    " ",
  );
  const text = () => Array.from({ length: 1 + Math.floor(random() * 3) }, () => pick(words)).join(" ");
  let made = 0;
  const ids = [];

  const phrasing =
    "span b i em strong small code sub sup mark q abbr del ins time kbd cite label bdi u s var data".split(" ");
  const flow = (
    "div div div p section article aside nav main header footer form fieldset ul ol dl figure blockquote address search " +
    "hgroup details menu table grid pre center dialog"
  ).split(" ");
  const interactive = "button button a a input input input select textarea img svg meter progress output".split(" ");
  const headings = "h1 h2 h3 h4 h5 h6".split(" ");
  const widgets = (
    "button link checkbox radio switch heading img group region list listbox menu menubar tablist tree toolbar " +
    "radiogroup dialog alert status note tooltip textbox searchbox slider spinbutton progressbar article banner " +
    "navigation search complementary contentinfo main figure none presentation paragraph code term definition " +
    "emphasis strong feed log timer tabpanel document application separator menuitem tab"
  ).split(" ");
  const owned = {
    list: "listitem",
    listbox: "option",
    menu: "menuitem",
    menubar: "menuitem",
    tablist: "tab",
    tree: "treeitem",
    radiogroup: "radio",
  };
  const types =
    "text text checkbox radio button submit reset range number search email tel url password color image".split(" ");
  const inlineStyles = "display:inline-block|display:inline-flex|text-transform:uppercase|opacity:0".split("|");
  const blockStyles =
    "display:flex|display:grid|display:inline-block|float:left|position:absolute|text-transform:uppercase".split("|");
  const hidings = ["display:none", "visibility:hidden"];

  const create = (tag, parent, svg = false) => {
    made += 1;
    const element = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    parent.append(element);
    return element;
  };

  const name = (element, probability) => {
    if (chance(probability)) element.setAttribute("aria-label", chance(0.1) ? " " : text());
    if (chance(probability / 2)) element.title = text();
    if (chance(probability / 2)) element.setAttribute("data-refers", "");
  };

  const decorate = (element, styles = inlineStyles) => {
    name(element, 0.12);
    if (styles === inlineStyles && chance(0.15)) {
      element.id = `e${made}`;
      ids.push(element.id);
    }
    if (chance(0.12)) element.style.cssText += pick(styles);
    else if (chance(0.03)) element.style.cssText += pick(hidings);
    if (styles === blockStyles && chance(0.04)) element.setAttribute("aria-hidden", "true");
    if (chance(0.04)) element.tabIndex = pick([0, -1]);
    if (styles === blockStyles && chance(0.15)) element.className = pick(["before", "after", "alternative"]);
  };

  const write = (parent) =>
    parent.append(document.createTextNode((chance(0.3) ? " " : "") + text() + (chance(0.3) ? " " : "")));

  const inline = (parent, depth) => {
    const count = 1 + Math.floor(random() * 3);
    for (let index = 0; index < count; index += 1) {
      if (chance(0.5) || depth > 5) write(parent);
      else if (chance(0.1)) create("br", parent);
      else if (chance(phrasing.includes(parent.localName) ? 0.05 : 0.4)) control(parent, depth + 1);
      else {
        const element = create(pick(phrasing), parent);
        decorate(element);
        if (element.localName === "label" && ids.length && chance(0.6)) element.htmlFor = pick(ids);
        if (chance(0.1))
          element.setAttribute(
            "role",
            pick(["none", "presentation", "button", "img", "group", "text", "bogus", "link"]),
          );
        inline(element, depth + 1);
      }
    }
  };

  const image = (parent) => {
    const element = create("img", parent);
    element.src = "pixel.svg";
    if (chance(0.7)) element.alt = chance(0.2) ? "" : text();
    return element;
  };

  const drawing = (parent) => {
    const element = create("svg", parent, true);
    element.setAttribute("width", 9);
    if (chance(0.5)) create("title", element, true).textContent = text();
    const shape = create(pick(["circle", "rect", "path", "g"]), element, true);
    if (chance(0.3)) shape.setAttribute("aria-label", text());
    if (chance(0.2)) element.setAttribute("role", pick(["img", "presentation"]));
    return element;
  };

  const field = (parent) => {
    const element = create("input", parent);
    element.type = pick(types);
    if (chance(0.3)) element.setAttribute("value", /number|range/.test(element.type) ? "7" : text());
    if (element.type === "password") element.removeAttribute("value");
    if (chance(0.2)) element.placeholder = text();
    if (chance(0.2)) element.checked = true;
    if (chance(0.1)) element.disabled = true;
    if (chance(0.1)) element.required = element.type === "text";
    if (element.type === "image" && chance(0.5)) element.alt = text();
    return element;
  };

  const choice = (parent) => {
    const element = create("select", parent);
    if (chance(0.2)) element.multiple = true;
    for (let index = 0; index < 2; index += 1) {
      const option = create("option", element);
      option.textContent = text();
      option.selected = chance(0.5);
    }
    return element;
  };

  const control = (parent, depth) => {
    const tag = pick(interactive);
    let element;
    if (tag === "img") element = image(parent);
    else if (tag === "svg") element = drawing(parent);
    else if (tag === "input") element = field(parent);
    else if (tag === "select") element = choice(parent);
    else element = create(tag, parent);
    decorate(element);
    if (tag === "a" && chance(0.85)) element.href = "#";
    if (tag === "button") {
      if (chance(0.15)) element.setAttribute("aria-pressed", pick(["true", "false", "mixed"]));
      if (chance(0.15)) element.setAttribute("aria-expanded", pick(["true", "false"]));
      if (chance(0.1)) element.disabled = true;
    }
    if (tag === "meter") element.setAttribute("value", "0.5");
    if (tag === "textarea" && chance(0.5)) element.textContent = text();
    if (["button", "a", "output"].includes(tag)) inline(element, depth + 1);
  };

  const widget = (parent, depth) => {
    const element = create(pick(["div", "span", "div"]), parent);
    const role = pick(widgets);
    element.setAttribute("role", chance(0.05) ? `bogus ${role}` : role);
    decorate(element);
    if (/checkbox|radio|switch/.test(role)) element.setAttribute("aria-checked", pick(["true", "false"]));
    if (/slider|spinbutton|progressbar/.test(role)) element.setAttribute("aria-valuenow", "3");
    if (Object.hasOwn(owned, role)) {
      for (let index = 0; index < 2; index += 1) {
        const part = create("div", element);
        part.setAttribute("role", owned[role]);
        decorate(part);
        if (role === "radiogroup") part.setAttribute("aria-checked", "true");
        inline(part, depth + 2);
      }
    } else if (chance(0.3)) block(element, depth + 1);
    else inline(element, depth + 1);
  };

  const rows = (table, grid) => {
    for (let index = 0; index < 2; index += 1) {
      const row = create("tr", create("tbody", table));
      if (!grid) row.setAttribute("aria-label", text());
      for (let column = 0; column < 2; column += 1) {
        const cell = create(index === 0 ? "th" : "td", row);
        if (index === 0 && chance(0.3)) cell.scope = pick(["col", "row"]);
        inline(cell, 4);
      }
    }
  };

  const block = (parent, depth) => {
    if (depth > 6 || made > elements) return inline(parent, depth);
    if (chance(0.15)) return widget(parent, depth);
    if (chance(0.2)) {
      const heading = create(pick(headings), parent);
      decorate(heading, blockStyles);
      return inline(heading, depth + 1);
    }
    if (chance(0.25)) return inline(parent, depth);
    const tag = pick(flow);
    const element = create(tag === "grid" ? "table" : tag, parent);
    decorate(element, blockStyles);
    switch (tag) {
      case "ul":
      case "ol":
      case "menu":
        if (chance(0.15)) element.setAttribute("role", pick(["list", "menu", "listbox", "group"]));
        for (let index = 0; index < 3; index += 1) {
          const item = create("li", element);
          decorate(item);
          block(item, depth + 2);
        }
        break;
      case "dl":
        for (const part of ["dt", "dd"]) inline(create(part, element), depth + 1);
        break;
      case "fieldset":
        if (chance(0.7)) inline(create("legend", element), depth + 1);
        if (chance(0.2)) element.disabled = true;
        block(element, depth + 1);
        break;
      case "figure":
        image(element);
        if (chance(0.6)) inline(create("figcaption", element), depth + 1);
        break;
      case "details":
        inline(create("summary", element), depth + 1);
        element.open = chance(0.5);
        block(element, depth + 1);
        break;
      case "table":
      case "grid":
        element.border = 1;
        element.style.cssText = "";
        if (tag === "grid") element.setAttribute("role", "grid");
        if (chance(0.5)) inline(create("caption", element), depth + 1);
        rows(element, tag === "grid");
        break;
      case "dialog":
        element.open = chance(0.7);
      // falls through
      default:
        block(element, depth + 1);
        if (chance(0.6)) block(element, depth + 1);
    }
  };

  const style = document.createElement("style");
  style.textContent =
    '.before::before{content:"pre "}.after::after{content:" post"}.alternative::before{content:"*" / "star"}';
  document.head.append(style);
  while (made < elements) block(document.body, 0);
  for (const element of document.querySelectorAll("[data-refers]")) {
    element.removeAttribute("data-refers");
    const targets = Array.from({ length: 1 + Math.floor(random() * 2) }, () => (chance(0.1) ? "nowhere" : pick(ids)));
    element.setAttribute("aria-labelledby", targets.join(" "));
  }
}
