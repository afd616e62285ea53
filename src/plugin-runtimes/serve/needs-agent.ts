import type { Registered } from "../../host/plugins/registry/registered.ts";

/** Code of the failure of a plugin that cannot be served from another process. */
export const NEEDS_AGENT = "needs_agent";

/** Slots whose providers are called without a promise, or stream. */
export const HERE_ONLY: readonly string[] = ["model", "terminal"];

/** What a plugin registered the last time says that it has to run inside the agent. */
export function needsAgent(registered: Registered | undefined): boolean {
  return (
    registered !== undefined &&
    (registered.providers.some(({ slot }) => HERE_ONLY.includes(slot)) ||
      registered.tools.some(({ dynamicDescription }) => dynamicDescription))
  );
}
