// The payment provider's form: charges the card, and tells the shop's page when that is done.
"use strict";

const form = document.getElementById("card");
const problem = document.getElementById("problem");
const payButton = form.querySelector("button");

function showProblem(message, field) {
  for (const input of form.querySelectorAll("input")) {
    input.toggleAttribute("aria-invalid", input.name === field);
  }
  problem.className = message ? "notice problem" : "";
  problem.textContent = message;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  showProblem("");
  payButton.disabled = true;
  try {
    const response = await fetch(`/api/payments/${form.dataset.payment}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(Object.fromEntries(new FormData(form))),
    });
    const answer = await response.json();
    if (response.ok) {
      parent.postMessage({ kind: "paid", payment: form.dataset.payment }, form.dataset.shop);
      return;
    }
    showProblem(answer.message, answer.field);
  } catch {
    showProblem("The payment provider does not answer");
  }
  payButton.disabled = false;
});
