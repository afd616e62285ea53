import type { Availability, Probe } from "./availability.ts";
import type { Json, JsonObject } from "./json.ts";

/** Anything that can be swapped. */
export interface Provider {
  /** What configuration and people call it: `local`, `docker`, `anthropic`. */
  readonly id: string;
  readonly label?: string;
  available?(probe: Probe): Availability | Promise<Availability>;
}

/** A provider whose contract is the names of its methods, as the original has them: what a plugin in another process can give. */
export interface MethodProvider extends Provider {
  /** Calls the method, or reads the property, of that name. Rejects as it does. */
  invoke(method: string, args: readonly Json[], named: JsonObject): Promise<Json>;
}
