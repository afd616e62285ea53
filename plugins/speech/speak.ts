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

/** Without a choice: it needs no key. */
const DEFAULT_VOICE = "edge";
/** Bytes of speeches that are kept; the oldest go first. */
const MAX_RETAINED = 1_000_000_000;
/** What chats take as a voice message. */
const VOICE_MESSAGE = /\.(?:ogg|opus|mp3|m4a)$/;

/**
 * Speaks a text into a file: of the agent's own cache, and from there to where the model wants it.
 * @throws {ToolFailure} with `success: false` beside its words.
 */
export async function speak(
  text: string,
  output_path: string | undefined,
  call: ToolContext,
  roots: WriteRoots,
): Promise<JsonObject> {
  try {
    if (text.trim() === "") throw new ToolFailure("bad_arguments", "There is nothing to say: the text is empty.");
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
    const spoken =
      voice.voice_compatible === true && place === undefined ? await asVoiceMessage(made, call.signal) : made;
    const size = (await stat(spoken).catch(() => undefined))?.size ?? 0;
    if (!isAbsolute(spoken) || size === 0)
      throw new ToolFailure(
        "failed",
        `The voice "${voice.name}" says it has spoken, and there is nothing in ${spoken}.`,
      );
    await keepNewest(folder, spoken, MAX_RETAINED);
    if (place !== undefined) await bring(spoken, place, voice.name);
    // What a chat is sent lies on this machine.
    const sent = place === undefined || place.elsewhere ? spoken : place.path;
    const voice_compatible = voice.voice_compatible === true && VOICE_MESSAGE.test(sent);
    return {
      success: true,
      file_path: place?.path ?? spoken,
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

/** What comes along, then a command of `tts.providers`, then what a plugin brings. */
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

/** What a voice that somebody brought throws may be what its service said. */
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

/** What a voice that comes along can send is known before anything is said. */
async function judgeFormat(voice: string, { format, path }: SoundPlace): Promise<void> {
  const formats = (await import("./voices/all-voices.ts")).VOICES.get(voice)?.formats;
  if (formats !== undefined && !formats.includes(format)) throw otherFormat(voice, path, formats.join(", "));
}

/** From the cache to the place that was judged, under no other ending than the one it was judged with. */
async function bring(spoken: string, place: SoundPlace, voice: string): Promise<void> {
  if (formatNamed(spoken) !== place.format) {
    await rm(spoken, { force: true });
    throw otherFormat(voice, place.path, extname(spoken).slice(1) || "something else");
  }
  await place.put(await readFile(spoken));
  if (!place.elsewhere) await rm(spoken, { force: true });
}

function otherFormat(voice: string, path: string, formats: string): ToolFailure {
  return new ToolFailure("bad_arguments", `The voice "${voice}" makes ${formats} and cannot speak into ${path}.`, {
    hint: "Name a file with such an ending, or none.",
  });
}

/** A WAV of a built-in voice becomes what chats play, where there is ffmpeg; else it stays a file. */
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
