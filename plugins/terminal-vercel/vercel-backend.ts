import {
  TerminalUnavailable,
  type JsonObject,
  type Logger,
  type Period,
  type Terminal,
  type TerminalOpener,
  type TerminalOptions,
} from "hermes-agent/plugin";
import { declaredVariables, PersistentTerminals, openEnvironment, positive, sandboxName } from "hermes-agent/terminal";
import { VercelSandbox } from "./vercel-sandbox.ts";
import type { VercelSdk, VercelWanted } from "./vercel-sdk.ts";

const MAX_BESIDE = 6;
const START_MS = 60_000;
/** In case the agent is gone without ending it. The service's minimum is five minutes. */
const LIFE_MS = 1_800_000;

/** @property config The section `terminal` of the configuration. @property home The agent's own home. */
export interface VercelOptions {
  readonly config: JsonObject;
  readonly home: string;
  /** Default: that of the process. */
  readonly startDirectory?: string;
  readonly log?: Logger;
  readonly token: string | undefined;
  readonly teamId: string | undefined;
  readonly projectId: string | undefined;
  /** The SDK's own when absent. */
  readonly fetch?: typeof globalThis.fetch;
  /** The package, wherever it is; rejects with what helps when it is not installed. */
  load(): Promise<VercelSdk>;
}

/**
 * Commands in sandboxes of Vercel, one for each task, which are stopped when the task is done and resumed with their
 * files.
 */
export class VercelBackend implements TerminalOpener {
  readonly #options: VercelOptions;
  readonly #terminals = new PersistentTerminals();

  constructor(options: VercelOptions) {
    this.#options = options;
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    const { config } = this.#options;
    const wanted = this.#wanted(options.key);
    const sandbox = new VercelSandbox(
      await this.#options.load(),
      wanted,
      declaredVariables(config["env_passthrough"], process.env),
    );
    return openEnvironment(this.#terminals, { ...options, signal }, config, {
      agent: this.#options,
      startShell: () => sandbox.startShell(),
      leave: () => sandbox.leave(),
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
   * The options of the wanted sandbox. Its name depends on task, runtime and size, so that a later start finds it
   * again.
   */
  #wanted(key: string): VercelWanted {
    const { config, home, token, teamId, projectId, fetch } = this.#options;
    if (token === undefined || teamId === undefined || projectId === undefined) {
      throw new TerminalUnavailable("VERCEL_TOKEN, VERCEL_TEAM_ID or VERCEL_PROJECT_ID is not set.", {
        hint: "Set all three, for example with `hermes config set VERCEL_TOKEN …`.",
      });
    }
    const runtime = typeof config["vercel_runtime"] === "string" ? config["vercel_runtime"] : "node24";
    const vcpus = Math.ceil(positive(config["container_cpu"]) ?? 2);
    const name = sandboxName(key, [home, runtime, vcpus]);
    return {
      token,
      teamId,
      projectId,
      fetch,
      name,
      persistent: config["container_persistent"] !== false,
      runtime,
      timeout: LIFE_MS,
      resources: { vcpus },
      tags: { "hermes-agent": "1" },
    };
  }
}
