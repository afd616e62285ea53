import { ToolFailure } from "../common/failure.ts";
import type { Json, JsonObject } from "../common/json.ts";
import type { UntrustedSource, ImagePart } from "../conversation/part.ts";
import type { NamedProvider } from "../plugins/provider.ts";
import { definedFields } from "../common/defined-fields.ts";

/** Description of a backend for images, video or speech, for pickers and setup. */
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
 * Slot `image_gen`: one is in use, chosen by `image_gen.provider`. `generate` returns the path or address of a picture,
 * or an answer as {@link imageMade} and {@link imageFailed} make it. A picture given as base64 is stored as a file.
 */
export interface ImageGenProvider extends MediaBackend {
  generate(prompt: string, options: ImageOptions): string | JsonObject | Promise<string | JsonObject>;
  capabilities?(): JsonObject | Promise<JsonObject>;
}

export interface ImageOptions {
  readonly aspect_ratio: "landscape" | "square" | "portrait";
  /** A picture to begin from, as a `data:` address. */
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
  synthesize(
    text: string,
    output_path: string,
    options: {
      readonly voice?: string;
      readonly model?: string;
      readonly speed?: number;
      readonly format: "mp3" | "wav" | "ogg" | "opus" | "flac";
      /** Ends what it has begun. */ readonly signal?: AbortSignal;
    },
  ): string | Promise<string>;
  list_voices?(): readonly MediaModel[] | Promise<readonly MediaModel[]>;
  readonly voice_compatible?: boolean;
}

/** Slot `stt`: one is in use, chosen by `stt.provider`. */
export interface TranscriptionProvider extends MediaBackend {
  /** Never throws: `{ success, transcript, provider, error? }`. */
  transcribe(
    file_path: string,
    options: {
      readonly model?: string;
      readonly language?: string;
      /** Ends what it has begun. */ readonly signal?: AbortSignal;
    },
  ): JsonObject | Promise<JsonObject>;
}

/** The answer of an image backend that made a picture; `image` is a path or an address, `b64` its bytes. */
export function imageMade(made: {
  readonly image?: string;
  readonly b64?: string;
  readonly model?: string;
  readonly prompt?: string;
  readonly aspect_ratio?: string;
  readonly provider?: string;
  readonly modality?: string;
  readonly extra?: JsonObject;
}): JsonObject {
  const { extra, ...rest } = made;
  return { success: true, ...rest, ...extra };
}

/** The answer of one that could not. */
export function imageFailed(failed: {
  readonly error: string;
  /** Whose words the error repeats; `null`: they are the backend's own. Else they may be anybody's. */ readonly error_from?: UntrustedSource | null;
  readonly error_type?: string;
  readonly model?: string;
  readonly prompt?: string;
  readonly provider?: string;
}): JsonObject {
  const { error_from, ...message } = failed;
  return {
    success: false,
    image: null,
    ...message,
    error_type: failed.error_type ?? "provider_error",
    ...definedFields({
      error_from: error_from === undefined ? undefined : error_from === null ? null : { ...error_from },
    }),
  };
}

/** Most bytes of a picture that a model is sent. */
export const PICTURE_BYTES = 15_000_000;

/** The image type that models read, detected from the first bytes and not from a name. */
export function pictureType(bytes: Uint8Array): "image/png" | "image/jpeg" | "image/gif" | "image/webp" | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(12, bytes.length)).toString("latin1");
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(head)) return "image/gif";
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : undefined;
}

/** Bytes as a model is sent them. @throws {ToolFailure} for what is no picture, or too large a one. */
export function pictureOf(bytes: Uint8Array, name: string): ImagePart {
  const mediaType = pictureType(bytes);
  if (mediaType === undefined)
    throw new ToolFailure(
      "bad_arguments",
      `${name} is not a PNG, JPEG, GIF or WebP image, and models read no other formats.`,
    );
  if (bytes.length > PICTURE_BYTES)
    throw new ToolFailure(
      "bad_arguments",
      `${name} is ${Math.ceil(bytes.length / 1_000_000)} MB; an image may have at most ${PICTURE_BYTES / 1_000_000} MB.`,
      { hint: "Reduce its size first." },
    );
  return { type: "image", mediaType, data: Buffer.from(bytes).toString("base64") };
}
