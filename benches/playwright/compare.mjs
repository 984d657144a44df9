// Playwright's side of `cargo bench --bench engine`: performs one operation per line of standard input and answers how
// long it took. The clock runs around the awaited call alone; node's start, the pipe and JSON are not part of it.

import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const options = {
  executablePath: process.argv[2],
  args: ["--disable-background-networking", "--disable-component-update", "--disable-sync", "--no-first-run"],
  chromiumSandbox: false,
};
const viewport = { width: 1280, height: 720 };
let browser;
let page;

const operations = {
  open: async ({ url }) => {
    browser ??= await chromium.launch(options);
    page ??= await browser.newPage({ viewport });
    await page.goto(url);
  },
  click: ({ name }) => page.getByRole("button", { name, exact: true }).click(),
  fill: ({ name, value }) => page.getByRole("textbox", { name, exact: true }).fill(value),
  get_text: ({ name }) => page.getByRole("link", { name, exact: true }).innerText(),
  snapshot: () => page.ariaSnapshot({ mode: "ai" }),
  start: async ({ url }) => {
    const own = await chromium.launch(options);
    const first = await own.newPage({ viewport });
    await first.goto(url);
    return own;
  },
};

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const began = performance.now();
  const result = await operations[request.operation](request);
  const milliseconds = performance.now() - began;
  if (request.operation === "start") await result.close();
  const text = typeof result === "string" ? result : "";
  console.log(JSON.stringify({ milliseconds, text: text.slice(0, 200), length: text.length }));
}
await browser?.close();
