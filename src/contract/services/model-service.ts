export interface ModelService {
  /** The model that a turn would use now, and why. */
  current(): Promise<{
    readonly provider: string;
    readonly model: string;
    readonly baseUrl: string | undefined;
    readonly source: string;
    readonly offline: boolean;
    /** A message to show once: no model is configured, and how to connect one. */ readonly notice?: string;
  }>;
  /** How much a model of that name reads, as configured for the current one, else as its name says. */
  contextTokens(model: string): Promise<number>;
  providers(): Promise<
    readonly {
      readonly id: string;
      readonly label: string;
      readonly keyEnv: readonly string[];
      readonly program: boolean;
      readonly ready: boolean;
      readonly reason?: string;
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
  list(provider: string, signal: AbortSignal): Promise<readonly string[]>;
  /** Whether the service of the current model answers and takes the key. @throws {UserError} that says why not. */
  probe(signal: AbortSignal): Promise<void>;
  /** Whether a choice can answer, by one small request. Saves nothing. */
  check(choice: Parameters<ModelService["choose"]>[0], signal: AbortSignal): Promise<ModelCheck>;
  choose(choice: {
    readonly provider: string;
    readonly model: string;
    readonly baseUrl?: string;
    readonly apiKey?: string;
  }): Promise<void>;
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
