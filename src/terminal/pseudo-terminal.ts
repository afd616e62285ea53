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

/** Succeeds where a pseudo-terminal can be made. */
export const CAN_PSEUDO_TERMINAL = "command -v python3 >/dev/null || command -v script >/dev/null";

/** The same command under a pseudo-terminal of 30 rows and 120 columns, made by whatever the place has. */
export function pseudoTerminalCommand(command: string): string {
  const inner = `"$BASH" --norc --noprofile -c ${quoted(command)}`;
  return `if command -v python3 >/dev/null; then exec python3 -c ${quoted(PYTHON)} ${inner}
elif [ "$(uname)" = Darwin ]; then exec script -q /dev/null ${inner}
else exec script -qefc ${quoted(`stty rows 30 cols 120; ${command}`)} /dev/null; fi`;
}
