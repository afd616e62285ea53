import {
  definedFields,
  TerminalUnavailable,
  type JsonObject,
  type Logger,
  type PluginStorage,
  type Period,
  type Terminal,
  type TerminalOpener,
  type TerminalOptions,
} from "hermes-agent/plugin";
import { declaredVariables, PersistentTerminals, openEnvironment, positive, sandboxName } from "hermes-agent/terminal";
import { ModalSandbox } from "./modal-sandbox.ts";
import type { ModalClient, ModalSdk, ModalWanted } from "./modal-sdk.ts";

const MAX_BESIDE = 8;
const START_MS = 60_000;
/** A sandbox ends after this time, and after this idle time, in case its agent is gone without ending it. */
const LIFE_MS = 6 * 3_600_000;
const IDLE_MS = 3_600_000;

/** @property config The section `terminal` of the configuration. @property home The agent's own home. */
export interface ModalOptions {
  readonly config: JsonObject;
  readonly home: string;
  /** Default: that of the process. */
  readonly startDirectory?: string;
  readonly tokenId: string | undefined;
  readonly tokenSecret: string | undefined;
  readonly environment?: string | undefined;
  readonly storage: () => PluginStorage;
  readonly log: Logger;
  /** The package, wherever it is; rejects with what helps when it is not installed. */
  load(): Promise<ModalSdk>;
}

/** Commands in sandboxes of Modal, one for each task, whose files are kept as a snapshot when the task is done. */
export class ModalBackend implements TerminalOpener {
  readonly #options: ModalOptions;
  readonly #terminals = new PersistentTerminals();
  #client: Promise<ModalClient> | undefined;

  constructor(options: ModalOptions) {
    this.#options = options;
  }

  async open(options: TerminalOptions, signal: AbortSignal): Promise<Terminal> {
    const { config, storage, log } = this.#options;
    this.#client ??= this.#connect();
    this.#client.catch(() => (this.#client = undefined));
    const client = await this.#client;
    const image =
      typeof config["modal_image"] === "string" ? config["modal_image"] : "nikolaik/python-nodejs:python3.11-nodejs20";
    const snapshots = config["container_persistent"] === false ? undefined : storage();
    const sandbox = new ModalSandbox({
      client,
      image,
      wanted: this.#wanted(options.key, image),
      variables: declaredVariables(config["env_passthrough"], process.env),
      snapshots,
      log,
    });
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
    (await this.#client?.catch(() => undefined))?.close();
    this.#client = undefined;
  }

  async #connect(): Promise<ModalClient> {
    const { tokenId, tokenSecret, environment, load } = this.#options;
    if (tokenId === undefined || tokenSecret === undefined) {
      throw new TerminalUnavailable("MODAL_TOKEN_ID or MODAL_TOKEN_SECRET is not set.", {
        hint: "Set both, for example with `hermes config set MODAL_TOKEN_ID …`.",
      });
    }
    const { ModalClient: Client } = await load();
    // The client would print its warnings on the screen.
    return new Client({
      logLevel: "error",
      tokenId,
      tokenSecret,
      environment,
    });
  }

  /**
   * The options of the wanted sandbox. Its name depends on task, image and size, so that a later start finds it and its
   * files again.
   */
  #wanted(key: string, image: string): ModalWanted {
    const { config, home } = this.#options;
    const [cpu, memoryMiB] = [positive(config["container_cpu"]), positive(config["container_memory"])];
    const size = definedFields({ cpu, memoryMiB });
    return { name: sandboxName(key, [home, image, size]), timeoutMs: LIFE_MS, idleTimeoutMs: IDLE_MS, ...size };
  }
}
