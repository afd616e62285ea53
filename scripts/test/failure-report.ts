import type { TestResult } from "./results.ts";
import type { BrokenGroup } from "./run-group.ts";

const MAX_LINE = 300;
const MIN_LINES_EACH = 4;

/**
 * Lists every failed test with its reason, so that the end of a log shows why a run failed.
 * @param maxLines For the whole list. If there are many failures, each gets few lines; failures without room are
 * counted.
 */
export function failureReport(
  results: readonly TestResult[],
  broken: readonly BrokenGroup[],
  maxLines = 60,
): readonly string[] {
  const failures = [
    ...results.filter(({ failure }) => failure !== undefined).map(describe),
    ...broken.map(describeGroup),
  ];
  const shown = failures.slice(0, Math.floor((maxLines - 1) / MIN_LINES_EACH));
  const each = roomForEach(
    shown.map((lines) => lines.length),
    maxLines - (failures.length > shown.length ? 1 : 0),
  );
  const report = shown.flatMap((lines) => shorten(lines, each));
  if (failures.length > shown.length) report.push(`… and ${failures.length - shown.length} more`);
  return report.map((line) => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}…` : line));
}

/**
 * The maximum number of lines for one failure, so that all have room. Long failures get the lines that short ones
 * leave.
 */
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
    `✖ The process of the group "${name}" ended with ${status} before its tests were done. Its last output:`,
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
