import { globSync, readFileSync } from "node:fs";

/** A test that injects the fault of a row into the real part and checks the promise. */
export interface RowMark {
  readonly row: number;
  readonly file: string;
  /** As written in the test; computed parts stay `${…}`. */
  readonly test: string;
}

const NAMED = /^\s*test\(\s*(["`])row (\d+)\b[^:]*: (.*?)\1,(?: |$)/;
const COMMENT = /^\s*\/\/ rows? (.+) of the fault matrix$/;
/** A test, or a behaviour that a contract suite turns into one. */
const TEST = /^\s*(?:(?:test|describe)\(|says:)\s*(["`])(.*?)\1,/;

/** The formatter moves a long name to the next line. */
const NAME_BELOW = /^\s*(?:(?:test|describe)\(|says:)$/;

/**
 * Every mark in the project's tests: `test("row 14: …")`, or `// row 14 of the fault matrix` in the lines above a test.
 */
export function readRowMarks(root: string): readonly RowMark[] {
  const files = globSync(
    [
      "src/**/*.test.ts",
      "plugins/**/*.test.ts",
      "test/**/*.test.ts",
      "src/testing/*-contract.ts",
      "src/testing/terminal/*.ts",
    ],
    { cwd: root },
  ).sort();
  return files.flatMap((file) => marksOf(file, readFileSync(`${root}/${file}`, "utf8")));
}

export function marksOf(file: string, text: string): readonly RowMark[] {
  const lines = text
    .split("\n")
    .map((line, index, all) => (NAME_BELOW.test(line) ? `${line}${all[index + 1]?.trim()}` : line));
  return lines.flatMap((line, index) => {
    const named = NAMED.exec(line);
    if (named !== null) return [{ row: Number(named[2]), file, test: named[3]! }];
    const comment = COMMENT.exec(line);
    if (comment === null) return [];
    const test = testBelow(lines, index);
    if (test === undefined)
      throw new Error(`${file}:${index + 1} marks a row of the fault matrix, and no test stands below it.`);
    return rowsOf(comment[1]!).map((row) => ({ row, file, test }));
  });
}

/**
 * The name of the first test below a comment. Other comments, a loop over cases and a behaviour's id may come between.
 */
function testBelow(lines: readonly string[], comment: number): string | undefined {
  for (let index = comment + 1; index < lines.length; index += 1) {
    const line = lines[index]!;
    const test = TEST.exec(line);
    if (test !== null) return test[2];
    if (depth(line) <= depth(lines[comment]!) && !/^\s*(\/\/|for \(|[\])].*\{$|\{$|id:)/.test(line)) return undefined;
  }
  return undefined;
}

function depth(line: string): number {
  return line.length - line.trimStart().length;
}

/** Parses `2 to 8, 10 and 13`. */
function rowsOf(words: string): readonly number[] {
  return words.split(/,| and /).flatMap((piece) => {
    const [first, last] = piece.split(" to ").map((word) => Number(word));
    return Array.from({ length: (last ?? first!) - first! + 1 }, (_, index) => first! + index);
  });
}
