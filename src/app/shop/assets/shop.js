// What every page needs: the cookie banner, the counter of the cart, and what pages that talk to the shop share.
"use strict";

const consentCookie = document.currentScript.dataset.consentCookie;
const banner = document.getElementById("consent-banner");

for (const button of banner?.querySelectorAll("[data-consent]") ?? []) {
  button.addEventListener("click", () => {
    const year = 365 * 24 * 60 * 60;
    document.cookie = `${consentCookie}=${button.dataset.consent}; path=/; max-age=${year}; samesite=lax`;
    banner.remove();
  });
}

// Browsers send no more than 64 KiB of what outlives its page.
const KEEPALIVE_LIMIT = 30_000;

/** Sends JSON to the shop. Answers whether it was taken, and what the shop says. */
async function send(method, address, value) {
  const body = JSON.stringify(value);
  try {
    const response = await fetch(address, {
      method,
      headers: { "content-type": "application/json" },
      body,
      // What was asked for is done even if the visitor goes on at once.
      keepalive: body.length < KEEPALIVE_LIMIT,
    });
    const text = await response.text();
    return { ok: response.ok, message: text && JSON.parse(text).message };
  } catch {
    return { ok: false, message: "The shop does not answer" };
  }
}

/** Asks how many pieces are in the cart, and shows it. */
async function showCartCount() {
  const { count } = await (await fetch("/api/cart")).json();
  document.querySelector("[data-testid=cart-count]").textContent = count;
}

const TOAST_MS = 5000;
let toastTimer;

/** Shows a short notice for a while. */
function showToast(text) {
  const toast = document.getElementById("toast");
  toast.textContent = text;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => (toast.textContent = ""), TOAST_MS);
}

/** Shows what is wrong, or with an empty text that nothing is. */
function showProblem(text) {
  const problem = document.getElementById("problem");
  problem.className = text ? "notice problem" : "";
  problem.textContent = text;
}

/** Moves an item to the place of another: before it when it comes from below, after it when it comes from above. */
function moveTo(item, target) {
  const items = [...item.parentElement.children];
  const down = items.indexOf(item) < items.indexOf(target);
  target[down ? "after" : "before"](item);
}
