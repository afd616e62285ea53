import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { pythonOnPath } from "./python-environment.ts";

test("skips a folder of the PATH that cannot be read, as a shell does", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-path-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [circle, plain, gone] = ["circle", "plain", "gone"].map((name) => join(folder, name));
  for (const made of [circle!, plain!]) mkdirSync(made);
  // A link to itself cannot be followed, even by root.
  symlinkSync("python3", join(circle!, "python3"));
  writeFileSync(join(plain!, "python3"), "", { mode: 0o755 });
  assert.equal(pythonOnPath([gone, circle, plain].join(delimiter)), join(plain!, "python3"));
  assert.equal(pythonOnPath(circle), undefined);
  assert.equal(pythonOnPath(undefined), undefined);
});
