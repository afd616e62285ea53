import { extensionOf } from "./binary-extension.ts";

const LOOKED_AT = 50;
const SHOWN = 5;

/** Names in a directory that are similar to a mistyped name, best first. */
export function similarNames(wanted: string, names: readonly string[], shown = SHOWN): string[] {
  return names
    .slice(0, LOOKED_AT)
    .map((name) => ({ name, score: score(wanted, name) }))
    .filter((candidate) => candidate.score > 0)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, shown)
    .map((candidate) => candidate.name);
}

function score(wanted: string, name: string): number {
  const a = wanted.toLowerCase();
  const b = name.toLowerCase();
  if (a === b) return 100;
  if (stem(a) === stem(b)) return 90;
  if (a.startsWith(b) || b.startsWith(a)) return 70;
  if (b.includes(a)) return 60;
  if (a.includes(b) && b.length > 2) return 40;
  if (extensionOf(a) !== "" && extensionOf(a) === extensionOf(b) && sharedShare(stem(a), stem(b)) >= 1 / 3) return 30;
  return 0;
}

function stem(name: string): string {
  const extension = extensionOf(name);
  return extension === "" ? name : name.slice(0, -extension.length);
}

/** Number of common characters divided by the length of the longer name. */
function sharedShare(a: string, b: string): number {
  const left = new Set(a);
  const right = new Set(b);
  return [...left].filter((character) => right.has(character)).length / Math.max(left.size, right.size);
}
