import {
  wellFormedJson,
  type JsonObject,
  type ModelEvent,
  type ModelFailure,
  type ModelRequest,
  type ModelSettings,
} from "hermes-agent/plugin";
import type { ProxyAccess } from "./agents.ts";
import type { Asked } from "./failure.ts";
import { spelled } from "./spelled.ts";

/** A model service: its URL and its environment variables. */
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
  /** The way out by the user's variables. */
  readonly proxy: ProxyAccess;
  /** What the service refused, by model; it is not sent again. */
  readonly refused: Map<string, Set<string>>;
  /** Shows the user what a model cannot do. */
  readonly warn?: (text: string) => void;
}

/** The exports of every wire's `client.ts`, which loads with the first request. */
export interface WireModule<Row extends Service> {
  /** Streams one answer. Ends with exactly one `end`; never throws for the service's or the network's sake. */
  stream(connection: Connection<Row>, request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Ids of the models the service offers. Rejects with a sentence. */
  listModels(connection: Connection<Row>, signal: AbortSignal): Promise<readonly string[]>;
  /** Installs what the wire needs. Rejects with advice. */
  prepare?(): Promise<void>;
}

/** The service and model for failure messages. */
export function askedOf({ row, settings }: Connection, model: string): Asked {
  return {
    service: settings.service ?? row.label,
    model,
    keyEnv: row.keyEnv,
    keyOrigin: settings.keyOrigin,
    key: settings.apiKey?.trim() || undefined,
  };
}

/** The failure of a service that needs a key and would get none. */
export async function lackOfKey({ row, settings }: Connection, asked: Asked): Promise<ModelFailure | undefined> {
  const carried = Object.keys(settings.headers ?? {}).some((name) => /^(authorization|api-key|x-api-key)$/i.test(name));
  return asked.key !== undefined || row.keyless === true || carried
    ? undefined
    : (await import("./failure.ts")).failureOf({ codes: "authentication", message: "There is no key" }, asked);
}

/** What the service refused for a model. */
export function refusedBy({ refused }: Pick<Connection, "refused">, model: string): ReadonlySet<string> {
  return refused.get(model) ?? NONE;
}

const NONE: ReadonlySet<string> = new Set();

/** The body as text with whole characters, after the service's description has changed it. */
export async function bodyText({ settings }: Connection, body: JsonObject, sessionId: string): Promise<string> {
  return wellFormedJson(spelled(settings.reshape === undefined ? body : await settings.reshape(body, { sessionId })));
}

/** @param pathOf Makes a resource's path from the base URL's. A base URL that is none is left for `send` to name. */
export function addressOf({ baseUrl = "" }: Connection, pathOf: (path: string) => string): string {
  if (!URL.canParse(baseUrl)) return baseUrl;
  const url = new URL(baseUrl);
  url.pathname = pathOf(url.pathname.replace(/\/+$/, ""));
  return url.href;
}

/** `forService` may say more than every request says, and configuration has the last word. */
export function headersOf(
  { settings }: Connection,
  forService: { readonly [name: string]: string },
): Record<string, string> {
  const configured = Object.entries(settings.headers ?? {}).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return {
    "content-type": "application/json",
    accept: "text/event-stream, application/json",
    "user-agent": "hermes-agent",
    ...forService,
    ...Object.fromEntries(configured),
  };
}
