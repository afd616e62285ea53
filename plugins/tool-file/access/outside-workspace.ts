import {
  absolutePath,
  holdsInstructions,
  instructsOthers,
  isOutsideWorkspace,
  type UntrustedSource,
  type PluginContext,
  type Egress,
  type RiskContext,
} from "hermes-agent/plugin";
import { homeOf } from "./home-of.ts";

/**
 * A file outside the session's folder may be untrusted. Checked right before it is read, so that the terminal does not
 * start earlier.
 */
export async function outsideWords(
  ctx: PluginContext,
  path: string,
  call: RiskContext,
): Promise<UntrustedSource | undefined> {
  const backend = await ctx.use("terminal");
  const elsewhere = backend.elsewhere === true;
  const { cwd } = await backend.open({ key: call.taskId, cwd: elsewhere ? undefined : call.cwd }, ctx.signal);
  const absolute = absolutePath(path, cwd, call.home, homeOf);
  return isOutsideWorkspace(absolute, { ...call, cwd: elsewhere ? cwd : call.cwd }) ? { source: absolute } : undefined;
}

/** Writes to files that a later session reads as instructions. */
export function instructionsChanged(paths: readonly string[], call: RiskContext): readonly Egress[] {
  return paths
    .map((path) => absolutePath(path, call.cwd, call.home, homeOf))
    .filter((path) => holdsInstructions(path, call))
    .map((path) => ({
      kind: "change" as const,
      what: `${path}, which later sessions read as instructions`,
      ...(instructsOthers(path, call) ? { instructs: true as const } : {}),
    }));
}
