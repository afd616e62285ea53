import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";

/**
 * A file of a plugin as it was: name inside the plugin, epoch ms of its last change, bytes. The time is the system's own: the date of a file can be
 * set, and in some stores is the same for all.
 */
export type FileStamp = readonly [name: string, changedMs: number, bytes: number];

const ENTRIES = ["index.ts", "index.js", "index.mjs"];
const PYTHON_ENTRY = "__init__.py";
const MANIFESTS = ["plugin.yaml", "plugin.yml"];
const CODE = /\.(ts|mts|js|mjs|cjs|json|ya?ml|py)$|^(requirements\.txt|pyproject\.toml)$/;
const MAX_FILES = 200;

export function manifestFile(dir: string): string | undefined {
  return MANIFESTS.map((name) => join(dir, name)).find(isFile);
}

/** The module with `register`, or why there is none. */
export function entryModule(dir: string): { readonly file: string } | { readonly reason: string } {
  const file = ENTRIES.map((name) => join(dir, name)).find(isFile);
  if (file !== undefined) return { file };
  const python = join(dir, PYTHON_ENTRY);
  return isFile(python)
    ? { file: python }
    : { reason: `no entry module: ${[...ENTRIES.slice(0, 2), PYTHON_ENTRY].join(" or ")} is missing in ${dir}` };
}

/** The module with `register_cli`, in the language of the agent. */
export function cliModule(dir: string): string | undefined {
  return ["cli.ts", "cli.js", "cli.mjs"].map((name) => join(dir, name)).find(isFile);
}

/** Whether its entry is Python's. @param stamps What is known to lie in it; a folder without any is looked at. */
export function isPythonPlugin(dir: string, stamps: readonly FileStamp[] = []): boolean {
  if (stamps.some(([name]) => ENTRIES.includes(name))) return false;
  if (stamps.some(([name]) => name === PYTHON_ENTRY)) return true;
  const entry = entryModule(dir);
  return "file" in entry && entry.file.endsWith(".py");
}

/** The first characters of the entry module, of either language. */
export function entryText(dir: string): string {
  const file = [...ENTRIES, PYTHON_ENTRY].map((name) => join(dir, name)).find(isFile);
  return file === undefined ? "" : readFileSync(file, "utf8").slice(0, 8192);
}

/** Whether stamped files hold a module with `register`. */
export function hasEntryModule(stamps: readonly FileStamp[]): boolean {
  return stamps.some(([name]) => ENTRIES.includes(name) || name === PYTHON_ENTRY);
}

/**
 * Everything whose change may change what the plugin registers: manifest, code and data, two folders deep.
 * @param program The words of its program: its own files come first, and code of any language counts.
 */
export function stampFiles(dir: string, program?: readonly string[]): readonly FileStamp[] {
  const stamps: FileStamp[] = [];
  for (const word of program ?? []) if (word.startsWith("./")) stamp(normalize(word));
  visit("", 0);
  return stamps;

  function visit(folder: string, depth: number): void {
    for (const entry of readdirSync(join(dir, folder), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      if (stamps.length >= MAX_FILES) return;
      const name = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (depth < 2 && entry.name !== "node_modules" && entry.name !== "__pycache__" && !entry.name.startsWith("."))
          visit(name, depth + 1);
      } else if ((program !== undefined || CODE.test(entry.name)) && !/\.test\.[a-z]+$/.test(entry.name)) stamp(name);
    }
  }

  function stamp(name: string): void {
    const stat = statSync(join(dir, name), { throwIfNoEntry: false });
    if (stat !== undefined && !stamps.some(([known]) => known === name)) stamps.push([name, stat.ctimeMs, stat.size]);
  }
}

/** Whether every file is still as it was stamped. Opens nothing. */
export function unchanged(dir: string, stamps: readonly FileStamp[]): boolean {
  return stamps.every(([name, changedMs, bytes]) => {
    const stat = statSync(`${dir}/${name}`, { throwIfNoEntry: false });
    return stat !== undefined && stat.ctimeMs === changedMs && stat.size === bytes;
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
