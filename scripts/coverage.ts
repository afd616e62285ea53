/** `npm run coverage [-- --all] [FILTER…]`; see the usage text below. */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { coveredOf, statementsIn, type CountedRange } from "./coverage/statements.ts";
import { coverageTable } from "./coverage/table.ts";

const USAGE = `Usage: npm run coverage [-- --all] [FILTER…]

Run the memory tests and print how many statements of src/ and plugins/ they ran.
A FILTER is a part of a test file's path.

  --all  Run all tests. Processes that tests start with another environment are not counted.`;

const root = join(import.meta.dirname, "..");
const { values, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { all: { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});
if (values.help) {
  console.log(USAGE);
  process.exit(0);
}

/** Tests, benches, fixtures of tests, and the dashboard's page, which runs in browsers. */
const NOT_MEASURED = /\.(test|bench)\.ts$|-fixture\.ts$|\/(test|testing|fixtures)\/|^src\/surfaces\/dashboard\/page\//;
/** The age at which a report is read: Node does not write it atomically. */
const SETTLED_MS = 2_000;

const statements = new Map(
  globSync(["src/**/*.ts", "plugins/**/*.ts"], { cwd: root })
    .filter((file) => file.startsWith("src/testing/") || !NOT_MEASURED.test(file))
    .map((file) => [file, statementsIn(file, readFileSync(join(root, file), "utf8"))]),
);
const covered = new Map<string, Set<number>>();
const reports = mkdtempSync(join(tmpdir(), "hermes-coverage-"));

let status: number;
try {
  // Each process writes a report of up to some megabytes: with --all they would fill a disk if they stayed until the
  // end.
  const collecting = setInterval(() => collect(SETTLED_MS), 5_000);
  status = await runTests();
  clearInterval(collecting);
  collect(0);
} finally {
  rmSync(reports, { recursive: true, force: true });
}
const files = [...statements].map(([file, all]) => ({
  file,
  statements: all.length,
  covered: covered.get(file)?.size ?? 0,
}));
console.log(`\n${coverageTable(files)}`);
process.exitCode = status;

function runTests(): Promise<number> {
  const scope = values.all ? [] : ["--quick"];
  const args = ["--conditions=hermes-source", "scripts/test.ts", "--results", ".cache/coverage-tests.jsonl"];
  const child = spawn(process.execPath, [...args, ...scope, "--", ...filters], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, NODE_V8_COVERAGE: reports },
  });
  return new Promise((resolve) => child.once("close", (code) => resolve(code ?? 1)));
}

/** Reads and removes the reports that are at least this old. */
function collect(settledMs: number): void {
  for (const name of readdirSync(reports)) {
    const path = join(reports, name);
    if (Date.now() - statSync(path).mtimeMs < settledMs) continue;
    const text = readFileSync(path, "utf8");
    rmSync(path);
    readReport(text);
  }
}

function readReport(text: string): void {
  let report: { readonly result?: readonly ScriptCoverage[] };
  try {
    report = JSON.parse(text);
  } catch {
    return; // Its process was killed while it wrote.
  }
  for (const { url, functions } of report.result ?? []) {
    const file = url.startsWith("file:") ? relative(root, fileURLToPath(url.replace(/[?#].*/, ""))) : "";
    const all = statements.get(file);
    if (all === undefined) continue;
    const ran = covered.get(file) ?? new Set();
    for (const at of coveredOf(
      all,
      functions.flatMap(({ ranges }) => ranges),
    ))
      ran.add(at);
    covered.set(file, ran);
  }
}

interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly CountedRange[] }[];
}
