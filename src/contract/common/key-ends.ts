/** The ends of a key, to recognize it: `sk-…9f2c`. A short key shows nothing of itself. */
export function keyEnds(key: string): string {
  return key.length < 20 ? "set" : `${key.slice(0, 3)}…${key.slice(-4)}`;
}
