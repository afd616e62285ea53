import { extname, isAbsolute } from "node:path/posix";
import {
  absolutePath,
  judgePath,
  ToolFailure,
  type PathJudgement,
  type Risk,
  type RiskContext,
  type Terminal,
  type TerminalFiles,
  type ToolContext,
} from "hermes-agent/plugin";
import { FORMATS } from "./command-voice.ts";

export type SoundFormat = (typeof FORMATS)[number];

/** The resolved and checked location of an audio file. */
export interface SoundPlace {
  readonly path: string;
  readonly format: SoundFormat;
  /** The file is not on this machine. */
  readonly elsewhere: boolean;
  put(sound: Uint8Array): Promise<void>;
}

/** Folders to which writes are limited, as for the file tools; empty: no limit. */
export type WriteRoots = readonly string[];

export function writeRootsOf(setting: string | undefined): WriteRoots {
  return (setting ?? "").split(":").filter((root) => root !== "");
}

/** The risk of the path as written, before the call. {@link soundPlace} reports refusals. */
export function writeRisk(path: string, call: RiskContext, roots: WriteRoots): Risk | undefined {
  const absolute = absolutePath(path, call.cwd, call.home);
  const { answer, key, reason } = judged(absolute, absolute, call, roots);
  return answer === "ask" ? { answer: "ask", key, reasons: [reason], effects: [`write ${absolute}`] } : undefined;
}

/**
 * Resolves a path from the model in the session's terminal backend, follows links, and checks it like a file tool's
 * write.
 * @throws {ToolFailure} `blocked` if it is refused, or if it is not the path that the user approved.
 */
export async function soundPlace(path: string, call: ToolContext, roots: WriteRoots): Promise<SoundPlace> {
  if (path.split("/").includes(".."))
    throw new ToolFailure("bad_arguments", `${path} contains "..". Give the path without it.`);
  const format = formatNamed(path);
  if (format === undefined)
    throw new ToolFailure("bad_arguments", `${path} must end in .mp3, .wav, .ogg, .opus or .flac.`);
  const backend = await call.use("terminal");
  const elsewhere = backend.elsewhere === true;
  const terminal = await backend.open({ key: call.taskId, cwd: elsewhere ? undefined : call.cwd }, call.signal);
  const literal = absolutePath(
    path,
    terminal.cwd,
    elsewhere && path.startsWith("~") ? await homeOf(terminal, call.signal) : call.home,
  );
  const real = await terminal.files.resolve(literal);
  const { answer, key, reason } = judged(real, literal, call, roots);
  if (answer === "deny") throw new ToolFailure("blocked", reason);
  if (answer === "ask" && writeRisk(path, call, roots)?.key !== key)
    throw new ToolFailure("blocked", `${path} is a link to ${real}. ${reason}`, {
      hint: `Call again with the path ${real}, so that the user can approve it.`,
    });
  if (formatNamed(real) === undefined)
    throw new ToolFailure("blocked", `${path} is a link to ${real}, which is not an audio file.`);
  const there = await terminal.files.stat(real);
  if (there !== undefined && there.kind !== "file")
    throw new ToolFailure("bad_arguments", `${path} exists and is not a file.`);
  return { path: real, format, elsewhere, put: (sound) => put(terminal.files, real, sound, there) };
}

export function formatNamed(path: string): SoundFormat | undefined {
  const ending = extname(path).slice(1).toLowerCase();
  return ending === "opus" ? "ogg" : FORMATS.find((format) => format === ending);
}

function judged(
  path: string,
  literal: string,
  { home, agentHome }: RiskContext,
  writeRoots: WriteRoots,
): PathJudgement {
  return judgePath({ path, literal, access: "write", home, agentHome, writeRoots });
}

/** Does not overwrite a file that appeared while the voice spoke. */
function put(
  files: TerminalFiles,
  path: string,
  sound: Uint8Array,
  there: Awaited<ReturnType<TerminalFiles["stat"]>>,
): Promise<void> {
  return files.write(
    path,
    sound,
    there === undefined ? "absent" : { modifiedMs: there.modifiedMs, bytes: there.bytes },
    { judged: true },
  );
}

/** The home folder in the terminal backend. */
async function homeOf(terminal: Terminal, signal: AbortSignal): Promise<string> {
  const { output } = await terminal.run('printf %s "$HOME"', { signal, beside: true, timeoutMs: 10_000 });
  return isAbsolute(output) ? output : "/root";
}
