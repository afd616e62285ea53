/** Names that may have been meant, the nearest first: those with a word in common, or of nearly the same letters. */
export function nearFields(name: string, names: readonly string[]): readonly string[] {
  const words = wordsOf(name);
  const scored = names.map((one) => ({ one, shared: wordsOf(one).filter((word) => words.includes(word)).length, distance: distance(name.toLowerCase(), one.toLowerCase()) }));
  return scored
    .filter(({ one, shared, distance: far }) => shared > 0 || far <= Math.max(2, one.length / 4))
    .toSorted((a, b) => b.shared - a.shared || a.distance - b.distance)
    .slice(0, MOST)
    .map(({ one }) => one);
}

const MOST = 5;

function wordsOf(name: string): readonly string[] {
  return name.toLowerCase().split(/[^a-z0-9]+/).filter((word) => word.length > 2);
}

/** Letters to change, add or leave out. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
