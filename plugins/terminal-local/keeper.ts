import { spawn, type ChildProcess } from "node:child_process";
import { TerminalUnavailable } from "hermes-agent/plugin";

// Opens the pipes of $1 while they are still held open by us, says so, and waits for a file's name. Then it adds what the process writes to
// that file until everybody who could write has ended: a round that adds nothing. dd hands on each read at once and stops after so many;
// a part of more than a million bytes makes place for the next.
const SCRIPT = `
umask 077
exec 4<>"/proc/$1/fd/0" 3<"/proc/$1/fd/1" || exit 1
echo ready
read -r log || exit 0
exec >/dev/null </dev/null
: >>"$log"
while :; do
  before=$(wc -c <"$log")
  dd bs=16384 count=64 <&3 >>"$log" || break
  size=$(wc -c <"$log")
  [ "$size" -gt "$before" ] || break
  [ "$size" -le 1000000 ] || { mv -f "$log" "$log.1" && : >>"$log"; }
done
`;

/** Stands in for the agent at the pipes of a process that is to outlive it. */
export class Keeper {
  readonly #child: ChildProcess;

  static async start(pid: number): Promise<Keeper> {
    const child = spawn("sh", ["-c", SCRIPT, "sh", String(pid)], { detached: true, stdio: ["pipe", "pipe", "ignore"], env: { PATH: process.env["PATH"] ?? "/usr/bin:/bin" }, cwd: "/" });
    await new Promise<void>((resolve, reject) => {
      const refuse = () => reject(new TerminalUnavailable("Its pipes cannot be taken over."));
      child.once("error", refuse).once("exit", refuse);
      child.stdout!.once("data", () => resolve());
    });
    child.removeAllListeners();
    return new Keeper(child);
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
