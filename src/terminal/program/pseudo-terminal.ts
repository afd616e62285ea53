import type { ScreenSize } from "../../contract/providers/terminal.ts";
import { quoted } from "../../contract/common/quoted.ts";

const DEFAULT_SIZE: ScreenSize = { rows: 30, columns: 120 };
const MAX_SIZE = 1_000;

// Copies both ways until the command ends; the end of our input becomes Ctrl-D, as a user would press it. Restores the
// signals that Python ignores for the command, and sends no input before the command has its terminal: a Ctrl-C would
// be lost.
const python = ({ rows, columns }: ScreenSize): string => `
import errno, fcntl, os, pty, select, signal, struct, sys, termios
begun, begins = os.pipe()
pid, master = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", ${rows}, ${columns}, 0, 0))
    for name in ("SIGPIPE", "SIGXFSZ"):
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    os.execvp(sys.argv[1], sys.argv[1:])
os.close(begins)
os.read(begun, 1)
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

/** Wraps a command so that it runs in a pseudo-terminal, made by python3 or `script`, whichever exists. */
export function pseudoTerminalCommand(command: string, wanted: ScreenSize = DEFAULT_SIZE): string {
  const size = bounded(wanted);
  const inner = `"$BASH" --norc --noprofile -c ${quoted(command)}`;
  return `if command -v python3 >/dev/null; then exec python3 -c ${quoted(python(size))} ${inner}
elif [ "$(uname)" = Darwin ]; then exec script -q /dev/null ${inner}
else exec script -qefc ${quoted(`stty rows ${size.rows} cols ${size.columns}; exec bash --norc --noprofile -c ${quoted(command)}`)} /dev/null; fi`;
}

/**
 * Bash function `resize PID ROWS COLUMNS`: sets the size of the first pseudo-terminal below that process, and the
 * system notifies its programs. The creator of the pseudo-terminal need not know.
 */
export const RESIZE = `resize() {
  local p q f s n t group kids all=$1
  while [ -n "$all" ]; do
    kids=
    for p in $all; do
      t= group=
      if [ -r "/proc/$p/stat" ]; then
        read -r s <"/proc/$p/stat"; f=(\${s##*) }); n=\${f[4]:-0} group=\${f[5]}
        [ "$n" = 0 ] || t=/dev/pts/$(( ((n >> 8 & 0xfff) - 136) * 256 + (n & 0xff | n >> 12 & 0xfff00) ))
        # A sandbox numbers it differently.
        [ -z "$t" ] || [ ! -c "/proc/$p/root$t" ] || t=/proc/$p/root$t
        for f in /proc/$p/task/*/children; do q=; read -r q <"$f"; kids="$kids $q"; done
      else
        t=$(ps -o tty= -p "$p"); t=\${t//[[:space:]]/}; case $t in ''|'?'*|-) t= ;; *) t=/dev/$t ;; esac
        kids="$kids $(ps -axo ppid=,pid= | while read -r q f; do [ "$q" != "$p" ] || printf '%s ' "$f"; done)"
      fi
      [ -n "$t" ] && { stty -F "$t" rows "$2" cols "$3" || stty -f "$t" rows "$2" cols "$3"; } && {
        # stty changes rows and columns separately. Signal again, in case the program missed the second while it handled the first.
        [ -z "$group" ] || { sleep 0.1 && kill -WINCH -- "-$group"; }
        return
      }
    done
    all=\${kids# }; all=\${all%% }; case $all in *[0-9]*) ;; *) all= ;; esac
  done
}`;

/** The words that call it. */
export function resizeCall(pid: number, size: ScreenSize): string {
  const { rows, columns } = bounded(size);
  return `resize ${pid} ${rows} ${columns}`;
}

function bounded({ rows, columns }: ScreenSize): ScreenSize {
  const within = (value: number) => Math.min(MAX_SIZE, Math.max(1, Math.floor(value) || 1));
  return { rows: within(rows), columns: within(columns) };
}
