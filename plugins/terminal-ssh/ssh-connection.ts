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
/** What the client needs of our environment: how to find keys and agents, and nothing a host could be sent. */
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

  /** Nobody waits for a host that does not answer any more: there is no other connection than the one that stands. */
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

/** How a client ended and what it said. A master that goes on in the background keeps the pipes: its end is not waited for. */
function ending(child: ChildProcess): Promise<{ readonly code: number | null; readonly words: string }> {
  return new Promise((resolve) => {
    let words = "";
    child.stderr!.on("data", (bytes: Buffer) => void (words += bytes.toString("utf8")));
    child.stdin!.on("error", () => {}); // It has ended already.
    child.stdin!.end();
    const end = (code: number | null, more = "") => {
      // What it said before it ended may still be in the pipe.
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
    "The host's key is not the one that is known. If it was changed on purpose, remove the old one with `ssh-keygen -R HOST`.",
  ],
  [
    /Host key verification failed|No .* host key is known/,
    "The host is not known yet. Connect once by hand with ssh, compare the fingerprint and accept it; or set terminal.ssh_host_keys to accept-new.",
  ],
  [
    /Permission denied/,
    "The host took none of the keys. Set terminal.ssh_key and terminal.ssh_user, or load the key into the ssh agent; a key with a passphrase needs the agent.",
  ],
  [/Could not resolve|Name or service not known/, "The host's name is not known. Look at terminal.ssh_host."],
  [
    /Connection refused|timed out|No route to host|unreachable/,
    "Look whether the host is up and whether terminal.ssh_host and terminal.ssh_port are right.",
  ],
  [/ENOENT/, "Install an OpenSSH client, or choose another backend with terminal.backend."],
];

function notConnected(target: SshTarget, words: string): TerminalUnavailable {
  const text = words.split("\n").at(-1)?.trim() ?? "";
  const hint =
    HINTS.find(([pattern]) => pattern.test(words))?.[1] ??
    "Try the same with ssh by hand; `hermes terminals check ssh` tries again.";
  return new TerminalUnavailable(
    `There is no connection to ${target.name} (port ${target.port}): ${text === "" ? "ssh said no more" : text}`,
    { hint },
  );
}

/** For sockets of this user only: whoever could put one there would get our commands. Short, since a socket's path may have 104 bytes. */
function socketFolder(): string {
  const folder = join(tmpdir(), `hermes-ssh-${process.getuid?.() ?? 0}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const found = lstatSync(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o077) !== 0) {
    throw new TerminalUnavailable(`${folder} is not a folder of this user alone, so no connection is kept there.`, {
      hint: "Remove it, or set TMPDIR to a folder of your own.",
    });
  }
  return folder;
}

function quotedOption(path: string): string {
  return path.includes(" ") ? `"${path}"` : path;
}
