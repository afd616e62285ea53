import assert from "node:assert/strict";
import { test } from "node:test";
import { groupFiles } from "./groups.ts";

const groups = (...files: readonly string[]) => groupFiles(files).map(({ name }) => name);

test("groups files by their folder, at any depth", () => {
  assert.deepEqual(
    groupFiles(["src/host/a.io.test.ts", "src/host/deep/er/b.io.test.ts", "src/host/c.test.ts", "plugins/x/d.test.ts"]),
    [
      { name: "src/host", files: ["src/host/a.io.test.ts", "src/host/deep/er/b.io.test.ts"] },
      { name: "memory", files: ["src/host/c.test.ts", "plugins/x/d.test.ts"] },
    ],
  );
  assert.deepEqual(
    groups(
      "test/end-to-end/gateway/a.io.test.ts",
      "test/end-to-end/b.io.test.ts",
      "test/faults/c.io.test.ts",
      "test/d.io.test.ts",
      "plugins/terminal-ssh/e.io.test.ts",
      "plugins/memory/f.io.test.ts",
      "scripts/test/g.io.test.ts",
    ),
    ["test/end-to-end/gateway", "test/end-to-end", "test/faults", "test", "plugins/terminal-ssh", "plugins", "scripts"],
  );
});

test("splits a large group into equal parts, and loses or repeats no file", () => {
  const files = Array.from({ length: 61 }, (_, index) => `test/faults/${index}.io.test.ts`);
  const parts = groupFiles(files);
  assert.deepEqual(
    parts.map((part) => [part.name, part.files.length]),
    [
      ["test/faults 2/3", 21],
      ["test/faults 1/3", 20],
      ["test/faults 3/3", 20],
    ],
  );
  assert.deepEqual(parts.flatMap((part) => part.files).sort(), files.toSorted());
});

test("starts with the group that took longest in the last run", () => {
  const files = ["test/faults/a.io.test.ts", "test/faults/b.io.test.ts", "test/docs/c.io.test.ts"];
  assert.deepEqual(
    groupFiles(files, new Map([["test/docs/c.io.test.ts", 90_000]])).map(({ name }) => name),
    ["test/docs", "test/faults"],
  );
});
