import type { Chance, Ids } from "../contract/common/clock.ts";

/** `call_1`, `call_2`, `turn_1`, … : each kind counts for itself. */
export function sequentialIds(): Ids {
  const counts = new Map<string, number>();
  return (kind) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind}_${count}`;
  };
}

/** Random numbers that repeat for the same seed (mulberry32). */
export function seededChance(seed = 1): Chance {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
