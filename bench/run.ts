/**
 * `npm run bench [-- --rounds 15] [--only start,turn]`: the project's figures, measured on the installed build against
 * a model on loopback.
 * Every figure is a ratio within this run or a bound; none of them is a test. `--only` takes the names of the parts
 * below; `--hermes` takes an
 * installed build, otherwise the bench makes one.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Figure } from "./figures.ts";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "15" }, only: { type: "string" }, hermes: { type: "string" } },
});
const root = join(import.meta.dirname, "..");
const rounds = Number(values.rounds);
const only = values.only?.split(",");
let build = values.hermes;
/** Made when the first part that needs it runs. */
const installed = (): string => (build ??= install());
const PARTS: readonly { readonly name: string; readonly measure: () => Promise<readonly Figure[]> }[] = [
  { name: "start", measure: async () => (await import("./start.ts")).startFigures(installed(), rounds) },
  { name: "turn", measure: async () => (await import("./turn.ts")).turnFigures(installed(), 60) },
  { name: "screen", measure: async () => (await import("./screen.ts")).screenFigures(installed(), rounds) },
  { name: "engine", measure: async () => (await import("./engine.ts")).engineFigures() },
  { name: "plugins", measure: async () => (await import("./plugins.ts")).pluginFigures() },
  { name: "safety", measure: async () => (await import("./safety.ts")).safetyFigures() },
  { name: "checkpoints", measure: async () => (await import("./checkpoints.ts")).checkpointFigures() },
  { name: "sandbox", measure: async () => (await import("./sandbox.ts")).sandboxFigures(rounds, 1_000) },
  { name: "terminals", measure: async () => (await import("./terminals.ts")).terminalFigures(rounds * 4) },
  { name: "dashboard", measure: async () => (await import("./dashboard.ts")).dashboardFigures() },
  { name: "original", measure: async () => (await import("./original.ts")).originalFigures(installed(), 3) },
];
const unknown = only?.filter((name) => PARTS.every((part) => part.name !== name)) ?? [];
if (unknown.length > 0 || !(rounds >= 1)) {
  console.error(
    unknown.length > 0
      ? `Unknown part: ${unknown.join(", ")}. The parts are ${PARTS.map(({ name }) => name).join(", ")}.`
      : `--rounds needs a whole number of at least 1, not "${values.rounds}".`,
  );
  process.exit(2);
}

let missed = 0;
for (const { name, measure } of PARTS) {
  if (only !== undefined && !only.includes(name)) continue;
  console.log(`\n${name}`);
  for (const figure of await measure()) {
    missed += figure.ok ? 0 : 1;
    console.log(
      `  ${figure.ok ? "✓" : "✗"} ${figure.name}: ${figure.value}${figure.limit === "" ? "" : `  (${figure.limit})`}`,
    );
  }
}
console.log(
  missed === 0 ? "\nAll figures are within their bounds." : `\n${missed} of the figures are outside their bounds.`,
);

/** Packs this tree and installs the tarball into an empty folder, as a user would. */
function install(): string {
  const folder = mkdtempSync(join(tmpdir(), "hermes-installed-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, "node_modules"));
  const packed = spawnSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root, encoding: "utf8" });
  const tarball = join(folder, packed.stdout.trim().split("\n").at(-1) ?? "");
  if (packed.status !== 0 || !existsSync(tarball)) throw new Error(`npm pack failed:\n${packed.stderr}`);
  const placed = spawnSync(
    "npm",
    ["install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--silent", tarball],
    { encoding: "utf8" },
  );
  if (placed.status !== 0) throw new Error(`npm install failed:\n${placed.stderr}`);
  return join(folder, "node_modules/hermes-agent-ts/dist/hermes.cjs");
}
