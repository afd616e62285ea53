import type { GuardedFetch, JsonObject, OpenSocket } from "hermes-agent/plugin";

export type AudioFormat = "mp3" | "wav" | "ogg" | "flac";

/** The text to speak, and options. */
export interface Speech {
  readonly text: string;
  readonly voice: string | undefined;
  readonly model: string | undefined;
  readonly speed: number | undefined;
  readonly format: AudioFormat;
  /** The settings section of this voice: `tts.NAME`. */
  readonly settings: JsonObject;
  readonly key: string;
  readonly fetch: GuardedFetch;
  readonly socket: OpenSocket;
  /** Aborts the speech. */
  readonly signal: AbortSignal;
}

/** A service or a program that speaks. */
export interface Voice {
  readonly name: string;
  /** Maximum characters of a text, by model. */
  longest(model: string | undefined): number;
  /** Supported formats; the first is the default. */
  readonly formats: readonly AudioFormat[];
  speak(speech: Speech): Promise<Uint8Array>;
}
