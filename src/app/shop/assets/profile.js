// The profile: a picture with a preview, rich text, a list to sort by dragging, and saving with a key.
"use strict";

const profile = document.getElementById("profile");
const pictureFile = document.getElementById("picture-file");
const picture = document.getElementById("picture");
const about = document.getElementById("about");
const shelves = document.getElementById("shelves");

// Picture

document.getElementById("choose-picture").addEventListener("click", () => pictureFile.click());
pictureFile.addEventListener("change", () => {
  const [file] = pictureFile.files;
  picture.src = file ? URL.createObjectURL(file) : "/profile/picture";
});

function inBase64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(reader.result.split(",")[1] ?? ""));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(file);
  });
}

// Rich text

const formats = document.querySelectorAll("[data-format]");

function showFormats() {
  for (const button of formats) {
    button.ariaPressed = String(document.queryCommandState(button.dataset.format));
  }
}

document.execCommand("defaultParagraphSeparator", false, "p");
document.addEventListener("selectionchange", showFormats);
for (const button of formats) {
  // The text keeps its selection.
  button.addEventListener("mousedown", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    about.focus();
    document.execCommand(button.dataset.format);
    showFormats();
  });
}
about.addEventListener("paste", (event) => {
  event.preventDefault();
  document.execCommand("insertText", false, event.clipboardData.getData("text/plain"));
});

/** The text as paragraphs of pieces in one style. */
function paragraphs() {
  const found = [[]];
  const end = () => found.at(-1).length > 0 && found.push([]);
  const walk = (node) => {
    if (node.nodeType === Node.TEXT_NODE) {
      const style = getComputedStyle(node.parentElement);
      found.at(-1).push({ text: node.data, bold: style.fontWeight >= 600, italic: style.fontStyle === "italic" });
      return;
    }
    const isBlock = ["P", "DIV", "BR"].includes(node.tagName);
    isBlock && end();
    node.childNodes.forEach(walk);
    isBlock && end();
  };
  about.childNodes.forEach(walk);
  return found.filter((runs) => runs.length > 0);
}

// Shelves

let dragged = null;

shelves.addEventListener("dragstart", (event) => {
  dragged = event.target.closest("li");
  event.dataTransfer.setData("text/plain", dragged.textContent);
  event.dataTransfer.effectAllowed = "move";
});
shelves.addEventListener("dragover", (event) => {
  if (dragged) {
    event.preventDefault();
  }
});
shelves.addEventListener("drop", async (event) => {
  const target = event.target.closest("li");
  if (!dragged || !target || target === dragged) {
    return;
  }
  event.preventDefault();
  moveTo(dragged, target);
  const names = [...shelves.children].map((item) => item.textContent);
  const answer = await send("PUT", "/api/profile/shelves", names);
  answer.ok ? showToast(answer.message) : showProblem(answer.message);
});
shelves.addEventListener("dragend", () => (dragged = null));

// Saving

async function save() {
  showProblem("");
  const [file] = pictureFile.files;
  if (file?.size > Number(profile.dataset.pictureLimit)) {
    showProblem("The picture is larger than 100 kB");
    return;
  }
  const answer = await send("PUT", "/api/profile", {
    name: document.getElementById("name").value,
    about: paragraphs(),
    picture: file ? await inBase64(file) : null,
  });
  answer.ok ? showToast(answer.message) : showProblem(answer.message);
}

profile.addEventListener("submit", (event) => {
  event.preventDefault();
  save();
});
addEventListener("keydown", (event) => {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") {
    event.preventDefault();
    save();
  }
});
