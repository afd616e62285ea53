/**
 * How alike two texts are, 0 to 1: twice the characters in common blocks over all characters, where the longest common block is taken
 * first and the rest on both sides of it likewise (Ratcliff and Obershelp, 1988).
 * @param atLeast A result below it may be any number below it: cheap bounds then spare the work.
 */
export function similarity(a: string, b: string, atLeast = 0): number {
  if (a === b) return 1;
  const total = a.length + b.length;
  if (a.length === 0 || b.length === 0) return 0;
  const shortest = (2 * Math.min(a.length, b.length)) / total;
  if (shortest < atLeast) return shortest;
  const shared = (2 * sharedCharacters(a, b)) / total;
  if (shared < atLeast) return shared;
  return (2 * commonBlocks(a, b)) / total;
}

const counts = new Int32Array(65_536);

/** Characters in common whatever their order: never fewer than the blocks hold. */
function sharedCharacters(a: string, b: string): number {
  let shared = 0;
  for (let index = 0; index < a.length; index++) counts[a.charCodeAt(index)]!++;
  for (let index = 0; index < b.length; index++) {
    if (counts[b.charCodeAt(index)]!-- > 0) shared++;
  }
  for (let index = 0; index < a.length; index++) counts[a.charCodeAt(index)] = 0;
  for (let index = 0; index < b.length; index++) counts[b.charCodeAt(index)] = 0;
  return shared;
}

function commonBlocks(a: string, b: string): number {
  const places = new Map<number, number[]>();
  for (let index = 0; index < b.length; index++) {
    const code = b.charCodeAt(index);
    const list = places.get(code);
    if (list === undefined) places.set(code, [index]);
    else list.push(index);
  }
  let common = 0;
  let before = new Int32Array(b.length + 1);
  let here = new Int32Array(b.length + 1);
  const open: [number, number, number, number][] = [[0, a.length, 0, b.length]];
  for (let region = open.pop(); region !== undefined; region = open.pop()) {
    const [aFrom, aTo, bFrom, bTo] = region;
    let best = 0;
    let bestA = aFrom;
    let bestB = bFrom;
    before.fill(0, bFrom, bTo + 1);
    for (let i = aFrom; i < aTo; i++) {
      here.fill(0, bFrom, bTo + 1);
      for (const j of places.get(a.charCodeAt(i)) ?? []) {
        if (j < bFrom) continue;
        if (j >= bTo) break;
        // Length of the common block that ends at (i, j); slot j + 1 keeps it for the next row.
        const length = before[j]! + 1;
        here[j + 1] = length;
        if (length > best) {
          best = length;
          bestA = i - length + 1;
          bestB = j - length + 1;
        }
      }
      [before, here] = [here, before];
    }
    if (best === 0) continue;
    common += best;
    if (bestA > aFrom && bestB > bFrom) open.push([aFrom, bestA, bFrom, bestB]);
    if (bestA + best < aTo && bestB + best < bTo) open.push([bestA + best, aTo, bestB + best, bTo]);
  }
  return common;
}
