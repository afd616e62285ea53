import { randomBytes } from "node:crypto";
import { mkdir, readFile, rm, stat } from "node:fs/promises";
import { extname, isAbsolute, join } from "node:path";
import { keepNewest } from "hermes-agent/terminal";
import {
  authorOf,
  ToolFailure,
  objectOf,
  type JsonObject,
  type SpeechProvider,
  type ToolContext,
} from "hermes-agent/plugin";
import { commandVoice, formatOf } from "./command-voice.ts";
import { runAndReport } from "./run-and-report.ts";
import { wordsOf } from "./settings.ts";
import { formatNamed, soundPlace, type SoundFormat, type SoundPlace, type WriteRoots } from "./sound-location.ts";
import { VOICE_NAMES } from "./voice-names.ts";

/** The default voice, which needs no key. */
const DEFAULT_VOICE = "edge";
/** Maximum bytes of cached speech; the oldest files are deleted first. */
const MAX_RETAINED = 1_000_000_000;
/** Extensions that chats accept as a voice message. */
const VOICE_MESSAGE = /\.(?:ogg|opus|mp3|m4a)$/;

/**
 * Converts a text to speech in the agent's cache, and copies the file to the requested location.
 * @throws {ToolFailure} with `success: false` in its data.
 */
export async function speak(
  text: string,
  output_path: string | undefined,
  call: ToolContext,
  roots: WriteRoots,
): Promise<JsonObject> {
  try {
    if (text.trim() === "") throw new ToolFailure("bad_arguments", "The text is empty.");
    const { voice, format, ours } = await voiceOf(call);
    const place = output_path === undefined ? undefined : await soundPlace(output_path, call, roots);
    if (place !== undefined) await judgeFormat(voice.name, place);
    const folder = join(call.agentHome, "cache/audio");
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const made = await output(
      voice,
      ours,
      () =>
        voice.synthesize(text, join(folder, `tts_${stamp()}.${place?.format ?? format}`), {
          format: place?.format ?? format,
          signal: call.signal,
        }),
      call.signal,
    );
    const audio =
      voice.voice_compatible === true && place === undefined ? await asVoiceMessage(made, call.signal) : made;
    const size = (await stat(audio).catch(() => undefined))?.size ?? 0;
    if (!isAbsolute(audio) || size === 0)
      throw new ToolFailure("failed", `The voice "${voice.name}" reported success, but there is no audio in ${audio}.`);
    await keepNewest(folder, audio, MAX_RETAINED);
    if (place !== undefined) await bring(audio, place, voice.name);
    // Chats can send only files on this machine.
    const sent = place === undefined || place.elsewhere ? audio : place.path;
    const voice_compatible = voice.voice_compatible === true && VOICE_MESSAGE.test(sent);
    return {
      success: true,
      file_path: place?.path ?? audio,
      media_tag: `${voice_compatible ? "[[audio_as_voice]]\n" : ""}MEDIA:${sent}`,
      provider: voice.name,
      voice_compatible,
    };
  } catch (cause) {
    if (call.signal.aborted) throw cause;
    const {
      message,
      code = "failed",
      hint,
    } = cause as { readonly message: string; readonly code?: string; readonly hint?: string };
    throw new ToolFailure(code, message, {
      cause,
      from: authorOf(cause),
      data: { success: false },
      hint,
    });
  }
}

/** Finds a voice: built-in ones first, then commands in `tts.providers`, then those of plugins. */
async function voiceOf(
  call: ToolContext,
): Promise<{ readonly voice: SpeechProvider; readonly format: SoundFormat; readonly ours: boolean }> {
  const name = wordsOf(call.config("tts.provider")) ?? DEFAULT_VOICE;
  const entry = objectOf(objectOf(call.config("tts.providers"))[name]);
  const comesAlong = VOICE_NAMES.some((voice) => voice.name === name);
  if (!comesAlong && Object.keys(entry).length > 0)
    return { voice: commandVoice(name, entry), format: formatOf(entry), ours: true };
  return { voice: await call.use("tts", name), format: "mp3", ours: comesAlong };
}

/** An error of a plugin's voice may contain text of its service. */
async function output(
  { name }: SpeechProvider,
  ours: boolean,
  speaks: () => string | Promise<string>,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await speaks();
  } catch (cause) {
    if (ours || signal.aborted || authorOf(cause) !== undefined) throw cause;
    const {
      message,
      code = "failed",
      hint,
    } = cause as { readonly message: string; readonly code?: string; readonly hint?: string };
    throw new ToolFailure(code, message, {
      cause,
      from: { source: `the voice "${name}"` },
      hint,
    });
  }
}

/** Checks the format before speaking, because the formats of built-in voices are known. */
async function judgeFormat(voice: string, { format, path }: SoundPlace): Promise<void> {
  const formats = (await import("./voices/all-voices.ts")).VOICES.get(voice)?.formats;
  if (formats !== undefined && !formats.includes(format)) throw otherFormat(voice, path, formats.join(", "));
}

/** Copies the file from the cache to the checked location, only with the extension that was checked. */
async function bring(audio: string, place: SoundPlace, voice: string): Promise<void> {
  if (formatNamed(audio) !== place.format) {
    await rm(audio, { force: true });
    throw otherFormat(voice, place.path, extname(audio).slice(1) || "something else");
  }
  await place.put(await readFile(audio));
  if (!place.elsewhere) await rm(audio, { force: true });
}

function otherFormat(voice: string, path: string, formats: string): ToolFailure {
  return new ToolFailure("bad_arguments", `The voice "${voice}" makes ${formats} and cannot write ${path}.`, {
    hint: "Use a path with that extension, or omit the path.",
  });
}

/** Converts a WAV of a built-in voice into a voice message if ffmpeg is installed; else it stays a file. */
async function asVoiceMessage(file: string, signal: AbortSignal): Promise<string> {
  if (!file.endsWith(".wav")) return file;
  const ogg = `${file.slice(0, -4)}.ogg`;
  const { problem } = await runAndReport(
    "ffmpeg",
    ["-nostdin", "-y", "-loglevel", "error", "-i", file, "-c:a", "libopus", "-b:a", "48k", ogg],
    { timeoutMs: 60_000, signal },
  );
  if (problem !== undefined || ((await stat(ogg).catch(() => undefined))?.size ?? 0) === 0) return file;
  await rm(file, { force: true });
  return ogg;
}

function stamp(): string {
  return `${new Date().toISOString().replaceAll(/[-:]/g, "").replace("T", "_").slice(0, 15)}_${randomBytes(3).toString("hex")}`;
}
