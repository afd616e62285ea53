import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Why a cloud's machine cannot be simulated here; `undefined` if it can. */
export const WITHOUT_SANDBOX = (() => {
  const missing = ["bwrap", "nsenter"].find((program) => spawnSync(program, ["--version"]).error !== undefined);
  return missing !== undefined
    ? `the double needs ${missing}`
    : process.getuid?.() !== 0
      ? "the double needs root"
      : undefined;
})();

/**
 * The machine behind a cloud's API, as far as the doubles play it. It really runs commands, with separate process
 * numbers and /tmp, this
 * machine's programs read-only, and a /root that persists between starts.
 */
export class ScratchSandbox {
  readonly #folder = mkdtempSync(join(tmpdir(), "hermes-cloud-"));
  #supervisor: ChildProcess | undefined;
  #pid = 0;

  /** @param from The sandbox whose files it starts with. */
  constructor(from?: ScratchSandbox) {
    if (from !== undefined) cpSync(from.#folder, this.#folder, { recursive: true, verbatimSymlinks: true });
  }

  get running(): boolean {
    return this.#supervisor !== undefined;
  }

  async start(): Promise<void> {
    if (this.running) return;
    mkdirSync(join(this.#folder, "root"), { recursive: true });
    const args = [
      "--unshare-pid",
      "--unshare-ipc",
      "--die-with-parent",
      "--ro-bind",
      "/",
      "/",
      "--dev",
      "/dev",
      "--proc",
      "/proc",
      "--tmpfs",
      "/tmp",
      "--tmpfs",
      "/var/tmp",
      "--bind",
      join(this.#folder, "root"),
      "/root",
      "--info-fd",
      "3",
      "--",
      "sh",
      "-c",
      "echo ready; exec sleep infinity",
    ];
    const supervisor = spawn("bwrap", args, { stdio: ["ignore", "pipe", "inherit", "pipe"] });
    // Its number and its first output arrive through two pipes, in any order.
    const numbered = new Promise<number>((resolve) => {
      let info = "";
      supervisor.stdio[3]!.on("data", (bytes: Buffer) => {
        info += bytes.toString();
        const pid = /"child-pid": (\d+)/.exec(info)?.[1];
        if (pid !== undefined) resolve(Number(pid));
      });
    });
    [this.#pid] = await Promise.all([numbered, new Promise((resolve) => supervisor.stdout!.once("data", resolve))]);
    this.#supervisor = supervisor;
    supervisor.once("exit", () => {
      if (this.#supervisor === supervisor) this.#supervisor = undefined;
    });
  }

  /** Starts a program in it, with three pipes. */
  spawn(
    argv: readonly string[],
    options: { readonly env?: Record<string, string>; readonly cwd?: string } = {},
  ): ChildProcess {
    const env = Object.entries({
      PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
      HOME: "/root",
      LANG: "C.UTF-8",
      ...options.env,
    }).map(([name, value]) => `${name}=${value}`);
    return spawn(
      "nsenter",
      [
        "-t",
        String(this.#pid),
        "-m",
        "-p",
        "-i",
        "--",
        "env",
        "-i",
        ...env,
        "sh",
        "-c",
        'cd "$1" && shift && exec "$@"',
        "sh",
        options.cwd ?? "/root",
        ...argv,
      ],
      { stdio: "pipe" },
    );
  }

  /** Kills everything that runs in it; its files stay. */
  async stop(): Promise<void> {
    const supervisor = this.#supervisor;
    if (supervisor === undefined) return;
    const ended = new Promise((resolve) => supervisor.once("exit", resolve));
    process.kill(this.#pid, "SIGKILL");
    await ended;
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
