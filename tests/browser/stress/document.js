// In every document of the stress test: keeps a log of the events that reach the page, builds the shadow roots and
// sets the hazards off.

const TYPES = ["pointerdown", "mousedown", "pointerup", "mouseup", "click", "dblclick", "auxclick", "contextmenu", "input", "change", "mouseover"];
const log = [];
const logged = new WeakSet();
const closedHosts = new WeakSet();
const children = new Set();
const questions = new Map();

function nameOf(node) {
  for (; node; node = node.parentNode ?? node.host) if (node.id) return node.id;
  return "document";
}

function note(event) {
  const target = event.composedPath()[0];
  // A closed root's own listener knows more.
  if (logged.has(event) || closedHosts.has(target)) return;
  logged.add(event);
  log.push(`${event.type} ${nameOf(target)}`);
}

function listen(root) {
  for (const type of TYPES) root.addEventListener(type, note, true);
}

/** Takes the log of this document and of all documents in it. */
async function collect() {
  const inner = [...children].filter((child) => !child.closed).map((child) => new Promise((answer) => {
    const question = Math.random();
    questions.set(question, answer);
    child.postMessage({ question }, "*");
  }));
  // What is in a document is asked first, so that nothing is between its log and ours.
  const logs = await Promise.all(inner);
  return log.splice(0).concat(...logs);
}

addEventListener("message", async ({ data, source }) => {
  if (data.hello) children.add(source);
  else if (data.answer) questions.get(data.answer)(data.log);
  else if (data.question) source.postMessage({ answer: data.question, log: await collect() }, "*");
});

const after = (milliseconds, act) => setTimeout(act, milliseconds);

function cover(element, milliseconds) {
  const cover = document.createElement("div");
  cover.id = `cover-${element.id}`;
  cover.style.cssText = "position: absolute; inset: 0; background: #888a; z-index: 5";
  element.closest(".cell").append(cover);
  if (milliseconds) after(milliseconds, () => cover.remove());
}

/** A copy in the element's place, as frameworks make that render anew. */
function renew(element) {
  const copy = element.cloneNode(true);
  element.replaceWith(copy);
  return copy;
}

const HAZARDS = {
  covered: (element) => cover(element),
  "uncovered-soon": (element) => cover(element, 120),
  "shown-soon": (element) => {
    element.style.display = "none";
    after(80, () => (element.style.display = ""));
  },
  "there-soon": (element) => {
    const place = document.createComment("");
    element.replaceWith(place);
    after(80, () => place.replaceWith(element));
  },
  "enabled-soon": (element) => {
    element.disabled = true;
    after(80, () => (element.disabled = false));
  },
  "renewed-for-a-while": (element) => {
    let times = 0;
    const again = () => {
      element = renew(element);
      if (++times < 12) after(15, again);
    };
    after(0, again);
  },
  // The three things that happen when the pointer is about to press.
  dodges: (element) => {
    let times = 0;
    element.addEventListener("mousemove", () => {
      if (++times <= 2) element.style.translate = times === 1 ? "0 60px" : "";
    });
  },
  "renewed-under-the-pointer": (element) => element.addEventListener("mousemove", () => renew(element), { once: true }),
  "covered-under-the-pointer": (element) => element.addEventListener("mousemove", () => cover(element, 60), { once: true }),
};

function build(root) {
  listen(root);
  for (const host of root.querySelectorAll("[data-shadow]")) {
    const shadow = host.attachShadow({ mode: host.dataset.shadow });
    if (shadow.mode === "closed") closedHosts.add(host);
    shadow.innerHTML = host.dataset.content;
    build(shadow);
  }
  for (const element of root.querySelectorAll("[data-hazard]")) {
    const hazard = element.dataset.hazard;
    element.removeAttribute("data-hazard");
    HAZARDS[hazard](element);
  }
}

if (parent !== self) parent.postMessage({ hello: true }, "*");
addEventListener("DOMContentLoaded", () => build(document));
