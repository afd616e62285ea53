import type { ModelEvent, ModelRequest, ModelSettings } from "hermes-agent/plugin";

/** A service that serves models: where it is and which variables speak for it. */
export interface Service {
  readonly id: string;
  readonly label: string;
  readonly aliases?: readonly string[];
  readonly keyEnv: readonly string[];
  readonly baseUrlEnv?: string;
  /** Absent when only the configuration can say. */
  readonly baseUrl?: string;
  readonly defaultModel?: string;
  /** Works without a key, so it is never ruled out, and never chosen, for the sake of one. */
  readonly keyless?: true;
}

/** One way to one service, as long as its client lives. */
export interface Connection<Row extends Service = Service> {
  readonly row: Row;
  readonly settings: ModelSettings;
  readonly baseUrl: string | undefined;
  /** `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY` as the person set them. */
  readonly proxy: { readonly [name: string]: string };
  /** Fields this service refused by name; they are not sent again. */
  readonly refused: Set<string>;
}

/** What every wire's `client.ts` exports. It is loaded with the first request. */
export interface WireModule<Row extends Service> {
  /** Streams one answer. Ends with exactly one `end`; never throws for the service's or the network's sake. */
  stream(connection: Connection<Row>, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Ids of the models the service offers. Rejects with a sentence. */
  listModels(connection: Connection<Row>, signal: AbortSignal): Promise<readonly string[]>;
}
