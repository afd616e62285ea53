import type { MediaModel } from "../providers/media.ts";

export type MediaSlot = "image_gen" | "video_gen" | "tts" | "stt" | "browser" | "web";

/** Backends of pictures, films, voices and ears, and services that run browsers or search, for pickers and setup. */
export interface MediaService {
  /** Those that can be chosen: first what plugins provide now, then what waits for a key or for being chosen. */
  list(slot: MediaSlot): Promise<readonly MediaBackendInfo[]>;
  /** The setting that names one, and the word that stands for none. */
  setting(slot: MediaSlot): Promise<{ readonly path: string; readonly none?: string }>;
  /** Loads the backend's code to ask it. */
  look(slot: MediaSlot, id: string): Promise<MediaAbout>;
  /** Transcribes an audio file. Never rejects. */
  transcribe(file: string, signal?: AbortSignal): Promise<Transcript>;
}

/** `reason` is for people. */
export type Transcript = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

export interface MediaBackendInfo {
  readonly id: string;
  readonly label: string;
  /** Key of the plugin. */
  readonly plugin: string;
  /** Hermes uses this backend: the configuration names it, or it is the only one. */
  readonly chosen: boolean;
  /** Why its plugin does not run yet. */
  readonly waits?: string;
}

export interface MediaAbout {
  readonly models: readonly MediaModel[];
  /** The default one. */
  readonly preferred?: string;
  /** Variables that it needs. */
  readonly env: readonly { readonly name: string; readonly prompt: string; readonly url?: string }[];
}
