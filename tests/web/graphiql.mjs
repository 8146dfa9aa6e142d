// Gives GraphiQL one key after the other and tells what it says of each. Takes one argument, JSON; answers with one line of JSON.
import { launched } from "./chromium.mjs";

const given = JSON.parse(process.argv[2]);
const { browser, page } = await launched({ width: 1000, height: 800 });

await page.goto(given.address);
const said = [await page.locator("#told").textContent()];
for (const key of given.keys) {
  await page.locator("#key").fill(key);
  await page.locator("button", { hasText: "Use it" }).click();
  await page.waitForFunction((before) => document.querySelector("#told").textContent !== before, said.at(-1));
  said.push(await page.locator("#told").textContent());
}
console.log(JSON.stringify(said));
await browser.close();
