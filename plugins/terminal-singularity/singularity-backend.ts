import { hash } from "node:crypto";
import {
  TerminalUnavailable,
  type JsonObject,
  type Logger,
  type Terminal,
  type TerminalOpener,
  type TerminalOptions,
} from "hermes-agent/plugin";
import {
  type ClientProgram,
  PersistentTerminals,
  openEnvironment,
  taskName,
  visitEnvironment,
} from "hermes-agent/terminal";
import { Instance, instances, stopInstance, visitInstance } from "./instance.ts";
import { instanceOptions } from "./instance-options.ts";
import { warnOfSize } from "./warn-of-size.ts";
import { findRuntime } from "./runtime.ts";

const MAX_BESIDE = 8;

/** Commands in instances of apptainer or singularity, one for each task. A task's files stay in its overlay. */
export class SingularityBackend implements TerminalOpener {
  readonly #config: JsonObject;
  readonly #home: string;
  readonly #log: Logger;
  readonly #terminals = new PersistentTerminals();
  /** Distinguishes instances of one agent's home from those of another. */
  readonly #prefix: string;
  /** Instances of agents before this one that go on, by their task. */
  readonly #left = new Map<string, string>();
  #runtime: Promise<ClientProgram> | undefined;

  /** @param config The section `terminal` of the configuration. @param home The agent's own home. */
  constructor(config: JsonObject, home: string, log: Logger) {
    this.#config = config;
    this.#home = home;
    this.#log = log;
    this.#prefix = `hermes-${hash("sha256", home).slice(0, 8)}`;
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    const runtime = await (this.#runtime ??= this.#findRuntime());
    const { visit } = options;
    if (visit !== undefined) return visitEnvironment(this.#terminals, options.key, () => visitInstance(runtime, visit));
    const task = taskName(options.key);
    const chosen = instanceOptions(this.#config, this.#home, task, process.env);
    const left = this.#left.get(task);
    const name = left ?? `${this.#prefix}-${process.pid}-${task}`;
    const instance = new Instance(runtime, name, chosen, this.#log, left !== undefined);
    return openEnvironment(this.#terminals, { ...options, signal }, this.#config, {
      startShell: () => instance.startShell(),
      leave: () => instance.stop(),
      where: () => name,
      maxBeside: MAX_BESIDE,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminals[Symbol.asyncDispose]();
  }

  async #findRuntime(): Promise<ClientProgram> {
    const found = await findRuntime();
    if (!("runtime" in found)) {
      this.#runtime = undefined;
      throw new TerminalUnavailable(found.reason, {
        hint: "Install apptainer, load its module, or choose another backend in terminal.backend.",
      });
    }
    await this.#stopLeft(found.runtime);
    void warnOfSize(this.#config, this.#home, this.#log);
    return found.runtime;
  }

  /**
   * Instances of this home whose agent has ended without stopping them: they would hold the overlay. One with something
   * in it that was left on purpose is its task's again.
   */
  async #stopLeft(runtime: ClientProgram): Promise<void> {
    for (const name of (await instances(runtime)) ?? []) {
      const [pid, ...task] = name.startsWith(`${this.#prefix}-`) ? name.slice(this.#prefix.length + 1).split("-") : [];
      if (!/^\d+$/.test(pid ?? "") || Number(pid) === process.pid || lives(Number(pid))) continue;
      if (!(await stopInstance(runtime, name))) this.#left.set(task.join("-"), name);
    }
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
