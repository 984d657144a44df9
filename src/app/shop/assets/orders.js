// The order history: a menu for each order, and cancelling.
"use strict";

const POLL_MS = 200;

const orders = document.getElementById("orders");
const menu = document.getElementById("order-menu");
const [showItem, cancelItem] = menu.querySelectorAll("[role=menuitem]");
let opener = null;

function openMenu(button) {
  closeMenu();
  opener = button;
  opener.ariaExpanded = "true";
  showItem.href = `/orders/${button.closest("tr").dataset.order}`;
  menu.hidden = false;
  const place = button.getBoundingClientRect();
  menu.style.left = `${place.right - menu.offsetWidth}px`;
  menu.style.top = `${Math.min(place.bottom + 4, innerHeight - menu.offsetHeight)}px`;
  showItem.focus();
}

function closeMenu() {
  menu.hidden = true;
  if (opener) {
    opener.ariaExpanded = "false";
    opener = null;
  }
}

orders.addEventListener("click", (event) => {
  const button = event.target.closest("[aria-haspopup=menu]");
  if (button) {
    button === opener ? closeMenu() : openMenu(button);
  }
});
addEventListener("click", (event) => {
  if (opener && !opener.contains(event.target) && !menu.contains(event.target)) {
    closeMenu();
  }
});
addEventListener("scroll", closeMenu);
menu.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    opener.focus();
    closeMenu();
  } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    (document.activeElement === showItem ? cancelItem : showItem).focus();
  }
});
showItem.addEventListener("click", () => closeMenu());

async function follow(row) {
  const state = row.querySelector(".state");
  do {
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    const order = await (await fetch(`/api/orders/${row.dataset.order}`)).json();
    state.textContent = order.state;
  } while (state.textContent.endsWith("…"));
}

cancelItem.addEventListener("click", async () => {
  const row = opener.closest("tr");
  closeMenu();
  const reason = prompt(`Why do you cancel order ${row.dataset.order}?`);
  if (reason === null) {
    return;
  }
  const answer = await send("POST", `/api/orders/${row.dataset.order}/cancel`, { reason });
  showProblem(answer.ok ? "" : answer.message);
  if (answer.ok) {
    row.querySelector(".state").textContent = "Cancelling…";
    follow(row);
  }
});
