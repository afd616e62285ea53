import { homedir } from "node:os";
import { resolve } from "node:path";
import type { JsonObject, Logger, Terminal, TerminalBackend, TerminalOptions } from "hermes-agent/plugin";
import { childEnvironment } from "./child-environment.ts";
import { KeptTerminals, type WrapLaunch } from "hermes-agent/terminal";
import { KeptShell } from "./kept-shell.ts";
import { LocalFiles } from "./local-files.ts";
import { nearestDirectory } from "./nearest-directory.ts";
import { readProfile, usualProfiles } from "./read-profile.ts";

/** Commands on this machine, as the person who started the agent. */
export class LocalBackend implements TerminalBackend {
  readonly id = "local";
  readonly label = "this machine";
  readonly isolated = false;
  readonly #config: JsonObject;
  readonly #log: Logger;
  readonly #process: NodeJS.ProcessEnv;
  readonly #terminals = new KeptTerminals();
  readonly #wrapLaunch: WrapLaunch | undefined;
  #environment: Promise<Record<string, string>> | undefined;

  /**
   * @param config The section `terminal` of the configuration.
   * @param wrapLaunch The one seam for a sandbox: every shell of this machine is started through it.
   */
  constructor(config: JsonObject, log: Logger, environment: NodeJS.ProcessEnv = process.env, wrapLaunch?: WrapLaunch) {
    this.#wrapLaunch = wrapLaunch;
    this.#config = config;
    this.#log = log;
    this.#process = environment;
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    signal.throwIfAborted();
    const known = this.#terminals.get(options.key);
    if (known !== undefined) return known;
    const start = async ({ cwd, state }: { readonly cwd: string; readonly state: string | undefined }) =>
      KeptShell.start({ cwd: nearestDirectory(cwd), environment: { ...(await (this.#environment ??= this.#readEnvironment())), HERMES_TASK_ID: options.key }, state, wrapLaunch: this.#wrapLaunch });
    return this.#terminals.add({
      key: options.key,
      cwd: nearestDirectory(options.cwd ?? this.#startDirectory()),
      start,
      files: (terminal) => new LocalFiles(() => terminal.cwd),
      idleMs: number(this.#config["lifetime_seconds"], 300) * 1_000,
    });
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
