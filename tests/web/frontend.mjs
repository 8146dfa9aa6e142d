// Uses the example page as a person does and tells what it shows. Takes one argument, JSON; answers with one line of JSON.
import { launched } from "./chromium.mjs";

const given = JSON.parse(process.argv[2]);
const { browser, page } = await launched({ width: 1000, height: 800 });
const faults = [];
page.on("pageerror", (error) => faults.push(error.message));

await page.goto(given.address);
await page.locator("#key").fill(given.key);
await page.locator("#question").fill(given.question);
await page.locator("button", { hasText: "Search" }).click();
await page.locator(given.refused ? "#note:not(:empty)" : "#hits li").first().waitFor();
let changes = [];
if (!given.refused) {
  await page.locator("#picture circle").nth(1).waitFor();
  // Once more until the connection stands: what was made before it is not told.
  const told = page.locator("#changes li", { hasText: "ADD" }).first();
  for (let turn = 0; turn < 20 && !(await told.count()); turn += 1) {
    await fetch(given.api, { ...given.write, body: given.write.body.replace("TURN", String(turn)) });
    await page.waitForTimeout(1000);
  }
  changes = await page.locator("#changes li").allTextContents();
}
if (given.picture) await page.screenshot({ path: given.picture });
const shown = await page.evaluate(() => ({
  note: document.querySelector("#note").textContent,
  hits: [...document.querySelectorAll("#hits li button")].map((each) => each.textContent),
  circles: document.querySelectorAll("#picture circle").length,
  lines: [...document.querySelectorAll("#picture line + text")].map((each) => each.textContent),
}));
console.log(JSON.stringify({ ...shown, changes, faults }));
await browser.close();
