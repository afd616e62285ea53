/**
 * `npm run check`: format, types, lint, dead code, architecture, generated pages. Runs all checks and fails at the end
 * if one failed.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";

const root = join(import.meta.dirname, "..");
const CHECKS: readonly { readonly name: string; readonly command: readonly string[]; readonly fix: string }[] = [
  { name: "format", command: [process.execPath, "scripts/format.ts", "--check"], fix: "npm run format" },
  {
    name: "prose",
    command: [process.execPath, "scripts/prose-check.ts"],
    fix: "`npm run prose -- --list` names each word and what to write",
  },
  { name: "types", command: ["tsc", "-p", "tsconfig.json"], fix: "the messages name file and line" },
  {
    name: "types of the dashboard's page",
    command: ["tsc", "-p", "src/surfaces/dashboard/page/tsconfig.json"],
    fix: "the messages name file and line",
  },
  { name: "lint", command: ["oxlint", "--deny-warnings"], fix: "`npx oxlint --fix` fixes many" },
  { name: "dead code", command: ["knip", "--no-progress"], fix: "delete unused code, or use it" },
  {
    name: "architecture",
    command: [
      process.execPath,
      "--conditions=hermes-source",
      "--test",
      "--test-reporter=dot",
      "test/architecture/*.test.ts",
      "test/requirements/*.test.ts",
    ],
    fix: "the message names the import and where the code belongs",
  },
  {
    name: "generated pages",
    command: [process.execPath, "--conditions=hermes-source", "scripts/generate.ts", "--check"],
    fix: "`npm run generate`, then review the diff",
  },
];

const failed = CHECKS.filter(({ name, command, fix }) => {
  const started = performance.now();
  const { status, error, stdout, stderr } = spawnSync(command[0] ?? "", command.slice(1), {
    cwd: root,
    encoding: "utf8",
  });
  const ok = status === 0;
  console.log(`${ok ? "✓" : "✗"} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
  if (!ok) console.log(`${stdout ?? ""}${stderr ?? ""}${error === undefined ? "" : error.message}\n  → ${fix}`);
  return !ok;
});
console.log(
  failed.length === 0
    ? "All checks passed."
    : `${failed.length} of ${CHECKS.length} checks failed: ${failed.map(({ name }) => name).join(", ")}.`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
