import type { GuardedFetch, Logger, OpenSocket, PlatformConfig } from "hermes-agent/plugin";

export interface SlackPorts extends Pick<PlatformConfig, "message" | "lost" | "commands" | "welcome"> {
  readonly fetch: GuardedFetch;
  readonly socket: OpenSocket;
  /** Folder of `slack_tokens.json` and for received files. */
  readonly home: string;
  readonly log: Logger;
  readonly firstPauseMs: number;
}
