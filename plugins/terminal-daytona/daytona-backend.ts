import { hash } from "node:crypto";
import type { JsonObject, Terminal, TerminalBackend, TerminalOptions } from "hermes-agent/plugin";
import { declaredVariables, KeptTerminals, openKeptShell, PlaceFiles } from "hermes-agent/terminal";
import { DaytonaClient, type DaytonaAccess } from "./daytona-client.ts";
import { DaytonaSandbox } from "./daytona-sandbox.ts";

const MAX_BESIDE = 6;
/** Daytona's own cap. */
const MAX_DISK_GB = 10;
/** Minutes: a sandbox that nobody asks anything stops by itself, should whoever made it be gone without a word; one left for a week is deleted. */
const STOP_AFTER = 60;
const DELETE_AFTER = 7 * 24 * 60;

/** @property config The section `terminal` of the configuration. @property home The agent's own home. */
export interface DaytonaOptions extends DaytonaAccess {
  readonly config: JsonObject;
  readonly home: string;
}

/** Commands in sandboxes of Daytona, one for each task, which are stopped when the task is done and found again after a restart. */
export class DaytonaBackend implements TerminalBackend {
  readonly id = "daytona";
  readonly label = "a sandbox of Daytona";
  readonly isolated = true;
  readonly elsewhere = true;
  readonly #options: DaytonaOptions;
  readonly #client: DaytonaClient;
  readonly #terminals = new KeptTerminals();

  constructor(options: DaytonaOptions) {
    this.#options = options;
    this.#client = new DaytonaClient(options);
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    signal.throwIfAborted();
    const { config } = this.#options;
    const keep = config["container_persistent"] !== false;
    const sandbox = new DaytonaSandbox(this.#client, this.#wanted(options.key), declaredVariables(config["env_passthrough"], process.env));
    const lifetime = config["lifetime_seconds"];
    const configured = config["cwd"];
    return this.#terminals.open(
      {
        key: options.key,
        cwd: options.cwd ?? (typeof configured === "string" && /^[/~]/.test(configured) ? configured : "~"),
        start: (from) => openKeptShell(() => sandbox.startShell(), { ...from, startTimeoutMs: 60_000 }),
        files: (made) => new PlaceFiles(made),
        idleMs: (typeof lifetime === "number" ? lifetime : 300) * 1_000,
        maxBeside: MAX_BESIDE,
      },
      () => sandbox.leave(keep),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#terminals[Symbol.asyncDispose]();
  }

  /** The same task, image and size find the same sandbox again. */
  #wanted(key: string): JsonObject & { readonly name: string } {
    const { config, home } = this.#options;
    const image = typeof config["daytona_image"] === "string" ? config["daytona_image"] : "nikolaik/python-nodejs:python3.11-nodejs20";
    const amount = (value: unknown, unit: number) => (typeof value === "number" && value > 0 ? Math.max(1, Math.ceil(value / unit)) : undefined);
    const cpu = amount(config["container_cpu"], 1);
    const memory = amount(config["container_memory"], 1_024);
    const disk = amount(config["container_disk"], 1_024);
    const size = { ...(cpu === undefined ? {} : { cpu }), ...(memory === undefined ? {} : { memory }), ...(disk === undefined ? {} : { disk: Math.min(MAX_DISK_GB, disk) }) };
    const task = /^[\w-]{1,40}$/.test(key) ? key : hash("sha256", key).slice(0, 24);
    const name = `hermes-${task}-${hash("sha256", JSON.stringify([home, image, size])).slice(0, 10)}`;
    return {
      name,
      buildInfo: { dockerfileContent: `FROM ${image}\n` },
      labels: { "hermes-agent": "1", "hermes-task-id": task },
      ...size,
      autoStopInterval: STOP_AFTER,
      autoDeleteInterval: DELETE_AFTER,
      ...(this.#client.target === undefined ? {} : { target: this.#client.target }),
    };
  }
}
