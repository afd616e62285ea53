import { access, constants } from "node:fs/promises";
import { join } from "node:path";
import { TerminalUnavailable } from "hermes-agent/plugin";
import { quoted } from "./shell-script.ts";

// Copies both ways until the command ends; the end of our input becomes Ctrl-D, as a person would press it.
const PYTHON = `
import errno, fcntl, os, pty, select, signal, struct, sys, termios
pid, master = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 120, 0, 0))
for name in ("SIGTERM", "SIGINT", "SIGHUP"):
    signal.signal(getattr(signal, name), lambda number, frame: os.kill(pid, number))
sources = [master, 0]
while True:
    ready = select.select(sources, [], [])[0]
    if 0 in ready:
        data = os.read(0, 65536)
        if not data:
            sources.remove(0)
            data = b"\\x04"
        while data:
            data = data[os.write(master, data):]
    if master in ready:
        try:
            data = os.read(master, 65536)
        except OSError as error:
            if error.errno != errno.EIO:
                raise
            data = b""
        if not data:
            break
        while data:
            data = data[os.write(1, data):]
status = os.waitpid(pid, 0)[1]
sys.exit(os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status))
`;

/**
 * The same command under a pseudo-terminal of 30 rows and 120 columns.
 * @throws {TerminalUnavailable} Neither python3 nor `script` is there.
 */
export async function pseudoTerminalCommand(command: string, environment: Record<string, string>): Promise<string> {
  const inner = `"$BASH" --norc --noprofile -c ${quoted(command)}`;
  if (await onPath("python3", environment)) return `exec python3 -c ${quoted(PYTHON)} ${inner}`;
  if (await onPath("script", environment)) {
    return process.platform === "darwin" ? `exec script -q /dev/null ${inner}` : `exec script -qefc ${quoted(`stty rows 30 cols 120; ${command}`)} /dev/null`;
  }
  throw new TerminalUnavailable("A pseudo-terminal needs python3 or script, and neither is on PATH.", { hint: "Run it without pty, or install python3." });
}

async function onPath(program: string, environment: Record<string, string>): Promise<boolean> {
  for (const directory of (environment["PATH"] ?? "").split(":")) {
    if (directory === "") continue;
    try {
      await access(join(directory, program), constants.X_OK);
      return true;
    } catch {
      // Not in this directory.
    }
  }
  return false;
}
