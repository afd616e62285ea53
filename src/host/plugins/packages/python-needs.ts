import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A package that a Python plugin needs. */
export interface PythonNeed {
  /** A requirement in pip's format: `requests>=2.31`. */
  readonly text: string;
  /** Lower case, words joined by `-`, as indexes compare names. */
  readonly name: string;
  readonly versions: readonly { readonly operator: string; readonly version: string }[];
  /** The systems it applies to: `sys_platform == "win32"`. */
  readonly marker: string;
}

const NEED =
  /^([A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[\w\s,.-]*\])?\s*\(?\s*((?:(?:===|[=!<>~]=|[<>])\s*[\w.*+!-]+\s*,?\s*)*)\)?\s*(?:;\s*(.+))?$/;

/**
 * `undefined` for anything that is not a package of an index: an option, a folder, a URL. pip would accept options, and
 * run the code of the others.
 */
export function readNeed(text: string): PythonNeed | undefined {
  const found = NEED.exec(text.trim());
  if (found === null) return undefined;
  const versions = [...found[2]!.matchAll(/(===|[=!<>~]=|[<>])\s*([\w.*+!-]+)/g)].map(([, operator, version]) => ({
    operator: operator!,
    version: version!,
  }));
  return { text: text.trim(), name: distributionName(found[1]!), versions, marker: found[3] ?? "" };
}

export function distributionName(name: string): string {
  return name.toLowerCase().replaceAll(/[-_.]+/g, "-");
}

/** The agent itself, which is already here in another language. */
export function isAgent(need: string): boolean {
  return readNeed(need)?.name === "hermes-agent";
}

/** The requirements in files beside a plugin's code: `requirements.txt`, and `dependencies` of `pyproject.toml`. */
export function needsBeside(dir: string): readonly string[] {
  const lines = read(join(dir, "requirements.txt"))
    .replaceAll(/\\\r?\n/g, " ")
    .split("\n");
  const listed = lines
    .map((line) =>
      line
        .replace(/(^|\s)#.*$/, "")
        .replace(/\s--hash.*$/, "")
        .trim(),
    )
    .filter((line) => line !== "" && !line.startsWith("-"));
  return [...listed, ...dependenciesOf(read(join(dir, "pyproject.toml")))].filter((need) => !isAgent(need));
}

/** The strings of `dependencies = [...]` in the table `[project]`. */
function dependenciesOf(toml: string): readonly string[] {
  const project = /^\[project\]\s*$([\s\S]*?)(?=^\[[^\]\n]+\]\s*$|(?![\s\S]))/m.exec(toml)?.[1] ?? "";
  const start = /^dependencies\s*=\s*\[/m.exec(project);
  if (start === null) return [];
  const needs: string[] = [];
  for (const [piece, double, single] of project
    .slice(start.index + start[0].length)
    .matchAll(/#.*|"([^"\n]*)"|'([^'\n]*)'|\]/g)) {
    if (piece === "]") break;
    if (!piece.startsWith("#")) needs.push(double ?? single ?? "");
  }
  return needs;
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return ""; // Most plugins have no requirements.
  }
}
