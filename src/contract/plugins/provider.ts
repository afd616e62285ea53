import type { Availability, Probe } from "../common/availability.ts";
import type { Json, JsonObject } from "../common/json.ts";

/** Anything that can be swapped. */
export interface Provider {
  /** The provider's name in configuration and user interfaces: `local`, `docker`, `anthropic`. */
  readonly id: string;
  readonly label?: string;
  available?(probe: Probe): Availability | Promise<Availability>;
}

/**
 * A provider whose contract is the names of its methods, as the original has them: what a plugin in another process can
 * give.
 */
export interface MethodProvider extends Provider {
  /** Calls the method, or reads the property, of that name. Rejects as it does. */
  invoke(method: string, args: readonly Json[], named: JsonObject): Promise<Json>;
}

/**
 * A provider in the original's terms, the same in TypeScript and Python: its `name` is its name in the configuration.
 * Keyword arguments of a Python provider are in the last argument, an object.
 */
export interface NamedProvider {
  readonly name: string;
  readonly display_name?: string;
  /** Cheap: asks no network. Default: yes. */
  is_available?(): boolean | Promise<boolean>;
  /** No one charges for its requests: it runs on this machine, or needs no account. */
  readonly free?: boolean;
}
