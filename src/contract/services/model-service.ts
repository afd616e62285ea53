export interface ModelService {
  /** The model that a turn would use now, and why. */
  current(): Promise<{
    readonly provider: string;
    readonly model: string;
    readonly baseUrl: string | undefined;
    readonly source: string;
    readonly offline: boolean;
    /** The variable or setting with the key, and the ends of the key, to recognize it. Absent: it has no key. */
    readonly key?: { readonly origin: string; readonly shown: string };
    /** A message to show once: no model is configured, and how to connect one. */ readonly notice?: string;
  }>;
  /** How much a model of that name reads, as configured for the current one, else as its name says. */
  contextTokens(model: string): Promise<number>;
  /** The list price of a model in USD for a million tokens; `undefined`: unknown. */
  price(model: string): Promise<ListPrice | undefined>;
  providers(): Promise<
    readonly {
      readonly id: string;
      readonly label: string;
      readonly keyEnv: readonly string[];
      readonly program: boolean;
      readonly ready: boolean;
      readonly reason?: string;
      /** The model to use unless the user selects another. */
      readonly defaultModel?: string;
    }[]
  >;
  /** Fallback models, in order, for when the model fails permanently; `lack` says why one cannot be used. */
  fallbacks(): Promise<readonly { readonly provider: string; readonly model: string; readonly lack?: string }[]>;
  /** OpenAI-compatible servers that answer on their usual local ports. */
  findLocal(signal: AbortSignal): Promise<
    readonly {
      readonly name: string;
      /** Id of its provider. */ readonly provider: string;
      readonly baseUrl: string;
      readonly models: readonly string[];
    }[]
  >;
  /** The models of a provider. `unsaved`: a key and an address that are not saved yet. */
  list(
    provider: string,
    signal: AbortSignal,
    unsaved?: { readonly apiKey?: string; readonly baseUrl?: string },
  ): Promise<readonly string[]>;
  /** Whether the service of the current model answers and takes the key. @throws {UserError} that says why not. */
  probe(signal: AbortSignal): Promise<void>;
  /** Whether a choice can answer, by one small request. Saves nothing. */
  check(choice: Parameters<ModelService["choose"]>[0], signal: AbortSignal): Promise<ModelCheck>;
  /** The provider packages that the configuration names, and which of them Hermes cannot load. */
  packages(): Promise<readonly ModelPackage[]>;
  /**
   * Installs a provider package (`NAME` or `NAME@VERSION`) into the agent's home, without running its code.
   * @throws {UserError} It cannot be installed.
   */
  installPackage(spec: string, signal: AbortSignal): Promise<void>;
  choose(choice: {
    readonly provider: string;
    readonly model: string;
    readonly baseUrl?: string;
    readonly apiKey?: string;
  }): Promise<void>;
}

/** USD for a million tokens. */
export interface ListPrice {
  readonly inputUsd: number;
  readonly outputUsd: number;
}

/** A provider package that the configuration names. */
export interface ModelPackage {
  readonly name: string;
  /** Paths of the settings that name it, e.g. `auxiliary.vision.package`. */
  readonly settings: readonly string[];
  /** Why Hermes cannot load it, in a sentence. */
  readonly lack?: string;
  readonly hint?: string;
}

export type ModelCheck =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** It cannot answer as chosen. Otherwise the service may answer later. */
      readonly certain: boolean;
      readonly reason: string;
      /** Names of models that the service does have. */
      readonly near?: readonly string[];
    };
