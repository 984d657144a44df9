// The upload page: shows what was chosen, without sending it.
"use strict";

const chosen = document.querySelector("[data-testid=files]");

addEventListener("change", (event) => {
  const lines = [...event.target.files].map((file) => `${file.name}, ${file.size} bytes`);
  chosen.textContent = lines.join("\n") || "nothing";
});
