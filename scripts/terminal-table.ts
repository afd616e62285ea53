/**
 * `node scripts/terminal-table.ts RESULTS`: the page that shows which terminal backend has kept which promise, and against what.
 * RESULTS is written by the contract suites when HERMES_TERMINAL_RESULTS names it:
 * `HERMES_TERMINAL_RESULTS=/tmp/results npm test -- contract local-backend`.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TERMINAL_BEHAVIOURS } from "../src/testing/terminal-contract.ts";

interface Result {
  readonly backend: string;
  readonly kind: "real" | "double";
  readonly id: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly why?: string;
}

const BACKENDS = ["local", "docker", "podman", "ssh", "singularity", "modal", "daytona", "vercel_sandbox"];
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error("Name the file of the results.");
const results = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line) as Result);
const shown = BACKENDS.filter((name) => results.some(({ backend }) => backend === name));
const notes: string[] = [];

const rows = TERMINAL_BEHAVIOURS.map(({ id, says }) => `| \`${id}\` | ${says} | ${shown.map((backend) => cell(backend, id)).join(" | ")} |`);
const sums = shown.map((backend) => {
  const own = results.filter((result) => result.backend === backend);
  return `**${backend}**: ${own.filter(({ outcome }) => outcome === "passed").length} kept, ${own.filter(({ outcome }) => outcome === "failed").length} broken, ${own.filter(({ outcome }) => outcome === "skipped").length} that do not apply, of ${TERMINAL_BEHAVIOURS.length}`;
});
const page = `# What terminal backends promise

<!-- Made by \`scripts/terminal-table.ts\` from a run of the contract suites. Do not edit. -->

The same ${TERMINAL_BEHAVIOURS.length} behaviours for every place. \`real\`: kept by the real thing; \`double\`: by a double of it; \`–\`: not run.

${sums.join(" · ")}

| id | behaviour | ${shown.join(" | ")} |
|---|---|${shown.map(() => "---").join("|")}|
${rows.join("\n")}

${notes.map((note, index) => `${index + 1}. ${note}`).join("\n")}
`;
writeFileSync(join(import.meta.dirname, "../docs/reference/terminal-contract.md"), page);

function cell(backend: string, id: string): string {
  const result = results.findLast((one) => one.backend === backend && one.id === id);
  if (result === undefined) return "–";
  if (result.outcome === "failed") return "**broken**";
  if (result.outcome === "passed") return result.kind;
  const why = `${backend}: ${result.why ?? "skipped"}`;
  if (!notes.includes(why)) notes.push(why);
  return `skipped (${notes.indexOf(why) + 1})`;
}
