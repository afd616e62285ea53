import type { Json } from "hermes-agent/plugin";

/** What the `terminal` tool takes. */
export interface TerminalInput {
  readonly command: string;
  readonly background?: boolean;
  readonly timeout?: number;
  readonly workdir?: string;
  readonly pty?: boolean;
  readonly notify_on_complete?: boolean;
  readonly watch_patterns?: readonly string[];
  /** Not in the sandbox, where there is one. */
  readonly outside?: boolean;
  /** Variables of this command from stored secrets. */
  readonly env?: Json;
}
