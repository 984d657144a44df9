// The product page: chooses a variant in a listbox, counts, and puts the article into the cart.
"use strict";

const buy = document.getElementById("buy");
const addButton = buy.querySelector("[type=submit]");
const quantity = document.getElementById("quantity");
const stock = document.getElementById("stock");
const combobox = document.getElementById("choice");
const listbox = document.getElementById("choices");
const options = [...(listbox?.children ?? [])];
let active = -1;

function chosen() {
  return options.find((option) => option.ariaSelected === "true");
}

function setActive(at) {
  active = Math.max(0, Math.min(at, options.length - 1));
  options.forEach((option, index) => option.classList.toggle("active", index === active));
  combobox.setAttribute("aria-activedescendant", options[active].id);
}

function open() {
  listbox.hidden = false;
  combobox.ariaExpanded = "true";
  setActive(Math.max(0, options.indexOf(chosen())));
}

function close() {
  listbox.hidden = true;
  combobox.ariaExpanded = "false";
  combobox.removeAttribute("aria-activedescendant");
}

function choose(option) {
  options.forEach((other) => (other.ariaSelected = String(other === option)));
  combobox.textContent = option.textContent;
  stock.textContent = option.dataset.stock;
  addButton.disabled = option.dataset.stock !== "In stock";
  showProblem("");
  close();
}

combobox?.addEventListener("click", () => (listbox.hidden ? open() : close()));
combobox?.addEventListener("blur", close);
combobox?.addEventListener("keydown", (event) => {
  const isOpen = !listbox.hidden;
  const moves = { ArrowDown: active + 1, ArrowUp: active - 1, Home: 0, End: options.length - 1 };
  if (event.key === "Escape") {
    close();
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    isOpen ? choose(options[active]) : open();
  } else if (event.key in moves) {
    event.preventDefault();
    isOpen ? setActive(moves[event.key]) : open();
  }
});
// Pressing the mouse would take the focus away, and with it the list, before the click.
listbox?.addEventListener("mousedown", (event) => event.preventDefault());
listbox?.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) {
    choose(option);
  }
});

for (const button of buy.querySelectorAll("[data-step]")) {
  button.addEventListener("click", () => (button.dataset.step > 0 ? quantity.stepUp() : quantity.stepDown()));
}

buy.addEventListener("submit", async (event) => {
  event.preventDefault();
  showProblem("");
  if (combobox && !chosen()) {
    showProblem(`Choose a ${document.getElementById("choice-label").textContent.toLowerCase()}`);
    return;
  }
  const answer = await send("POST", "/api/cart", {
    product: buy.dataset.product,
    variant: chosen()?.textContent ?? "",
    quantity: Math.max(0, Math.trunc(quantity.valueAsNumber)) || 0,
  });
  if (answer.ok) {
    showCartCount();
    showToast(answer.message);
  } else {
    showProblem(answer.message);
  }
});
