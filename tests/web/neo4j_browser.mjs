// Opens Neo4j Browser as a person does: logs in, loads the style and the guide, imports the saved queries, runs one, and tells
// what is on the page. Takes one argument, JSON; answers with one line of JSON.
import { launched } from "./chromium.mjs";

const given = JSON.parse(process.argv[2]);
const { browser, page } = await launched({ width: 1500, height: 1000 });

// What the page asks of others and is not kept from by the server's policy.
const outside = [];
page.on("request", (request) => {
  const { protocol, hostname } = new URL(request.url());
  if (protocol.startsWith("http") && !["127.0.0.1", "localhost"].includes(hostname)) outside.push(request);
});

async function run(text) {
  const frames = await page.locator('[data-testid="frame"], article[data-testid="frame"]').count();
  await page.locator(".monaco-editor textarea").first().focus();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
  await page.locator('[data-testid="editor-Run"]').click();
  return frames;
}

await page.goto(given.address);
await page.locator('input[data-testid="boltaddress"]').fill(given.bolt);
await page.locator('input[data-testid="username"]').fill(given.user);
await page.locator('input[data-testid="password"]').fill(given.password);
await page.locator('button[data-testid="connect"]').click();
await page.locator('[data-testid="frame"]').first().waitFor();
await page.waitForTimeout(1500);

// The Browser lets no address in before it has read the server's settings, some time after the login.
const style = page.locator('[data-testid="frameContents"]', { hasText: "node.Memory" }).first();
for (let turn = 0; turn < 10 && !(await style.isVisible()); turn += 1) {
  await run(`:style ${given.api}/browser/graph_memory.grass`);
  await page.waitForTimeout(3000);
}
await style.waitFor();

await run(`:play ${given.api}/browser/guide.html`);
await page.locator('[data-testid="frameContents"]', { hasText: "Then turn the page" }).first().waitFor();
const guided = await page.locator('[data-testid="frameContents"]').first().innerText();

// What a person does with the mouse: the file is dropped onto the window.
await page.evaluate((bytes) => {
  const held = new DataTransfer();
  held.items.add(new File([new Uint8Array(bytes)], "saved.zip", { type: "application/zip" }));
  const target = document.querySelector('[data-testid="activeEditor"]');
  for (const kind of ["dragenter", "dragover", "drop"]) {
    target.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: held }));
  }
}, given.file);
await page.locator('[data-testid="navigationFavorites"]').click();
await page.locator('[data-testid="expandFolder-graph_memory"]').click();
await page.locator('[data-testid^="scriptTitle-"]').first().waitFor();
const favourites = await page.locator('[data-testid^="scriptTitle-"]').allTextContents();
if (given.pictures) await page.screenshot({ path: `${given.pictures}/favourites.png` });

for (const [name, value] of Object.entries(given.parameters)) await run(`:param ${name} => '${value}'`);
await page.waitForTimeout(1000);

const answers = {};
for (const [name, text] of Object.entries(given.queries)) {
  await run(":clear");
  await run(text);
  await page.locator('[data-testid="frame"] svg .node, [data-testid="frame"] table').first().waitFor({ timeout: 20000 });
  await page.waitForTimeout(2500);
  answers[name] = await page.evaluate(() => ({
    nodes: document.querySelectorAll('[data-testid="frame"] svg g.node').length,
    arrows: document.querySelectorAll('[data-testid="frame"] svg g.relationship').length,
    captions: [...document.querySelectorAll('[data-testid="frame"] svg g.node text')].map((each) => each.textContent.trim()),
    colours: [...new Set([...document.querySelectorAll('[data-testid="frame"] svg g.node circle.b-outline')].map((each) => each.getAttribute("fill")))],
  }));
  if (given.pictures) {
    await page.locator('[data-testid="frame"]').first().screenshot({ path: `${given.pictures}/${name}.png` });
  }
}
const called = outside.filter((each) => each.failure()?.errorText !== "csp").map((each) => each.url());
console.log(JSON.stringify({ guided, favourites, answers, called }));
await browser.close();
