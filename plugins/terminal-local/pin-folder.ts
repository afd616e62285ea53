import { constants } from "node:fs";
import { open, readlink, realpath } from "node:fs/promises";
import { ToolFailure } from "hermes-agent/plugin";

export interface PinnedFolder extends AsyncDisposable {
  /** Names the folder that was judged, whatever its own name leads to by now. */
  readonly path: string;
}

/** A descriptor that only names a place; a folder that may be entered and not listed can be held too. */
const O_PATH = 0o10000000;

/**
 * Holds a folder open while something is done in it. Between the judgement of a path and the work on it a link can be
 * put in the place of a folder on the way; work through the descriptor goes on where it was allowed. Where a system has
 * no such paths, the way is looked at once more.
 * @throws {ToolFailure} `conflict` when the path leads elsewhere already.
 */
export async function pinFolder(folder: string): Promise<PinnedFolder> {
  if (process.platform === "linux") {
    const handle = await open(folder, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW).catch(
      (cause: NodeJS.ErrnoException) => {
        throw cause.code === "ELOOP" || cause.code === "ENOTDIR" ? movedAway(folder) : cause;
      },
    );
    try {
      const path = `/proc/self/fd/${handle.fd}`;
      if ((await readlink(path)) !== folder) throw movedAway(folder);
      return { path, [Symbol.asyncDispose]: () => handle.close() };
    } catch (error) {
      await handle.close();
      throw error;
    }
  }
  if ((await realpath(folder)) !== folder) throw movedAway(folder);
  return { path: folder, [Symbol.asyncDispose]: async () => {} };
}

/** For a folder that changed after it was checked. */
export function movedAway(folder: string): ToolFailure {
  return new ToolFailure(
    "conflict",
    `${JSON.stringify(folder)} now leads to a different folder; nothing was changed.`,
    {
      hint: "Another process replaced it with a link. Check it before you call again.",
    },
  );
}
