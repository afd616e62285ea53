import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const root = join(import.meta.dirname, "../..");

/** Every file of the project's own that is no test, by its path from the root. */
export const SOURCES: readonly string[] = globSync(
  ["src/**/*.ts", "plugins/**/*.ts", "examples/**/*.ts", "tools/**/*.ts"],
  { cwd: root },
).filter((file) => !isTest(file));

const KNOWN: ReadonlySet<string> = new Set(SOURCES);

/** What a file imports, types included. `loaded` is what it imports when it is loaded itself, `later` what it asks for when it is needed. */
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

/** Tests and what only they use. */
function isTest(file: string): boolean {
  return (
    /(\.test|\.bench|-fixture|-cases)\.ts$|\/(test|testing|fixtures)\//.test(file) && !file.startsWith("src/testing/")
  );
}
