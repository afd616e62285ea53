import type { Json, JsonObject } from "./json.ts";
import type { NamedProvider } from "./provider.ts";

/** What backends of pictures, films and voices say of themselves for pickers and setup. */
export interface MediaBackend extends NamedProvider {
  list_models?(): readonly MediaModel[] | Promise<readonly MediaModel[]>;
  default_model?(): string | null | Promise<string | null>;
  get_setup_schema?(): JsonObject | Promise<JsonObject>;
}

export interface MediaModel {
  readonly id: string;
  readonly display?: string;
  readonly [key: string]: Json | undefined;
}

/**
 * Slot `image_gen`: one is in use, chosen by `image_gen.provider`. `generate` returns the path or address of a picture, or an answer as
 * {@link imageMade} and {@link imageFailed} make it. A picture given as base64 is stored as a file.
 */
export interface ImageGenProvider extends MediaBackend {
  generate(prompt: string, options: ImageOptions): string | JsonObject | Promise<string | JsonObject>;
  capabilities?(): JsonObject | Promise<JsonObject>;
}

export interface ImageOptions {
  readonly aspect_ratio: "landscape" | "square" | "portrait";
  /** A picture to begin from. */
  readonly image_url?: string;
  readonly reference_image_urls?: readonly string[];
  /** The one that `image_gen.model` names. */
  readonly model?: string;
}

/** Slot `video_gen`: one is in use, chosen by `video_gen.provider`. As for pictures; the answer's key is `video`. */
export interface VideoGenProvider extends MediaBackend {
  generate(prompt: string, options: JsonObject): string | JsonObject | Promise<string | JsonObject>;
  capabilities?(): JsonObject | Promise<JsonObject>;
}

/** Slot `tts`: one is in use, chosen by `tts.provider`. */
export interface SpeechProvider extends MediaBackend {
  /** Writes `output_path` and returns its path. Throws when it cannot. */
  synthesize(text: string, output_path: string, options: { readonly voice?: string; readonly model?: string; readonly speed?: number; readonly format: "mp3" | "wav" | "ogg" | "opus" | "flac" }): string | Promise<string>;
  list_voices?(): readonly MediaModel[] | Promise<readonly MediaModel[]>;
  readonly voice_compatible?: boolean;
}

/** Slot `stt`: one is in use, chosen by `stt.provider`. */
export interface TranscriptionProvider extends MediaBackend {
  /** Never throws: `{ success, transcript, provider, error? }`. */
  transcribe(file_path: string, options: { readonly model?: string; readonly language?: string }): JsonObject | Promise<JsonObject>;
}

/** The answer of an image backend that made a picture; `image` is a path or an address, `b64` its bytes. */
export function imageMade(made: { readonly image?: string; readonly b64?: string; readonly model?: string; readonly prompt?: string; readonly aspect_ratio?: string; readonly provider?: string; readonly modality?: string; readonly extra?: JsonObject }): JsonObject {
  const { extra, ...rest } = made;
  return { success: true, ...rest, ...extra };
}

/** The answer of one that could not. */
export function imageFailed(failed: { readonly error: string; readonly error_type?: string; readonly model?: string; readonly prompt?: string; readonly provider?: string }): JsonObject {
  return { success: false, image: null, ...failed, error_type: failed.error_type ?? "provider_error" };
}
