import type { Json } from "hermes-agent/plugin";

/** Arguments of the `terminal` tool. */
export interface TerminalInput {
  readonly command: string;
  readonly background?: boolean;
  readonly timeout?: number;
  readonly workdir?: string;
  readonly pty?: boolean;
  readonly notify_on_complete?: boolean;
  readonly watch_patterns?: readonly string[];
  /** Run outside the sandbox, if there is one. */
  readonly outside?: boolean;
  /** Environment variables from stored secrets. */
  readonly env?: Json;
}
