import { objectOf, type Json, type JsonObject } from "hermes-agent/plugin";

/** One server of `mcp_servers`, parsed. Times in milliseconds. */
export interface ServerEntry {
  readonly name: string;
  /** Another server's name is so similar that their tools could have the same names for the model. */
  readonly similar: boolean;
  readonly place: StdioPlace | HttpPlace;
  readonly timeoutMs: number;
  readonly connectMs: number;
  readonly idleMs: number | undefined;
  readonly parallel: boolean;
  readonly trusted: boolean;
  readonly filter: ToolFilter;
  readonly elicitation: { readonly enabled: boolean; readonly timeoutMs: number };
  readonly sampling: {
    readonly enabled: boolean;
    readonly model: string | undefined;
    readonly maxTokens: number;
    readonly timeoutMs: number;
    readonly perMinute: number;
  };
}

export interface StdioPlace {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: { readonly [name: string]: string };
  readonly cwd: string | undefined;
}

export interface HttpPlace {
  readonly kind: "http";
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly sse: boolean;
  readonly oauth: OAuthSettings | undefined;
}

/** OAuth settings that the server does not provide. Without an ID, Hermes registers a client. */
export interface OAuthSettings {
  readonly clientId: string | undefined;
  readonly clientSecret: string | undefined;
  readonly clientName: string;
  readonly scope: string | undefined;
  /** Port of the redirect URI; 0 is any free port. */
  readonly redirectHost: string;
  readonly redirectPort: number;
  readonly redirectUri: string | undefined;
  readonly timeoutMs: number;
}

/** By the server's own names. `include` overrides `exclude`. */
export interface ToolFilter {
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly resources: boolean;
  readonly prompts: boolean;
}

export type ReadEntry =
  | { readonly kind: "server"; readonly entry: ServerEntry }
  | { readonly kind: "off"; readonly name: string }
  | { readonly kind: "wrong"; readonly name: string; readonly reason: string };

const NAME = /^[A-Za-z0-9_-]{1,40}$/;
/** Settings of the original that this client does not support. */
const REFUSED = {
  client_cert: "client certificates are not supported",
  client_key: "client certificates are not supported",
} as const;

/** Every server of the section. An invalid entry has its reason and does not affect the others. */
export function readEntries(section: JsonObject): readonly ReadEntry[] {
  const names = Object.keys(section);
  return Object.entries(section).map(([name, value]) => readEntry(name, value as Json, names));
}

/** @param all The names of all servers, also of those that are off: names of tools must not depend on that. */
export function readEntry(name: string, value: Json, all: readonly string[] = []): ReadEntry {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { kind: "wrong", name, reason: "its entry is not a map" };
  const given = value as JsonObject;
  if (given["enabled"] === false) return { kind: "off", name };
  if (!NAME.test(name)) return { kind: "wrong", name, reason: "a name must have 1 to 40 letters, digits, _ or -" };
  const place = placeOf(given);
  if (typeof place === "string") return { kind: "wrong", name, reason: place };
  const { elicitation, sampling } = {
    elicitation: objectOf(given["elicitation"]),
    sampling: objectOf(given["sampling"]),
  };
  const lifecycle = objectOf(given["lifecycle"]);
  const idle = given["idle_timeout_seconds"] ?? lifecycle["idle_timeout_seconds"];
  return {
    kind: "server",
    entry: {
      name,
      similar: all.some((other) => other !== name && isSimilar(name, other)),
      place,
      timeoutMs: ms(given["timeout"], 300),
      connectMs: ms(given["connect_timeout"], 60),
      idleMs: typeof idle === "number" && idle > 0 ? idle * 1000 : undefined,
      parallel: given["supports_parallel_tool_calls"] === true,
      trusted: given["trusted"] === true,
      filter: filterOf(objectOf(given["tools"])),
      elicitation: { enabled: elicitation["enabled"] !== false, timeoutMs: ms(elicitation["timeout"], 300) },
      sampling: {
        enabled: sampling["enabled"] === true,
        model: typeof sampling["model"] === "string" ? sampling["model"] : undefined,
        maxTokens: numberOf(sampling["max_tokens_cap"], 4096),
        timeoutMs: ms(sampling["timeout"], 30),
        perMinute: numberOf(sampling["max_rpm"], 10),
      },
    },
  };
}

/** Of two similar servers, the one whose tools need other names: decided by the names alone, not by who is first. */
function isSimilar(name: string, other: string): boolean {
  const [own, its] = [name.replaceAll("-", "_"), other.replaceAll("-", "_")];
  return own === its ? own !== name : own.startsWith(`${its}__`);
}

/** The command or URL of the server in one line, without its variables or headers. */
export function shownPlace({ place }: Pick<ServerEntry, "place">): string {
  return place.kind === "http"
    ? place.url
    : [place.command, ...place.args]
        .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word)))
        .join(" ");
}

function placeOf(given: JsonObject): ServerEntry["place"] | string {
  const { command, url } = given;
  if (command !== undefined && url !== undefined) return "it has both a command and a url";
  if (typeof command === "string" && command.trim() !== "") {
    return {
      kind: "stdio",
      command: command.trim(),
      args: listOf(given["args"]),
      env: textsOf(given["env"]),
      cwd: typeof given["cwd"] === "string" ? given["cwd"] : undefined,
    };
  }
  if (typeof url !== "string" || url.trim() === "") return "it has neither a command nor a url";
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) return `its url is not an http or https URL`;
  for (const [key, reason] of Object.entries(REFUSED)) if (given[key] !== undefined) return reason;
  if (given["ssl_verify"] !== undefined && given["ssl_verify"] !== true)
    return "certificate checks cannot be turned off; use NODE_EXTRA_CA_CERTS to add certificate authorities";
  const auth = given["auth"] ?? "none";
  const signsIn = auth === "oauth" || objectOf(auth)["type"] === "oauth";
  if (!signsIn && auth !== "none" && auth !== "header") return "its auth is neither oauth nor header";
  return {
    kind: "http",
    url,
    headers: textsOf(given["headers"]),
    sse: given["transport"] === "sse",
    oauth: signsIn ? oauthOf({ ...objectOf(auth), ...objectOf(given["oauth"]) }) : undefined,
  };
}

function oauthOf(given: JsonObject): OAuthSettings {
  const text = (key: string): string | undefined =>
    typeof given[key] === "string" && given[key] !== "" ? given[key] : undefined;
  return {
    clientId: text("client_id"),
    clientSecret: text("client_secret"),
    clientName: text("client_name") ?? "Hermes Agent",
    scope: text("scope"),
    redirectHost: text("redirect_host") ?? "127.0.0.1",
    redirectPort: numberOf(given["redirect_port"], 0),
    redirectUri: text("redirect_uri"),
    timeoutMs: ms(given["timeout"], 300),
  };
}

function filterOf(tools: JsonObject): ToolFilter {
  return {
    include: listOf(tools["include"]),
    exclude: listOf(tools["exclude"]),
    resources: tools["resources"] !== false,
    prompts: tools["prompts"] !== false,
  };
}

/** Whether to offer the tool with this name of the server. */
export function passes({ include, exclude }: ToolFilter, tool: string): boolean {
  if (include.length > 0) return include.some((pattern) => matches(pattern, tool));
  return !exclude.some((pattern) => matches(pattern, tool));
}

function matches(pattern: string, name: string): boolean {
  if (!/[*?]/.test(pattern)) return pattern === name;
  return new RegExp(
    `^${pattern
      .replaceAll(/[.+^${}()|[\]\\]/g, "\\$&")
      .replaceAll("*", ".*")
      .replaceAll("?", ".")}$`,
  ).test(name);
}

function listOf(value: Json | undefined): readonly string[] {
  return typeof value === "string" ? [value] : Array.isArray(value) ? value.map(String) : [];
}

function textsOf(value: Json | undefined): { readonly [name: string]: string } {
  return Object.fromEntries(Object.entries(objectOf(value)).map(([name, text]) => [name, String(text)]));
}

function numberOf(value: Json | undefined, otherwise: number): number {
  return typeof value === "number" && value > 0 ? value : otherwise;
}

function ms(value: Json | undefined, otherwise: number): number {
  return numberOf(value, otherwise) * 1000;
}
