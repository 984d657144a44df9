// The address form: the regions depend on the country.
"use strict";

const country = document.getElementById("country");
const region = document.getElementById("region");

country.addEventListener("change", async () => {
  const chosen = country.value;
  region.disabled = true;
  region.replaceChildren(new Option("Loading…", ""));
  let names = [];
  try {
    names = await (await fetch(`/api/regions?country=${encodeURIComponent(chosen)}`)).json();
  } catch {
    // Without regions the select stays as it is before a country is chosen.
  }
  if (country.value !== chosen) {
    return;
  }
  region.replaceChildren(new Option("Choose…", ""), ...names.map((name) => new Option(name)));
  region.disabled = names.length === 0;
});
