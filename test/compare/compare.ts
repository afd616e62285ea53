/**
 * `node --conditions=hermes-source test/compare/compare.ts [--witness] [SCENE…]`: plays the table in Hermes for
 * TypeScript and, if `HERMES_ORIGINAL`
 * names a Python that can import hermes-agent 0.19.0, in the original. Prints differences from the table.
 * `--witness` records the original's answers; a difference of ours fails until a developer gives it a `why`.
 */
import { writeFileSync } from "node:fs";
import { openOurs } from "./ours.ts";
import { Original } from "./original.ts";
import { differences } from "./shape.ts";
import { readTable, scenesOf, TABLE, type Row } from "./table.ts";
import { SCHEMAS, takenBy, witnessedSchemas } from "./tool-schemas.ts";

const witness = process.argv.includes("--witness");
const wanted = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const python = process.env["HERMES_ORIGINAL"];
const table = readTable();
const message: string[] = [];
const counts = { rows: 0, equal: 0, onPurpose: 0, different: 0, originalDiffers: 0 };
const written: Row[] = [];

await using ours = await openOurs();
await using original = python === undefined ? undefined : new Original(python);
for (const [scene, rows] of scenesOf(table)) {
  if (wanted.length > 0 && !wanted.some((word) => scene.includes(word))) {
    written.push(...rows);
    continue;
  }
  const theirs = await original?.play(scene, rows);
  const mine = await ours.play(scene, rows);
  rows.forEach((row, at) => {
    const expect = witness && theirs !== undefined ? theirs[at] : row.expect;
    const original = theirs === undefined ? [] : differences(expect, theirs[at]);
    const found = differences(row.ours ?? expect, mine[at]);
    counts.rows++;
    if (original.length > 0) counts.originalDiffers++;
    if (found.length > 0) counts.different++;
    else if (row.ours === undefined) counts.equal++;
    else counts.onPurpose++;
    report(scene, at, row, "the original differs from the table", original);
    report(scene, at, row, "ours differs from the table", found);
    written.push({ ...row, expect });
  });
}
if (witness && original !== undefined) {
  const theirs = await original.schemas();
  writeFileSync(
    SCHEMAS,
    `${JSON.stringify(Object.fromEntries(Object.keys(witnessedSchemas()).map((tool) => [tool, takenBy(theirs[tool]!)])), null, 2)}\n`,
  );
}
if (witness) writeFileSync(TABLE, written.map((row) => `${JSON.stringify(row)}\n`).join(""));
console.log(message.join("\n"));
console.log(JSON.stringify({ ...counts, originalPlayed: python !== undefined }));

function report(scene: string, at: number, row: Row, what: string, lines: readonly string[]): void {
  if (lines.length > 0)
    message.push(
      `${scene} ${at + 1}: ${row.tool} ${JSON.stringify(row.args).slice(0, 160)}: ${what}`,
      ...lines.map((line) => `    ${line}`),
    );
}
