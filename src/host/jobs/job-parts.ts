import { hostname } from "node:os";
import type { Lease } from "../../contract/conversation/store.ts";
import type { Outputs } from "./job-output.ts";
import { zoneOf, type JobPorts } from "./job-ports.ts";
import type { JobStore } from "./job-store.ts";
import { toIso } from "./zoned-time.ts";

/** What the operations on jobs share. */
export interface JobParts {
  readonly ports: JobPorts;
  readonly store: JobStore;
  readonly outputs: Outputs;
}

/** One job runs in one process at a time: a lane of the store, which its holder's end frees. */
export function laneOf(jobId: string): string {
  return `cron ${jobId}`;
}

/** Takes the lane for `purpose`. @returns `undefined` while another process holds it. */
export async function leaseLane(ports: JobPorts, lane: string, purpose: string): Promise<Lease | undefined> {
  const lease = await (await ports.store()).lease(lane, `${purpose} (process ${process.pid} on ${hostname()})`);
  return "fence" in lease ? lease : undefined;
}

/** The time as jobs store it: ISO 8601 in the user's time zone. */
export function isoOf(ports: JobPorts, at: number): string {
  return toIso(at, zoneOf(ports));
}
