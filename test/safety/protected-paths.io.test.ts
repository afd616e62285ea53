import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { test } from "node:test";
import { judgePath } from "../../src/safety/paths/paths.ts";

interface Group {
  readonly label: "blocked" | "allowed";
  readonly operation: "read" | "write";
  /** From the root, from `~`, or from a project. */
  readonly paths: readonly string[];
}

const GROUPS = readFileSync(join(import.meta.dirname, "labelled/places.jsonl"), "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Group);
const HOME = "/home/u";

// req: R-33
test("protects thousands of paths with secrets or automatic starts, and none of the look-alikes", () => {
  const wrong = GROUPS.flatMap(({ label, operation, paths }) =>
    paths
      .filter((written) => {
        const path = posix.resolve(`${HOME}/project`, written.replace(/^~(?=\/)/, HOME));
        return (
          (judgePath({ path, literal: path, access: operation, home: HOME }).answer === "allow") !==
          (label === "allowed")
        );
      })
      .map((path) => `${operation} ${path}: not ${label}`),
  );
  assert.ok(GROUPS.flatMap(({ paths }) => paths).length > 1_000);
  assert.deepEqual(wrong, []);
});
