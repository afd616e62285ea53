import type { OpenSession } from "../../contract/services/app.ts";
import type { Probe } from "../../contract/common/availability.ts";
import type { ModelCheck, ModelService } from "../../contract/services/model-service.ts";
import { keyEnds } from "../../contract/common/key-ends.ts";
import { objectOf } from "../../contract/common/is-object.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { ModelClient, ModelProvider, ModelSettings } from "../../contract/providers/model.ts";
import { RecentMap } from "../../contract/common/recent-map.ts";
import { UserError } from "../../contract/common/failure.ts";
import type { ModelInUse, ModelWindow } from "../../engine/ports.ts";
import { findLocalServers, USUAL_PLACES, type LocalServer } from "./local-servers.ts";
import { chooseModel, type ModelChoice } from "./model-choice.ts";
import { endpointKeyName, endpointsOf } from "./model-endpoints.ts";
import { contextTokensOf, listPriceOf } from "./model-facts.ts";
import { isAtHand, limitsOf } from "./model-limits.ts";
import { ModelHealths } from "./model-health.ts";
import { ModelWindows, type LearnedWindows } from "./model-windows.ts";
import type { PoolPast, PoolStrategy } from "./model-key-pool.ts";
import { keepChoice, type KeepPorts } from "./save-model-choice.ts";
import type { KnownProvider } from "./model-providers.ts";
import { choicePorts, modelSettings, withKey, type ModelSettingsPorts } from "./model-settings.ts";
import { listOf, words } from "./model-values.ts";
import { automatic, type ModelSelection } from "./model-selection.ts";

export interface ModelServicePorts extends ModelSettingsPorts {
  readonly config: ModelSettingsPorts["config"] & KeepPorts["config"];
  readonly environment: ModelSettingsPorts["environment"] & KeepPorts["environment"];
  readonly log: Pick<Logger, "warning">;
  /** The state of providers' several keys, by provider. */
  readonly keysPast: KeysPast;
  /** Windows that were learned, by way. */
  readonly windowsPast: LearnedWindows;
  /** The process's own end. */
  readonly signal: AbortSignal;
  /** Installs a provider package into the home. */
  installPackage(spec: string, signal: AbortSignal): Promise<void>;
  /** The environment that a provider's availability check may read. */
  probe(provider: string): Probe;
  readonly findLocal?: (signal: AbortSignal) => Promise<readonly LocalServer[]>;
}

export interface KeysPast {
  read(): { readonly [provider: string]: PoolPast };
  write(past: { readonly [provider: string]: PoolPast }): void;
}

export interface ConnectingModelService extends ModelService {
  /**
   * The model a turn uses, connected, with its fallbacks. Nothing is sent and the wire's code is not loaded yet.
   * @param run What this run's flags name.
   * @param session What was chosen in the session, e.g. by `/model`.
   * @throws {UserError} The choice cannot work: unknown provider, missing key, no model named.
   */
  inUse(run?: OpenSession["model"], session?: ModelSelection["session"]): Promise<ModelInUse>;
  /** The model of a subagent (`delegation.*`), or its parent's. @throws {UserError} as `inUse`. */
  delegated(run?: OpenSession["model"], session?: ModelSelection["session"]): Promise<ModelInUse>;
  /** The model of a side task (`auxiliary.TASK`), or the one turns use. @throws {UserError} as `inUse`. */
  auxiliary(task: string): Promise<Omit<ModelInUse, "fallbacks">>;
}

const NO_MODEL =
  "No model is configured: the built-in rule-based model answers. Connect one with `hermes setup` or `hermes model`.";
/** Keys and addresses may change for as long as the agent runs. */
const MAX_CLIENTS = 64;
const EFFORTS = ["none", "minimal", "low", "medium", "high", "xhigh", "max"] as const;

export function createModelService(ports: ModelServicePorts): ConnectingModelService {
  return new Models(ports);
}

class Models implements ConnectingModelService {
  readonly #ports: ModelServicePorts;
  /** A client learns what its service refuses, so the same way to the same service stays the same client. */
  readonly #clients = new RecentMap<string, ModelClient>(MAX_CLIENTS);
  readonly #healths = new ModelHealths();
  readonly #windows: ModelWindows;
  #local: Promise<readonly LocalServer[]> | undefined;

  constructor(ports: ModelServicePorts) {
    this.#ports = ports;
    this.#windows = new ModelWindows({ log: ports.log, learned: ports.windowsPast, signal: ports.signal });
  }

  async inUse(run?: OpenSession["model"], session?: ModelSelection["session"]): Promise<ModelInUse> {
    const choice = chooseModel({ run, session }, choicePorts(this.#ports));
    const model = await this.#connect(choice);
    return { ...model, fallbacks: choice.offline ? [] : await this.#fallbacks(choice, model.model) };
  }

  async delegated(run?: OpenSession["model"], session?: ModelSelection["session"]): Promise<ModelInUse> {
    const row = objectOf(this.#ports.config.get("delegation"));
    const request = {
      provider: automatic(words(row["provider"])),
      name: words(row["model"]),
      baseUrl: words(row["base_url"]),
    };
    const reasoningEffort = EFFORTS.find((word) => word === row["reasoning_effort"]);
    const effort = reasoningEffort === undefined ? {} : { reasoningEffort };
    if (request.provider === undefined && request.name === undefined && request.baseUrl === undefined)
      return { ...(await this.inUse(run, session)), ...effort };
    // A model alone is another one of the configured provider, with its key.
    const own = request.provider !== undefined || request.baseUrl !== undefined;
    const choice = chooseModel(
      { run: own ? request : { ...run, name: request.name } },
      choicePorts(this.#ports, own ? row : undefined),
    );
    const model = await this.#connect(choice);
    return { ...model, ...effort, fallbacks: choice.offline ? [] : await this.#fallbacks(choice, model.model) };
  }

  async auxiliary(task: string): Promise<Omit<ModelInUse, "fallbacks">> {
    const row = objectOf(this.#ports.config.get(`auxiliary.${task}`));
    const request = {
      provider: automatic(words(row["provider"])),
      name: words(row["model"]),
      baseUrl: words(row["base_url"]),
    };
    // A model alone is another one of the configured provider, with its key.
    const own = request.provider !== undefined || request.baseUrl !== undefined;
    const choice = chooseModel({ run: request }, choicePorts(this.#ports, own ? row : undefined));
    const { id, auxModel } = choice.provider;
    // A service may have a model for this task, unless the user selected one.
    return this.#connect(
      own || request.name !== undefined || auxModel === undefined
        ? choice
        : chooseModel({ run: { provider: id, name: auxModel } }, choicePorts(this.#ports)),
    );
  }

  async current(): ReturnType<ModelService["current"]> {
    const choice = chooseModel({}, choicePorts(this.#ports));
    return {
      provider: choice.name,
      model: choice.model ?? "(the only model of the server)",
      baseUrl: choice.baseUrl ?? choice.provider.baseUrl,
      source: choice.source,
      offline: choice.offline,
      key: choice.apiKey === undefined ? undefined : { origin: choice.keyOrigin, shown: keyEnds(choice.apiKey) },
      notice: choice.offline && choice.source === "no model is configured" ? await this.#noModelNotice() : undefined,
    };
  }

  async contextTokens(model: string): Promise<number> {
    const choice = chooseModel({}, choicePorts(this.#ports));
    return (choice.model === model ? choice.contextLength : undefined) ?? contextTokensOf(model);
  }

  async price(model: string): ReturnType<ModelService["price"]> {
    return listPriceOf(model);
  }

  async providers(): ReturnType<ModelService["providers"]> {
    const ports = choicePorts(this.#ports);
    const known = await Promise.all(
      ports.providers.map(async (provider) => {
        const lack =
          lackOf(() => chooseModel({ run: { provider: provider.id } }, ports)) ?? (await this.#lackHere(provider));
        return {
          id: provider.id,
          label: provider.label,
          keyEnv: provider.keyEnv,
          program: provider.program,
          ready: lack === undefined,
          reason: lack,
          defaultModel: provider.defaultModel,
        };
      }),
    );
    const named = endpointsOf(ports)
      .filter(({ name }) => !ports.providers.some(({ id }) => id === name))
      .map((endpoint) => ({
        id: `custom:${endpoint.name}`,
        label: endpoint.name,
        keyEnv: [endpointKeyName(endpoint, ports)],
        program: false,
        ready: true,
      }));
    return [...known, ...named];
  }

  async fallbacks(): ReturnType<ModelService["fallbacks"]> {
    return Promise.all(
      this.#fallbackRows().map(async (row) => {
        const lack =
          lackOf(() => this.#fallbackChoice(row)) ?? (await this.#lackHere(this.#fallbackChoice(row).provider));
        return {
          provider: words(row["provider"]) ?? "",
          model: words(row["model"]) ?? "",
          lack,
        };
      }),
    );
  }

  findLocal(signal: AbortSignal): Promise<readonly LocalServer[]> {
    return (this.#ports.findLocal ?? findLocalServers)(signal);
  }

  async list(...[provider, signal, unsaved = {}]: Parameters<ModelService["list"]>): Promise<readonly string[]> {
    const choice = chooseModel(
      { run: { provider, baseUrl: unsaved.baseUrl } },
      withKey({ provider, apiKey: unsaved.apiKey }, choicePorts(this.#ports)),
    );
    const found = await this.#ports.slots.use("model", choice.provider.id);
    if (found.listModels === undefined)
      throw new UserError(`${choice.provider.label} does not list its models.`, {
        hint: `Name a model of it: hermes model ${choice.provider.id}/NAME`,
      });
    try {
      return await found.listModels(modelSettings(this.#ports.config, choice, choice.model ?? ""), signal);
    } catch (cause) {
      throw new UserError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  }

  async probe(signal: AbortSignal): Promise<void> {
    const choice = chooseModel({}, choicePorts(this.#ports));
    const found = await this.#ports.slots.use("model", choice.provider.id);
    const settings = modelSettings(this.#ports.config, choice, choice.model ?? "");
    try {
      await (found.probe === undefined ? found.listModels?.(settings, signal) : found.probe(settings, signal));
    } catch (cause) {
      throw new UserError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  }

  async check(choice: Parameters<ModelService["choose"]>[0], signal: AbortSignal): Promise<ModelCheck> {
    return (await import("./check-model.ts")).checkModel(choice, this.#ports, signal);
  }

  async packages(): ReturnType<ModelService["packages"]> {
    return (await import("./model-packages.ts")).modelPackages(this.#ports);
  }

  installPackage(spec: string, signal: AbortSignal): Promise<void> {
    return this.#ports.installPackage(spec, signal);
  }

  async choose(choice: Parameters<ModelService["choose"]>[0]): Promise<void> {
    await keepChoice(choice, choicePorts(this.#ports), this.#ports);
  }

  async #connect(choice: ModelChoice): Promise<Omit<ModelInUse, "fallbacks">> {
    const provider = await this.#ports.slots.use("model", choice.provider.id);
    const model = choice.model ?? (await this.#onlyModel(choice, provider));
    const window = choice.offline ? undefined : this.#windowOf(choice, model, provider);
    const settings = this.#settingsOf(choice, model);
    await this.#prepare(provider, settings);
    const pooled = choice.keys.length > 1;
    const way = JSON.stringify([
      choice.provider.id,
      settings,
      ...(pooled ? [choice.keys, this.#strategy(choice)] : []),
    ]);
    const client =
      this.#clients.get(way) ??
      (pooled
        ? await this.#pool(choice, (apiKey) => {
            const keyOrigin = choice.keys.find(({ key }) => key === apiKey)?.name;
            return provider.connect({ ...settings, apiKey, keyOrigin });
          })
        : provider.connect(settings));
    this.#clients.set(way, client);
    const effort = EFFORTS.find((word) => word === this.#ports.config.get("agent.reasoning_effort"));
    const maxTokens = this.#ports.config.get("model.max_tokens");
    const limits = limitsOf(choice, model, this.#ports.config);
    return {
      client,
      provider: choice.name,
      model,
      contextTokens: window?.tokens ?? choice.contextLength ?? contextTokensOf(model),
      window,
      health: choice.offline ? undefined : this.#healths.of(way),
      reasoningEffort: effort,
      maxOutputTokens: typeof maxTokens === "number" ? maxTokens : undefined,
      limits,
    };
  }

  #windowOf(choice: ModelChoice, model: string, provider: ModelProvider): ModelWindow {
    const address = choice.baseUrl ?? choice.provider.baseUrl;
    const atHand = isAtHand(address) && provider.contextWindow !== undefined;
    return this.#windows.of({
      way: wayOf(choice, model),
      label: choice.provider.label,
      model,
      assumed: contextTokensOf(model),
      configured: choice.contextLength,
      measure: atHand
        ? (signal) => provider.contextWindow!(modelSettings(this.#ports.config, choice, model), signal)
        : undefined,
      states:
        atHand &&
        USUAL_PLACES.some((one) => one.provider === choice.provider.id || String(one.port) === portOf(address)),
    });
  }

  /** With the fields that ask a local server for a window; what the user configured comes last. */
  #settingsOf(choice: ModelChoice, model: string): ModelSettings {
    const settings = modelSettings(this.#ports.config, choice, model);
    const options = this.#windows.optionsOf(wayOf(choice, model));
    return options === undefined ? settings : { ...settings, options: { ...options, ...settings.options } };
  }

  /** A program is not loaded for its key, so it is asked itself. */
  async #lackHere({ id, program }: KnownProvider): Promise<string | undefined> {
    if (!program) return undefined;
    const available = await (await this.#ports.slots.use("model", id)).available?.(this.#ports.probe(id));
    return available?.ok === false ? available.reason : undefined;
  }

  /** Missing packages are requested before a request waits for them. */
  async #prepare(provider: ModelProvider, settings: ModelSettings): Promise<void> {
    try {
      await provider.prepare?.(settings);
    } catch (cause) {
      const { message, hint } = cause as { readonly message: string; readonly hint?: string };
      throw new UserError(message, { cause, exitCode: 78, hint });
    }
  }

  async #pool(choice: ModelChoice, connect: (key: string) => ModelClient): Promise<ModelClient> {
    const { keyPool } = await import("./model-key-pool.ts");
    const { keysPast, log } = this.#ports;
    const past = {
      read: () => keysPast.read()[choice.name] ?? {},
      write: (mine: PoolPast) => keysPast.write({ ...keysPast.read(), [choice.name]: mine }),
    };
    return keyPool({
      service: choice.provider.label,
      keys: choice.keys,
      strategy: this.#strategy(choice),
      connect,
      now: () => Date.now(),
      past,
      told: (text) => log.warning(text),
    });
  }

  #strategy({ name, provider }: ModelChoice): PoolStrategy {
    const requested = objectOf(this.#ports.config.get("credential_pool_strategies"));
    return (words(requested[name]) ?? words(requested[provider.id]) ?? "fill_first") as PoolStrategy;
  }

  /** A server with one model needs no selection; with several the user selects one. */
  async #onlyModel(choice: ModelChoice, provider: ModelProvider): Promise<string> {
    const named = `No model of ${choice.provider.label} is selected`;
    const hint = "Select one with `hermes model` or `hermes config set model.default NAME`.";
    let models: readonly string[];
    try {
      models =
        (await provider.listModels?.(
          modelSettings(this.#ports.config, choice, ""),
          AbortSignal.any([this.#ports.signal, AbortSignal.timeout(5_000)]),
        )) ?? [];
    } catch (cause) {
      throw new UserError(
        `${named}, and its list of models cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
        { hint, exitCode: 78, cause },
      );
    }
    const [only, another] = models;
    if (only !== undefined && another === undefined) return only;
    throw new UserError(`${named}.`, {
      hint:
        models.length === 0
          ? hint
          : `Available: ${models.slice(0, 8).join(", ")}${models.length > 8 ? ", …" : ""}. ${hint}`,
      exitCode: 78,
    });
  }

  /** `fallback_providers`, in order, each way once and never the model itself. A row that cannot work is left out. */
  async #fallbacks(active: ModelChoice, model: string): Promise<ModelInUse["fallbacks"]> {
    const fallbacks: Omit<ModelInUse, "fallbacks">[] = [];
    const seen = new Set([wayOf(active, model)]);
    for (const row of this.#fallbackRows()) {
      try {
        const choice = this.#fallbackChoice(row);
        const next = await this.#connect(choice);
        if (!seen.has(wayOf(choice, next.model))) fallbacks.push(next);
        seen.add(wayOf(choice, next.model));
      } catch (error) {
        if (!(error instanceof UserError)) throw error;
      }
    }
    return fallbacks;
  }

  /** @throws {UserError} It cannot work. */
  #fallbackChoice(row: JsonObject): ModelChoice {
    const [provider, name] = [words(row["provider"]), words(row["model"])];
    if (provider === undefined || name === undefined)
      throw new UserError("An entry of `fallback_providers` needs `provider` and `model`.");
    return chooseModel({ run: { provider, name, baseUrl: words(row["base_url"]) } }, choicePorts(this.#ports, row));
  }

  #fallbackRows(): readonly JsonObject[] {
    const { config } = this.#ports;
    return [config.get("fallback_providers"), config.get("fallback_model")]
      .flatMap((value): readonly (Json | undefined)[] => (Array.isArray(value) ? listOf(value) : [value]))
      .map(objectOf)
      .filter((row) => words(row["provider"]) !== undefined || words(row["model"]) !== undefined);
  }

  async #noModelNotice(): Promise<string> {
    this.#local ??= this.findLocal(this.#ports.signal).catch(() => []);
    const offers = (await this.#local).map(({ name, provider, baseUrl, models }) => {
      const first = models[0];
      const count = models.length === 1 ? "1 model" : `${models.length} models`;
      return ` Found ${name} at ${baseUrl.replace(/\/v1$/, "")} (${count})${first === undefined ? "." : `: \`hermes model ${provider}/${first}\`.`}`;
    });
    return `${NO_MODEL}${offers.join("")}`;
  }
}

function portOf(address: string | undefined): string {
  return address !== undefined && URL.canParse(address) ? new URL(address).port : "";
}

/** Why a turn could not use it now, in a sentence. */
function lackOf(choose: () => ModelChoice): string | undefined {
  try {
    choose();
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** Two servers may serve a model of the same name: the address tells them apart. */
function wayOf({ name, provider, baseUrl }: ModelChoice, model: string): string {
  return JSON.stringify([name, model, baseUrl ?? provider.baseUrl]);
}
