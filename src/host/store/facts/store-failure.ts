import { existsSync } from "node:fs";
import { UserError } from "../../../contract/common/failure.ts";
import type { Trouble } from "./sqlite.ts";

/** The store could not do the operation. Earlier content is untouched. */
export class StoreUnavailable extends UserError {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string, options: { hint?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, options);
    this.name = "StoreUnavailable";
    this.trouble = trouble;
  }
}

/** One sentence for the user, and what helps. */
export function explainTrouble(trouble: Trouble, path: string, cause: unknown): StoreUnavailable {
  const text = cause instanceof Error ? cause.message : String(cause);
  switch (trouble) {
    case "busy":
      return new StoreUnavailable(trouble, `"${path}" stayed locked by another process, so this step was not stored.`, {
        hint: "`hermes doctor` shows which processes use sessions. Try again when the other process has finished.",
        cause,
      });
    case "full":
      return new StoreUnavailable(
        trouble,
        `The disk of "${path}" is full, so this step was not stored. Everything before it is safe.`,
        { hint: "Free some space (`hermes sessions prune --older-than 90d` helps) and continue.", cause },
      );
    case "read-only":
      if (!existsSync(path))
        return new StoreUnavailable(
          trouble,
          `The session store "${path}" cannot be created: its folder is not writable.`,
          { hint: "Set HERMES_HOME to a folder that you can write; `hermes doctor` checks it.", cause },
        );
      return new StoreUnavailable(trouble, `"${path}" is not writable: the file or its disk is read-only.`, {
        hint: "Earlier sessions can still be read. Check the folder's owner and mode.",
        cause,
      });
    case "damaged":
      return new StoreUnavailable(trouble, `"${path}" is damaged (${text}); Hermes no longer writes to it.`, {
        hint: "The next start copies the readable records into a new file and keeps the old one.",
        cause,
      });
    case "unwritable":
      if (/unable to open/.test(text))
        return new StoreUnavailable(
          trouble,
          `"${path}" could not be opened, so this step was not stored. Everything before it is safe.`,
          {
            hint: "You need permission to read and write the file and its folder, and free space on the disk: `hermes doctor` checks this.",
            cause,
          },
        );
      return new StoreUnavailable(
        trouble,
        `"${path}" could not be written (${text}), so this step was not stored. Everything before it is safe.`,
        { hint: "Check space, quota and the folder's mode, then continue.", cause },
      );
    case "other":
      return new StoreUnavailable(trouble, `"${path}" refused (${text}).`, { cause });
  }
}

/** A damaged store from which nothing could be copied. A restart will not fix it. */
export function notSalvaged(path: string, damage: string, cause: unknown): StoreUnavailable {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnavailable(
    "damaged",
    `"${path}" is damaged (${damage}); Hermes no longer writes to it. Its readable records could not be copied into a new file (${why}).`,
    { hint: "Replace it with a backup, or move it away: Hermes then creates an empty one.", cause },
  );
}
