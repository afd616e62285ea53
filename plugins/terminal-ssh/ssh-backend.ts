import {
  TerminalUnavailable,
  type JsonObject,
  type Period,
  type Terminal,
  type TerminalOpener,
  type TerminalOptions,
} from "hermes-agent/plugin";
import { PersistentTerminals, openEnvironment, visitEnvironment, type SyncingAgent } from "hermes-agent/terminal";
import { SshConnection } from "./ssh-connection.ts";
import { sshTarget, type SshTarget } from "./ssh-target.ts";

/** A host allows ten shells over one connection by default; more would each need a separate connection. */
const MAX_BESIDE = 6;

/** Commands on another host, as the user there. Every task has a separate shell; all share one connection. */
export class SshBackend implements TerminalOpener {
  readonly #config: JsonObject;
  readonly #agent: SyncingAgent;
  readonly #terminals = new PersistentTerminals();
  /** By what a host is called in a grip. */
  readonly #connections = new Map<string, SshConnection>();
  #connection: { readonly target: SshTarget; readonly made: SshConnection } | undefined;

  /** @param config The section `terminal` of the configuration. */
  constructor(config: JsonObject, agent: SyncingAgent = {}) {
    this.#config = config;
    this.#agent = agent;
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    const { visit } = options;
    if (visit !== undefined)
      return visitEnvironment(this.#terminals, options.key, () => this.#connectionTo(visit).startShell());
    const { target, made } = this.#connect();
    return openEnvironment(this.#terminals, { ...options, signal }, this.#config, {
      agent: this.#agent,
      startShell: () => made.startShell(),
      cwd: target.cwd,
      where: () => `${target.name}:${target.port}`,
      maxBeside: MAX_BESIDE,
      login: true,
    });
  }

  settle(): Promise<readonly Period[]> {
    return this.#terminals.settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const connection of this.#connections.values()) connection.giveUp();
    await this.#terminals[Symbol.asyncDispose]();
  }

  /** The host where something was left, with the key of the configuration, whatever host that names by now. */
  #connectionTo(where: string): SshConnection {
    const [, user, host, port] = /^(?:(.+)@)?([^@]+):(\d+)$/.exec(where) ?? [];
    const target = sshTarget({ ...this.#config, ssh_host: host, ssh_user: user, ssh_port: Number(port) });
    if ("missing" in target) throw new TerminalUnavailable(target.missing);
    return this.#made(target);
  }

  #connect(): { readonly target: SshTarget; readonly made: SshConnection } {
    if (this.#connection !== undefined) return this.#connection;
    const target = sshTarget(this.#config);
    if ("missing" in target)
      throw new TerminalUnavailable(target.missing, {
        hint: "Set terminal.ssh_host, terminal.ssh_user and terminal.ssh_key.",
      });
    return (this.#connection = { target, made: this.#made(target) });
  }

  #made(target: SshTarget): SshConnection {
    const where = `${target.name}:${target.port}`;
    const made = this.#connections.get(where) ?? new SshConnection(target);
    this.#connections.set(where, made);
    return made;
  }
}
