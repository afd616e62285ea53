import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser } from "./browser.ts";

/** The accessibility rules that the shown page breaks, with the elements, as lines. */
export async function axeViolations(browser: Browser): Promise<readonly string[]> {
  await browser.value(readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8"));
  const found = await browser.value(
    `axe.run(document, { resultTypes: ["violations"] }).then(({ violations }) => JSON.stringify(violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ": " + html + " " + failureSummary))))`,
  );
  return JSON.parse(String(found)) as readonly string[];
}
