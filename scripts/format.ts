/**
 * `npm run format`: formats TypeScript, JavaScript, JSON, CSS and Markdown with oxfmt, and Python with ruff. Print
 * width 120.
 * `--check` changes nothing, lists the files that are not formatted, and exits with 1.
 */
import { spawnSync } from "node:child_process";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PositionEncoding, Workspace } from "@astral-sh/ruff-wasm-nodejs";

const root = join(import.meta.dirname, "..");
const check = process.argv.includes("--check");
/** Tests compare the examples with the guides' code, so they stay unformatted. */
const PYTHON = ["src/**/*.py", "plugins/**/*.py", "test/**/*.py"];

const { status } = spawnSync("oxfmt", [check ? "--check" : "--write", "."], { cwd: root, stdio: "inherit" });
const unformatted = formatPython();
if (check) for (const file of unformatted) console.error(`${file} is not formatted.`);
process.exitCode = status !== 0 || (check && unformatted.length > 0) ? 1 : 0;

/** Formats Python files, or with `--check` only compares them. @returns the files whose formatted text differs. */
function formatPython(): readonly string[] {
  const ruff = new Workspace({ "line-length": 120 }, PositionEncoding.Utf8);
  return globSync(PYTHON, { cwd: root }).filter((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const formatted = ruff.format(text);
    if (formatted === text) return false;
    if (!check) writeFileSync(join(root, file), formatted);
    return true;
  });
}
