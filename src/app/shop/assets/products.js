// The product list: loads the products, filters them while someone types, and puts them into the cart.
"use strict";

const list = document.getElementById("products");
const search = document.getElementById("search");
const resultCount = document.getElementById("result-count");
let products = [];

function card(product) {
  const item = document.createElement("li");
  item.className = "product";
  item.dataset.testid = `product-${product.id}`;

  const drawing = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  drawing.setAttribute("viewBox", "0 0 120 90");
  drawing.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `/assets/products.svg#${product.id}`);
  drawing.append(use);

  const heading = document.createElement("h2");
  heading.id = `name-${product.id}`;
  const link = document.createElement("a");
  link.href = `/products/${product.id}`;
  link.textContent = product.name;
  heading.append(link);
  item.setAttribute("aria-labelledby", heading.id);

  const blurb = document.createElement("p");
  blurb.textContent = product.blurb;

  const price = document.createElement("p");
  price.className = "price";
  price.textContent = product.price;

  const add = document.createElement("button");
  add.type = "button";
  add.className = "button";
  add.textContent = product.in_stock ? "Add to cart" : "Out of stock";
  add.disabled = !product.in_stock;
  add.addEventListener("click", () => addToCart(product));

  const row = document.createElement("div");
  row.className = "buy";
  row.append(price, add);
  item.append(drawing, heading, blurb, row);
  return item;
}

function show() {
  const wanted = search.value.trim().toLowerCase();
  const found = products.filter((product) => `${product.name} ${product.blurb}`.toLowerCase().includes(wanted));
  list.replaceChildren(...found.map(card));
  resultCount.textContent = found.length === 1 ? "1 product" : `${found.length} products`;
}

async function addToCart(product) {
  const answer = await send("POST", "/api/cart", { product: product.id });
  if (answer.ok) {
    showCartCount();
  }
  showToast(answer.message);
}

async function load() {
  try {
    products = await (await fetch("/api/products")).json();
  } catch {
    resultCount.textContent = "The products could not be loaded";
    return;
  } finally {
    list.removeAttribute("aria-busy");
  }
  show();
  resultCount.dataset.testid = "result-count";
  search.addEventListener("input", show);
}

load();
