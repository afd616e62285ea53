/**
 * `npm run terminals [-- BACKEND…]`: runs the contract suites of all terminal backends, or of those named, one after
 * the other. Saves the
 * results, and updates the page and the READMEs' tables. `--missing`: runs only the behaviours without a passed result.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "./generate/read-snapshot.ts";
import { TERMINAL_BEHAVIOURS } from "../src/testing/terminal-contract.ts";
import {
  collectResults,
  keepTerminalResults,
  readTerminalResults,
  TERMINAL_SUITES,
  type BackendResults,
} from "./terminal-results.ts";
import { definedFields } from "../src/contract/common/defined-fields.ts";

const missing = process.argv.includes("--missing");
const named = process.argv.slice(2).filter((word) => word !== "--missing");
const unknown = named.filter((name) => !(name in TERMINAL_SUITES));
if (unknown.length > 0) {
  console.error(
    `There is no suite for ${unknown.join(", ")}. The suites are ${Object.keys(TERMINAL_SUITES).join(", ")}.`,
  );
  process.exit(2);
}
const folder = mkdtempSync(join(tmpdir(), "terminals-"));
try {
  for (const backend of named.length > 0 ? named : Object.keys(TERMINAL_SUITES)) run(backend);
} finally {
  rmSync(folder, { recursive: true });
}
const generated = spawnSync(
  process.execPath,
  ["--conditions=hermes-source", join(import.meta.dirname, "generate.ts")],
  { cwd: ROOT, stdio: "inherit" },
);
if (generated.status !== 0) process.exitCode = 1;

function run(backend: string): void {
  const known = missing ? readTerminalResults(ROOT).find((one) => one.backend === backend) : undefined;
  const wanted = TERMINAL_BEHAVIOURS.map(({ id }) => id).filter(
    (id) => known === undefined || !(known.passed.includes(id) || id in known.skipped),
  );
  if (wanted.length === 0) return console.log(`${backend}: nothing is missing`);
  const startedAt = performance.now();
  const file = join(folder, backend);
  const suite = spawnSync(
    process.execPath,
    [
      "--conditions=hermes-source",
      "--test",
      "--test-isolation=none",
      "--test-force-exit",
      "--test-timeout=120000",
      "--test-reporter=dot",
      TERMINAL_SUITES[backend]!,
    ],
    {
      cwd: ROOT,
      env: {
        ...process.env,
        HERMES_TERMINAL_RESULTS: file,
        ...definedFields({ HERMES_TERMINAL_ONLY: known === undefined ? undefined : wanted.join(",") }),
      },
      encoding: "utf8",
    },
  );
  const results = collectResults(readMaybe(file));
  const tookS = Math.round((performance.now() - startedAt) / 1_000);
  if (results === undefined) console.log(`${backend}: not run here; its earlier results stay (${tookS} s)`);
  else {
    keepTerminalResults(ROOT, known === undefined ? results : joined(known, results));
    const broken = results.failed.length === 0 ? "" : `, ${results.failed.length} broken: ${results.failed.join(" ")}`;
    console.log(
      `${backend} (${results.kind}): ${results.passed.length} passed, ${Object.keys(results.skipped).length} not applicable${broken} (${tookS} s)`,
    );
  }
  if (suite.status === 0) return;
  process.stdout.write(suite.stdout);
  process.exitCode = 1;
}

/** The earlier results, with the new ones replacing them. */
function joined(known: BackendResults, found: BackendResults): BackendResults {
  return { ...found, passed: [...known.passed, ...found.passed], skipped: { ...known.skipped, ...found.skipped } };
}

function readMaybe(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The suite skipped itself entirely.
  }
}
