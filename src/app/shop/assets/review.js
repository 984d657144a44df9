// The review: asks once more before the order is placed. It runs before its form is there, so that nobody is faster.
"use strict";

document.addEventListener("submit", (event) => {
  const { id, dataset } = event.target;
  if (id === "review" && !confirm(`Place the order for ${dataset.total}?`)) {
    event.preventDefault();
  }
});
