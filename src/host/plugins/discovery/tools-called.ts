import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { FoundPlugin } from "./discovery.ts";

/** The tools that a plugin's code calls, found in its text. */
export interface ToolsCalled {
  readonly tools: readonly string[];
  /** It also calls tools whose names its text does not show. */
  readonly others: boolean;
}

/** A longer file was not written by hand. */
const MAX_CODE = 1_000_000;
const IN_PYTHON =
  /\b(?:dispatch_tool|handle_function_call|registry\s*\.\s*dispatch)\s*\(\s*(?:(?:tool_)?name\s*=\s*|function_name\s*=\s*)?(?:[rbu]?(["'])([^"'\n]+)\1)?/g;
const IN_NODE = /\b(?:dispatch_tool|_?(?:ctx|call|context)\s*\??\.\s*call)\s*\(\s*(?:(["'`])([^"'`\n$]+)\1)?/g;

/** Reads the code without running it, so it misses calls under another name. */
export function toolsCalled({ dir, files }: Pick<FoundPlugin, "dir" | "files">): ToolsCalled {
  const found = files.flatMap(([name]) => {
    const pattern = name.endsWith(".py")
      ? IN_PYTHON
      : /\.[mc]?[jt]s$/.test(name) && !/\.test\./.test(name)
        ? IN_NODE
        : undefined;
    return pattern === undefined || /(^|\/)tests?\//.test(name)
      ? []
      : [...codeOf(join(dir, name)).matchAll(pattern)].map((call) => call[2]);
  });
  return {
    tools: [...new Set(found.filter((tool) => tool !== undefined))].sort(),
    others: found.includes(undefined),
  };
}

/** Without lines that are comments, and without definitions of functions of these names. */
function codeOf(file: string): string {
  try {
    const text = readFileSync(file, "utf8");
    return text.length > MAX_CODE
      ? ""
      : text.replace(/^\s*(\/\/|#|\*).*$/gm, "").replace(/\b(def|function)\s+\w+\s*\(/g, "");
  } catch {
    return ""; // The file disappeared meanwhile, so it does not run either.
  }
}
