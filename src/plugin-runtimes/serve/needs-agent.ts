import type { Registered } from "../../host/plugins/registry/registered.ts";

/** Code of the failure of a plugin that cannot run in another process. */
export const NEEDS_AGENT = "needs_agent";

/** Slots whose providers stream, or are called without a promise. */
export const HERE_ONLY: readonly string[] = ["model", "terminal"];

/** Whether a plugin's last registrations require that it runs inside the agent. */
export function needsAgent(registered: Registered | undefined): boolean {
  return (
    registered !== undefined &&
    (registered.providers.some(({ slot }) => HERE_ONLY.includes(slot)) ||
      registered.tools.some(({ dynamicDescription }) => dynamicDescription))
  );
}
