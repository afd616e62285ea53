import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FoundPlugin } from "./discovery.ts";

/** A longer file was not written by hand. */
const MAX_CODE = 1_000_000;
const IN_PYTHON =
  /(?:\benviron\s*(?:\.\s*get\s*\(|\[)|\b(?:getenv|get_env_value|get_secret|env)\s*\()\s*["']([A-Za-z_]\w*)["']/g;
const IN_NODE = /\bprocess\s*\.\s*env\s*(?:\.\s*|\[\s*["'])([A-Za-z_]\w*)|\benv\s*\(\s*["']([A-Za-z_]\w*)["']/g;

/** Variables that a plugin's code names, found in its text: a provider reads them long after `register`. */
export function variablesNamed({ dir, files }: Pick<FoundPlugin, "dir" | "files">): readonly string[] {
  const names = files.flatMap(([name]) => {
    const pattern = name.endsWith(".py")
      ? IN_PYTHON
      : /\.[mc]?[jt]s$/.test(name) && !/\.test\./.test(name)
        ? IN_NODE
        : undefined;
    return pattern === undefined
      ? []
      : [...codeOf(join(dir, name)).matchAll(pattern)].map((found) => found[1] ?? found[2]!);
  });
  return [...new Set(names)].sort();
}

/** Without lines that are comments. */
function codeOf(file: string): string {
  try {
    const text = readFileSync(file, "utf8");
    return text.length > MAX_CODE ? "" : text.replace(/^\s*(\/\/|#|\*).*$/gm, "");
  } catch {
    return ""; // The file disappeared meanwhile, so it does not run either.
  }
}
