import { CANARY } from "./sandbox-bench.ts";

/** What the test has put up outside for the attempts to reach for. */
export interface Targets {
  readonly home: string;
  readonly agentHome: string;
  readonly elsewhere: string;
  /** A process with the canary in its environment. */
  readonly pid: number;
  /** A service on a socket in the task's folder, one on an abstract name, and one on a port of this machine. */
  readonly socket: string;
  readonly abstractName: string;
  readonly port: number;
  /** Folder of another terminal's pipes. */
  readonly pipes: string;
}

/** A way out: a script that writes `ESCAPED` when it got there. */
export interface Escape {
  readonly way: string;
  readonly script: (targets: Targets) => string;
  /** The same script gets there outside: run as well where that does no harm, so that an attempt that never could fail is seen. */
  readonly control: boolean;
}

const got = (condition: string) => `{ ${condition}; } >/dev/null 2>&1 && echo ESCAPED`;
const python = (program: string) => `python3 - <<'END'\n${program}\nEND`;
const withErrno = (call: string, expected: string) => python(`import ctypes, errno\nlibc = ctypes.CDLL(None, use_errno=True)\nfailed = ${call} < 0\nprint("held" if failed and ctypes.get_errno() == errno.${expected} else "ESCAPED")`);

export const ESCAPES: readonly Escape[] = [
  { way: "writing outside the task's folder", control: true, script: ({ elsewhere }) => got(`echo x >'${elsewhere}/written'`) },
  { way: "writing a start-up file of the home", control: true, script: ({ home }) => got(`echo 'evil' >>'${home}/.bashrc'`) },
  { way: "making a start-up file that is not there", control: true, script: ({ home }) => got(`echo 'evil' >'${home}/.zshenv'`) },
  { way: "reading a private key", control: true, script: ({ home }) => got(`grep -q ${CANARY} '${home}/.ssh/id_ed25519'`) },
  { way: "reading the project's secrets", control: true, script: () => got(`grep -q ${CANARY} .env`) },
  { way: "reading the agent's home", control: true, script: ({ agentHome }) => got(`grep -rq ${CANARY} '${agentHome}'`) },
  { way: "reading keys through the root of the first process", control: false, script: ({ home }) => got(`grep -q ${CANARY} /proc/[0-9]*/root'${home}/.ssh/id_ed25519' /proc/[0-9]*/cwd/.env`) },
  { way: "reading another process's environment", control: true, script: () => got(`cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep -q ^PROBE=${CANARY}`) },
  { way: "reaching a process outside with a signal", control: true, script: ({ pid }) => got(`kill -0 ${pid}`) },
  { way: "tracing a process outside", control: false, script: ({ pid }) => python(`import ctypes\nprint("ESCAPED" if ctypes.CDLL(None).ptrace(16, ${pid}, 0, 0) == 0 else "held")`) },
  { way: "talking to a service through a socket file", control: true, script: ({ socket }) => python(`import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect(${JSON.stringify(socket)})\nprint("ESCAPED")`) },
  { way: "talking to a service through an abstract socket", control: true, script: ({ abstractName }) => python(`import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect("\\0" + ${JSON.stringify(abstractName)})\nprint("ESCAPED")`) },
  { way: "a datagram pair that is pointed at a name", control: true, script: () => python("import socket\nsocket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)\nprint(\"ESCAPED\")") },
  { way: "opening sockets through io_uring", control: false, script: () => withErrno("libc.syscall(425, 1, ctypes.create_string_buffer(256))", "ENOSYS") },
  { way: "seeing the services of the machine below /run", control: true, script: () => got("[ -n \"$(find /run -mindepth 1 -not -path '/run/systemd*' -not -name '*resolv*' | head -1)\" ]") },
  { way: "mounting", control: false, script: () => got("mount -t tmpfs none /mnt") },
  { way: "taking a cover off", control: false, script: ({ home }) => got(`umount '${home}/.ssh' || umount -l .env`) },
  { way: "making the root writable again", control: false, script: () => got("mount -o remount,rw,bind / || mount -o remount,rw /") },
  { way: "a further user namespace", control: false, script: () => got("unshare --user --map-root-user --mount true") },
  { way: "having rights, or getting them from a program", control: false, script: () => got("grep -qE '^(Cap[A-Z][a-z]*:.*[1-9a-f]|NoNewPrivs:.0|Seccomp:.0)' /proc/[0-9]*/status") },
  { way: "a git hook", control: true, script: () => got("echo evil >.git/hooks/post-checkout") },
  { way: "git's settings", control: true, script: () => got("echo '[core] fsmonitor = evil' >>.git/config") },
  { way: "moving .git aside and making it anew", control: false, script: () => got("mv .git .moved && mkdir -p .git/hooks && echo evil >.git/hooks/pre-commit") },
  { way: "tasks of an editor that are not there yet", control: false, script: () => got("mkdir -p .vscode; echo '{}' >.vscode/tasks.json") },
  { way: "an .envrc that is not there yet", control: false, script: () => got("echo evil >.envrc || { rm -rf .envrc && echo evil >.envrc; } || { mv .envrc x && echo evil >.envrc; }") },
  { way: "a link that leads outside", control: true, script: ({ elsewhere }) => got(`ln -sfn '${elsewhere}' link && echo x >link/through`) },
  { way: "a hard link to a file outside", control: true, script: ({ elsewhere }) => got(`ln -f '${elsewhere}/plain' hard && echo x >hard`) },
  { way: "disks and memory as devices", control: false, script: () => got("ls /dev | grep -qE '^(sd|vd|nvme|dm-|loop|mem|kmsg|kvm|fuse|net)'") },
  { way: "making a device", control: false, script: () => got("mknod probe-device b 254 0") },
  { way: "writing into a hidden folder", control: true, script: ({ home }) => got(`echo key >'${home}/.ssh/authorized_keys'`) },
  // What stood there is written back, should it ever get through.
  { way: "the program that the kernel runs for a crash", control: false, script: () => got("pattern=$(cat /proc/sys/kernel/core_pattern); echo \"$pattern\" >/proc/sys/kernel/core_pattern") },
  { way: "the kernel's emergency keys", control: false, script: () => got(": >>/proc/sysrq-trigger") },
  { way: "a control group of its own", control: false, script: () => got("mkdir /sys/fs/cgroup/probe-$$ || find /sys/fs/cgroup -name release_agent -writable | grep -q .") },
  { way: "typing into a terminal", control: true, script: () => withErrno("libc.ioctl(0, 0x5412, b'x')", "EPERM") },
  { way: "files that the agent holds open", control: false, script: () => "for fd in /proc/[0-9]*/fd/*; do readlink \"$fd\"; done 2>/dev/null | grep -vE 'hermes-terminal-|^pipe:|^socket:|^/dev/null|^anon_inode:|^/proc/|^/dev/pts' | grep -q . && echo ESCAPED" },
  { way: "an open file that the agent's own starter left to it", control: false, script: () => got("find /proc/$$/fd -mindepth 1 | grep -qE '/(25[0-4]|2[0-4][0-9])$'") },
  { way: "a program put on the path, or loaded into all", control: false, script: () => got("IFS=:; for folder in $PATH; do touch \"$folder/probe-program\" && exit 0; done; echo evil >/etc/ld.so.preload") },
  { way: "the pipes of another terminal", control: true, script: ({ pipes }) => got(`ls '${pipes}'/hermes-terminal-*/in`) },
];

/** Tried where the network is off. */
export const NETWORK_ESCAPES: readonly Escape[] = [
  { way: "a service on this machine", control: true, script: ({ port }) => got(`exec 7<>/dev/tcp/127.0.0.1/${port}`) },
  { way: "the metadata of a cloud machine", control: false, script: () => got("timeout 2 bash -c 'exec 7<>/dev/tcp/169.254.169.254/80'") },
];
