/** What a file is: the hash of its content, with `+x` behind it where it can be run. `undefined`: there is none. */
export type Version = string | undefined;

/** What both sides had when they were last looked at together. They differ where a conflict was told and is not settled yet. */
export interface Pair {
  readonly here: Version;
  readonly there: Version;
}

/** `settled`: nothing to do but to remember. `send` and `take` change the other side to what this one has, nothing included. */
export type SyncStep = "settled" | "send" | "take" | "conflict" | "leave";

/**
 * What becomes of one path. A side that has not changed since both were looked at follows the other. Where both have, neither is touched.
 * @param base What was remembered; for a path, or a place, never seen before: nothing on both sides.
 * @param bothWays False where the place's changes stay there.
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
