import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createProbe } from "./probe.ts";

test("a check sees only the variables its owner declared, and programs on the path", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "hermes-probe-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env: { readonly [name: string]: string } = { PATH: `/nowhere:${folder}`, A_KEY: "a", B_KEY: "b" };
  const probe = createProbe({
    declared: [{ name: "A_KEY" }],
    env: (name) => env[name],
    config: (path) => (path === "x.y" ? 1 : undefined),
    surface: { name: "cli", prompter: true },
  });
  assert.deepEqual(
    [probe.env("A_KEY"), probe.env("B_KEY"), probe.config("x.y"), probe.prompter, probe.surface],
    ["a", undefined, 1, true, "cli"],
  );
  assert.equal(await probe.which("gadget"), undefined);
  writeFileSync(join(folder, "gadget"), "#!/bin/sh\n");
  assert.equal(await probe.which("gadget"), undefined);
  chmodSync(join(folder, "gadget"), 0o755);
  assert.equal(await probe.which("gadget"), join(folder, "gadget"));
  assert.equal(await probe.which("../gadget"), undefined);
});
