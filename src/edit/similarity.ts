/**
 * How alike two texts are, 0 to 1: twice the characters in common blocks over all characters, where the longest common
 * block is taken first and the rest on both sides of it likewise (Ratcliff and Obershelp, 1988).
 * @param atLeast A result below it may be any number below it: cheap bounds then spare the work.
 */
export function similarity(a: string, b: string, atLeast = 0): number {
  if (a === b) return 1;
  const total = a.length + b.length;
  if (a.length === 0 || b.length === 0) return 0;
  const shortest = (2 * Math.min(a.length, b.length)) / total;
  if (shortest < atLeast) return shortest;
  const shared = (2 * sharedCharacters(a, b, (atLeast * total) / 2)) / total;
  if (shared < atLeast) return shared;
  return (2 * commonBlocks(a, b, (atLeast * total) / 2)) / total;
}

/** Whether two texts are at least so similar; spares what is not needed to tell. */
export function isAlike(a: string, b: string, atLeast: number): boolean {
  if (a === b) return true;
  const needed = (atLeast * (a.length + b.length)) / 2;
  if (Math.min(a.length, b.length) < needed || sharedCharacters(a, b, needed) < needed) return false;
  return commonBlocks(a, b, needed, needed) >= needed;
}

/** How often the newest text has each character, less those that are taken just now. */
const counts = new Int32Array(65_536);
let counted = "";

/**
 * Characters in common in any order: never fewer than the blocks have.
 * @param needed If there are fewer, the result may be any number below it: the first characters distinguish most texts.
 * @param b Its counts are reused for all comparisons in a row.
 */
function sharedCharacters(a: string, b: string, needed: number): number {
  if (counted !== b) {
    for (let index = 0; index < counted.length; index++) counts[counted.charCodeAt(index)] = 0;
    for (let index = 0; index < b.length; index++) counts[b.charCodeAt(index)]!++;
    counted = b;
  }
  let missing = 0;
  let seen = 0;
  while (seen < a.length && a.length - missing >= needed) if (counts[a.charCodeAt(seen++)]!-- <= 0) missing++;
  for (let index = 0; index < seen; index++) counts[a.charCodeAt(index)]!++;
  return a.length - missing;
}

type Region = readonly [aFrom: number, aTo: number, bFrom: number, bTo: number];
interface Block {
  readonly length: number;
  readonly a: number;
  readonly b: number;
}

/**
 * Characters in the longest common block, in the longest one on either side of it, and so on.
 * @param needed Where so many cannot be reached any more, the rest is not counted. @param enough Nor where so many are
 *   found.
 */
function commonBlocks(a: string, b: string, needed: number, enough = Number.POSITIVE_INFINITY): number {
  const index = indexOf(b);
  let common = 0;
  // The most that the open regions could still add.
  let hope = Math.min(a.length, b.length);
  const open: Region[] = [[0, a.length, 0, b.length]];
  for (let region = open.pop(); region !== undefined; region = open.pop()) {
    const [aFrom, aTo, bFrom, bTo] = region;
    hope -= Math.min(aTo - aFrom, bTo - bFrom);
    const block = longestBlock(a, index, region);
    if (block.length === 0) continue;
    common += block.length;
    hope += Math.min(block.a - aFrom, block.b - bFrom) + Math.min(aTo - block.a, bTo - block.b) - block.length;
    if (common >= enough || common + hope < needed) break;
    if (block.a > aFrom && block.b > bFrom) open.push([aFrom, block.a, bFrom, block.b]);
    if (block.a + block.length < aTo && block.b + block.length < bTo)
      open.push([block.a + block.length, aTo, block.b + block.length, bTo]);
  }
  return common;
}

/**
 * The positions of each character in a text, last one first. Cached for the newest text: one line is compared with
 * thousands.
 */
interface Index {
  readonly text: string;
  readonly last: Map<number, number>;
  readonly previous: Int32Array;
  /** Length of the common block that ends before a place, and at which step it was written. */
  readonly lengths: Int32Array;
  readonly steps: Int32Array;
  step: number;
}

let newest: Index | undefined;

function indexOf(text: string): Index {
  if (newest?.text === text) return newest;
  const last = new Map<number, number>();
  const previous = new Int32Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    previous[at] = last.get(code) ?? -1;
    last.set(code, at);
  }
  newest = {
    text,
    last,
    previous,
    lengths: new Int32Array(text.length + 1),
    steps: new Int32Array(text.length + 1),
    step: 0,
  };
  return newest;
}

function longestBlock(a: string, index: Index, [aFrom, aTo, bFrom, bTo]: Region): Block {
  const { last, previous, lengths, steps } = index;
  let [length, atA, atB] = [0, aFrom, bFrom];
  // A gap between regions, so that no block reaches over from the one before.
  index.step++;
  for (let i = aFrom; i < aTo; i++) {
    const step = ++index.step;
    // From the right: slot j then still belongs to the character before this one.
    for (let j = last.get(a.charCodeAt(i)) ?? -1; j >= bFrom; j = previous[j]!) {
      if (j >= bTo) continue;
      const reached = j > bFrom && steps[j] === step - 1 ? lengths[j]! + 1 : 1;
      lengths[j + 1] = reached;
      steps[j + 1] = step;
      // Of equally long blocks the first in both texts counts.
      if (reached > length || (reached === length && i - reached + 1 === atA))
        [length, atA, atB] = [reached, i - reached + 1, j - reached + 1];
    }
  }
  return { length, a: atA, b: atB };
}
