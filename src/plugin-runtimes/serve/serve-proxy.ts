import { duplexPair, type Duplex } from "node:stream";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { PluginContext, PluginGrants } from "../../contract/plugins/plugin.ts";
import type { GuardedProxy } from "../../contract/providers/web.ts";
import { ruleFor } from "../../safety/urls/blocklist.ts";
import { textAt } from "../process/text-at.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** What the plugin says of a proxy as it is asked: the latest counts. */
interface MergeRequest {
  hosts: readonly string[];
  allowPrivate: boolean;
}

interface Opened extends MergeRequest {
  readonly proxy: GuardedProxy;
  /** What was refused and not told yet. */
  readonly refused: string[];
}

interface Connection {
  readonly opened: Opened;
  readonly near: Duplex;
  readonly coming: AsyncIterator<Buffer>;
  /** The proxy is done with it. */
  readonly over: Promise<unknown>;
}

/** What one plugin may have open at a time. */
const MAX_PROXIES = 32;
const MAX_CONNECTIONS = 512;
/** Refusals that wait to be told; of more the latest. */
const MAX_REFUSED = 50;

/**
 * Guarded proxies of a plugin in another process. Each connection of a program is carried over the wire by the plugin's own requests: what
 * it sends is answered once the proxy took it, and what comes it asks for, so that neither side runs ahead of the other.
 */
export class ServedProxies implements Disposable {
  readonly #ctx: PluginContext;
  readonly #granted: PluginGrants | undefined;
  readonly #proxies = new Map<string, Opened>();
  readonly #connections = new Map<string, Connection>();
  #next = 0;
  #over = false;

  constructor(ctx: PluginContext, granted: PluginGrants | undefined) {
    this.#ctx = ctx;
    this.#granted = granted;
  }

  /** `undefined`: that is no question about a proxy. */
  serve(method: string, params: JsonObject): Promise<Json> | undefined {
    switch (method) {
      case "ctx.proxy.open":
        return this.#open(params);
      case "ctx.proxy.connect":
        return this.#connect(params);
      case "ctx.proxy.send":
        return this.#send(params);
      case "ctx.proxy.receive":
        return this.#receive(params);
      case "ctx.proxy.hang_up":
        return this.#hangUp(textAt(params, "connection"));
      case "ctx.proxy.judge":
        return this.#judge(params);
      case "ctx.proxy.close":
        return this.#close(textAt(params, "proxy"));
      default:
        return undefined;
    }
  }

  [Symbol.dispose](): void {
    this.#over = true;
    for (const { proxy } of this.#proxies.values()) proxy[Symbol.dispose]();
    for (const { near } of this.#connections.values()) near.destroy();
    this.#proxies.clear();
    this.#connections.clear();
  }

  async #open(params: JsonObject): Promise<Json> {
    const request = this.#wish(params);
    this.#mayOpen(this.#proxies.size < MAX_PROXIES, `${MAX_PROXIES} proxies`);
    const refused: string[] = [];
    const proxy = await this.#ctx.proxy({
      hosts: () => opened.hosts,
      allowPrivate: () => opened.allowPrivate,
      refused: (words) => void (refused.push(words) > MAX_REFUSED && refused.shift()),
    });
    const opened: Opened = { ...request, proxy, refused };
    // Its process ended while it was opened, and nobody would close it.
    if (this.#over) {
      proxy[Symbol.dispose]();
      return null;
    }
    const id = this.#id();
    this.#proxies.set(id, opened);
    return { proxy: id };
  }

  async #connect(params: JsonObject): Promise<Json> {
    const opened = this.#opened(params);
    this.#mayOpen(this.#connections.size < MAX_CONNECTIONS, `${MAX_CONNECTIONS} connections`);
    const [near, far] = duplexPair();
    near.on("error", () => undefined);
    const id = this.#id();
    this.#connections.set(id, {
      opened,
      near,
      coming: near.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>,
      over: new Promise((resolve) => far.once("close", resolve)),
    });
    opened.proxy.serve(far);
    return { connection: id };
  }

  async #send(params: JsonObject): Promise<Json> {
    const { near, over } = this.#connection(params);
    const { data, end } = params;
    const taken = new Promise<void>((resolve) => {
      if (end === true || near.destroyed || near.writableEnded) near.end(() => resolve());
      else near.write(Buffer.from(String(data ?? ""), "base64"), () => resolve());
    });
    await Promise.race([taken, over]);
    return null;
  }

  async #receive(params: JsonObject): Promise<Json> {
    const { opened, coming } = this.#connection(params);
    const { value, done } = await coming
      .next()
      .catch((): IteratorReturnResult<undefined> => ({ done: true, value: undefined }));
    const refused = opened.refused.splice(0);
    return {
      ...(done === true ? { end: true } : { data: value.toString("base64") }),
      ...definedFields({ refused: refused.length === 0 ? undefined : refused }),
    };
  }

  async #hangUp(id: string): Promise<Json> {
    this.#connections.get(id)?.near.destroy();
    this.#connections.delete(id);
    return null;
  }

  async #judge(params: JsonObject): Promise<Json> {
    const opened = this.#opened(params);
    return (
      (await opened.proxy.judge(textAt(params, "url"), {
        sent: textAt(params, "sent"),
        lookUp: params["look_up"] === true,
      })) ?? null
    );
  }

  async #close(id: string): Promise<Json> {
    const opened = this.#proxies.get(id);
    this.#proxies.delete(id);
    opened?.proxy[Symbol.dispose]();
    for (const [connection, one] of this.#connections) if (one.opened === opened) await this.#hangUp(connection);
    return null;
  }

  #opened(params: JsonObject): Opened {
    const opened = this.#proxies.get(textAt(params, "proxy"));
    if (opened === undefined)
      throw new ToolFailure("not_found", `The plugin "${this.#ctx.id}" asked for a proxy that is closed.`, {
        hint: "Open another one by ctx.proxy().",
      });
    return Object.assign(opened, this.#wish(params));
  }

  #connection(params: JsonObject): Connection {
    const connection = this.#connections.get(textAt(params, "connection"));
    if (connection === undefined)
      throw new ToolFailure(
        "not_found",
        `The plugin "${this.#ctx.id}" asked for a connection of a proxy that is over.`,
      );
    return connection;
  }

  /** A plugin from elsewhere reaches the hosts of its grants, whatever its list says, and no private network. */
  #wish({ hosts, allow_private }: JsonObject): MergeRequest {
    const own = Array.isArray(hosts) ? hosts.map(String) : [];
    if (this.#granted === undefined) return { hosts: own, allowPrivate: allow_private === true };
    if (allow_private === true) throw this.#blocked("may not reach private networks");
    // A proxy is told hosts without ports, so a grant for one port is none here.
    const names = this.#granted.hosts.filter((host) => !/:\d+$/.test(host));
    const both =
      own.length === 0 ? names : own.filter((host) => ruleFor(host.replace(/^\*\./, ""), names) !== undefined);
    if (both.length === 0)
      throw this.#blocked(own.length === 0 ? "was granted no host" : `was not granted ${own.join(", ")}`);
    return { hosts: both, allowPrivate: false };
  }

  #mayOpen(room: boolean, most: string): void {
    if (!room)
      throw new ToolFailure("unavailable", `The plugin "${this.#ctx.id}" has ${most} open, as many as it may.`, {
        hint: "Close those that are not used any more.",
      });
  }

  #blocked(why: string): ToolFailure {
    return new ToolFailure(
      "blocked",
      `The plugin "${this.#ctx.id}" came from elsewhere and ${why}, so there is no proxy to it.`,
      { hint: "Its manifest names the hosts it needs, without a port, in grants.hosts." },
    );
  }

  #id(): string {
    this.#next += 1;
    return String(this.#next);
  }
}
