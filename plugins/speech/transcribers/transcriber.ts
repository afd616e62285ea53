import type { GuardedFetch, JsonObject } from "hermes-agent/plugin";

/** What is to be written down. */
export interface Received {
  readonly file: string;
  readonly model: string | undefined;
  readonly language: string | undefined;
  /** The section that is this ear's own: `stt.NAME`. */
  readonly settings: JsonObject;
  env(name: string): string | undefined;
  readonly fetch: GuardedFetch;
  /** Whatever listens ends with it. */
  readonly signal: AbortSignal;
}

/** @throws {ToolFailure} that says why nothing could be understood. */
export type Ear = (received: Received) => Promise<string>;
