import { existsSync } from "node:fs";
import { UserError } from "../../../contract/common/failure.ts";
import type { Trouble } from "./sqlite.ts";

/** The store could not do what was asked. What it held before is untouched. */
export class StoreUnavailable extends UserError {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, message: string, options: { hint?: string; exitCode?: number; cause?: unknown } = {}) {
    super(message, options);
    this.name = "StoreUnavailable";
    this.trouble = trouble;
  }
}

/** One sentence for a person, and what would help. */
export function explainTrouble(trouble: Trouble, path: string, cause: unknown): StoreUnavailable {
  const text = cause instanceof Error ? cause.message : String(cause);
  switch (trouble) {
    case "busy":
      return new StoreUnavailable(
        trouble,
        `"${path}" stayed locked by another process; nothing of this step was stored.`,
        { hint: "`hermes doctor` names who holds sessions. Try again when the other process is done.", cause },
      );
    case "full":
      return new StoreUnavailable(
        trouble,
        `The disk of "${path}" is full; nothing of this step was stored, everything before it is safe.`,
        { hint: "Free some space (`hermes sessions prune --older-than 90d` helps) and go on.", cause },
      );
    case "read-only":
      if (!existsSync(path))
        return new StoreUnavailable(
          trouble,
          `"${path}", which keeps the sessions, cannot be made: its folder cannot be written.`,
          { hint: "Set HERMES_HOME to a folder that you may write; `hermes doctor` looks at it.", cause },
        );
      return new StoreUnavailable(trouble, `"${path}" cannot be written: the file or its disk is read-only.`, {
        hint: "Earlier sessions can still be read. Check the folder's owner and mode.",
        cause,
      });
    case "damaged":
      return new StoreUnavailable(trouble, `"${path}" is damaged (${text}); nothing more is written to it.`, {
        hint: "The next start copies what can be read into a new file and keeps the old one.",
        cause,
      });
    case "unwritable":
      if (/unable to open/.test(text))
        return new StoreUnavailable(
          trouble,
          `"${path}" could not be opened; nothing of this step was stored, everything before it is safe.`,
          {
            hint: "You must be allowed to read and write it and its folder, and its disk must have room: `hermes doctor` looks.",
            cause,
          },
        );
      return new StoreUnavailable(
        trouble,
        `"${path}" could not be written (${text}); nothing of this step was stored, everything before it is safe.`,
        { hint: "Check space, quota and the folder's mode, then go on.", cause },
      );
    case "other":
      return new StoreUnavailable(trouble, `"${path}" refused (${text}).`, { cause });
  }
}

/** A damaged store of which nothing could be copied into a new one. No start will mend that by itself. */
export function notSalvaged(path: string, damage: string, cause: unknown): StoreUnavailable {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StoreUnavailable(
    "damaged",
    `"${path}" is damaged (${damage}); nothing more is written to it, and what can be read of it could not be copied into a new file (${why}).`,
    { hint: "Put a copy of it in its place, or move it away: then a new, empty one is made.", cause },
  );
}
