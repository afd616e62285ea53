import {
  isObject,
  ToolFailure,
  UserError,
  type FetchReply,
  type GuardedFetch,
  type Json,
  type JsonObject,
} from "hermes-agent/plugin";

/** A service that skills come from, under the address that counts here. */
export interface Registry {
  /** Display name. */
  readonly name: string;
  /** Without a slash at its end. */
  readonly url: string;
  /** The user set the address: `skills.registries.ID.url`. */
  readonly setting?: string;
}

export interface RegistryRequest {
  readonly headers?: { readonly [name: string]: string };
  readonly method?: "GET" | "POST";
  readonly signal: AbortSignal;
  readonly maxBytes?: number;
  /** Message if the item does not exist. */
  readonly missing: string;
  /** Message if the service refuses the credentials. */
  readonly refused?: string;
}

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 2_000_000;

export function registryOf(
  id: "github" | "clawhub" | "lobehub",
  name: string,
  official: string,
  settings: JsonObject,
): Registry {
  const registries = settings["registries"];
  const own = isObject(registries) ? registries[id] : undefined;
  const url = isObject(own) ? own["url"] : undefined;
  if (typeof url !== "string" || url === "") return { name, url: official };
  if (!URL.canParse(url))
    throw new UserError(`skills.registries.${id}.url is not a valid URL: ${JSON.stringify(url)}.`, { exitCode: 78 });
  return { name: `${name} (${new URL(url).host})`, url: url.replace(/\/+$/, ""), setting: `registries.${id}.url` };
}

/**
 * One answer of a registry, from its own host alone: a redirect that leads elsewhere is refused. Its words are not
 * repeated.
 * @throws {UserError} for every answer that is none.
 */
export async function askRegistry(
  fetch: GuardedFetch,
  { name, url, setting }: Registry,
  path: string,
  { missing, refused, ...request }: RegistryRequest,
): Promise<Uint8Array> {
  let reply: FetchReply;
  let bytes: Uint8Array;
  try {
    reply = await fetch(`${url}${path}`, {
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      maxRedirects: 3,
      hosts: [new URL(url).hostname],
      setting,
      ...request,
    });
    bytes = await reply.bytes();
  } catch (cause) {
    if (!(cause instanceof ToolFailure)) throw cause;
    throw new UserError(`${name} is not reachable: ${cause.message}`, {
      hint: cause.hint,
      cause,
    });
  }
  const { status, headers } = reply;
  if (status === 200 || status === 201) return bytes;
  if (status === 404) throw new UserError(missing, { exitCode: 2 });
  const wait = Number(headers["retry-after"]);
  const later = Number.isFinite(wait) && wait > 0 ? ` Try again in ${Math.ceil(wait)} s.` : "";
  if (status === 429 || (status === 403 && headers["x-ratelimit-remaining"] === "0"))
    throw new UserError(`${name} received too many requests.${later}`);
  if (status === 401 || status === 403) throw new UserError(refused ?? `${name} denied access (${status}).`);
  throw new UserError(`${name} answered with status ${status}.${later}`);
}

/** @throws {UserError} for what is no JSON. */
export function toJson(bytes: Uint8Array, { name }: Registry): Json {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8")) as Json;
  } catch (cause) {
    throw strange(name, cause);
  }
}

/** The answer is not what the registry's own description says. */
export function strange(name: string, cause?: unknown): UserError {
  return new UserError(`${name} sent an unexpected answer.`, {
    hint: "Its API may have changed, or a proxy answered instead.",
    cause,
  });
}

/** The value of a key that has to be a text. */
export function textAt(value: Json | undefined, key: string): string {
  const found = isObject(value) ? value[key] : undefined;
  return typeof found === "string" ? found : "";
}
