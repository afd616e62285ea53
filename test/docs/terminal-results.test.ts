import assert from "node:assert/strict";
import { existsSync, globSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { readTerminalResults, TERMINAL_SUITES } from "../../scripts/terminal-results.ts";
import { TERMINAL_BEHAVIOURS } from "../../src/testing/terminal-contract.ts";
import { readPage, ROOT } from "./read-pages.ts";

const results = readTerminalResults(ROOT);
const ids = TERMINAL_BEHAVIOURS.map(({ id }) => id);

test("the table has a contract suite for every terminal plugin", () => {
  const plugins = globSync("plugins/terminal-*", { cwd: ROOT })
    .map((folder) => basename(folder))
    .sort();
  const shown = Object.values(TERMINAL_SUITES).map((file) => file.split("/")[1]!);
  assert.deepEqual([...new Set(shown)].sort(), plugins);
  assert.deepEqual(
    Object.values(TERMINAL_SUITES).filter((file) => !existsSync(join(ROOT, file))),
    [],
  );
});

// req: terminal.seven-backends
test("each of the seven backends has passed the suite", () => {
  const backends = Object.keys(TERMINAL_SUITES).filter((name) => name !== "podman");
  assert.deepEqual(backends.sort(), ["daytona", "docker", "local", "modal", "singularity", "ssh", "vercel_sandbox"]);
  assert.deepEqual(
    results.filter(
      ({ failed, passed, skipped }) => failed.length > 0 || passed.length === 0 || Object.values(skipped).includes(""),
    ),
    [],
  );
});

test("the table has one result for every backend and behaviour, and no others", () => {
  assert.deepEqual(
    results.map(({ backend }) => backend),
    Object.keys(TERMINAL_SUITES),
    "npm run terminals",
  );
  for (const { backend, passed, failed, skipped } of results)
    assert.deepEqual(
      [...passed, ...failed, ...Object.keys(skipped)].sort(),
      [...ids].sort(),
      `npm run terminals -- --missing ${backend}`,
    );
});

test("both READMEs have a row for every backend, whose numbers add up to all behaviours", () => {
  for (const file of ["README.md", "README.zh-Hans.md"]) {
    const [, part = ""] = /<!-- terminals:[^>]*-->([^]*?)<!-- \/terminals -->/.exec(readPage(file).text) ?? [];
    const rows = part
      .trim()
      .split("\n")
      .slice(2)
      .map((line) =>
        line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim()),
      );
    assert.deepEqual(
      rows.map(([name]) => name),
      Object.keys(TERMINAL_SUITES).map((backend) => (backend === "podman" ? "`docker` (podman)" : `\`${backend}\``)),
      file,
    );
    for (const [name, ...counts] of rows)
      assert.equal(
        counts.reduce((sum, count) => sum + (count === "–" ? 0 : Number(count)), 0),
        ids.length,
        `${file}: ${name}`,
      );
  }
});
