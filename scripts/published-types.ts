import { existsSync, globSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

/**
 * Deletes the type declarations that no entry point of the package imports: they describe internal code, and some
 * import packages that are not shipped.
 * @param folder Where the compiler wrote the declarations.
 * @param entries The declarations of the entry points.
 * @throws {Error} that names each import which the published package cannot resolve.
 */
export function pruneTypes(folder: string, entries: readonly string[]): void {
  const reached = new Set<string>();
  const problems: string[] = [];
  const waiting = entries.map((entry) => ({ file: resolve(entry), from: "package.json" }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { file, from } = next;
    if (reached.has(file)) continue;
    reached.add(file);
    if (!existsSync(file)) {
      problems.push(`${from} names ${relative(folder, file)}, which does not exist`);
      continue;
    }
    const name = relative(folder, file);
    for (const imported of importsOf(readFileSync(file, "utf8")))
      if (imported.startsWith("."))
        waiting.push({ file: join(dirname(file), imported.replace(/(\.d)?\.[jt]s$/, ".d.ts")), from: name });
      else if (!imported.startsWith("node:")) problems.push(`${name} imports "${imported}", which is not shipped`);
  }
  if (problems.length > 0) throw new Error(`The published types do not resolve:\n  ${problems.join("\n  ")}`);
  for (const file of globSync("**/*.d.ts", { cwd: folder }))
    if (!reached.has(resolve(folder, file))) rmSync(join(folder, file));
}

function importsOf(text: string): readonly string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$/gm, "");
  return [...code.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*"([^"]+)"/g)].map((match) => match[1]!);
}
