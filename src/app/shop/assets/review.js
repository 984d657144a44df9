// The review: asks once more before the order is placed.
"use strict";

const review = document.getElementById("review");

review.addEventListener("submit", (event) => {
  if (!confirm(`Place the order for ${review.dataset.total}?`)) {
    event.preventDefault();
  }
});
