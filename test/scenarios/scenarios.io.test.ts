/** `node --conditions=hermes-source test/scenarios/scenarios.io.test.ts --update` rewrites the expected results. */
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { runScenario, type Scenario } from "../../src/testing/scenario.ts";

const update = process.argv.includes("--update");

for (const file of globSync("*/script.json", { cwd: import.meta.dirname }).sort()) {
  const folder = join(import.meta.dirname, dirname(file));
  const { shows } = JSON.parse(readFileSync(join(folder, "script.json"), "utf8")) as Scenario;
  test(`scenario ${dirname(file)}: ${shows}`, () => runScenario(folder, { update }));
}
