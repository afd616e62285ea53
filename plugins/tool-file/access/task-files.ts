import {
  absolutePath,
  type Judged,
  type RunResult,
  type Terminal,
  type TerminalFiles,
  type ToolContext,
} from "hermes-agent/plugin";
import { isAbsolute, relative } from "node:path/posix";
import { OtherNames } from "./other-names.ts";
import { homeOf as homeOfUser } from "./home-of.ts";

/** The files of a task's terminal environment. */
export interface Place {
  /** Identifies the environment, so that remembered file states do not apply to another one. */
  readonly id: string;
  readonly terminal: Terminal;
  readonly files: TerminalFiles;
  /** Detects hard links to protected files. */
  readonly names: OtherNames;
  /** Resolves `~` and relative parts, but not links. */
  absolute(path: string): string;
  /** Runs in parallel with other commands, in the given directory. */
  run(
    command: string,
    options: {
      readonly timeoutMs: number;
      readonly cwd?: string;
      readonly stdin?: string | Uint8Array;
      readonly maxOutputBytes?: number;
    },
  ): Promise<RunResult>;
}

/** @param isProtected Whether tools may not read the file. */
export async function openEnvironment(call: ToolContext, isProtected: (path: string) => boolean): Promise<Place> {
  const backend = await call.use("terminal");
  const terminal = await backend.open(
    {
      key: call.taskId,
      cwd: backend.elsewhere === true ? undefined : call.cwd,
      onProgress: (words) => call.progress(words),
    },
    call.signal,
  );
  const home = backend.elsewhere === true ? await homeOf(terminal, call.signal) : call.home;
  const names = new OtherNames(terminal.files, call, isProtected);
  return {
    id: backend.id,
    terminal,
    names,
    files: judgedFiles(terminal.files, names),
    absolute: (path) => absolutePath(path, terminal.cwd, home, backend.elsewhere === true ? undefined : homeOfUser),
    run: (command, options) => terminal.run(command, { signal: call.signal, beside: true, ...options }),
  };
}

/** The guard has resolved and checked every path that arrives here. */
function judgedFiles(files: TerminalFiles, names: OtherNames): TerminalFiles {
  const how: Judged = { judged: true, opened: (stat, path) => names.refuse(stat, path) };
  return {
    resolve: (path) => files.resolve(path),
    stat: (path) => files.stat(path),
    list: (path) => files.list(path),
    read: (path, slice) => files.read(path, slice, how),
    write: (path, bytes, expect) => files.write(path, bytes, expect, how),
    remove: (path) => files.remove(path, how),
    move: (from, to) => files.move(from, to, how),
  };
}

/** A path under `directory`, or that directory itself. */
export function isInside(path: string, directory: string): boolean {
  const between = relative(directory, path);
  return between === "" || (between !== ".." && !between.startsWith("../") && !isAbsolute(between));
}

/** The home directory; a sandbox has a separate one. Asked once for each terminal. */
const homes = new WeakMap<Terminal, Promise<string>>();

function homeOf(terminal: Terminal, signal: AbortSignal): Promise<string> {
  let home = homes.get(terminal);
  if (home === undefined) {
    home = terminal
      .run('printf %s "$HOME"', { signal, beside: true, timeoutMs: 10_000 })
      .then((result) => (isAbsolute(result.output) ? result.output : "/root"));
    homes.set(terminal, home);
    home.catch(() => homes.delete(terminal));
  }
  return home;
}
