// What every page needs: the cookie banner, and the counter of the cart.
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

/** Shows how many pieces are in the cart. */
function showCartCount(count) {
  document.querySelector("[data-testid=cart-count]").textContent = count;
}
