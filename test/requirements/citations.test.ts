import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { citationsOf, readCitations } from "./citations.ts";
import { readLedger, USER_REQUIREMENT_COUNT } from "./ledger.ts";

const root = join(import.meta.dirname, "../..");

test("every requirement that a test cites exists", () => {
  const known = new Set([...readLedger().map((requirement) => requirement.id), ...userRequirements()]);
  const unknown = readCitations(root).filter((citation) => !known.has(citation.id));
  assert.deepEqual(
    unknown.map((citation) => `${citation.file}:${citation.commentLine} cites "${citation.id}", which is in no ledger: correct the id`),
    [],
  );
});

test("every citation stands directly above a test", () => {
  const stray = readCitations(root).filter((citation) => citation.testLine > citation.commentLine + 12);
  assert.deepEqual(stray.map((citation) => `${citation.file}:${citation.commentLine}`), []);
});

test("a citation names ids and finds the test below it", () => {
  const text = ["", "// req: registry.collision, R-12", "// more words", 'test("x", () => {})'].join("\n");
  assert.deepEqual(citationsOf("a.test.ts", text), [
    { id: "registry.collision", file: "a.test.ts", commentLine: 2, testLine: 4 },
    { id: "R-12", file: "a.test.ts", commentLine: 2, testLine: 4 },
  ]);
});

function userRequirements(): readonly string[] {
  return Array.from({ length: USER_REQUIREMENT_COUNT }, (_, index) => `R-${String(index + 1).padStart(2, "0")}`);
}
