import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, rmdirSync } from "node:fs";
import { join, resolve } from "node:path";
import {
  TerminalUnavailable,
  within,
  type GuardedProxy,
  type Logger,
  type OpenProxy,
  type SandboxState,
  type SandboxBounds,
} from "hermes-agent/plugin";
import type { Launch, WrapLaunch, WrappedLaunch } from "hermes-agent/terminal";
import { ALWAYS, bwrapArguments } from "./bwrap-arguments.ts";
import { agentCaches, COMMON_CACHES } from "./known-paths.ts";
import { gitExclude } from "./git-exclude.ts";
import { exists, look, real } from "./look.ts";
import { PROXY_VARIABLES, takeOutlet, withOutlet } from "./outlet.ts";
import { makeProfile, type Network, type Profile } from "./profile.ts";
import { seatbeltProfile } from "./seatbelt-profile.ts";
import { socketFilter } from "./socket-filter.ts";

export interface SandboxSettings {
  readonly mode: "auto" | "on" | "off";
  readonly network: Network;
  /** Of the network `proxy`: hosts that alone are reached. None: every public one. */
  readonly hosts: readonly string[];
  readonly write: readonly string[];
  readonly read: readonly string[];
}

export interface EnclosurePorts {
  /** Asked for with each shell: an edit of config.yaml counts from the next one. */
  settings(): SandboxSettings;
  readonly home: string;
  readonly agentHome: string;
  /** Folder of all shells' pipes. */
  pipes(): string;
  readonly proxy: OpenProxy;
  readonly log: Pick<Logger, "warning">;
  /** Default: this machine's. */
  readonly platform?: NodeJS.Platform;
  readonly environment?: NodeJS.ProcessEnv;
}

const REMEMBERED = 10;

/** The sandbox around the shells of this machine: whether there is one, and how a shell is started in it. */
export class Enclosure {
  readonly #ports: EnclosurePorts;
  #missing: Promise<string | undefined> | undefined;
  #refused: readonly { readonly words: string; readonly at: number }[] = [];
  /** Empty folders that occupy names which no process may create, and how many shells use each. */
  readonly #placeholders = new Map<string, number>();

  constructor(ports: EnclosurePorts) {
    this.#ports = ports;
  }

  async state(): Promise<SandboxState> {
    const { mode, network } = this.#ports.settings();
    if (mode === "off") return { kind: "off", words: "sandbox.mode is off" };
    const missing = await (this.#missing ??= this.#check());
    if (missing === undefined)
      return {
        kind: "on",
        words: `writes stay in the task's folder, temporary folders and caches; network ${this.#way(network)}`,
        refused: this.#refused.length === 0 ? undefined : this.#refused,
      };
    return {
      kind: "missing",
      words: missing,
      hint: this.#linux
        ? "Install bubblewrap (apt install bubblewrap), or allow it user namespaces."
        : "Use a container instead (terminal.backend: docker).",
    };
  }

  /**
   * How shells of a task that started in `cwd` are started. `undefined`: without a sandbox.
   * @throws {TerminalUnavailable} One is demanded (`sandbox.mode: on`) and there is none.
   */
  async around(cwd: string): Promise<WrapLaunch | undefined> {
    const { mode } = this.#ports.settings();
    const state = await this.state();
    if (state.kind === "on") return (launch) => this.#wrap(launch, cwd);
    if (mode === "on" && state.kind === "missing")
      throw new TerminalUnavailable(
        `sandbox.mode is on, so commands need a sandbox, and it is not available: ${state.words}.`,
        { hint: state.hint },
      );
    return undefined;
  }

  get #linux(): boolean {
    return (this.#ports.platform ?? process.platform) === "linux";
  }

  /** On macOS there is no network of a sandbox's own to put a proxy into. */
  #way(network: Network): string {
    if (network !== "proxy") return network;
    return this.#linux ? "through a proxy to public addresses only" : "off (the proxy works only on Linux)";
  }

  #wrap(launch: Launch, cwd: string): WrappedLaunch {
    const { settings, home, agentHome, pipes } = this.#ports;
    const { write, read, network } = settings();
    const path = launch.env["PATH"] ?? "";
    const named = (paths: readonly string[]) => paths.map((one) => resolve(cwd, one.replace(/^~(?=\/|$)/, home)));
    const own = agentCaches(home, this.#ports.environment ?? process.env);
    for (const cache of [...COMMON_CACHES.map((path) => join(home, path)), ...own]) makeFolder(cache);
    const profile = makeProfile({
      cwd,
      home,
      agentHome,
      pipes: pipes(),
      path,
      node: process.execPath,
      own,
      write: named(write),
      read: named(read),
      network,
    });
    const ended = this.#occupy(profile);
    if (!this.#linux)
      return {
        ...launch,
        argv: ["/usr/bin/sandbox-exec", "-p", seatbeltProfile(profile, launch.own, pipes()), ...launch.argv],
        sandbox: { write: [...profile.write, launch.own, "/dev", "/private"], ownProcesses: false },
        ended,
      };
    const inside = real(launch.cwd) ?? "/";
    const hidden =
      profile.hideFolders.some((folder) => within(inside, folder) !== undefined) &&
      !profile.show.some((folder) => within(inside, folder) !== undefined);
    const exclude = gitExclude(profile);
    const filter = socketFilter(process.arch);
    // bubblewrap reads its data from pipes that the starting shell creates, so that no file contains it.
    const fed: readonly (readonly [Uint8Array, ...string[]])[] = [
      ...(filter === undefined ? [] : [[filter, "--seccomp", "9"] as const]),
      ...(exclude === undefined ? [] : [[Buffer.from(exclude.text), "--ro-bind-data", "8", exclude.path] as const]),
    ];
    const start = `${fed.map(([bytes, , descriptor]) => `exec ${descriptor}< <(printf '${octal(bytes)}')\n`).join("")}exec bwrap "$@"`;
    const line = bwrapArguments(profile, {
      own: launch.own,
      pipes: pipes(),
      cwd: hidden ? "/" : inside,
      run: resolver(),
      fed: fed.flatMap(([, ...words]) => words),
    });
    const around = (argv: readonly string[]) => [
      "bash",
      "--norc",
      "--noprofile",
      "-c",
      `${closeBut(network === "proxy" ? 3 : 2)}${start}`,
      "bash",
      ...line,
      ...argv,
    ];
    const sandbox: SandboxBounds = { write: [...profile.write, launch.own], ownProcesses: true };
    if (network !== "proxy") return { ...launch, argv: around(launch.argv), sandbox, ended };
    let outlet: Disposable | undefined;
    return {
      ...launch,
      argv: around(withOutlet(launch.argv)),
      env: { ...launch.env, ...PROXY_VARIABLES },
      sandbox,
      channel: async (child) => {
        outlet = await takeOutlet(child, () => this.#openProxy());
      },
      ended: () => {
        outlet?.[Symbol.dispose]();
        ended();
      },
    };
  }

  #openProxy(): Promise<GuardedProxy> {
    return this.#ports.proxy({
      hosts: () => this.#ports.settings().hosts,
      refused: (words) => {
        this.#ports.log.warning(`The sandbox's proxy refused a command's request: ${words}`);
        this.#refused = [...this.#refused.filter((known) => known.words !== words), { words, at: Date.now() }].slice(
          -REMEMBERED,
        );
      },
    });
  }

  /** Makes the empty folders; the last shell that counted on one removes it. */
  #occupy({ placeholders, keep }: Profile): () => void {
    // Those of another shell, or of one that was killed, stand there already.
    const made = [
      ...placeholders.filter(makeFolder),
      ...keep.filter((path) => this.#placeholders.has(path) || (path.endsWith("/.envrc") && look(path) === "folder")),
    ];
    for (const path of made) this.#placeholders.set(path, (this.#placeholders.get(path) ?? 0) + 1);
    return () => {
      for (const path of made.splice(0)) {
        const left = (this.#placeholders.get(path) ?? 1) - 1;
        if (left > 0) this.#placeholders.set(path, left);
        else {
          this.#placeholders.delete(path);
          removeEmpty(path);
        }
      }
    };
  }

  /** Tries what every sandbox needs; says in a few words what is in the way. */
  #check(): Promise<string | undefined> {
    const platform = this.#ports.platform ?? process.platform;
    if (platform === "darwin")
      return Promise.resolve(exists("/usr/bin/sandbox-exec") ? undefined : "sandbox-exec is missing");
    if (platform !== "linux") return Promise.resolve(`no sandbox for ${platform}`);
    return new Promise((resolve) => {
      execFile(
        "bwrap",
        [...ALWAYS, "--remount-ro", "/proc", "--", "true"],
        { env: { PATH: (this.#ports.environment ?? process.env)["PATH"] ?? "" }, timeout: 5_000, encoding: "utf8" },
        (error, _, text) => {
          if (error === null) resolve(undefined);
          else if (error.code === "ENOENT") resolve("bubblewrap is not installed");
          else
            resolve(
              `bubblewrap does not work here (${
                text
                  .trim()
                  .split("\n")
                  .at(-1)
                  ?.replace(/^bwrap: /, "")
                  .slice(0, 120) || error.message
              })`,
            );
        },
      );
    });
  }
}

/** Closes the files that the agent's parent left open to all children. */
const closeBut = (last: 2 | 3): string =>
  `for fd in /proc/$$/fd/*; do fd=\${fd##*/}; [ "$fd" -le ${last} ] || eval "exec $fd<&-"; done 2>/dev/null\n`;

/** For `printf`, which makes the same bytes of it. */
function octal(bytes: Uint8Array): string {
  return [...bytes].map((byte) => `\\${byte.toString(8).padStart(3, "0")}`).join("");
}

/** What `/etc/resolv.conf` leads to, where that lies below `/run`. */
function resolver(): readonly string[] {
  const file = real("/etc/resolv.conf");
  return file !== undefined && within(file, "/run") !== undefined ? [file] : [];
}

/** True when a folder of that name is there now. */
function makeFolder(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o755 });
    return true;
  } catch {
    return look(path) === "folder"; // There already, or it cannot be made: then commands cannot make it either.
  }
}

function removeEmpty(path: string): void {
  try {
    if (readdirSync(path).length === 0) rmdirSync(path);
  } catch {
    // Gone already.
  }
}
