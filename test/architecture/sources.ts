import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Every source file of the project except tests, by its path from the root. */
export const SOURCES: readonly string[] = globSync(
  ["src/**/*.ts", "plugins/**/*.ts", "examples/**/*.ts", "tools/**/*.ts"],
  { cwd: root },
).filter((file) => !isTest(file));

const KNOWN: ReadonlySet<string> = new Set(SOURCES);

/** The imports of a file, types included. `loaded` has the imports that run with the file, `later` its lazy imports. */
export function importsOf(file: string): { readonly loaded: readonly string[]; readonly later: readonly string[] } {
  const text = readFileSync(join(root, file), "utf8")
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/^\s*\/\/.*$/gm, "");
  const loaded = [
    ...text.matchAll(/(?:^|[;\s}])(?:import|export)\s[^"';]*?from\s*"([^"]+)"|^import\s+"([^"]+)"/gm),
  ].map((match) => match[1] ?? match[2] ?? "");
  const later = [...text.matchAll(/\bimport\(\s*"([^"]+)"\s*\)/g)].map((match) => match[1] ?? "");
  return { loaded, later };
}

/** The project's files that a file imports, types and `import()` included. */
export function importedFiles(file: string): readonly string[] {
  const { loaded, later } = importsOf(file);
  return [...loaded, ...later]
    .map((specifier) => (specifier.startsWith(".") ? normalize(join(dirname(file), specifier)) : specifier))
    .filter((target) => KNOWN.has(target));
}

/** Tests and files that only tests use. */
function isTest(file: string): boolean {
  return (
    /(\.test|\.bench|-fixture|-cases)\.ts$|\/(test|testing|fixtures)\//.test(file) && !file.startsWith("src/testing/")
  );
}
