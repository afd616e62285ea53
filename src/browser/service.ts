import { ToolFailure } from "../contract/common/failure.ts";
import { isObject } from "../contract/common/is-object.ts";
import type { GuardedFetch, OpenSocket } from "../contract/providers/web.ts";
import type { DevTools } from "./dev-tools.ts";
import { overSocket } from "./over-socket.ts";

/** A browser that a service runs for the agent alone, as a provider of the slot `browser` opened it. */
export interface ServiceBrowser {
  /** Display name of the service. */
  readonly name: string;
  /** Name of the provider in the slot. */
  readonly provider: string;
  /** DevTools address of the browser. It may contain a key, so no message repeats it. */
  readonly url: string;
  /** Hosts that alone the address may name, `host` or `host:port`. Absent: every public one. */
  readonly hosts?: readonly string[];
  /** Asks an `https:` address for the browser's WebSocket address. */
  readonly fetch: GuardedFetch;
}

const CONNECT_MS = 30_000;
const ALIVE_MS = 20_000;
/** Largest size of one DevTools message. */
const MAX_BYTES = 64_000_000;

/**
 * Connects to the DevTools of a browser service. The connection goes only to the checked address and refuses secrets.
 * @throws {ToolFailure} `unavailable` or `blocked`, in words without the address.
 */
export async function connectToService(service: ServiceBrowser, openSocket: OpenSocket): Promise<DevTools> {
  const { name, provider } = service;
  const url = await socketOf(service);
  try {
    const socket = await openSocket(url.href, {
      signed: { slot: "browser", provider },
      timeoutMs: CONNECT_MS,
      keepAliveMs: ALIVE_MS,
      maxMessageBytes: MAX_BYTES,
    });
    return overSocket(
      socket,
      (why) => `The connection to ${name}'s browser is lost: ${why}. The session may have expired.`,
    );
  } catch (cause) {
    if (!(cause instanceof ToolFailure)) throw cause;
    throw new ToolFailure(
      cause.code === "blocked" ? "blocked" : "unavailable",
      `${name}'s browser is unreachable: ${cause.message}`,
      { cause },
    );
  }
}

/** Where the browser itself is spoken to. */
async function socketOf({ name, url: text, hosts, fetch }: ServiceBrowser): Promise<URL> {
  const given = judged(text);
  if (/^wss?:$/.test(given.protocol)) return given;
  const reply = await fetch(new URL("/json/version" + given.search, given).href, {
    hosts: [given.hostname],
    maxRedirects: 0,
    timeoutMs: CONNECT_MS,
    maxBytes: 1_000_000,
  });
  const message = reply.status === 200 ? await reply.json() : undefined;
  const address = isObject(message) ? message["webSocketDebuggerUrl"] : undefined;
  if (typeof address !== "string")
    throw new ToolFailure("unavailable", `${name} does not give the address of its browser (${reply.status}).`);
  const socket = judged(address);
  if (given.protocol === "https:" && socket.protocol !== "wss:")
    throw new ToolFailure("blocked", `${name} gives an unencrypted address for its browser.`);
  return socket;

  function judged(one: string): URL {
    const url = URL.parse(one);
    if (url === null || !/^(?:wss?|https?):$/.test(url.protocol))
      throw new ToolFailure("unavailable", `${name} gives no valid address for its browser.`);
    if (hosts !== undefined && !hosts.some((host) => belongsTo(url, host)))
      throw new ToolFailure("blocked", `${name} gives a browser on ${url.host}, which its plugin may not contact.`, {
        hint:
          hosts.length === 0
            ? "The plugin's manifest must list the hosts in grants.hosts."
            : `Allowed hosts: ${hosts.join(", ")}.`,
      });
    return url;
  }
}

function belongsTo({ hostname, host }: URL, allowed: string): boolean {
  const name = allowed.replace(/^\*\./, "");
  return /:\d+$/.test(name)
    ? host === name
    : (!allowed.startsWith("*.") && hostname === name) || hostname.endsWith(`.${name}`);
}
