import { randomBytes } from "node:crypto";
import { mkdir, realpath, rm, stat } from "node:fs/promises";
import { dirname, extname, isAbsolute, join } from "node:path";
import { absolutePath, judgePath, ToolFailure, type JsonObject, type Risk, type RiskContext, type SpeechProvider, type ToolContext } from "hermes-agent/plugin";
import { commandVoice, formatOf } from "./command-voice.ts";
import { runProgram } from "./run-program.ts";
import { mapOf, wordsOf } from "./settings.ts";
import { VOICE_NAMES } from "./voice-names.ts";

/** Without a choice: it needs no key. */
const DEFAULT_VOICE = "edge";
/** What chats take as a voice message. */
const VOICE_MESSAGE = /\.(?:ogg|opus|mp3|m4a)$/;

/** Speaks a text into a file. @throws {ToolFailure} with `success: false` beside its words. */
export async function speak(text: string, output_path: string | undefined, call: ToolContext): Promise<JsonObject> {
  try {
    if (text.trim() === "") throw new ToolFailure("bad_arguments", "There is nothing to say: the text is empty.");
    const { voice, format } = await voiceOf(call);
    const wanted = output_path === undefined ? join(call.agentHome, "cache/audio", `tts_${stamp()}.${format}`) : await outside(output_path, call);
    await mkdir(dirname(wanted), { recursive: true, mode: 0o700 });
    const made = await voice.synthesize(text, wanted, { format: formatNamed(wanted) ?? format });
    const file = voice.voice_compatible === true && output_path === undefined ? await asVoiceMessage(made, call.signal) : made;
    const size = (await stat(file).catch(() => undefined))?.size ?? 0;
    if (!isAbsolute(file) || size === 0) throw new ToolFailure("failed", `The voice "${voice.name}" says it has spoken, and there is nothing in ${file}.`);
    const voice_compatible = voice.voice_compatible === true && VOICE_MESSAGE.test(file);
    return { success: true, file_path: file, media_tag: `${voice_compatible ? "[[audio_as_voice]]\n" : ""}MEDIA:${file}`, provider: voice.name, voice_compatible };
  } catch (cause) {
    if (call.signal.aborted) throw cause;
    const { message, code = "failed", hint } = cause as { readonly message: string; readonly code?: string; readonly hint?: string };
    throw new ToolFailure(code, message, { cause, data: { success: false }, ...(hint === undefined ? {} : { hint }) });
  }
}

/** What comes along, then a command of `tts.providers`, then what a plugin brings. */
async function voiceOf(call: ToolContext): Promise<{ readonly voice: SpeechProvider; readonly format: "mp3" | "wav" | "ogg" | "flac" }> {
  const name = wordsOf(call.config("tts.provider")) ?? DEFAULT_VOICE;
  const entry = mapOf(mapOf(call.config("tts.providers"))[name]);
  if (!VOICE_NAMES.some((voice) => voice.name === name) && Object.keys(entry).length > 0) return { voice: commandVoice(name, entry, call.signal), format: formatOf(entry) };
  return { voice: await call.use("tts", name), format: "mp3" };
}

/** A path that the model names, judged as one that a file tool would write. */
async function outside(path: string, call: ToolContext): Promise<string> {
  const literal = judgedPath(path, call);
  const parent = await realpath(dirname(literal)).catch(() => dirname(literal));
  const { answer, reason } = judgePath({ path: join(parent, literal.slice(dirname(literal).length)), literal, access: "write", home: call.home, agentHome: call.agentHome });
  // What a person said yes to was asked about as it stands there.
  if (answer === "deny" || (answer === "ask" && writeRisk(path, call) === undefined)) throw new ToolFailure("blocked", reason);
  return literal;
}

export function judgedPath(path: string, { cwd, home }: RiskContext): string {
  if (path.split("/").includes("..")) throw new ToolFailure("bad_arguments", `${path} climbs out of its folder; name the place itself.`);
  const literal = absolutePath(path, cwd, home);
  if (formatNamed(literal) === undefined) throw new ToolFailure("bad_arguments", `${path} should end in .mp3, .wav, .ogg, .opus or .flac.`);
  return literal;
}

/** Asked before a file is written where a person wants to be asked. */
export function writeRisk(path: string, call: RiskContext): Risk | undefined {
  const absolute = absolutePath(path, call.cwd, call.home);
  const { answer, key, reason } = judgePath({ path: absolute, literal: absolute, access: "write", home: call.home, agentHome: call.agentHome });
  return answer === "ask" ? { answer: "ask", key, reasons: [reason], effects: [`write ${absolute}`] } : undefined;
}

function formatNamed(path: string): "mp3" | "wav" | "ogg" | "flac" | undefined {
  const ending = extname(path).slice(1).toLowerCase();
  return ending === "opus" ? "ogg" : ending === "mp3" || ending === "wav" || ending === "ogg" || ending === "flac" ? ending : undefined;
}

/** A WAV of a built-in voice becomes what chats play, where there is ffmpeg; else it stays a file. */
async function asVoiceMessage(file: string, signal: AbortSignal): Promise<string> {
  if (!file.endsWith(".wav")) return file;
  const ogg = `${file.slice(0, -4)}.ogg`;
  const { problem } = await runProgram("ffmpeg", ["-nostdin", "-y", "-loglevel", "error", "-i", file, "-c:a", "libopus", "-b:a", "48k", ogg], { timeoutMs: 60_000, signal });
  if (problem !== undefined || ((await stat(ogg).catch(() => undefined))?.size ?? 0) === 0) return file;
  await rm(file, { force: true });
  return ogg;
}

function stamp(): string {
  return `${new Date().toISOString().replaceAll(/[-:]/g, "").replace("T", "_").slice(0, 15)}_${randomBytes(3).toString("hex")}`;
}
