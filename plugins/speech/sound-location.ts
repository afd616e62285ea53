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

/** Where a sound is to lie, resolved and judged. */
export interface SoundPlace {
  readonly path: string;
  readonly format: SoundFormat;
  /** It is no file of this machine. */
  readonly elsewhere: boolean;
  put(sound: Uint8Array): Promise<void>;
}

/** Folders that writes may not leave, as for the file tools; none without such a rule. */
export type WriteRoots = readonly string[];

export function writeRootsOf(setting: string | undefined): WriteRoots {
  return (setting ?? "").split(":").filter((root) => root !== "");
}

/** Asked before the call, of the path as it is written. A refusal is told by {@link soundPlace}. */
export function writeRisk(path: string, call: RiskContext, roots: WriteRoots): Risk | undefined {
  const absolute = absolutePath(path, call.cwd, call.home);
  const { answer, key, reason } = judged(absolute, absolute, call, roots);
  return answer === "ask" ? { answer: "ask", key, reasons: [reason], effects: [`write ${absolute}`] } : undefined;
}

/**
 * A place that the model names: of the session's terminal, its links followed, judged as one that a file tool would write.
 * @throws {ToolFailure} `blocked` when it is refused, or when it is not what a person was asked about.
 */
export async function soundPlace(path: string, call: ToolContext, roots: WriteRoots): Promise<SoundPlace> {
  if (path.split("/").includes(".."))
    throw new ToolFailure("bad_arguments", `${path} climbs out of its folder; name the place itself.`);
  const format = formatNamed(path);
  if (format === undefined)
    throw new ToolFailure("bad_arguments", `${path} should end in .mp3, .wav, .ogg, .opus or .flac.`);
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
    throw new ToolFailure("blocked", `${path} is really ${real}. ${reason}`, {
      hint: `Call again with the path ${real}, so that a person can be asked about it.`,
    });
  if (formatNamed(real) === undefined)
    throw new ToolFailure("blocked", `${path} is really ${real}, which is no file of sound.`);
  const there = await terminal.files.stat(real);
  if (there !== undefined && there.kind !== "file")
    throw new ToolFailure("bad_arguments", `${path} is there and is no file.`);
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

/** Not over what was put there while the voice spoke. */
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

/** A sandbox has a home of its own. */
async function homeOf(terminal: Terminal, signal: AbortSignal): Promise<string> {
  const { output } = await terminal.run('printf %s "$HOME"', { signal, beside: true, timeoutMs: 10_000 });
  return isAbsolute(output) ? output : "/root";
}
