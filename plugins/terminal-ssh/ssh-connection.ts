import { spawn, type ChildProcess } from "node:child_process";
import { hash } from "node:crypto";
import { lstatSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TerminalUnavailable } from "hermes-agent/plugin";
import { processChannel, type Channel } from "hermes-agent/terminal";
import type { SshTarget } from "./ssh-target.ts";

/** Seconds an unused connection stays open, for the next start of the agent too. */
const PERSIST_S = 300;
const CONNECT_S = 10;
/** Variables that the client needs to find keys and agents, and none that could be sent to a host. */
const CLIENT_ENVIRONMENT = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SSH_AUTH_SOCK",
  "KRB5CCNAME",
  "XDG_RUNTIME_DIR",
  "TMPDIR",
];

/** One connection to a host, made by the system's ssh and shared by all shells there (ControlMaster). */
export class SshConnection {
  readonly #target: SshTarget;
  readonly #socket: string;
  #connecting: Promise<void> | undefined;
  /** Connects now. */
  #trying: ChildProcess | undefined;
  #over = false;

  constructor(target: SshTarget) {
    this.#target = target;
    this.#socket = join(
      socketFolder(),
      hash("sha256", JSON.stringify([target.name, target.port, target.key, target.knownHosts])).slice(0, 16),
    );
  }

  /** Starts a bash on the host. @throws {TerminalUnavailable} */
  async startShell(): Promise<Channel> {
    await (this.#connecting ??= this.#connect().finally(() => (this.#connecting = undefined)));
    return processChannel(this.#client(["-T"], "exec bash --norc --noprofile"), "ssh");
  }

  /** Stops waiting for a host that no longer answers: this is the only connection. */
  giveUp(): void {
    this.#over = true;
    this.#trying?.kill("SIGKILL");
  }

  async #connect(): Promise<void> {
    const check = await ending(this.#client(["-O", "check"]));
    if (check.code === 0) return;
    if (this.#over) throw notConnected(this.#target, "the agent ends");
    this.#trying = this.#client(["-f", "-N", "-o", "ControlMaster=yes", "-o", `ControlPersist=${PERSIST_S}`]);
    const made = await ending(this.#trying).finally(() => (this.#trying = undefined));
    if (made.code !== 0) throw notConnected(this.#target, made.words);
  }

  #client(options: readonly string[], command?: string): ChildProcess {
    const { name, port, key, hostKeys, knownHosts } = this.#target;
    const all = [
      "-S",
      this.#socket,
      "-o",
      "BatchMode=yes",
      "-o",
      `StrictHostKeyChecking=${hostKeys}`,
      "-o",
      `ConnectTimeout=${CONNECT_S}`,
      "-o",
      "ServerAliveInterval=15",
      "-o",
      "ServerAliveCountMax=3",
      "-o",
      "ForwardAgent=no",
      "-o",
      "ForwardX11=no",
      "-o",
      "RequestTTY=no",
      "-o",
      "EscapeChar=none",
      ...(knownHosts === undefined ? [] : ["-o", `UserKnownHostsFile=${quotedOption(knownHosts)}`]),
      ...(port === 22 ? [] : ["-p", String(port)]),
      ...(key === undefined ? [] : ["-i", key, "-o", "IdentitiesOnly=yes"]),
      ...options,
      "--",
      name,
      ...(command === undefined ? [] : [command]),
    ];
    const env = Object.fromEntries(
      CLIENT_ENVIRONMENT.flatMap((variable) =>
        process.env[variable] === undefined ? [] : [[variable, process.env[variable]]],
      ),
    );
    return spawn("ssh", all, { stdio: "pipe", detached: true, env });
  }
}

/**
 * How a client ended and its error output. A master that continues in the background keeps the pipes open, so this does
 * not wait for their end.
 */
function ending(child: ChildProcess): Promise<{ readonly code: number | null; readonly words: string }> {
  return new Promise((resolve) => {
    let words = "";
    child.stderr!.on("data", (bytes: Buffer) => void (words += bytes.toString("utf8")));
    child.stdin!.on("error", () => {}); // It has ended already.
    child.stdin!.end();
    const end = (code: number | null, more = "") => {
      // The last output may still be in the pipe.
      setImmediate(() => {
        for (const pipe of [child.stdout!, child.stderr!]) pipe.destroy();
        resolve({ code, words: (words + more).trim() });
      });
    };
    child.once("error", (error) => end(null, error.message));
    child.once("exit", (code) => end(code));
  });
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    "The host's key differs from the known one. If the change is intended, remove the old key with `ssh-keygen -R HOST`.",
  ],
  [
    /Host key verification failed|No .* host key is known/,
    "The host is not known yet. Connect once with ssh, compare the fingerprint and accept it; or set terminal.ssh_host_keys to accept-new.",
  ],
  [
    /Permission denied/,
    "The host accepted none of the keys. Set terminal.ssh_key and terminal.ssh_user, or load the key into the ssh agent. A key with a passphrase needs the agent.",
  ],
  [/Could not resolve|Name or service not known/, "Cannot resolve the host's name. Check terminal.ssh_host."],
  [
    /Connection refused|timed out|No route to host|unreachable/,
    "Check that the host is up and that terminal.ssh_host and terminal.ssh_port are right.",
  ],
  [/ENOENT/, "Install an OpenSSH client, or choose another backend in terminal.backend."],
];

function notConnected(target: SshTarget, words: string): TerminalUnavailable {
  const text = words.split("\n").at(-1)?.trim() ?? "";
  const hint =
    HINTS.find(([pattern]) => pattern.test(words))?.[1] ??
    "Try to connect with ssh yourself, then run `hermes terminals check ssh`.";
  return new TerminalUnavailable(
    `Cannot connect to ${target.name} (port ${target.port}): ${text === "" ? "ssh gave no reason" : text}`,
    { hint },
  );
}

/**
 * For sockets of this user only: a user who could put one there would get our commands. Short, since a socket's path
 * may have 104 bytes.
 */
function socketFolder(): string {
  const folder = join(tmpdir(), `hermes-ssh-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new TerminalUnavailable(
      `${folder} is not a private folder of this user, so it cannot hold the connection's socket.`,
      {
        hint: "Remove it, or set TMPDIR to a private folder.",
      },
    );
  }
  return folder;
}

function quotedOption(path: string): string {
  return path.includes(" ") ? `"${path}"` : path;
}
