/**
 * `npm run generate`: writes the bundled plugins' snapshot, and from it and the code the pages of `docs/reference` and
 * the READMEs' tables.
 * `--check` writes nothing and fails with the names of stale files.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { makePages } from "./generate/make-pages.ts";
import { ROOT } from "./generate/read-snapshot.ts";

const check = process.argv.includes("--check");
const folder = join(ROOT, "docs/reference");
const snapshot = spawnSync(
  process.execPath,
  ["--conditions=hermes-source", join(import.meta.dirname, "generate-snapshot.ts"), ...(check ? ["--check"] : [])],
  { cwd: ROOT, stdio: "inherit" },
);
let failed = snapshot.status !== 0;

mkdirSync(join(folder, "skills"), { recursive: true });
const pages = await makePages();
for (const left of readdirSync(join(folder, "skills")).filter(
  (name) => !pages.some(({ file }) => file === `skills/${name}`),
)) {
  const name = `docs/reference/skills/${left}`;
  console[check ? "error" : "log"](`${name}: this skill no longer exists`);
  if (check) failed = true;
  else rmSync(join(folder, "skills", left));
}
for (const { file, text } of pages) {
  if (read(join(folder, file)) === text) continue;
  const name = relative(ROOT, join(folder, file));
  if (check) {
    console.error(`${name} is stale. Run npm run generate`);
    failed = true;
  } else {
    writeFileSync(join(folder, file), text);
    console.log(`${name}: written`);
  }
}
process.exitCode = failed ? 1 : 0;

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined; // Not generated yet.
  }
}
