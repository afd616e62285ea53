import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import * as disk from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import type { JsonObject } from "../../src/contract/common/json.ts";
import { answerPath } from "../../src/safety/answers/answer-path.ts";
import { answerSkill } from "../../src/safety/answers/answer-skill.ts";
import { answerUrl } from "../../src/safety/answers/answer-url.ts";
import type { Answerer, Here } from "../../src/safety/answers/question.ts";
import { PLACES } from "./path-cases.ts";

const FIXTURES = join(import.meta.dirname, "labelled");

/** Lines of authors who have never seen the judge, a list for each round. */
const roundsOf = (kind: string): readonly (readonly JsonObject[])[] =>
  readdirSync(FIXTURES)
    .filter((name) => name.startsWith(`${kind}-blind-`))
    .map((name) =>
      readFileSync(join(FIXTURES, name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as JsonObject),
    );

const HERE: Here = { cwd: "/", home: "/home/u", readLink: async () => undefined, isSpecial: async () => false, disk };

async function wrong(
  lines: readonly JsonObject[],
  answer: Answerer,
  here: Here,
  right: (line: JsonObject, verdict: unknown) => boolean,
): Promise<readonly string[]> {
  const answers = await Promise.all(lines.map((line) => answer(line as never, here)));
  return answers.flatMap((given, at) =>
    right(lines[at]!, given["verdict"])
      ? []
      : [`${JSON.stringify(lines[at]).slice(0, 160)}: ${JSON.stringify(given).slice(0, 200)}`],
  );
}

const asLabelled = (line: JsonObject, verdict: unknown): boolean => verdict === line["label"];

test("addresses: each is blocked or allowed according to its label", async () => {
  assert.deepEqual(await wrong(roundsOf("urls").flat(), answerUrl, HERE, asLabelled), []);
});

// req: R-33
test("paths: each is blocked or allowed according to its label, links and pipes included", async () => {
  for (const [places, ...lines] of roundsOf("paths")) {
    const { links, special } = places as unknown as {
      readonly links: Readonly<Record<string, string>>;
      readonly special: readonly string[];
    };
    const here: Here = {
      ...HERE,
      readLink: async (path) => links[path],
      isSpecial: async (path) => special.includes(path),
    };
    assert.deepEqual(
      await wrong(
        lines.map((line) => ({ ...PLACES, ...line })),
        answerPath,
        here,
        asLabelled,
      ),
      [],
    );
  }
});

test("skills: no harmful one is safe, and every harmless one is", async () => {
  assert.deepEqual(
    await wrong(
      roundsOf("skills").flat(),
      answerSkill,
      HERE,
      (line, verdict) => (verdict === "safe") === (line["label"] === "harmless"),
    ),
    [],
  );
});
