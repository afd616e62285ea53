/**
 * The version of a file: the hash of its content, with `+x` appended if it is executable. `undefined`: there is none.
 */
export type Version = string | undefined;

/**
 * The versions on both sides when they were last compared. They differ if a conflict was reported and is not settled
 * yet.
 */
export interface Pair {
  readonly here: Version;
  readonly there: Version;
}

/**
 * `settled`: nothing to do but to remember. `send` and `take` change the other side to what this one has, nothing
 * included.
 */
export type SyncStep = "settled" | "send" | "take" | "conflict" | "leave";

/**
 * Decides about one path. A side that has not changed since the last comparison follows the other. If both have
 * changed, neither is touched.
 * @param base The remembered versions; for a new path or environment: none on both sides.
 * @param bothWays False if the environment's changes stay there.
 */
export function syncStep(base: Pair, now: Pair, bothWays: boolean): SyncStep {
  if (now.here === now.there) return "settled";
  const changedHere = now.here !== base.here;
  const changedThere = now.there !== base.there;
  if (changedHere && changedThere) return !bothWays && now.there === undefined ? "send" : "conflict";
  if (changedHere) return "send";
  if (changedThere) return bothWays ? "take" : now.there === undefined ? "send" : "leave";
  return "leave";
}
