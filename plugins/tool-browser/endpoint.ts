import { socketAddress } from "hermes-agent/browser";
import type { Availability } from "hermes-agent/plugin";

/** Whether a browser answers at this DevTools address. */
export async function reachable(endpoint: string): Promise<Availability> {
  return socketAddress(endpoint).then(
    () => ({ ok: true }),
    (cause: Error) => ({ ok: false, reason: cause.message }),
  );
}
