// Two lists whose items can be dragged: by the browser's own drag and drop, and by following the pointer.
"use strict";

function order(list) {
  return [...list.children].map((item) => item.textContent).join(", ");
}

const nativeList = document.getElementById("native-list");
let dragged = null;

nativeList.addEventListener("dragstart", (event) => {
  dragged = event.target.closest("li");
  event.dataTransfer.setData("text/plain", dragged.textContent);
  event.dataTransfer.effectAllowed = "move";
  log(`dragstart: ${dragged.textContent}`);
});
nativeList.addEventListener("dragover", (event) => {
  if (dragged) {
    event.preventDefault();
  }
});
nativeList.addEventListener("drop", (event) => {
  const target = event.target.closest("li");
  if (dragged && target && target !== dragged) {
    event.preventDefault();
    moveTo(dragged, target);
    log(`drop: ${order(nativeList)}`);
  }
});
nativeList.addEventListener("dragend", () => (dragged = null));

const pointerList = document.getElementById("pointer-list");
let held = null;

pointerList.addEventListener("pointerdown", (event) => {
  held = event.target.closest("li");
  if (held) {
    held.setPointerCapture(event.pointerId);
    held.classList.add("held");
    log(`pointerdown: ${held.textContent}`);
  }
});
pointerList.addEventListener("pointermove", (event) => {
  // While the pointer is captured, every event's target is the item itself.
  const under = held && document.elementFromPoint(event.clientX, event.clientY)?.closest("li");
  if (under && under !== held && under.parentElement === pointerList) {
    moveTo(held, under);
  }
});
for (const kind of ["pointerup", "pointercancel"]) {
  pointerList.addEventListener(kind, () => {
    if (held) {
      held.classList.remove("held");
      held = null;
      log(`${kind}: ${order(pointerList)}`);
    }
  });
}
