import { didYouMean } from "./did-you-mean.ts";
import { isBlank } from "./indentation.ts";
import { lineChanges, type LineChange } from "./line-changes.ts";
import { cutLines, wantedLines } from "./line-windows.ts";
import { collapseBlanks } from "./quoted-ranges.ts";
import { similarity } from "./similarity.ts";
import { toAscii } from "./unicode-normalized.ts";

/** Where a text that was not found comes closest, and what differs there. */
export interface Nearest {
  /** Lines of the file, from 1. */
  readonly from: number;
  readonly to: number;
  /** Lines of the wanted text that differ, from 1. */
  readonly differing: readonly number[];
  /** `-` wanted, `+` in the file. */
  readonly diff: string;
}

const ENOUGH = 0.6;
/** Lines that the file may have in addition. */
const MORE_LINES = 3;
const CANDIDATES = 20;
const CONTEXT = 2;
const MAX_LINES = 40;
const MAX_CHARS = 300;
/** Comparing longer lines takes too long. */
const MAX_COMPARED = 2_000;

/** The closest place of a text that was not found; `undefined` when too little of it is alike. */
export function findNearest(text: string, wanted: string): Nearest | undefined {
  const { lines } = cutLines(text);
  const goal = wantedLines(wanted).lines;
  if (goal.every(isBlank)) return undefined;
  let best: { readonly start: number; readonly score: number } | undefined;
  for (const start of candidates(lines, goal)) {
    const score = Math.max(alike(lines, goal, start), kept(lines, goal, start));
    if (score >= ENOUGH && score > (best?.score ?? 0)) best = { start, score };
  }
  return best === undefined ? undefined : compare(lines, goal, best.start);
}

/**
 * What a refusal says about a text that was not found: the closest place with its differences, otherwise lines that are
 * similar. "" when nothing is near.
 */
export function describeNearest(text: string, wanted: string): string {
  const nearest = findNearest(text, wanted);
  if (nearest === undefined) {
    const near = didYouMean(text, wanted);
    return near === "" ? "" : `Did you mean one of these?\n${near}`;
  }
  const { from, to, differing, diff } = nearest;
  const place = from === to ? `line ${from}` : `lines ${from}-${to}`;
  const shown = differing.slice(0, 5).join(", ") + (differing.length > 5 ? ", …" : "");
  const where = differing.length === 1 ? `line ${shown}` : `lines ${shown}`;
  return `The closest match differs in ${where}:\n--- old_string\n+++ the file, ${place}\n${diff}`;
}

/** Places where the most wanted lines are at their distance from each other, and those similar to the first one. */
function candidates(lines: readonly string[], goal: readonly string[]): readonly number[] {
  const places = new Map<string, number[]>();
  goal.forEach((line, offset) => {
    const key = keyOf(line);
    if (key === "") return;
    const offsets = places.get(key);
    if (offsets === undefined) places.set(key, [offset]);
    else offsets.push(offset);
  });
  const votes = new Map<number, number>();
  lines.forEach((line, at) => {
    for (const offset of places.get(keyOf(line)) ?? []) {
      const start = Math.max(0, at - offset);
      votes.set(start, (votes.get(start) ?? 0) + 1);
    }
  });
  const voted = [...votes]
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, CANDIDATES)
    .map(([start]) => start);
  return [...new Set([...voted, ...similarStarts(lines, goal)])];
}

function similarStarts(lines: readonly string[], goal: readonly string[]): readonly number[] {
  const offset = goal.findIndex((line) => !isBlank(line));
  const anchor = keyOf(goal[offset]!);
  if (anchor.length > MAX_COMPARED) return [];
  const ratios = new Map<string, number>();
  const near: { readonly start: number; readonly ratio: number }[] = [];
  let bar = ENOUGH;
  lines.forEach((line, at) => {
    const key = keyOf(line);
    if (key === "" || key.length > MAX_COMPARED) return;
    let ratio = ratios.get(key);
    if (ratio === undefined) ratios.set(key, (ratio = similarity(key, anchor, bar)));
    if (ratio < bar) return;
    near.push({ start: Math.max(0, at - offset), ratio });
    near.sort((a, b) => b.ratio - a.ratio);
    near.length = Math.min(near.length, CANDIDATES);
    if (near.length === CANDIDATES) bar = near.at(-1)!.ratio;
  });
  return near.map(({ start }) => start);
}

/** The share of the wanted characters that a place has, line by line. */
function alike(lines: readonly string[], goal: readonly string[], start: number): number {
  let all = 0;
  let same = 0;
  goal.forEach((line, offset) => {
    const wanted = keyOf(line);
    const there = keyOf(lines[start + offset] ?? "");
    all += wanted.length;
    if (wanted === there) same += wanted.length;
    else if (Math.max(wanted.length, there.length) <= MAX_COMPARED) same += wanted.length * similarity(there, wanted);
  });
  return same / all;
}

/** The share of the wanted characters in lines that a place has too, in their order. */
function kept(lines: readonly string[], goal: readonly string[], start: number): number {
  const all = goal.reduce((sum, line) => sum + keyOf(line).length, 0);
  const same = windowChanges(lines, goal, start).reduce(
    (sum, change) => sum + (change.kind === "keep" ? keyOf(goal[change.old]!).length : 0),
    0,
  );
  return same / all;
}

/** From the wanted lines to those of the file, which may have a few more in between. */
function windowChanges(lines: readonly string[], goal: readonly string[], start: number): LineChange[] {
  const near = lineChanges(goal, lines.slice(start, start + goal.length));
  const wider = lineChanges(goal, lines.slice(start, start + goal.length + MORE_LINES));
  while (wider.at(-1)?.kind === "add") wider.pop();
  const removed = (changes: readonly LineChange[]): number => changes.filter(({ kind }) => kind === "remove").length;
  return removed(wider) < removed(near) ? wider : near;
}

function compare(lines: readonly string[], goal: readonly string[], start: number): Nearest {
  const changes = windowChanges(lines, goal, start);
  const there = lines.slice(start, start + changes.filter(({ kind }) => kind !== "remove").length);
  const exact = (at: number, other: number): boolean => goal[at] === there[other];
  const real = changes.some(({ kind }) => kind !== "keep");
  const differing: number[] = [];
  const rows: { readonly text: string; readonly changed: boolean }[] = [];
  let at = 0;
  for (const change of changes) {
    if (change.kind === "keep") {
      at = change.old + 1;
      // If blanks alone differ, they are what prevents the match.
      const changed = !real && !exact(change.old, change.fresh);
      if (changed) differing.push(at);
      if (changed) rows.push({ text: `-${goal[change.old]}`, changed });
      rows.push({ text: `${changed ? "+" : " "}${there[change.fresh]}`, changed });
    } else if (change.kind === "remove") {
      at = change.old + 1;
      differing.push(at);
      rows.push({ text: `-${goal[change.old]}`, changed: true });
    } else {
      if (differing.length === 0) differing.push(Math.min(goal.length, at + 1));
      rows.push({ text: `+${there[change.fresh]}`, changed: true });
    }
  }
  // A single line that is part of another one differs nowhere else.
  if (differing.length === 0) differing.push(1);
  const shown = rows.filter((_, index) =>
    rows.slice(Math.max(0, index - CONTEXT), index + CONTEXT + 1).some(({ changed }) => changed),
  );
  const diff = (shown.length === 0 ? rows : shown)
    .slice(0, MAX_LINES)
    .map(({ text }) => text.slice(0, MAX_CHARS).toWellFormed())
    .join("\n");
  return { from: start + 1, to: start + there.length, differing, diff };
}

function keyOf(line: string): string {
  return isBlank(line) ? "" : collapseBlanks(toAscii(line).trim());
}
