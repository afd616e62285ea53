import type { ToolContext } from "hermes-agent/plugin";
import { isInside } from "../access/task-files.ts";
import type { Source } from "./source.ts";

/**
 * A spilled result is on the agent's machine, which a sandbox cannot see. `undefined` unless the path, with links
 * resolved, is in this session's own scratch directory.
 */
export async function readScratch(file: string, call: ToolContext): Promise<Source | undefined> {
  const { open, realpath } = await import("node:fs/promises");
  const scratch = await call.scratch();
  if (!isInside(file, scratch)) {
    const realScratch = await realpath(scratch).catch(() => scratch);
    if (!isInside(file, realScratch)) return undefined;
  }
  const real = await realpath(file).catch(() => undefined);
  if (real === undefined || !isInside(real, await realpath(scratch))) return undefined;
  const first = await open(real, "r");
  try {
    const stat = await first.stat();
    if (!stat.isFile()) return undefined;
    return {
      stamp: { modifiedMs: stat.mtimeMs, bytes: stat.size },
      async read(from, bytes) {
        await using handle = await open(real, "r");
        const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(bytes, stat.size - from)));
        const { bytesRead } = await handle.read(buffer, 0, buffer.length, from);
        return buffer.subarray(0, bytesRead);
      },
    };
  } finally {
    await first.close();
  }
}
