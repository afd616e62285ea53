import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { quoted, TerminalUnavailable, type SandboxBounds } from "hermes-agent/plugin";
import { initScript, randomHex, type WrapLaunch, type WrappedLaunch } from "hermes-agent/terminal";
import { BOOT } from "./boot-script.ts";
import { pipesFolder } from "./pipes-folder.ts";
import { seenFromHere } from "./process-tree.ts";

/** `prctl` on Linux, by processor. */
export const PRCTL: Partial<Record<NodeJS.Architecture, string>> = {
  x64: "157",
  arm64: "167",
  riscv64: "167",
  loong64: "167",
  ia32: "172",
  arm: "172",
  ppc64: "171",
  s390x: "172",
};

export interface ShellStart {
  readonly cwd: string;
  readonly environment: Record<string, string>;
  /** Bash text that brings back an earlier shell's state. */
  readonly state?: string;
  /** Where it makes its own folder: the terminal's, whose shells see each other's. Default: that of all shells. */
  readonly folder?: string;
  /** Puts a sandbox around the shell and all that it starts. */
  readonly wrapLaunch?: WrapLaunch;
}

/** A bash with its watchdog, before anybody has given it a command. */
export interface LaunchedShell {
  readonly directory: string;
  readonly mark: string;
  readonly child: ChildProcess;
  readonly watchdog: number;
  readonly pid: number;
  /** Numbers that the shell tells may be those of a sandbox. */
  readonly sandboxed: boolean;
  readonly sandbox: SandboxBounds | undefined;
  readonly ended: (() => void) | undefined;
  readonly cwd: string;
  readonly home: string;
}

/** Starts a bash in a new folder, with named pipes around it. @throws {TerminalUnavailable} */
export async function launchShell(options: ShellStart): Promise<LaunchedShell> {
  const above = options.folder ?? pipesFolder();
  const directory = join(above, `hermes-terminal-${randomHex(9)}`);
  const mark = `HERMES_TERMINAL=${randomHex(9)}`;
  const prctl = process.platform === "linux" ? (PRCTL[process.arch] ?? "") : "";
  const plain = {
    argv: ["bash", "--norc", "--noprofile", "-c", BOOT, "bash", directory, mark, prctl],
    env: options.environment,
    cwd: options.cwd,
    own: above,
  };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const { argv, env, cwd, channel, sandbox, ended }: WrappedLaunch = options.wrapLaunch?.(plain) ?? plain;
  const child = spawn(argv[0]!, argv.slice(1), {
    cwd,
    env,
    detached: true,
    stdio: ["pipe", "pipe", "ignore", ...(channel === undefined ? [] : ["ipc" as const])],
  });
  try {
    const message = new Promise<readonly number[]>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Error(`bash ended with ${code} before it was ready`)));
      child.stdout!.once("data", (bytes) => resolve(String(bytes).trim().split(" ").map(Number)));
    });
    const [inside] = await Promise.all([message, channel?.(child)]);
    writeFileSync(join(directory, "init"), initScript(quoted(directory), mark));
    if (options.state !== undefined) writeFileSync(join(directory, "state"), options.state, { mode: 0o600 });
    child.removeAllListeners();
    child.stdout!.destroy();
    // In a sandbox with a PID namespace the shell is not the process we started, but one of its children.
    const [watchdog, pid] =
      options.wrapLaunch === undefined ? inside : inside.map((number) => seenFromHere(child.pid!, number));
    goBeforeTheAgent(pid!);
    return {
      directory,
      mark,
      child,
      watchdog: watchdog!,
      pid: pid!,
      sandboxed: options.wrapLaunch !== undefined,
      sandbox,
      ended,
      cwd: options.cwd,
      home: options.environment["HOME"] ?? homedir(),
    };
  } catch (error) {
    rmSync(directory, { recursive: true, force: true });
    ended?.();
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new TerminalUnavailable(
      missing ? "The local terminal needs bash, which is not on PATH." : "The local terminal's shell did not start.",
      {
        hint: missing
          ? "Install bash, or choose another backend in terminal.backend."
          : `The shell starts in ${options.cwd} with its pipes under ${above}.`,
        cause: error,
      },
    );
  }
}

/**
 * Where memory runs out, Linux ends what was started in a terminal, and the agent lives: the shell's children have this
 * from it.
 */
function goBeforeTheAgent(shell: number): void {
  if (process.platform !== "linux") return;
  const file = `/proc/${shell}/oom_score_adj`;
  try {
    if (Number(readFileSync(file, "utf8")) < EXPENDABLE) writeFileSync(file, String(EXPENDABLE));
  } catch {
    // Not permitted everywhere; then the default applies.
  }
}

/** Of 1000, which is the whole memory: no agent is larger than that. */
const EXPENDABLE = 300;
