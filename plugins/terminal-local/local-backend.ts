import { homedir } from "node:os";
import { resolve } from "node:path";
import type { JsonObject, Logger, Terminal, TerminalBackend, TerminalOptions } from "hermes-agent/plugin";
import { childEnvironment } from "./child-environment.ts";
import { LocalTerminal } from "./local-terminal.ts";
import { readProfile, usualProfiles } from "./read-profile.ts";

/** Commands on this machine, as the person who started the agent. */
export class LocalBackend implements TerminalBackend {
  readonly id = "local";
  readonly label = "this machine";
  readonly isolated = false;
  readonly #config: JsonObject;
  readonly #log: Logger;
  readonly #process: NodeJS.ProcessEnv;
  readonly #terminals = new Map<string, LocalTerminal>();
  /** Those being closed included. */
  readonly #unended = new Set<LocalTerminal>();
  #environment: Promise<Record<string, string>> | undefined;
  readonly #onExit = () => this.#killNow();

  /** `config` is the section `terminal` of the configuration. */
  constructor(config: JsonObject, log: Logger, environment: NodeJS.ProcessEnv = process.env) {
    this.#config = config;
    this.#log = log;
    this.#process = environment;
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    signal.throwIfAborted();
    const known = this.#terminals.get(options.key);
    if (known !== undefined) return known;
    if (this.#unended.size === 0) process.on("exit", this.#onExit);
    const terminal = new LocalTerminal({
      key: options.key,
      cwd: options.cwd ?? this.#startDirectory(),
      environment: () => (this.#environment ??= this.#readEnvironment()),
      idleMs: number(this.#config["lifetime_seconds"], 300) * 1_000,
      closing: () => void this.#terminals.delete(options.key),
      closed: () => {
        this.#unended.delete(terminal);
        if (this.#unended.size === 0) process.off("exit", this.#onExit);
      },
    });
    this.#unended.add(terminal);
    this.#terminals.set(options.key, terminal);
    return terminal;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#terminals.values()].map((terminal) => terminal[Symbol.asyncDispose]()));
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

  #killNow(): void {
    for (const terminal of this.#unended) terminal.killNow();
  }
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === "string") : [];
}

function number(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}
