import { sameContent, type SavedEntry } from "../entry.ts";

/** What one path looked like before and after each turn that changed it, oldest first, and now. */
export interface PathHistory {
  readonly path: string;
  readonly turns: readonly {
    readonly before: SavedEntry | undefined;
    readonly after: SavedEntry | undefined;
    /** Somebody else changed it while the turn ran. */
    readonly byOthers?: boolean;
  }[];
  readonly now: SavedEntry | undefined;
}

export type Step =
  /** Make it so; `undefined` removes it. */
  | {
      readonly kind: "restore";
      readonly path: string;
      readonly to: SavedEntry | undefined;
      readonly from: SavedEntry | undefined;
    }
  /** Somebody else changed it, so it stays. */
  | { readonly kind: "keep"; readonly path: string; readonly why: string }
  /** It cannot be brought back. */
  | { readonly kind: "lost"; readonly path: string; readonly why: string };

const LOST = {
  file: "its content was too large to keep, or could not be read",
  apart: "it is left out of checkpoints, with all that was in it",
  link: "it could not be read",
  other: "it was no file, folder or link, or its name is no text",
};

/**
 * What a rollback would do to each path that the undone turns changed. What a person changed since is theirs and stays; what they changed
 * during or between the turns goes back to what they made of it. Folders are made before what lies in them and removed after it.
 */
export function planRollback(histories: readonly PathHistory[]): readonly Step[] {
  const steps = histories.flatMap((history): readonly Step[] => {
    const { path, now } = history;
    const turns = history.turns.filter(({ before, after }) => !sameContent(before, after));
    const first = turns[0];
    if (first === undefined || sameContent(first.before, now)) return [];
    if (!sameContent(turns.at(-1)!.after, now))
      return [{ kind: "keep", path, why: "it was changed by somebody else since" }];
    const { to, theirs } = goalOf(turns);
    const named: readonly Step[] =
      theirs === undefined ? [] : [{ kind: "keep", path, why: `it was changed by somebody else ${theirs}` }];
    if (sameContent(to, now)) return named;
    if (to !== undefined && to.content === undefined && to.kind !== "folder")
      return [{ kind: "lost", path, why: LOST[to.kind] }];
    // What was made anew there, a cache most likely, harms nobody.
    if (now?.kind === "apart") return [];
    return [{ kind: "restore", path, to, from: now }, ...named];
  });
  const making = steps.filter((step) => step.kind !== "restore" || step.to !== undefined);
  const removing = steps.filter((step) => step.kind === "restore" && step.to === undefined);
  return [
    ...removing.sort((a, b) => b.path.localeCompare(a.path)),
    ...making.sort((a, b) => a.path.localeCompare(b.path)),
  ];
}

/** What the path goes back to: what somebody else made of it last, else what it was before the first turn. */
function goalOf(turns: PathHistory["turns"]): { readonly to: SavedEntry | undefined; readonly theirs?: string } {
  for (let at = turns.length - 1; at >= 0; at -= 1) {
    const { before, after, byOthers } = turns[at]!;
    if (byOthers === true) return { to: after, theirs: "during a turn" };
    if (at > 0 && !sameContent(turns[at - 1]!.after, before)) return { to: before, theirs: "between the turns" };
  }
  return { to: turns[0]!.before };
}
