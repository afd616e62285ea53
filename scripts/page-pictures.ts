import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "../test/end-to-end/support/browser.ts";
import { FilledDashboard } from "../test/end-to-end/support/filled-dashboard.ts";

interface Picture {
  readonly name: string;
  /** The page and what follows its name. */
  readonly page: string;
  readonly width: number;
  readonly height: number;
}

const PICTURES: readonly Picture[] = [
  { name: "dashboard-usage", page: "usage", width: 1100, height: 820 },
  { name: "dashboard-gateway", page: "gateway", width: 1100, height: 740 },
  { name: "dashboard-memory", page: "memory", width: 1100, height: 740 },
  { name: "dashboard-checkpoint-phone", page: "checkpoints", width: 390, height: 780 },
];
const LOOKS = ["light", "dark"] as const;
const QUALITY = 82;

/** Writes pictures of the dashboard in light and dark as WebP. @param only Names; empty: all. */
export async function takePagePictures(folder: string, only: readonly string[]): Promise<void> {
  const wanted = PICTURES.filter(({ name }) => only.length === 0 || only.includes(name));
  if (wanted.length === 0) return;
  await using filled = await FilledDashboard.open();
  const { scene } = filled;
  await using browser = await Browser.open();
  await browser.hideScrollbars();
  await browser.go(scene.link);
  await browser.until('document.body.dataset.ready === "status"');
  for (const { name, page, width, height } of wanted)
    for (const look of LOOKS) {
      await browser.size(width, height);
      await browser.value(`localStorage.setItem("hermes-look", "${look}")`);
      await browser.go("about:blank");
      await browser.go(`${scene.url}#/${page}`);
      await browser.until(`document.body?.dataset.ready === "${page}"`);
      if (page === "checkpoints") await openCheckpoint(browser);
      // The title has the focus, and charts are drawn in the next frame.
      await browser.value(
        "new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(resolve, 200))))",
      );
      const file = join(folder, `${name}-${look}.webp`);
      writeFileSync(file, await browser.picture({ format: "webp", quality: QUALITY }));
      console.log(file);
    }
}

async function openCheckpoint(browser: Browser): Promise<void> {
  await browser.value('document.querySelector("#main details").open = true');
  const button = '[...document.querySelectorAll("#main button")].find(({ innerText }) => innerText === "Show changes")';
  await browser.until(`${button} !== undefined && (${button}.click(), true)`);
  await browser.until('document.querySelector("#main pre") !== null');
}
