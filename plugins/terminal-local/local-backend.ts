import { rmSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import type { JsonObject, Logger, Terminal, TerminalBackend, TerminalOptions } from "hermes-agent/plugin";
import { childEnvironment } from "./child-environment.ts";
import { PersistentTerminals, randomHex, type WrapLaunch } from "hermes-agent/terminal";
import { PersistentShell } from "./persistent-shell.ts";
import { LocalFiles } from "./local-files.ts";
import { nearestDirectory } from "./nearest-directory.ts";
import { pipesFolder } from "./pipes-folder.ts";
import { readProfile, usualProfiles } from "./read-profile.ts";
import { definedFields } from "hermes-agent/plugin";

/** How the shells of a task that started in `cwd` are started; `undefined`: as they are. */
export type Around = (cwd: string) => Promise<WrapLaunch | undefined>;

/**
 * Most commands that run beside another one in a shell: their lines fit into the shell's command pipe, which takes 64
 * KB.
 */
const MAX_BESIDE = 32;

/** Commands on this machine, as the user who started the agent. */
export class LocalBackend implements TerminalBackend {
  readonly id = "local";
  readonly label = "this machine";
  readonly isolated = false;
  readonly #config: JsonObject;
  readonly #log: Logger;
  readonly #process: NodeJS.ProcessEnv;
  readonly #terminals = new PersistentTerminals();
  readonly #around: Around | undefined;
  readonly #home: string | undefined;
  #environment: Promise<Record<string, string>> | undefined;

  /**
   * @param config The section `terminal` of the configuration.
   * @param around The only hook for a sandbox: every shell of a task is started through what it returns for the task's
   * folder.
   * @param home The agent's home: distinguishes its processes from those of agents with other homes.
   */
  constructor(
    config: JsonObject,
    log: Logger,
    environment: NodeJS.ProcessEnv = process.env,
    around?: Around,
    home?: string,
  ) {
    this.#home = home;
    this.#around = around;
    this.#config = config;
    this.#log = log;
    this.#process = environment;
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    signal.throwIfAborted();
    const known = this.#terminals.get(options.key);
    if (known !== undefined) return known;
    const from = nearestDirectory(options.cwd ?? this.#startDirectory());
    const folder = join(pipesFolder(), `task-${randomHex(9)}`);
    const start = async ({ cwd, state }: { readonly cwd: string; readonly state: string | undefined }) => {
      const [environment, wrapLaunch] = await Promise.all([
        (this.#environment ??= this.#readEnvironment()),
        options.outside === true ? undefined : this.#around?.(from),
      ]);
      return PersistentShell.start({
        cwd: nearestDirectory(cwd),
        environment: {
          ...environment,
          HERMES_TASK_ID: options.key,
          ...definedFields({ HERMES_AGENT_HOME: this.#home }),
        },
        state,
        wrapLaunch,
        folder,
      });
    };
    return this.#terminals.add(
      {
        key: options.key,
        cwd: from,
        start,
        files: (terminal) => new LocalFiles(() => terminal.cwd),
        maxBeside: MAX_BESIDE,
        idleMs: number(this.#config["lifetime_seconds"], 300) * 1_000,
      },
      () => rmSync(folder, { recursive: true, force: true }),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminals[Symbol.asyncDispose]();
  }

  #startDirectory(): string {
    const configured = this.#config["cwd"];
    if (typeof configured !== "string" || ["", ".", "auto", "cwd"].includes(configured)) return process.cwd();
    return resolve(configured.replace(/^~(?=\/|$)/, homedir()));
  }

  #readEnvironment(): Promise<Record<string, string>> {
    const environment = childEnvironment(this.#process, strings(this.#config["env_passthrough"]));
    const home = environment["HOME"] ?? homedir();
    const named = strings(this.#config["shell_init_files"]).map((file) => resolve(file.replace(/^~(?=\/|$)/, home)));
    const files = named.length > 0 ? named : this.#config["auto_source_bashrc"] === false ? [] : usualProfiles(home);
    return readProfile(files, environment, this.#log);
  }
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}

function number(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
