import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, normalize } from "node:path";

/**
 * A stamped file of a plugin: name inside the plugin, epoch ms of its last change, bytes. The change time (ctime) is
 * used because the modification time can be set, and in some stores is the same for all files.
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
    : { reason: `no entry module: ${dir} has neither ${[...ENTRIES.slice(0, 2), PYTHON_ENTRY].join(" nor ")}` };
}

/** The module with `register_cli`, in TypeScript or JavaScript. */
export function cliModule(dir: string): string | undefined {
  return ["cli.ts", "cli.js", "cli.mjs"].map((name) => join(dir, name)).find(isFile);
}

/**
 * Whether its entry is a Python module.
 * @param stamps Its known files; a folder without any is read.
 */
export function isPythonPlugin(dir: string, stamps: readonly FileStamp[] = []): boolean {
  if (stamps.some(([name]) => ENTRIES.includes(name))) return false;
  if (stamps.some(([name]) => name === PYTHON_ENTRY)) return true;
  const entry = entryModule(dir);
  return "file" in entry && entry.file.endsWith(".py");
}

/** The first characters of the entry module, in either language. */
export function entryText(dir: string): string {
  const file = [...ENTRIES, PYTHON_ENTRY].map((name) => join(dir, name)).find(isFile);
  return file === undefined ? "" : readFileSync(file, "utf8").slice(0, 8192);
}

/** Whether stamped files include a module with `register`. */
export function hasEntryModule(stamps: readonly FileStamp[]): boolean {
  return stamps.some(([name]) => ENTRIES.includes(name) || name === PYTHON_ENTRY);
}

/**
 * Every file whose change may change what the plugin registers: manifest, code and data, two folders deep.
 * @param program The arguments of its program: its own files come first, and code of any language counts.
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

/** Whether every file still matches its stamp. Opens no file. */
export function unchanged(dir: string, stamps: readonly FileStamp[]): boolean {
  return stamps.every(([name, changedMs, bytes]) => {
    const stat = statSync(`${dir}/${name}`, { throwIfNoEntry: false });
    return stat !== undefined && stat.ctimeMs === changedMs && stat.size === bytes;
  });
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** Names of the folders in a folder, including links to folders, without hidden ones and `node_modules`. */
export function folders(dir: string): readonly string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter(
        (entry) =>
          !entry.name.startsWith(".") &&
          entry.name !== "node_modules" &&
          (entry.isDirectory() ||
            (entry.isSymbolicLink() &&
              statSync(join(dir, entry.name), { throwIfNoEntry: false })?.isDirectory() === true)),
      )
      .map((entry) => entry.name)
      .sort();
  } catch {
    return []; // The folder does not exist, so it has no plugins.
  }
}
