import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fakeClock } from "../../testing/fake-clock.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { createCompatRuntime } from "./compat-runtime.ts";

// req: registry.autodiscovery, registry.autodiscovery-top-level, registry.optional-failure-isolated, registry.self-registration
test("loads modules that register at top level in name order, skips others, and continues after a failure", async () => {
  const folder = await mkdtemp(join(tmpdir(), "hermes-discover-"));
  const log = quietLog();
  const runtime = createCompatRuntime({ log, clock: fakeClock() });
  // A module on disk cannot import a runtime that only this test has, so the test passes it in under a separate name.
  const key = `hermes-discover-${process.hrtime.bigint()}`;
  const shared = globalThis as { [name: string]: unknown };
  shared[key] = runtime.registry;
  const head = `const registry = globalThis[${JSON.stringify(key)}];\n`;
  const registers = (name: string) =>
    `${head}registry.register({ name: "${name}", toolset: "t", schema: { name: "${name}", description: "d", parameters: { type: "object", properties: {} } }, handler: () => "1" });\n`;
  try {
    await writeFile(join(folder, "zeta.ts"), registers("zeta"));
    await writeFile(
      join(folder, "alpha.js"),
      `// A comment { with a brace\nconst text = "}{'";\n${registers("alpha")}`,
    );
    await writeFile(join(folder, "broken.ts"), `${registers("broken")}throw new Error("library missing");\n`);
    await writeFile(join(folder, "plain.ts"), `throw new Error("was loaded");\n// registry.register(\n`);
    await writeFile(
      join(folder, "inside.ts"),
      `throw new Error("was loaded");\nexport function later() { registry.register({}); }\nconst quoted = "registry.register(";\n`,
    );
    await writeFile(join(folder, "zeta.test.ts"), `throw new Error("was loaded"); registry.register(1)`);
    await writeFile(join(folder, "notes.md"), "registry.register(1)");
    assert.deepEqual(await runtime.discoverBuiltinTools(folder), ["alpha.js", "zeta.ts"]);
    const definitions = await runtime.getToolDefinitions({ enabled_toolsets: ["t"] });
    assert.deepEqual(
      definitions.map((one) => one.function.name),
      ["alpha", "broken", "zeta"],
    );
    assert.deepEqual(
      log.lines.map(({ level, message }) => [level, message]),
      [["warning", 'Cannot load the tool module "broken.ts": library missing']],
    );
  } finally {
    delete shared[key];
    await rm(folder, { recursive: true, force: true });
  }
});
