import type { PluginContext } from "hermes-agent/plugin";
import { makeGuard, type Guard } from "./access/guard.ts";
import { PathLock } from "./write/path-lock.ts";
import { FileMemory } from "./access/task-memory.ts";

/** State that the file tools share, one for the plugin. */
export interface Shared {
  readonly memory: FileMemory;
  readonly guard: Guard;
  readonly locks: PathLock;
}

export function makeShared(ctx: PluginContext): Shared {
  const memory = new FileMemory();
  // Any other tool ends a run of equal reads or searches. Subscribes only once there are runs to end.
  ctx.hook("post_tool_call", (done) => {
    if (done.tool_name !== "read_file" && done.tool_name !== "search_files") memory.otherTool(done.task_id);
  });
  const guard = makeGuard(() => {
    const roots = ctx
      .env("HERMES_WRITE_SAFE_ROOT")
      ?.split(":")
      .filter((root) => root !== "");
    return roots === undefined || roots.length === 0 ? undefined : roots;
  });
  return { memory, guard, locks: new PathLock() };
}
