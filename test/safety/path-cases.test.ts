import assert from "node:assert/strict";
import * as disk from "node:fs/promises";
import { test } from "node:test";
import { answerPath } from "../../src/safety/answers/answer-path.ts";
import { harmfulPaths, harmlessPaths, LINKS, PLACES, type PathCase } from "./path-cases.ts";

async function wrong(lines: readonly PathCase[], right: string): Promise<readonly string[]> {
  const answers = await Promise.all(
    lines.map((line) =>
      answerPath(
        { ...line, ...PLACES },
        {
          cwd: "/",
          home: "/nobody",
          homeOf: (user) => (user === "root" ? "/root" : user === "v" ? "/home/v" : undefined),
          readLink: async (path) => LINKS[path],
          isSpecial: async () => false,
          disk,
        },
      ),
    ),
  );
  return answers.flatMap((answer, at) =>
    answer["verdict"] === right
      ? []
      : [`${lines[at]!.operation} ${JSON.stringify(lines[at]!.path.slice(0, 80))}: ${answer["reason"]}`],
  );
}

// req: R-33
test("blocks every harmful path: workspace escapes, devices, other processes, secrets, protected names", async () => {
  const lines = harmfulPaths();
  assert.ok(lines.length > 200, `${lines.length} lines`);
  assert.deepEqual(await wrong(lines, "blocked"), []);
});

test("allows every ordinary path of a project, for reading and writing", async () => {
  const lines = harmlessPaths();
  assert.ok(lines.length > 120, `${lines.length} lines`);
  assert.deepEqual(await wrong(lines, "allowed"), []);
});
