import {
  absolutePath,
  holdsInstructions,
  isOutsideWorkspace,
  type UntrustedSource,
  type PluginContext,
  type Reach,
  type RiskContext,
} from "hermes-agent/plugin";

/** A file outside the session's folder may be anybody's. Asked right before it is read, so the terminal is opened no earlier than it would be. */
export async function outsideWords(
  ctx: PluginContext,
  path: string,
  call: RiskContext,
): Promise<UntrustedSource | undefined> {
  const backend = await ctx.use("terminal");
  const elsewhere = backend.elsewhere === true;
  const { cwd } = await backend.open({ key: call.taskId, cwd: elsewhere ? undefined : call.cwd }, ctx.signal);
  const absolute = absolutePath(path, cwd, call.home);
  return isOutsideWorkspace(absolute, { ...call, cwd: elsewhere ? cwd : call.cwd }) ? { source: absolute } : undefined;
}

/** What is written where a later session reads its instructions. */
export function instructionsChanged(paths: readonly string[], call: RiskContext): readonly Reach[] {
  return paths
    .map((path) => absolutePath(path, call.cwd, call.home))
    .filter((path) => holdsInstructions(path, call))
    .map((path) => ({ kind: "change" as const, what: `${path}, which is read as instructions` }));
}
