import type { Effect } from "../../contract/tools/effect.ts";
import { isQuiet } from "../approval/quiet.ts";

export interface Candidate {
  readonly name: string;
  readonly effect: Effect;
}

const CLOSE_ENOUGH = 0.7;
/** Worth a hint. */
const NEAR = 0.6;

/**
 * The tool that was meant by a name that is none. Spelling that says the same (case, dashes or none, camelCase, a
 * `_tool` at the end, the name twice) reaches any tool; a guess by likeness, or a name cut out of garbage, reaches only
 * tools that change nothing.
 */
export function nearName(name: string, candidates: readonly Candidate[]): string | undefined {
  const exact = match(spellings(name), candidates);
  if (exact !== undefined) return exact.name;
  const cut = name.search(/["'<>]/);
  const inside = cut > 0 ? match(spellings(name.slice(0, cut)), candidates) : undefined;
  if (inside !== undefined) return isQuiet(inside.effect) ? inside.name : undefined;
  const [best] = nearest(name, candidates);
  return best !== undefined && best.ratio >= CLOSE_ENOUGH && isQuiet(best.effect) ? best.name : undefined;
}

/** Candidates by likeness, the most alike first. */
export function nearest(
  name: string,
  candidates: readonly Candidate[],
): readonly (Candidate & { readonly ratio: number })[] {
  const lower = name.slice(0, 128).toLowerCase();
  return candidates
    .map((candidate) => ({ ...candidate, ratio: likeness(lower, candidate.name) }))
    .sort((a, b) => b.ratio - a.ratio || (a.name < b.name ? -1 : 1));
}

/** Those worth a hint, the most alike first: of nearly the same letters, or with a word in common. */
export function nearOnes(name: string, candidates: readonly Candidate[]): readonly Candidate[] {
  const words = wordsOf(name.slice(0, 128));
  return nearest(name, candidates).filter(
    (candidate) => candidate.ratio >= NEAR || wordsOf(candidate.name).some((word) => words.includes(word)),
  );
}

function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .flatMap((word) => (word.length > 2 && word !== "tool" ? [word.replace(/s$/, "")] : []));
}

function match(names: readonly string[], candidates: readonly Candidate[]): Candidate | undefined {
  for (const name of names) {
    const found = candidates.find((candidate) => candidate.name === name);
    if (found !== undefined) return found;
  }
  // `writefile`, `cron_job`: the same letters in the same order, and of one tool only.
  const letters = new Set(names.map(together));
  const same = candidates.filter(({ name }) => letters.has(together(name)));
  return same.length === 1 ? same[0] : undefined;
}

function spellings(name: string): readonly string[] {
  const trimmed = once(name.trim().replace(/^functions\./, ""));
  const lower = trimmed.toLowerCase();
  const snake = trimmed.replace(/([a-z0-9])([A-Z])/g, "$1_$2").toLowerCase();
  const spelled = [trimmed, lower, dashless(lower), dashless(snake)];
  const short = spelled.map(withoutTool);
  return [...new Set([...spelled, ...short, ...short.map(withoutTool)])];
}

/** `read_fileread_file` is `read_file`: some servers send each piece of a name again. */
function once(name: string): string {
  const half = name.slice(0, name.length / 2);
  return half.length > 2 && half + half === name ? half : name;
}

function dashless(name: string): string {
  return name.replace(/[- ]/g, "_");
}

function together(name: string): string {
  return name.replace(/[_ -]/g, "");
}

function withoutTool(name: string): string {
  return name.replace(/[_-]?tool$/, "");
}

/**
 * 2 × matching characters / all characters, matching blocks found longest first (Ratcliff and Obershelp). 1 is equal.
 */
export function likeness(a: string, b: string): number {
  const all = a.length + b.length;
  return all === 0 ? 1 : (2 * matching(a, b)) / all;
}

function matching(a: string, b: string): number {
  if (a === "" || b === "") return 0;
  let best = { length: 0, a: 0, b: 0 };
  let previous: number[] = [];
  for (let i = 0; i < a.length; i++) {
    const row: number[] = [];
    for (let j = 0; j < b.length; j++) {
      if (a[i] !== b[j]) continue;
      const length = (previous[j - 1] ?? 0) + 1;
      row[j] = length;
      if (length > best.length) best = { length, a: i - length + 1, b: j - length + 1 };
    }
    previous = row;
  }
  if (best.length === 0) return 0;
  return (
    best.length +
    matching(a.slice(0, best.a), b.slice(0, best.b)) +
    matching(a.slice(best.a + best.length), b.slice(best.b + best.length))
  );
}
