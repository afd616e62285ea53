import type { GuardedFetch, JsonObject } from "hermes-agent/plugin";

/** The audio to transcribe. */
export interface Received {
  readonly file: string;
  readonly model: string | undefined;
  readonly language: string | undefined;
  /** The settings section of this transcriber: `stt.NAME`. */
  readonly settings: JsonObject;
  env(name: string): string | undefined;
  readonly fetch: GuardedFetch;
  /** Aborts the transcription. */
  readonly signal: AbortSignal;
}

/** @throws {ToolFailure} with the reason if there is no transcript. */
export type Ear = (received: Received) => Promise<string>;
