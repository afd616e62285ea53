/**
 * `npm run requirements`: which test meets which requirement of the original, from the results of the last `npm test`.
 * Writes `docs/reference/requirements.md` and prints the sums. `--run` runs the tests first.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readCitations, type Citation } from "../test/requirements/citations.ts";
import { readLedger, type Requirement } from "../test/requirements/ledger.ts";
import { resultOf } from "./requirement-results.ts";
import { readResults, RESULTS_FILE, type TestResult } from "./test/results.ts";

type Coverage = {
  readonly requirement: Requirement;
  readonly state: "met" | "failing" | "not run here" | "open";
  readonly tests: readonly string[];
};

const root = join(import.meta.dirname, "..");
const results = lastResults();
const citations = Map.groupBy(readCitations(root), (citation) => citation.id);
const coverage = readLedger().map((requirement) => cover(requirement, citations.get(requirement.id) ?? []));

mkdirSync(join(root, "docs/reference"), { recursive: true });
writeFileSync(join(root, "docs/reference/requirements.md"), page());
for (const [area, lines] of Map.groupBy(coverage, (line) => line.requirement.area)) {
  console.log(`${area.padEnd(22)} ${String(count(lines, "met")).padStart(3)} / ${lines.length}`);
}
console.log(
  `\n${count(coverage, "met")} of ${coverage.length} requirements met, ${count(coverage, "not run here")} not run here, ${count(coverage, "failing")} failing.`,
);
console.log("Each with its tests: docs/reference/requirements.md");

function lastResults(): readonly TestResult[] {
  if (process.argv.includes("--run") || !existsSync(join(root, RESULTS_FILE))) {
    console.error("The whole suite runs first, to have results to read (about 20 minutes on two cores)…");
    spawnSync(process.execPath, ["--conditions=hermes-source", "scripts/test.ts"], { cwd: root, stdio: "inherit" });
  }
  return readResults(root);
}

function cover(requirement: Requirement, cited: readonly Citation[]): Coverage {
  const ran = cited.map((citation) => ({ citation, result: resultOf(citation, results) }));
  const passed = ran.filter(({ result }) => result?.outcome === "passed");
  const tests = (passed.length > 0 ? passed : ran).map(
    ({ citation, result }) => `${citation.file}: ${result?.name ?? "(not run)"}`,
  );
  if (ran.some(({ result }) => result?.outcome === "failed")) return { requirement, state: "failing", tests };
  if (passed.length > 0) return { requirement, state: "met", tests };
  return { requirement, state: cited.length > 0 ? "not run here" : "open", tests };
}

function count(lines: readonly Coverage[], state: Coverage["state"]): number {
  return lines.filter((line) => line.state === state).length;
}

function page(): string {
  const areas = [...Map.groupBy(coverage, (line) => line.requirement.area)];
  return [
    "# Requirements and the tests that meet them",
    "",
    "Made by `npm run requirements` from the last full test run. A requirement is met when a test that cites its id passed.",
    "",
    `**${count(coverage, "met")} of ${coverage.length} met.**`,
    "",
    "| area | met | of |",
    "|---|---|---|",
    ...areas.map(([area, lines]) => `| [${area}](#${area}) | ${count(lines, "met")} | ${lines.length} |`),
    ...areas.flatMap(([area, lines]) => ["", `## ${area}`, "", ...lines.map(line)]),
    "",
  ].join("\n");
}

function line({ requirement, state, tests }: Coverage): string {
  const what = `- **${requirement.id}** (${state}): ${requirement.behaviour}`;
  return [what, ...new Set(tests.map((test) => `  - ${test}`))].join("\n");
}
