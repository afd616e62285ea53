import { nearest } from "hermes-agent/plugin";

/** Similar names, most likely first: by edit distance or a common word. */
export function nearFields(name: string, names: readonly string[]): readonly string[] {
  const words = wordsOf(name);
  const shared = (one: string): number => wordsOf(one).filter((word) => words.includes(word)).length;
  const slipped = nearest(name, names);
  const sharing = names.filter((one) => shared(one) > 0).toSorted((a, b) => shared(b) - shared(a));
  return [...new Set([...(slipped === undefined ? [] : [slipped]), ...sharing])].slice(0, MAX);
}

const MAX = 5;

function wordsOf(name: string): readonly string[] {
  return name
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
}
