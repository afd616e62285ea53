import type { Json } from "./json.ts";

/** Whether a thing can be used here and now; a reason is always shown to people, never hidden. */
export type Availability =
  | { readonly ok: true }
  | { readonly ok: false; readonly reason: string; readonly needs?: readonly string[] };

/** Inputs of an availability check. Cheap by design: the check runs whenever tools are listed. */
export interface Probe {
  /** A variable from `.env` or the process, only if the asker declared it; undefined when unset or empty. */
  env(name: string): string | undefined;
  /** A configuration value by dotted path, `undefined` when neither set nor defaulted. */
  config(path: string): Json | undefined;
  /** Absolute path of a program on PATH; one that is given by its absolute path is looked for there alone. */
  which(program: string): Promise<string | undefined>;
  /** Whether a user can answer questions on the current surface. */
  readonly prompter: boolean;
  /** The surface that asks: `cli`, `telegram`, `cron`, `acp`, … */
  readonly surface: string;
}

/** An environment variable that a tool or plugin needs. */
export interface EnvNeed {
  readonly name: string;
  readonly description?: string;
  /** Where the user gets the value. */
  readonly url?: string;
  /**
   * Input is hidden and the value masked everywhere. Default: true when the name ends in _KEY, _TOKEN, _SECRET or
   * _PASSWORD.
   */
  readonly secret?: boolean;
  /** Hosts that the value may be sent to, in a header, a body or the address. Default: to any, in headers only. */
  readonly hosts?: readonly string[];
}
