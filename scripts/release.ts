/** `npm run release -- patch|minor|major|X.Y.Z [--dry-run]`; see the usage text below. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { makeRelease } from "./release/make-release.ts";
import { ReleaseError } from "./release/plan.ts";

const USAGE = `Usage: npm run release -- patch|minor|major|X.Y.Z [--dry-run]

Set the version, date the changelog's unreleased section, pack and install the package and start it, then commit and tag.
Pushing the tag publishes the package (.github/workflows/release.yml).

  --dry-run  Do all of it but the commit and the tag, then restore the files`;

const root = join(import.meta.dirname, "..");
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { "dry-run": { type: "boolean", default: false }, help: { type: "boolean", default: false } },
});
const [wanted] = positionals;
if (values.help || wanted === undefined || positionals.length > 1) {
  console.log(USAGE);
  process.exit(values.help ? 0 : 2);
}
try {
  makeRelease({
    root,
    wanted,
    dryRun: values["dry-run"],
    date: new Date().toISOString().slice(0, 10),
    checkPackage,
    report: (line) => console.log(line),
  });
} catch (error) {
  if (!(error instanceof ReleaseError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}

/**
 * Installs the packed file into a temporary folder, as a user does, and compares what its `hermes --version` prints.
 */
function checkPackage(version: string): void {
  const folder = mkdtempSync(join(tmpdir(), "hermes-release-"));
  try {
    run("npm", ["pack", "--silent", "--pack-destination", folder], root);
    const tarball = readdirSync(folder).find((name) => name.endsWith(".tgz"));
    if (tarball === undefined) throw new ReleaseError("npm pack wrote no file.");
    run("npm", ["install", "--prefix", folder, "--no-audit", "--no-fund", "--silent", join(folder, tarball)], folder);
    const manifest = JSON.parse(
      readFileSync(join(folder, "node_modules/hermes-agent-ts/package.json"), "utf8"),
    ) as object;
    if ("dependencies" in manifest) throw new ReleaseError("The packed package.json names dependencies.");
    const printed = run(join(folder, "node_modules/.bin/hermes"), ["--version"], folder).trim();
    if (printed !== `hermes-agent ${version}`)
      throw new ReleaseError(`The installed package prints "${printed}", not "hermes-agent ${version}".`);
    console.log(`${tarball}: installed and started.`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8", maxBuffer: 1 << 26 });
  if (status !== 0) throw new ReleaseError(`${program} ${args[0]} failed: ${error?.message ?? `${stdout}${stderr}`}`);
  return stdout;
}
