import { duplexPair, type Duplex } from "node:stream";
import { ToolFailure } from "../contract/failure.ts";
import { isObject } from "../contract/is-object.ts";
import type { GuardedFetch, GuardedProxy, OpenProxy } from "../contract/web.ts";
import { DevTools } from "./dev-tools.ts";
import { readHead } from "./read-head.ts";
import { WebSocketClient } from "./web-socket.ts";

/** A browser that a service runs for the agent alone, as a provider of the slot `browser` opened it. */
export interface ServiceBrowser {
  /** What people call the service. */
  readonly name: string;
  /** Its DevTools address. It may hold a key: no sentence repeats it. */
  readonly url: string;
  /** Hosts that alone the address may name, `host` or `host:port`. Absent: every public one. */
  readonly hosts?: readonly string[];
  /** Asks an `https:` address for the browser's own. */
  readonly fetch: GuardedFetch;
}

const CONNECT_MS = 30_000;
const ALIVE_MS = 20_000;
/** Of one message. */
const MOST_BYTES = 64_000_000;

/**
 * Its DevTools, over a connection that the guard dialled: the address that was judged is the one that is spoken to. What is sent is searched
 * for stored secrets first, since a service reads it. Not by `ctx.socket`, which refuses an address with a key in it: a session's holds one of its own.
 * @throws {ToolFailure} `unavailable` or `blocked`, in words without the address.
 */
export async function connectToService(service: ServiceBrowser, proxy: OpenProxy): Promise<DevTools> {
  const url = await socketOf(service);
  const guard = await proxy({ hosts: () => [url.hostname] });
  const tools = new DevTools();
  void tools.closed.then(() => guard[Symbol.dispose]());
  const late = setTimeout(() => tools.lost(`${service.name} did not let the connection be made within ${CONNECT_MS / 1000} s.`), CONNECT_MS);
  try {
    const socket = await Promise.race([connect(), tools.closed.then(() => Promise.reject(new ToolFailure("unavailable", `${service.name}: the connection to its browser was not made in time.`)))]);
    tools.attach({ send: searched(socket, guard, url), close: () => socket.close() });
    return tools;
  } catch (cause) {
    tools.lost("There was no connection.");
    if (!(cause instanceof ToolFailure)) throw cause;
    throw new ToolFailure(cause.code, `${service.name}'s browser cannot be spoken to: ${cause.message}`, { cause });
  } finally {
    clearTimeout(late);
  }

  async function connect(): Promise<WebSocketClient> {
    const connection = await dial(url, guard);
    const lost = (reason: string) => tools.lost(`The connection to ${service.name}'s browser is gone: ${reason}. Its time there may be over.`);
    return WebSocketClient.open(connection, { url, maxBytes: MOST_BYTES, aliveMs: ALIVE_MS, message: (text) => tools.take(text), lost });
  }
}

/** One after the other, as they were sent. */
function searched(socket: WebSocketClient, guard: GuardedProxy, url: URL): (text: string) => Promise<void> {
  let before: Promise<unknown> = Promise.resolve();
  return (text) => {
    const sent = before.then(async () => {
      const reason = await guard.judge(originOf(url), { sent: text, lookUp: false });
      if (reason !== undefined) throw new ToolFailure("blocked", reason);
      socket.send(text);
    });
    before = sent.catch(() => undefined);
    return sent;
  };
}

async function dial(url: URL, guard: GuardedProxy): Promise<Duplex> {
  const reason = await guard.judge(originOf(url), { lookUp: true });
  if (reason !== undefined) throw new ToolFailure("blocked", reason, { hint: "One on this machine or its networks needs security.allow_private_urls." });
  const [ours, theirs] = duplexPair();
  guard.serve(theirs);
  const place = `${url.hostname}:${url.port === "" ? (url.protocol === "wss:" ? 443 : 80) : url.port}`;
  ours.write(`CONNECT ${place} HTTP/1.1\r\nhost: ${place}\r\n\r\n`);
  const { status } = await readHead(ours);
  if (status !== 200) {
    ours.destroy();
    throw new ToolFailure("unavailable", `${url.host} cannot be reached.`);
  }
  return url.protocol === "wss:" ? sealed(ours, url) : ours;
}

function sealed(connection: Duplex, { hostname, host }: URL): Promise<Duplex> {
  const { promise, resolve, reject } = Promise.withResolvers<Duplex>();
  const isAddress = hostname.startsWith("[") || /^[\d.]+$/.test(hostname);
  const secure = process.getBuiltinModule("node:tls").connect({ socket: connection, ...(isAddress ? { host: hostname } : { servername: hostname }) });
  secure.once("secureConnect", () => resolve(secure));
  secure.on("error", (cause: NodeJS.ErrnoException) => reject(new ToolFailure("unavailable", `${host} cannot be reached (${cause.code ?? "closed"}).`)));
  secure.once("close", () => reject(new ToolFailure("unavailable", `${host} closed the connection.`)));
  return promise;
}

/** Where the browser itself is spoken to. */
async function socketOf({ name, url: text, hosts, fetch }: ServiceBrowser): Promise<URL> {
  const given = judged(text);
  if (/^wss?:$/.test(given.protocol)) return given;
  const reply = await fetch(new URL("/json/version" + given.search, given).href, { hosts: [given.hostname], maxRedirects: 0, timeoutMs: CONNECT_MS, maxBytes: 1_000_000 });
  const said = reply.status === 200 ? await reply.json() : undefined;
  const address = isObject(said) ? said["webSocketDebuggerUrl"] : undefined;
  if (typeof address !== "string") throw new ToolFailure("unavailable", `${name} does not say where its browser is spoken to (${reply.status}).`);
  const socket = judged(address);
  if (given.protocol === "https:" && socket.protocol !== "wss:") throw new ToolFailure("blocked", `${name} names an unsealed connection to its browser.`);
  return socket;

  function judged(one: string): URL {
    const url = URL.parse(one);
    if (url === null || !/^(?:wss?|https?):$/.test(url.protocol)) throw new ToolFailure("unavailable", `${name} names no address at which its browser is spoken to.`);
    if (hosts !== undefined && !hosts.some((host) => belongsTo(url, host))) throw new ToolFailure("blocked", `${name} names a browser on ${url.host}, which its plugin was not granted.`, { hint: hosts.length === 0 ? "Its manifest names the hosts it needs in grants.hosts." : `It may be on: ${hosts.join(", ")}.` });
    return url;
  }
}

function belongsTo({ hostname, host }: URL, allowed: string): boolean {
  const name = allowed.replace(/^\*\./, "");
  return /:\d+$/.test(name) ? host === name : (!allowed.startsWith("*.") && hostname === name) || hostname.endsWith(`.${name}`);
}

/** Without its path, in which a key may stand. */
function originOf({ protocol, host }: URL): string {
  return `${protocol === "wss:" ? "https" : "http"}://${host}/`;
}
