import { globSync, readFileSync } from "node:fs";

/** A test's statement of the requirements it checks: the line of the `req:` comment, and the code after it. */
export interface Citation {
  readonly id: string;
  readonly file: string;
  readonly commentLine: number;
  readonly testLine: number;
  /** The last line of that code: a loop or a condition creates tests on other lines. */
  readonly lastLine: number;
}

const REQUIREMENT = /\breq:\s*((?:[a-z0-9-]+\.[a-z0-9-]+|R-\d+)(?:\s*,\s*(?:[a-z0-9-]+\.[a-z0-9-]+|R-\d+))*)/;

/** Every citation in the project's tests. Lines count from 1. */
export function readCitations(root: string): readonly Citation[] {
  const files = globSync(
    [
      "src/**/*.test.ts",
      "plugins/**/*.test.ts",
      "test/**/*.test.ts",
      "examples/**/*.test.ts",
      "scripts/**/*.test.ts",
      "src/testing/*-contract.ts",
    ],
    { cwd: root },
  ).sort();
  return files.flatMap((file) => citationsOf(file, readFileSync(`${root}/${file}`, "utf8")));
}

export function citationsOf(file: string, text: string): readonly Citation[] {
  const lines = text.split("\n");
  return lines.flatMap((_, index) => {
    const comment = wholeComment(lines, index);
    const match = comment.startsWith("//") || comment.startsWith("*") ? REQUIREMENT.exec(comment) : null;
    if (match === null) return [];
    let test = index + 1;
    while (test < lines.length && /^\s*(\/\/|\*|\/\*|$)/.test(lines[test] ?? "")) test += 1;
    return (match[1] ?? "").split(",").map((id) => ({
      id: id.trim(),
      file,
      commentLine: index + 1,
      testLine: test + 1,
      lastLine: endOf(lines, test) + 1,
    }));
  });
}

/** A comment line, with the next ones where it ends in a comma: a formatter wraps long lists. */
function wholeComment(lines: readonly string[], first: number): string {
  let comment = (lines[first] ?? "").trimStart();
  for (let next = first + 1; comment.endsWith(",") && /^\s*\/\//.test(lines[next] ?? ""); next += 1)
    comment += ` ${(lines[next] ?? "").trimStart().replace(/^\/\/\s*/, "")}`;
  return comment;
}

/**
 * The last line of the statement that begins on this one: its indented lines, its closing line, and its else branch.
 */
function endOf(lines: readonly string[], first: number): number {
  const depth = (line: string): number => line.length - line.trimStart().length;
  const own = depth(lines[first] ?? "");
  let last = first;
  for (let at = first + 1; at < lines.length; at += 1) {
    const line = lines[at]!;
    if (line.trim() === "") continue;
    if (depth(line) < own || (depth(line) === own && !/^\s*([)\]}]|else\b)/.test(line))) break;
    last = at;
  }
  return last;
}
