import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/**
 * Finds the code of packages in development mode (`pip install --editable`): `site-packages` has only their names, and
 * a `.pth` file or a finder that points to the code.
 * @returns The folder of a top-level package, or the file of a module; `undefined` if nothing points to it.
 */
export function editablePackages(site: string): (name: string) => string | undefined {
  let roots: readonly string[] | undefined;
  let mapped: ReadonlyMap<string, string> | undefined;
  return (name) => {
    roots ??= rootsOf(site);
    mapped ??= mappedIn(site);
    const candidates = [
      ...(mapped.has(name) ? [mapped.get(name)!, `${mapped.get(name)!}.py`] : []),
      ...roots.flatMap((root) => [join(root, name), join(root, `${name}.py`)]),
    ];
    return candidates.find((path) => exists(path));
  };
}

/** Folders that join Python's path: lines of `.pth` files that are not code. */
function rootsOf(site: string): readonly string[] {
  return named(site, ".pth")
    .flatMap((file) => read(file).split(/\r?\n/))
    .map((line) => line.trim())
    .filter((line) => line !== "" && !/^(#|import\s)/.test(line))
    .map((line) => resolve(site, line));
}

/** Packages with a folder each, in setuptools' format: `MAPPING = {'name': '/where/it/lies'}`. */
function mappedIn(site: string): ReadonlyMap<string, string> {
  const maps = named(site, "_finder.py")
    .filter((file) => file.includes("__editable__"))
    .map((file) => /^MAPPING\b[^=]*=\s*\{([^}]*)\}/m.exec(read(file))?.[1] ?? "");
  return new Map(
    maps.flatMap((map) =>
      [...map.matchAll(/(['"])(.+?)\1\s*:\s*(['"])(.+?)\3/g)].map(
        ([, , name = "", , path = ""]) => [name, path] as const,
      ),
    ),
  );
}

function named(site: string, ending: string): readonly string[] {
  return readdirSync(site)
    .filter((name) => name.endsWith(ending))
    .sort()
    .map((name) => join(site, name));
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // The file disappeared meanwhile, so it points to nothing.
  }
}
