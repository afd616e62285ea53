import type { JsonObject, Logger, Period, Terminal, TerminalOpener, TerminalOptions } from "hermes-agent/plugin";
import {
  declaredVariables,
  PersistentTerminals,
  openEnvironment,
  positive,
  sandboxName,
  taskName,
} from "hermes-agent/terminal";
import { DaytonaClient, type DaytonaAccess } from "./daytona-client.ts";
import { DaytonaSandbox } from "./daytona-sandbox.ts";
import { definedFields } from "hermes-agent/plugin";

const MAX_BESIDE = 6;
const START_MS = 60_000;
/** Daytona's own cap. */
const MAX_DISK_GB = 10;
/** Minutes. An idle sandbox stops if its agent is gone without ending it, and is deleted after a week. */
const STOP_AFTER = 60;
const DELETE_AFTER = 7 * 24 * 60;

/** @property config The section `terminal` of the configuration. @property home The agent's own home. */
export interface DaytonaOptions extends DaytonaAccess {
  readonly config: JsonObject;
  readonly home: string;
  /** Default: that of the process. */
  readonly startDirectory?: string;
  readonly log?: Logger;
}

/**
 * Commands in sandboxes of Daytona, one for each task, which are stopped when the task is done and found again after a
 * restart.
 */
export class DaytonaBackend implements TerminalOpener {
  readonly #options: DaytonaOptions;
  readonly #client: DaytonaClient;
  readonly #terminals = new PersistentTerminals();

  constructor(options: DaytonaOptions) {
    this.#options = options;
    this.#client = new DaytonaClient(options);
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    const { config } = this.#options;
    const keep = config["container_persistent"] !== false;
    const sandbox = new DaytonaSandbox(
      this.#client,
      this.#wanted(options.key),
      declaredVariables(config["env_passthrough"], process.env),
    );
    return openEnvironment(this.#terminals, { ...options, signal }, config, {
      agent: this.#options,
      startShell: () => sandbox.startShell(),
      leave: () => sandbox.leave(keep),
      maxBeside: MAX_BESIDE,
      startTimeoutMs: START_MS,
    });
  }

  settle(): Promise<readonly Period[]> {
    return this.#terminals.settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminals[Symbol.asyncDispose]();
  }

  /**
   * The options of the wanted sandbox. Its name depends on task, image and size, so that a later start finds it again.
   */
  #wanted(key: string): JsonObject & { readonly name: string } {
    const { config, home } = this.#options;
    const image =
      typeof config["daytona_image"] === "string"
        ? config["daytona_image"]
        : "nikolaik/python-nodejs:python3.11-nodejs20";
    const whole = (value: unknown, unit: number) => {
      const amount = positive(value);
      return amount === undefined ? undefined : Math.ceil(amount / unit);
    };
    const [cpu, memory, disk] = [
      whole(config["container_cpu"], 1),
      whole(config["container_memory"], 1_024),
      whole(config["container_disk"], 1_024),
    ];
    const size = definedFields({
      cpu,
      memory,
      disk: disk === undefined ? undefined : Math.min(MAX_DISK_GB, disk),
    });
    return {
      name: sandboxName(key, [home, image, size]),
      buildInfo: { dockerfileContent: `FROM ${image}\n` },
      labels: { "hermes-agent": "1", "hermes-task-id": taskName(key) },
      ...size,
      autoStopInterval: STOP_AFTER,
      autoDeleteInterval: DELETE_AFTER,
      ...definedFields({ target: this.#client.target }),
    };
  }
}
