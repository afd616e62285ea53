import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { test } from "node:test";
import { pythonOnPath } from "./python-environment.ts";

test("a folder of the PATH that cannot be looked into is passed over, as a shell passes it", (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-path-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const [circle, plain, gone] = ["circle", "plain", "gone"].map((name) => join(folder, name));
  for (const made of [circle!, plain!]) mkdirSync(made);
  // Nobody can look along a link to itself, whatever their rights are.
  symlinkSync("python3", join(circle!, "python3"));
  writeFileSync(join(plain!, "python3"), "", { mode: 0o755 });
  assert.equal(pythonOnPath([gone, circle, plain].join(delimiter)), join(plain!, "python3"));
  assert.equal(pythonOnPath(circle), undefined);
  assert.equal(pythonOnPath(undefined), undefined);
});
