import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "./command.ts";
import { readLabelled, type Label } from "./fixtures/read-labelled.ts";

const HERE = { cwd: "/home/u/p", home: "/home/u" };
const ANSWERS: Readonly<Record<Label, string>> = { hardline: "block", dangerous: "ask", safe: "allow" };
const LINES = readLabelled();

async function misses(label: Label): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const line of LINES) {
    if (line.label !== label) continue;
    const judgement = await judgeCommand(line.command, HERE);
    if (judgement.answer !== ANSWERS[label]) wrong.push(`${line.id} ${judgement.answer} (${judgement.key}): ${line.command}`);
  }
  return wrong;
}

test("there are more than two and a half thousand labelled lines, each only once under a label", () => {
  assert.ok(LINES.length >= 2500, String(LINES.length));
  const labels = new Map<string, Label>();
  const torn = LINES.filter((line) => labels.has(line.command) && labels.get(line.command) !== line.label || (labels.set(line.command, line.label), false));
  assert.deepEqual(torn.map((line) => line.id), []);
});

// req: R-30
test("hardline lines of every class are blocked", async () => assert.deepEqual(await misses("hardline"), []));

// req: R-30
test("dangerous lines of every class ask and are not refused outright", async () => assert.deepEqual(await misses("dangerous"), []));

// req: R-30
test("safe lines of every class run unasked", async () => assert.deepEqual(await misses("safe"), []));
