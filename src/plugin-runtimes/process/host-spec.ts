import type { JsonObject } from "../../contract/common/json.ts";
import type { GroupLimits } from "./own-group.ts";

/** How a process of plugins is started, and what it is held to. */
export interface HostSpec {
  /** In messages: `the Python process`. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  /** Further parameters of `initialize`. */
  readonly initialize: JsonObject;
  /**
   * `standard`: messages on the standard streams, which the process moves away. `apart`: on descriptor 3, 4 is for requests its only
   * thread waits for, 5 tells by its end that the agent has ended, and whatever is printed is the log's.
   */
  readonly wire: "standard" | "apart";
  /** It leads a process group, which ends with it and with the agent: for a program that nobody here has written. */
  readonly group?: GroupLimits;
  /** Said where it does not begin to speak: what would help, as a sentence without its full stop. */
  readonly help?: string;
  readonly limits: HostLimits;
}

export interface HostLimits {
  readonly startMs: number;
  /** Silence while it has calls: longer, and it is ended. */
  readonly silenceMs: number;
  /** Processor time of one call. */
  readonly cpuSeconds: number;
  /** How long it may take to end by itself. */
  readonly endMs: number;
}
