import type { Availability } from "../common/availability.ts";

export interface TerminalService {
  list(): Promise<readonly TerminalEnvironmentInfo[]>;
  /** Runs a command in each, or in the one of that id. Rejects with `UserError` that names what there is. */
  check(id?: string): Promise<readonly TerminalCheck[]>;
}

export interface TerminalEnvironmentInfo {
  readonly id: string;
  readonly label: string;
  /** Key of the plugin. */
  readonly owner: string;
  /** Configuration picks it. */
  readonly chosen: boolean;
  readonly isolated: boolean;
  readonly available: Availability;
  /** What the user can do, if something is wrong. */
  readonly hint?: string;
}

export interface TerminalCheck extends TerminalEnvironmentInfo {
  readonly ok: boolean;
  /** The findings, or the error. */
  readonly detail: string;
}
