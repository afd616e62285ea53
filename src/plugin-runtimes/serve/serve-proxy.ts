import { duplexPair, type Duplex } from "node:stream";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { PluginContext, PluginGrants } from "../../contract/plugins/plugin.ts";
import type { GuardedProxy } from "../../contract/providers/web.ts";
import { ruleFor } from "../../safety/urls/blocklist.ts";
import { textAt } from "../process/text-at.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/** The plugin's latest settings for a proxy. */
interface MergeRequest {
  hosts: readonly string[];
  allowPrivate: boolean;
}

interface Opened extends MergeRequest {
  readonly proxy: GuardedProxy;
  /** Refusals that were not reported yet. */
  readonly refused: string[];
}

interface Connection {
  readonly opened: Opened;
  readonly near: Duplex;
  readonly coming: AsyncIterator<Buffer>;
  /** The proxy has finished with it. */
  readonly over: Promise<unknown>;
}

/** The maximum number of open ones of one plugin. */
const MAX_PROXIES = 32;
const MAX_CONNECTIONS = 512;
/** Maximum number of unread refusals; the latest are held. */
const MAX_REFUSED = 50;

/**
 * Guarded proxies of a plugin in another process. The plugin carries each connection of a program over the wire with
 * its own requests: it sends data and waits until the proxy took it, and it requests data, so that neither side runs
 * ahead of the other.
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

  /** `undefined`: the request is not about a proxy. */
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
    // The plugin process ended during the opening, so nothing else would close it.
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
      throw new ToolFailure("not_found", `The plugin "${this.#ctx.id}" uses a proxy that is closed.`, {
        hint: "Open another one by ctx.proxy().",
      });
    return Object.assign(opened, this.#wish(params));
  }

  #connection(params: JsonObject): Connection {
    const connection = this.#connections.get(textAt(params, "connection"));
    if (connection === undefined)
      throw new ToolFailure("not_found", `The plugin "${this.#ctx.id}" uses a proxy connection that has ended.`);
    return connection;
  }

  /** A plugin from elsewhere reaches only the hosts of its grants, whatever its list says, and no private network. */
  #wish({ hosts, allow_private }: JsonObject): MergeRequest {
    const own = Array.isArray(hosts) ? hosts.map(String) : [];
    if (this.#granted === undefined) return { hosts: own, allowPrivate: allow_private === true };
    if (allow_private === true) throw this.#blocked("may not connect to private networks");
    // A proxy matches hosts without ports, so a grant for one port does not count here.
    const names = this.#granted.hosts.filter((host) => !/:\d+$/.test(host));
    const both =
      own.length === 0 ? names : own.filter((host) => ruleFor(host.replace(/^\*\./, ""), names) !== undefined);
    if (both.length === 0)
      throw this.#blocked(own.length === 0 ? "has no granted host" : `has no grant for ${own.join(", ")}`);
    return { hosts: both, allowPrivate: false };
  }

  #mayOpen(room: boolean, most: string): void {
    if (!room)
      throw new ToolFailure("unavailable", `The plugin "${this.#ctx.id}" already has ${most} open, the maximum.`, {
        hint: "Close those that are no longer needed.",
      });
  }

  #blocked(why: string): ToolFailure {
    return new ToolFailure(
      "blocked",
      `Cannot open a proxy for the plugin "${this.#ctx.id}": it is not your own and ${why}.`,
      { hint: "List the hosts it needs, without a port, in the manifest's grants.hosts." },
    );
  }

  #id(): string {
    this.#next += 1;
    return String(this.#next);
  }
}
