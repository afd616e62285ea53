import { sameContent, type SavedEntry } from "../entry.ts";

/** The state of one path before and after each turn that changed it, oldest first, and its state now. */
export interface PathHistory {
  readonly path: string;
  readonly turns: readonly {
    readonly before: SavedEntry | undefined;
    readonly after: SavedEntry | undefined;
    /** Something other than the turn changed it while the turn ran. */
    readonly byOthers?: boolean;
  }[];
  readonly now: SavedEntry | undefined;
}

export type Step =
  /** The target state; `undefined` removes the path. */
  | {
      readonly kind: "restore";
      readonly path: string;
      readonly to: SavedEntry | undefined;
      readonly from: SavedEntry | undefined;
    }
  /** The change is not the agent's, so it stays. */
  | { readonly kind: "keep"; readonly path: string; readonly why: string }
  /** It cannot be restored. */
  | { readonly kind: "lost"; readonly path: string; readonly why: string };

const LOST = {
  file: "its content was too large to save or could not be read",
  apart: "checkpoints exclude it and everything in it",
  link: "it could not be read",
  other: "it was not a file, folder or link, or its name is not valid text",
};

/**
 * Plans what a rollback does to each path that the undone turns changed. Changes that the user made after the turns
 * stay. If the user changed a path during or between the turns, it returns to the user's version. Folders are created
 * before their content and removed after it.
 */
export function planRollback(histories: readonly PathHistory[]): readonly Step[] {
  const steps = histories.flatMap((history): readonly Step[] => {
    const { path, now } = history;
    const turns = history.turns.filter(({ before, after }) => !sameContent(before, after));
    const first = turns[0];
    if (first === undefined || sameContent(first.before, now)) return [];
    if (!sameContent(turns.at(-1)!.after, now))
      return [{ kind: "keep", path, why: "it was changed outside the agent's turns since" }];
    const { to, theirs } = goalOf(turns);
    const named: readonly Step[] =
      theirs === undefined ? [] : [{ kind: "keep", path, why: `it was changed outside the agent's calls ${theirs}` }];
    if (sameContent(to, now)) return named;
    if (to !== undefined && to.content === undefined && to.kind !== "folder")
      return [{ kind: "lost", path, why: LOST[to.kind] }];
    // The name was read with replacement characters, so nothing has that name.
    if (now?.kind === "other" && path.includes("\ufffd"))
      return [{ kind: "lost", path, why: "its name is not valid text, so only you can remove it" }];
    // The folder that exists there now is excluded from checkpoints, most likely a cache; leave it.
    if (now?.kind === "apart") return [];
    return [{ kind: "restore", path, to, from: now }, ...named];
  });
  const stay = steps.filter(({ kind }) => kind === "lost").map(({ path }) => path);
  const making = steps.filter((step) => step.kind !== "restore" || step.to !== undefined);
  const removing = steps
    .filter((step) => step.kind === "restore" && step.to === undefined)
    .map((step): Step =>
      stay.some((path) => path.startsWith(`${step.path}/`))
        ? { kind: "keep", path: step.path, why: "something in it cannot be removed" }
        : step,
    );
  return [
    ...removing.sort((a, b) => b.path.localeCompare(a.path)),
    ...making.sort((a, b) => a.path.localeCompare(b.path)),
  ];
}

/** The target state of the path: the last version that was not the agent's, else the state before the first turn. */
function goalOf(turns: PathHistory["turns"]): { readonly to: SavedEntry | undefined; readonly theirs?: string } {
  for (let at = turns.length - 1; at >= 0; at -= 1) {
    const { before, after, byOthers } = turns[at]!;
    if (byOthers === true) return { to: after, theirs: "during a turn" };
    if (at > 0 && !sameContent(turns[at - 1]!.after, before)) return { to: before, theirs: "between the turns" };
  }
  return { to: turns[0]!.before };
}
