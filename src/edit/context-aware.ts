import { cutLines, spanOfLines, wantedLines } from "./line-windows.ts";
import { isAlike } from "./similarity.ts";
import type { Span, Strategy } from "./span.ts";

const LINE_ALIKE = 0.8;
const SHARE_OF_LINES = 0.5;
/** Comparing a million pairs of lines takes up to two seconds, in which nothing else of the process runs. */
const MAX_PAIRS = 1_000_000;

/**
 * Windows in which at least half of the lines (blank ones prove nothing) are nearly the wanted ones. Of overlapping
 * windows the best counts; equals all do.
 */
export const contextAware: Strategy = {
  name: "context_aware",
  guesses: true,
  find(text, wanted) {
    const cut = cutLines(text);
    const { lines, closed } = wantedLines(wanted);
    const windows = cut.lines.length - lines.length + 1;
    if (windows < 1 || windows * lines.length > MAX_PAIRS || lines.every((line) => line.trim() === "")) return [];
    const goals = lines.flatMap((line, offset) => (line.trim() === "" ? [] : [{ goal: line.trim(), offset }]));
    const needed = goals.length * SHARE_OF_LINES;
    const alike = countAlike(cut.lines, goals, windows, needed);
    const best = Array.from(alike.keys())
      .filter((start) => alike[start]! >= needed)
      .sort((a, b) => alike[b]! - alike[a]! || a - b);
    const taken: number[] = [];
    for (const start of best) {
      if (taken.every((other) => Math.abs(other - start) >= lines.length || alike[other] === alike[start]))
        taken.push(start);
      // Two places are as good as a thousand: the caller reports that it is ambiguous.
      if (taken.length === MAX) break;
    }
    return taken.sort((a, b) => a - b).map((start): Span => spanOfLines(text, cut, start, lines.length, closed));
  },
};

const MAX = 100;

/**
 * For each window, how many of its lines are alike; fewer than that where it cannot come to as many as are needed.
 * Equal lines are judged once: files repeat themselves.
 */
function countAlike(
  there: readonly string[],
  goals: readonly { readonly goal: string; readonly offset: number }[],
  windows: number,
  needed: number,
): Int32Array {
  const alike = new Int32Array(windows);
  const trimmed = there.map((line) => line.trim());
  const judged = new Map<string, Map<string, boolean>>();
  goals.forEach(({ goal, offset }, done) => {
    let answers = judged.get(goal);
    if (answers === undefined) judged.set(goal, (answers = new Map()));
    for (let start = 0; start < windows; start++) {
      if (alike[start]! + goals.length - done < needed) continue;
      const candidate = trimmed[start + offset]!;
      let answer = answers.get(candidate);
      if (answer === undefined) answers.set(candidate, (answer = isAlike(candidate, goal, LINE_ALIKE)));
      if (answer) alike[start]!++;
    }
  });
  return alike;
}
