import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeCommand } from "../../src/safety/commands/command.ts";
import { MUTATIONS, respellings } from "./mutations.ts";
import { readLabelled, type Label, type Labelled } from "./read-labelled.ts";

const HERE = { cwd: "/home/u/p", home: "/home/u" };
const ANSWERS: Readonly<Record<Label, string>> = { hardline: "block", dangerous: "ask", safe: "allow" };
const LINES = readLabelled();

async function misses(label: Label): Promise<readonly string[]> {
  const wrong: string[] = [];
  for (const line of LINES) {
    if (line.label !== label) continue;
    const judgement = await judgeCommand(line.command, HERE);
    if (judgement.answer !== ANSWERS[label])
      wrong.push(`${line.id} ${judgement.answer} (${judgement.key}): ${line.command}`);
  }
  return wrong;
}

test("there are more than two and a half thousand labelled lines, each only once under a label", () => {
  assert.ok(LINES.length >= 2500, String(LINES.length));
  const labels = new Map<string, Label>();
  const torn = LINES.filter(
    (line) =>
      (labels.has(line.command) && labels.get(line.command) !== line.label) ||
      (labels.set(line.command, line.label), false),
  );
  assert.deepEqual(
    torn.map((line) => line.id),
    [],
  );
});

// req: R-30
test("hardline lines of every class are blocked", async () => assert.deepEqual(await misses("hardline"), []));

// req: R-30
test("dangerous lines of every class ask and are not refused outright", async () =>
  assert.deepEqual(await misses("dangerous"), []));

// req: R-30
test("safe lines of every class run unasked", async () => assert.deepEqual(await misses("safe"), []));

const STRENGTH = ["allow", "ask", "block"];

/**
 * Mutations would change the rest: bytes that a table or an encoding does not carry over, and text that is not a whole
 * script.
 */
const mutable = (line: Labelled): boolean =>
  line.category !== "obf:unicode-terminal" &&
  !line.command.includes("{}") &&
  !/[^\x09\x0a\x20-\x7e]/.test(line.command) &&
  line.command.length < 400;

/** Programs that would read the script that starts them as input. */
const TAKES_INPUT =
  /^(i?python3?$|(lxc|incus|podman) exec|ssh|mosh|exec|docker (exec|run)( --rm)? -it|kubectl (exec -it|run)|vagrant ssh)\b/;

// req: R-30
test("wrapping, nesting or encoding a harmful line never weakens the answer", async () => {
  const wrong: string[] = [];
  const harmful = LINES.filter((line) => line.label !== "safe" && mutable(line) && line.command !== "$1 $2");
  for (const [index, line] of harmful.entries()) {
    for (const step of [0, 5, 11]) {
      const mutation = MUTATIONS[(index + step) % MUTATIONS.length]!;
      const judgement = await judgeCommand(mutation.change(line.command), HERE);
      if (STRENGTH.indexOf(judgement.answer) < STRENGTH.indexOf(ANSWERS[line.label]))
        wrong.push(`${line.id} ${mutation.name}: ${judgement.answer}: ${line.command}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("a harmless line stays harmless in every wrapping that shows its text", async () => {
  const wrong: string[] = [];
  const plain = MUTATIONS.filter((mutation) => mutation.plain);
  for (const [index, line] of LINES.filter((one) => one.label === "safe" && mutable(one)).entries()) {
    for (const step of [0, 4, 9]) {
      const mutation = plain[(index + step) % plain.length]!;
      if (mutation.input && TAKES_INPUT.test(line.command)) continue;
      const judgement = await judgeCommand(mutation.change(line.command), HERE);
      if (judgement.answer !== "allow")
        wrong.push(`${line.id} ${mutation.name}: ${judgement.answer} (${judgement.key}): ${line.command}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("recognises a harmful line's first word in any spelling", async () => {
  const wrong: string[] = [];
  for (const line of LINES.filter((one) => one.label !== "safe" && mutable(one))) {
    for (const command of respellings(line.command)) {
      const judgement = await judgeCommand(command, HERE);
      if (STRENGTH.indexOf(judgement.answer) < STRENGTH.indexOf(ANSWERS[line.label]))
        wrong.push(`${line.id} ${judgement.answer}: ${command}`);
    }
  }
  assert.deepEqual(wrong, []);
});
