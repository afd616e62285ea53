import { spawn, type ChildProcess } from "node:child_process";
import { TerminalUnavailable } from "hermes-agent/plugin";
import { DRAIN } from "hermes-agent/terminal";

// Opens the pipes of $1 while they are still held open by us, says so, and waits for a file's name. Then it adds what
// the process writes to that file.
const SCRIPT = `
umask 077
exec 4<>"/proc/$1/fd/0" 3<"/proc/$1/fd/1" || exit 1
echo ready
read -r log || exit 0
exec >/dev/null </dev/null
${DRAIN}
`;

/** Holds the pipes of a process that is to outlive the agent. */
export class Supervisor {
  readonly #child: ChildProcess;

  static async start(pid: number): Promise<Supervisor> {
    const child = spawn("sh", ["-c", SCRIPT, "sh", String(pid)], {
      detached: true,
      stdio: ["pipe", "pipe", "ignore"],
      env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" },
      cwd: "/",
    });
    await new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new TerminalUnavailable("The supervisor cannot take over the process's pipes."));
      child.once("error", refuse).once("exit", refuse);
      child.stdout!.once("data", () => resolve());
    });
    child.removeAllListeners();
    return new Supervisor(child);
  }

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  go(log: string): void {
    this.#child.stdin!.on("error", () => {}); // It ended with the process: there was nothing to read any more.
    this.#child.stdin!.end(`${log}\n`);
    this.#child.stdout!.destroy();
    this.#child.unref();
  }
}
