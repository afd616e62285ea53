import type { MediaModel } from "./media.ts";

export type MediaSlot = "image_gen" | "video_gen" | "tts" | "stt";

/** Backends of pictures, films, voices and ears, for pickers and setup. */
export interface MediaDesk {
  list(slot: MediaSlot): Promise<readonly MediaBackendInfo[]>;
  /** Loads the backend's code to ask it. */
  look(slot: MediaSlot, id: string): Promise<MediaAbout>;
  /** What is said in a file of sound. Never rejects. */
  transcribe(file: string, signal?: AbortSignal): Promise<Transcript>;
}

/** `reason` is for people. */
export type Transcript = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

export interface MediaBackendInfo {
  readonly id: string;
  readonly label: string;
  /** Key of the plugin. */
  readonly plugin: string;
  /** Configuration picks it, or there is no other. */
  readonly chosen: boolean;
}

export interface MediaAbout {
  readonly models: readonly MediaModel[];
  /** The one it takes by itself. */
  readonly preferred?: string;
  /** Variables that it needs. */
  readonly env: readonly { readonly name: string; readonly prompt: string; readonly url?: string }[];
}
