import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync, utimesSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { resolveHome } from "./home.ts";
import { openScratch } from "./scratch.ts";

const HOUR = 3_600_000;

// req: R-06
test("deletes spilled results unused for two weeks, and older ones earlier if the total is too large", async () => {
  const path = mkdtempSync(join(tmpdir(), "hermes-scratch-"));
  try {
    const now = Date.now();
    const scratch = openScratch(resolveHome({ env: { HERMES_HOME: path }, userHome: path }), 2500);
    for (const [session, hours] of [
      ["ancient", 15 * 24],
      ["old", 48],
      ["older", 72],
      ["today", 5],
      ["now", 0],
    ] as const) {
      const folder = dirname(await scratch.spill(session, "call", "x".repeat(1000)));
      utimesSync(folder, now / 1000, (now - hours * HOUR) / 1000);
    }
    await scratch.sweep(now);
    assert.deepEqual(readdirSync(join(path, "cache/results")).sort(), ["now", "today"]);
  } finally {
    rmSync(path, { recursive: true, force: true });
  }
});
