import { readFileSync } from "node:fs";
import { join } from "node:path";
import { format } from "oxfmt";
import { LAYERS } from "../../test/architecture/layers.ts";
import type { Page } from "./page.ts";
import { ROOT } from "./read-snapshot.ts";

const FILE = "docs/architecture.md";
const BEGIN = "<!-- layers: made by `npm run generate` from test/architecture/layers.ts -->";
const END = "<!-- /layers -->";

/** docs/architecture.md with its table of layers, from the data of the layer test. */
export async function architecturePage(): Promise<Page> {
  const text = readFileSync(join(ROOT, FILE), "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${FILE} has no markers for the table of layers: ${BEGIN} … ${END}`);
  const made = `${text.slice(0, begin + BEGIN.length)}\n\n${layerTable()}\n\n${text.slice(end)}`;
  return { file: "../architecture.md", text: (await format(FILE, made, { printWidth: 120 })).code };
}

function layerTable(): string {
  const rows = LAYERS.map(
    ({ folder, holds, may }) =>
      `| \`${folder}\` | ${holds} | ${may.length === 0 ? "nothing" : may.map(named).join(", ")} |`,
  );
  return ["| folder | contains | may import |", "| --- | --- | --- |", ...rows].join("\n");
}

function named(import_: string): string {
  return import_ === "node:" ? "Node" : `\`${import_}\``;
}
