import type { Availability, Probe } from "./availability.ts";

/** Anything that can be swapped. */
export interface Provider {
  /** What configuration and people call it: `local`, `docker`, `anthropic`. */
  readonly id: string;
  readonly label?: string;
  available?(probe: Probe): Availability | Promise<Availability>;
}
