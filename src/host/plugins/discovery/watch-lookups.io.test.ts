import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { withLookups } from "./watch-lookups.ts";

/** Runs a module outside the agent's folder as a plugin's load. */
async function load(name: string, code: string, agent: () => unknown): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), "lookups-"));
  try {
    const file = join(folder, name);
    writeFileSync(file, code);
    return await withLookups(async () => {
      const module = (await import(pathToFileURL(file).href)) as { default(agent: () => unknown): unknown };
      return module.default(agent);
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

// field: P04
test("a lookup counts where the plugin's code asks, not where Hermes asks for it", async () => {
  const agent = () => [existsSync("/agent"), process.env["AGENT_READS"]];
  const asked = {
    result: 1,
    reported: { reads: ["PLUGIN_READS"], lookups: [["path", "/plugin", null]] },
  };
  const body = `void process.env.PLUGIN_READS; agent(); await null; agent(); return 1;`;
  assert.deepEqual(
    await load(
      "a.mjs",
      `import { existsSync } from "node:fs"; export default async (agent) => { existsSync("/plugin"); ${body} };`,
      agent,
    ),
    asked,
  );
  assert.deepEqual(
    await load(
      "b.cjs",
      `const fs = require("fs"); module.exports = async (agent) => { await fs.promises.access("/plugin").catch(() => 0); ${body} };`,
      agent,
    ),
    asked,
  );
});

// field: P04
test("two loads at the same time have separate lookups, and later ones have none", async () => {
  const code = (name: string) =>
    `import fs from "node:fs"; export default async () => { await new Promise(setImmediate); fs.existsSync("/${name}"); setTimeout(() => fs.existsSync("/later"), 20); };`;
  const [one, other] = (await Promise.all([
    load("one.mjs", code("one"), () => 0),
    load("other.mjs", code("other"), () => 0),
  ])) as { reported: { lookups: unknown } }[];
  assert.deepEqual(
    [one!.reported.lookups, other!.reported.lookups],
    [[["path", "/one", null]], [["path", "/other", null]]],
  );
  assert.equal(readFileSync.name, "readFileSync", "the functions of Node are back");
});
