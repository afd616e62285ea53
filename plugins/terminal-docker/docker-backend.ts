import { hash } from "node:crypto";
import {
  TerminalUnavailable,
  type JsonObject,
  type Logger,
  type Period,
  type Terminal,
  type TerminalOpener,
  type TerminalOptions,
} from "hermes-agent/plugin";
import { PersistentTerminals, openEnvironment, visitEnvironment, type SyncingAgent } from "hermes-agent/terminal";
import { Container } from "./container.ts";
import { containerOptions } from "./container-options.ts";
import { type Engine, findEngine } from "./engine.ts";

const MAX_BESIDE = 8;
/** A container that was unused for this long is removed. */
const UNUSED_MS = 7 * 86_400_000;

/** Commands in containers, one for each task, which stay until the task is done and are found again after a restart. */
export class DockerBackend implements TerminalOpener {
  readonly #config: JsonObject;
  readonly #log: Logger;
  readonly #agent: SyncingAgent;
  readonly #terminals = new PersistentTerminals();
  readonly #profile = hash("sha256", process.env["HERMES_HOME"] ?? process.env["HOME"] ?? "").slice(0, 12);
  #engine: Promise<Engine> | undefined;

  /** @param config The section `terminal` of the configuration. */
  constructor(config: JsonObject, log: Logger, agent: SyncingAgent = {}) {
    this.#config = config;
    this.#log = log;
    this.#agent = agent;
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    const engine = await (this.#engine ??= this.#findEngine());
    const { visit } = options;
    if (visit !== undefined) return visitEnvironment(this.#terminals, options.key, () => engine.visit(visit));
    const startDirectory = this.#agent.startDirectory ?? process.cwd();
    const chosen = containerOptions(this.#config, startDirectory, process.env);
    const container = new Container(engine, { key: options.key, profile: this.#profile }, chosen, this.#log);
    const keep =
      this.#config["docker_persist_across_processes"] !== false && this.#config["container_persistent"] !== false;
    // A mounted folder exists already.
    const config =
      this.#config["docker_mount_cwd_to_workspace"] === true
        ? { ...this.#config, sync_cwd_to_workspace: false }
        : this.#config;
    return openEnvironment(this.#terminals, { ...options, signal }, config, {
      agent: { log: this.#log, ...this.#agent, startDirectory },
      startShell: () => container.startShell(),
      leave: () => container.leave(keep),
      where: () => container.name(),
      cwd: chosen.cwd,
      maxBeside: MAX_BESIDE,
    });
  }

  settle(): Promise<readonly Period[]> {
    return this.#terminals.settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminals[Symbol.asyncDispose]();
  }

  async #findEngine(): Promise<Engine> {
    const found = await findEngine(this.#config);
    if (!("engine" in found)) {
      this.#engine = undefined;
      throw new TerminalUnavailable(found.reason, {
        hint: "Install and start docker or podman, or choose another backend in terminal.backend.",
      });
    }
    if (this.#config["docker_orphan_reaper"] !== false) void this.#removeUnused(found.engine);
    return found.engine;
  }

  /** Containers of this home that ended long ago. Never rejects. */
  async #removeUnused(engine: Engine): Promise<void> {
    const { out } = await engine.ask([
      "ps",
      "-a",
      "-q",
      "--filter",
      "label=hermes-agent=1",
      "--filter",
      `label=hermes-profile=${this.#profile}`,
      "--filter",
      "status=exited",
    ]);
    for (const id of out.split("\n").filter((line) => line !== "")) {
      const { out: finished } = await engine.ask([
        "inspect",
        "--type",
        "container",
        "-f",
        "{{json .State.FinishedAt}}",
        id,
      ]);
      const at = Date.parse(finished.replaceAll('"', ""));
      if (Date.now() - at > UNUSED_MS) await engine.ask(["rm", id]);
    }
  }
}
