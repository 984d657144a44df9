// The playground's log, and all controls but the lists to drag in.
"use strict";

const playground = document.querySelector(".playground");
const output = document.getElementById("log");
const LOG_LINES = 200;

/** Writes a line into the log, and drops the oldest of too many. */
function log(line) {
  output.append(`${line}\n`);
  while (output.childNodes.length > LOG_LINES) {
    output.firstChild.remove();
  }
  output.scrollTop = output.scrollHeight;
}

function logClicks(element, name = element.textContent.trim()) {
  element.addEventListener("click", () => log(`click: ${name}`));
}

document.getElementById("clear-log").addEventListener("click", () => output.replaceChildren());

// Mouse

const double = document.querySelector("[data-testid=double]");
double.addEventListener("dblclick", () => log("dblclick: Double-click me"));

const hoverMenu = document.querySelector(".hover-menu");
hoverMenu.addEventListener("mouseenter", () => log("hover: Hover menu"));
hoverMenu.querySelectorAll("[role=menuitem]").forEach((item) => logClicks(item));

const contextArea = document.querySelector("[data-testid=context-area]");
const contextMenu = document.getElementById("context-menu");
contextArea.addEventListener("contextmenu", (event) => {
  event.preventDefault();
  log("contextmenu: area");
  contextMenu.hidden = false;
});
contextMenu.querySelectorAll("[role=menuitem]").forEach((item) => {
  logClicks(item);
  item.addEventListener("click", () => (contextMenu.hidden = true));
});
addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    contextMenu.hidden = true;
  }
});

// Text and choice

const toppings = document.getElementById("toppings");
toppings.addEventListener("change", () => {
  log(`select: ${[...toppings.selectedOptions].map((option) => option.label).join(", ") || "none"}`);
});

const note = document.getElementById("note");
note.addEventListener("input", () => log(`note: ${note.textContent}`));

const typed = document.getElementById("typed");
for (const kind of ["focus", "keydown", "input", "change", "blur"]) {
  typed.addEventListener(kind, (event) => log(`${kind}: ${kind === "keydown" ? event.key : typed.value}`));
}

const shortcuts = document.getElementById("shortcut-target");
shortcuts.addEventListener("keydown", (event) => {
  if (["Control", "Shift", "Alt", "Meta"].includes(event.key)) {
    return;
  }
  const held = [event.ctrlKey && "Control", event.shiftKey && "Shift", event.altKey && "Alt", event.metaKey && "Meta"];
  log(`keys: ${[...held.filter(Boolean), event.key].join("+")}`);
  if (event.ctrlKey && event.key === "s") {
    event.preventDefault();
    log("saved");
  }
});

document.querySelectorAll("[name=size]").forEach((radio) => {
  radio.addEventListener("change", () => log(`size: ${radio.value}`));
});

// Time

const late = Number(playground.dataset.ms);
const soonEnabled = document.getElementById("soon-enabled");
const soonGone = document.getElementById("soon-gone");
const moving = document.getElementById("moving");
[soonEnabled, soonGone, moving].forEach((button) => logClicks(button));

const movement = moving.animate([{ transform: "none" }, { transform: "translateX(12rem)" }], {
  duration: 400,
  direction: "alternate",
  iterations: Infinity,
});

setTimeout(() => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "button quiet";
  button.textContent = "Here at last";
  button.dataset.testid = "late";
  logClicks(button);
  document.getElementById("late").append(button);
  soonEnabled.disabled = false;
  soonGone.remove();
  movement.cancel();
  log("late: done");
}, late);

// Dialogs

const dialogs = {
  alert: () => alert("The shop is open."),
  confirm: () => confirm("Cancel the order?"),
  prompt: () => prompt("What is your name?", "Ada"),
};
document.querySelectorAll("[data-dialog]").forEach((button) => {
  const kind = button.dataset.dialog;
  button.addEventListener("click", () => log(`${kind}: ${JSON.stringify(dialogs[kind]() ?? null)}`));
});

// Scrolling

document.querySelector("[data-testid=scroll-box]").addEventListener("scrollend", (event) => {
  log(`scrolled: ${Math.round(event.target.scrollTop)}`);
});
logClicks(document.querySelector("[data-testid=bottom]"));
