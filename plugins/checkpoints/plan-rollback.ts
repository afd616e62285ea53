import { sameContent, type KeptEntry } from "./entry.ts";

/** What one path looked like before and after each turn that changed it, oldest first, and now. */
export interface PathHistory {
  readonly path: string;
  readonly turns: readonly { readonly before: KeptEntry | undefined; readonly after: KeptEntry | undefined }[];
  readonly now: KeptEntry | undefined;
}

export type Step =
  /** Make it so; `undefined` removes it. */
  | { readonly kind: "restore"; readonly path: string; readonly to: KeptEntry | undefined; readonly from: KeptEntry | undefined }
  /** Somebody else changed it, so it stays. */
  | { readonly kind: "keep"; readonly path: string; readonly why: string }
  /** It cannot be brought back. */
  | { readonly kind: "lost"; readonly path: string; readonly why: string };

/**
 * What a rollback would do to each path that the undone turns changed. What a person changed, between the turns or since, is theirs and
 * stays. Folders are made before what lies in them and removed after it.
 */
export function planRollback(histories: readonly PathHistory[]): readonly Step[] {
  const steps = histories.flatMap((history): readonly Step[] => {
    const { path, now } = history;
    const turns = history.turns.filter(({ before, after }) => !sameContent(before, after));
    const first = turns[0];
    if (first === undefined || sameContent(first.before, now)) return [];
    const between = turns.slice(1).some(({ before }, at) => !sameContent(turns[at]!.after, before));
    if (between) return [{ kind: "keep", path, why: "it was changed by somebody else between the turns" }];
    if (!sameContent(turns.at(-1)!.after, now)) return [{ kind: "keep", path, why: "it was changed by somebody else since" }];
    if (first.before !== undefined && first.before.content === undefined && first.before.kind !== "folder") {
      return [{ kind: "lost", path, why: first.before.kind === "file" ? "its content was too large to keep, or could not be read" : "it was no file, folder or link" }];
    }
    return [{ kind: "restore", path, to: first.before, from: now }];
  });
  const making = steps.filter((step) => step.kind !== "restore" || step.to !== undefined);
  const removing = steps.filter((step) => step.kind === "restore" && step.to === undefined);
  return [...removing.sort((a, b) => b.path.localeCompare(a.path)), ...making.sort((a, b) => a.path.localeCompare(b.path))];
}
