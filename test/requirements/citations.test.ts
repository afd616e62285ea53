import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { citationsOf, readCitations } from "./citations.ts";
import { readLedger, USER_REQUIREMENT_COUNT } from "./ledger.ts";

const root = join(import.meta.dirname, "../..");

test("every requirement that a test cites exists", () => {
  const known = new Set([...readLedger().map((requirement) => requirement.id), ...userRequirements()]);
  const unknown = readCitations(root).filter((citation) => !known.has(citation.id));
  assert.deepEqual(
    unknown.map(
      (citation) =>
        `${citation.file}:${citation.commentLine} cites "${citation.id}", which no ledger contains: correct the id`,
    ),
    [],
  );
});

test("every citation is directly above a test, or above code that creates tests", () => {
  const stray = readCitations(root).filter(
    ({ file, commentLine, testLine, lastLine }) =>
      testLine > commentLine + 12 ||
      !/\b(test|describe|\w*[cC]ontract|attempt)\(/.test(
        linesOf(file)
          .slice(testLine - 1, lastLine)
          .join("\n"),
      ),
  );
  assert.deepEqual(
    stray.map((citation) => `${citation.file}:${citation.commentLine}`),
    [],
  );
});

test("a citation names ids and finds the test below it", () => {
  const text = ["", "// req: registry.collision, R-12", "// more words", 'test("x", () => {})'].join("\n");
  assert.deepEqual(citationsOf("a.test.ts", text), [
    { id: "registry.collision", file: "a.test.ts", commentLine: 2, testLine: 4, lastLine: 4 },
    { id: "R-12", file: "a.test.ts", commentLine: 2, testLine: 4, lastLine: 4 },
  ]);
});

test("a citation above a loop covers the whole loop, and one above a condition also its else branch", () => {
  const loop = [
    "// req: registry.collision",
    "for (const [what, n] of [",
    '  ["a", 1],',
    "] as const) {",
    "  test(`it ${what}`, () => {",
    "    ok(n);",
    "  });",
    "",
    "  test(`it also ${what}`, () => {});",
    "}",
    "",
    'test("another", () => {});',
  ].join("\n");
  assert.deepEqual(
    citationsOf("a.test.ts", loop).map(({ testLine, lastLine }) => [testLine, lastLine]),
    [[2, 10]],
  );
  const condition = [
    "  // req: registry.collision",
    '  if (gone) test("x", { skip: gone }, () => {});',
    "  else {",
    "    test(`y`, () => {});",
    "  }",
    "}",
    "test(`z`, () => {});",
  ].join("\n");
  assert.deepEqual(
    citationsOf("a.test.ts", condition).map(({ testLine, lastLine }) => [testLine, lastLine]),
    [[2, 5]],
  );
});

const texts = new Map<string, readonly string[]>();

function linesOf(file: string): readonly string[] {
  const lines = texts.get(file) ?? readFileSync(join(root, file), "utf8").split("\n");
  texts.set(file, lines);
  return lines;
}

function userRequirements(): readonly string[] {
  return Array.from({ length: USER_REQUIREMENT_COUNT }, (_, index) => `R-${String(index + 1).padStart(2, "0")}`);
}

test("a list of requirements that a formatter wrapped is read to its end", () => {
  const text = '// req: a.one, b.two,\n// c.three\ntest("x", () => {\n});\n';
  assert.deepEqual(
    citationsOf("x.test.ts", text).map(({ id, testLine }) => [id, testLine]),
    [
      ["a.one", 3],
      ["b.two", 3],
      ["c.three", 3],
    ],
  );
});
