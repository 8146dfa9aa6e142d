// A new Chromium with nothing of anybody in it, and without the calls home that it makes by itself.
import { chromium } from "playwright-core";

export async function launched(viewport) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
    ],
  });
  const page = await (await browser.newContext({ viewport })).newPage();
  page.setDefaultTimeout(30000);
  // A test that fails shows what was there to see.
  process.on("uncaughtException", async (error) => {
    console.error(error.message, await page.locator("body").innerText());
    if (process.env.WEB_PICTURES) await page.screenshot({ path: `${process.env.WEB_PICTURES}/failed.png` });
    process.exit(1);
  });
  return { browser, page };
}
