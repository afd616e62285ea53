import type { JsonObject } from "../../contract/common/json.ts";
import type { GroupLimits } from "./own-group.ts";

/** How a plugin process is started, and its limits. */
export interface HostSpec {
  /** The process's name in messages: `the Python process`. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string;
  /** Further parameters of `initialize`. */
  readonly initialize: JsonObject;
  /**
   * `standard`: messages on the standard streams, which the process moves to other descriptors. `apart`: messages on
   * descriptor 3, blocking requests of its only thread on 4; 5 closes when the agent ends, and all output goes to the
   * log.
   */
  readonly wire: "standard" | "apart";
  /** It leads a process group, which ends with it and with the agent: for a third party's program. */
  readonly group?: GroupLimits;
  /** Shown if its startup fails: the fix, as a sentence without its full stop. */
  readonly help?: string;
  readonly limits: HostLimits;
}

export interface HostLimits {
  readonly startMs: number;
  /** Maximum silence during calls; after that the process is killed. */
  readonly silenceMs: number;
  /** Processor time of one call. */
  readonly cpuSeconds: number;
  /** How long a shutdown may take. */
  readonly endMs: number;
}
