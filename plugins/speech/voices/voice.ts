import type { GuardedFetch, JsonObject, OpenSocket } from "hermes-agent/plugin";

export type AudioFormat = "mp3" | "wav" | "ogg" | "flac";

/** What is to be said, and how. */
export interface Speech {
  readonly text: string;
  readonly voice: string | undefined;
  readonly model: string | undefined;
  readonly speed: number | undefined;
  readonly format: AudioFormat;
  /** The section that is this voice's own: `tts.NAME`. */
  readonly settings: JsonObject;
  readonly key: string;
  readonly fetch: GuardedFetch;
  readonly socket: OpenSocket;
  /** Whatever speaks ends with it. */
  readonly signal: AbortSignal;
}

/** A service or a program that speaks. */
export interface Voice {
  readonly name: string;
  /** The most characters of a text, by model. */
  longest(model: string | undefined): number;
  /** What it can send; the first is its own choice. */
  readonly formats: readonly AudioFormat[];
  speak(speech: Speech): Promise<Uint8Array>;
}
