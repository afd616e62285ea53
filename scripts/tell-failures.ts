import type { TestResult } from "./requirement-results.ts";

/** A group of test files whose process ended badly without a failed test, and the last it said. */
export interface BrokenGroup {
  readonly name: string;
  readonly status: number | string;
  readonly lastLines: readonly string[];
}

const MAX_LINE = 300;
const LEAST_EACH = 4;

/**
 * The end of a test run's output: every failed test with its reason, so that who sees only the end of a log knows why.
 * @param maxLines Of all together. Many failures get few lines each; those that find no room are counted.
 */
export function tellFailures(
  results: readonly TestResult[],
  broken: readonly BrokenGroup[],
  maxLines = 60,
): readonly string[] {
  const failures = [
    ...results.filter(({ failure }) => failure !== undefined).map(describe),
    ...broken.map(describeGroup),
  ];
  const shown = failures.slice(0, Math.floor((maxLines - 1) / LEAST_EACH));
  const each = roomForEach(
    shown.map((lines) => lines.length),
    maxLines - (failures.length > shown.length ? 1 : 0),
  );
  const told = shown.flatMap((lines) => shorten(lines, each));
  if (failures.length > shown.length) told.push(`… and ${failures.length - shown.length} more`);
  return told.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
}

/** The most lines one may have so that all find room: what short ones leave is for the long ones. */
function roomForEach(lengths: readonly number[], maxLines: number): number {
  let room = maxLines;
  const shortestFirst = lengths.toSorted((a, b) => a - b);
  for (const [index, length] of shortestFirst.entries()) {
    const share = Math.floor(room / (lengths.length - index));
    if (length > share) return share;
    room -= length;
  }
  return maxLines;
}

function describe({ file, line, name, durationMs, failure }: TestResult): string[] {
  const { suite, message, actual, expected, at } = failure!;
  const where = file === "" ? "" : `${file}:${line} › `;
  return [
    `✖ ${where}${suite === undefined ? "" : `${suite} › `}${name} (${durationMs} ms)`,
    ...(at === undefined ? [] : [`  ${at}`]),
    ...indented(message),
    ...(expected === undefined ? [] : indented(`expected: ${expected}`)),
    ...(actual === undefined ? [] : indented(`actual: ${actual}`)),
  ];
}

function describeGroup({ name, status, lastLines }: BrokenGroup): string[] {
  return [
    `✖ The tests of "${name}" ended with ${status} before they were done. The last they said:`,
    ...lastLines.flatMap(indented),
  ];
}

function indented(text: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => `  ${line}`);
}

function shorten(lines: readonly string[], maxLines: number): readonly string[] {
  return lines.length <= maxLines
    ? lines
    : [...lines.slice(0, maxLines - 1), `  … ${lines.length - maxLines + 1} more lines`];
}
