import { existsSync, readFileSync, writeFileSync } from "node:fs";
import type { Browser } from "./browser.ts";

const COLUMNS = 64;
const ROWS = 48;
/** A cell differs if its brightness does by more than this many of 16 steps: other fonts change it by less. */
const STEPS = 3;
/** The share of cells that may differ: other fonts move lines. */
const SHARE = 0.12;

/**
 * Compares a screenshot with a stored one, both reduced to the brightness of 64 × 48 cells: a page whose parts moved,
 * grew or lost their colours differs, one that is drawn with other fonts does not. `HERMES_WRITE_PICTURES=1` stores it.
 *
 * @returns the difference in words, or `undefined` where they look the same.
 */
export async function comparePicture(browser: Browser, file: string): Promise<string | undefined> {
  const shown = await thumbnail(browser);
  if (process.env["HERMES_WRITE_PICTURES"] === "1") writeFileSync(file, `${shown.join("\n")}\n`);
  if (!existsSync(file)) return `${file} does not exist; HERMES_WRITE_PICTURES=1 writes it`;
  const share = shareOfDifferent(shown, readFileSync(file, "utf8").trimEnd().split("\n"));
  return share <= SHARE ? undefined : `${Math.round(share * 100)} % of ${file} look different:\n${shown.join("\n")}`;
}

/** The share of cells, from 0 to 1, whose brightness differs. */
export function shareOfDifferent(one: readonly string[], other: readonly string[]): number {
  const cells = one.join("");
  const others = other.join("");
  if (cells.length !== others.length) return 1;
  const step = (cell: string): number => Number.parseInt(cell, 16);
  const different = [...cells].filter((cell, at) => Math.abs(step(cell) - step(others[at]!)) > STEPS);
  return different.length / cells.length;
}

/** Rows of hexadecimal digits, 0 for black. The browser reduces its own screenshot. */
async function thumbnail(browser: Browser): Promise<readonly string[]> {
  const png = (await browser.picture()).toString("base64");
  const text = await browser.value(`(async () => {
    const image = new Image();
    image.src = "data:image/png;base64,${png}";
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = ${COLUMNS};
    canvas.height = ${ROWS};
    const context = canvas.getContext("2d");
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, ${COLUMNS}, ${ROWS});
    const { data } = context.getImageData(0, 0, ${COLUMNS}, ${ROWS});
    let rows = "";
    for (let at = 0; at < data.length; at += 4)
      rows += Math.round((0.3 * data[at] + 0.59 * data[at + 1] + 0.11 * data[at + 2]) / 17).toString(16);
    return rows;
  })()`);
  return Array.from({ length: ROWS }, (_, row) => String(text).slice(row * COLUMNS, (row + 1) * COLUMNS));
}
