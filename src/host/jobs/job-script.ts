import { spawn } from "node:child_process";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path";
import { UserError } from "../../contract/common/failure.ts";
import type { ScriptEnd } from "../../contract/services/job-service.ts";
import type { Home } from "../environment/home.ts";
import { secondsOf, type JobPorts } from "./job-ports.ts";

/**
 * Where a job's script lies, with all links followed. @throws {UserError} when that is not inside `~/.hermes/scripts`,
 * or is no file.
 */
export function scriptFile(home: Home, script: string): string {
  const folder = home.file("scripts");
  let file: string;
  try {
    file = realpathSync(isAbsolute(script) ? script : join(folder, script));
  } catch {
    throw new UserError(`There is no script "${script}" in ${folder}.`, {
      hint: "Put it there: a job only runs scripts from that folder.",
      exitCode: 2,
    });
  }
  const inside = relative(realpathSync(folder), file);
  if (inside === "" || inside === ".." || inside.startsWith(`..${sep}`) || isAbsolute(inside))
    throw new UserError(`The script "${script}" is outside ${folder}.`, {
      hint: "A job only runs scripts from that folder, after following links.",
      exitCode: 2,
    });
  if (!statSync(file).isFile()) throw new UserError(`The script "${script}" is not a regular file.`, { exitCode: 2 });
  return file;
}

const MAX_OUTPUT = 200_000;
/** After a script got the signal to end. */
const GRACE_MS = 3_000;

/**
 * Runs a script in its own folder, with a short environment without secrets, and waits for its end. Its whole group is
 * stopped when its time is over.
 */
export async function runScript(ports: JobPorts, script: string, signal: AbortSignal): Promise<ScriptEnd> {
  let file: string;
  try {
    file = scriptFile(ports.home, script);
  } catch (cause) {
    return { ok: false, output: "", error: (cause as Error).message };
  }
  const seconds = secondsOf(ports, "cron.script_timeout_seconds", 120);
  const [program, ...args] = [...interpreterOf(file), file];
  const child = spawn(program!, args, {
    cwd: dirname(file),
    env: ports.childEnvironment(),
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  const out = gather(child.stdout);
  const err = gather(child.stderr);
  let endedBy: "timeout" | "stopped" | undefined;
  let killing: NodeJS.Timeout | undefined;
  const stop = (why: "timeout" | "stopped"): void => {
    endedBy ??= why;
    killGroup(child.pid, "SIGTERM");
    killing ??= setTimeout(() => killGroup(child.pid, "SIGKILL"), GRACE_MS);
  };
  const timer = seconds === 0 ? undefined : setTimeout(() => stop("timeout"), seconds * 1000);
  const onAbort = (): void => stop("stopped");
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  const ended = Promise.withResolvers<{ readonly code: number | null; readonly problem?: string }>();
  child.on("error", (error) => ended.resolve({ code: null, problem: error.message }));
  // Not `close`: what it left in the background may hold its output open for ever.
  child.on("exit", (code) => setTimeout(() => ended.resolve({ code }), OUTPUT_AFTER_MS));
  child.on("close", (code) => ended.resolve({ code }));
  const { code, problem } = await ended.promise;
  clearTimeout(timer);
  clearTimeout(killing);
  signal.removeEventListener("abort", onAbort);
  killGroup(child.pid, "SIGKILL");
  for (const stream of [child.stdout, child.stderr]) stream.destroy();
  const output = ports.redact(out());
  if (endedBy === undefined && code === 0) return { ok: true, output };
  const last = ports.redact(err()).trim().split("\n").slice(-ERROR_LINES).join("\n");
  const why =
    endedBy === "timeout"
      ? `did not end within ${seconds} s`
      : endedBy === "stopped"
        ? "was stopped"
        : (problem ?? `ended with status ${code ?? "none"}`);
  return { ok: false, output, error: `The script ${basename(file)} ${why}.${last === "" ? "" : `\n${last}`}` };
}

const OUTPUT_AFTER_MS = 500;
const ERROR_LINES = 20;

/** Chooses the interpreter by the file's extension, else by its first line, else bash. */
function interpreterOf(file: string): readonly string[] {
  if (/\.(?:sh|bash)$/.test(file)) return ["bash"];
  if (file.endsWith(".py")) return ["python3"];
  if (/\.[cm]?js$/.test(file)) return [process.execPath];
  const shebang = /^#!\s*(\S+)(?:[ \t]+(\S+))?/.exec(readFileSync(file, "utf8").slice(0, 200));
  if (shebang?.[1] !== undefined) return [shebang[1], ...(shebang[2] === undefined ? [] : [shebang[2]])];
  return ["bash"];
}

/** The end of long output is what counts: the newest lines, and the last one decides whether the agent wakes. */
function gather(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let size = 0;
  stream.on("data", (chunk: Buffer) => {
    chunks.push(chunk);
    size += chunk.length;
    while (size - (chunks[0]?.length ?? 0) > MAX_OUTPUT) size -= chunks.shift()!.length;
  });
  return () => {
    const all = Buffer.concat(chunks);
    return all.length > MAX_OUTPUT ? `…${all.subarray(-MAX_OUTPUT).toString()}` : all.toString();
  };
}

function killGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // The script's process group has already ended.
  }
}
