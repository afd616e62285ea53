import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Plugin, PluginContext, PluginGrants } from "../../contract/plugins/plugin.ts";
import { onAbort } from "../../engine/async/on-abort.ts";
import type { CallOptions, PluginScope } from "./call-scope.ts";
import { HostGone } from "./host-gone.ts";
import type { HostProcess } from "./host-process.ts";
import { BREACH } from "../../host/plugins/registry/contract-breach.ts";
import { noteReads } from "../../host/plugins/discovery/variables-read.ts";
import { PeerError } from "./peer.ts";
import { ServedReturns } from "../serve/serve-browser-return.ts";
import { serveContext } from "../serve/serve-context.ts";
import { serveServices } from "../serve/serve-services.ts";
import { ServedProxies } from "../serve/serve-proxy.ts";
import { thrownThere } from "./thrown-there.ts";

/** What one kind of host does its own way. */
export interface Dialect {
  /** Puts one registration of the plugin into the agent. */
  register(message: JsonObject, ctx: PluginContext, remote: RemotePlugin): void;
  /** Answers what only its plugins ask; `undefined` leaves it to what all may ask. */
  serve?(
    method: string,
    params: JsonObject,
    ctx: PluginContext,
    remote: RemotePlugin,
    signal: AbortSignal | undefined,
  ): Promise<Json> | undefined;
  /** What only its plugins tell. */
  take?(method: string, params: JsonObject, remote: RemotePlugin): void;
  /** The plugin is loaded into a process, which knows nothing of an earlier one. */
  begin?(remote: RemotePlugin): void;
}

export interface RemotePorts {
  readonly key: string;
  readonly log: Logger;
  readonly dialect: Dialect;
  /** What a plugin from elsewhere was granted; `undefined`: it is the person's own. */
  readonly granted: PluginGrants | undefined;
  /** How long importing it and `register` may take. */
  readonly registerMs: number;
  /** A process that runs, or has yet to be started. */
  process(): HostProcess;
  /** Parameters of `plugin.load`. */
  loading(ctx: PluginContext): JsonObject;
  /** Nobody needs the process for this plugin any more. */
  left(process: HostProcess): Promise<void>;
}

interface Opened {
  readonly proxies: ServedProxies;
  readonly returns: ServedReturns;
}

/** How often those who wait for it are told. */
const REPORT_MS = 2_000;
/** Waits after the first, second, ... fault. A further one, and the plugin rests until the agent is started again. */
const RESTS_MS = [0, 1_000, 5_000, 30_000];
/** Faults longer ago than this are forgotten. */
const FORGET_MS = 600_000;

/**
 * A plugin that runs in another process, as one that runs here: its `register` makes the registrations whose handlers are calls over the
 * wire. When the process ends they go on to be valid: the next call starts another process and loads the plugin again.
 */
export class RemotePlugin implements PluginScope {
  readonly key: string;
  readonly log: Logger;
  /** What it was granted, where it came from elsewhere. */
  readonly granted: PluginGrants | undefined;
  readonly #ports: RemotePorts;
  readonly #known = new Set<string>();
  readonly #faults: { readonly at: number; readonly reason: string }[] = [];
  readonly #depending = new Set<(reason: string) => void>();
  #ctx: PluginContext | undefined;
  #open: Opened | undefined;
  #live: { readonly process: HostProcess; readonly loaded: Promise<void>; known?: true } | undefined;
  /** What the first loading registered so far. */
  #loading: JsonObject[] | undefined = [];

  constructor(ports: RemotePorts) {
    this.#ports = ports;
    this.granted = ports.granted;
    this.key = ports.key;
    this.log = ports.log;
  }

  readonly register: Plugin = async (ctx) => {
    this.#ctx = ctx;
    ctx.onUnload(() => this.#leave());
    await this.#ready();
    for (const params of this.#loading ?? []) this.#put(params, ctx);
    this.#loading = undefined;
  };

  /**
   * Calls the plugin. Rejects with {@link ToolFailure} when its process is gone or rests, with `PeerError` as the plugin failed, and
   * with the signal's reason.
   */
  async call(method: string, params: JsonObject, options: Omit<CallOptions, "plugin"> = {}): Promise<Json> {
    try {
      const process = await this.#readyFor(options);
      return await process.call(method, params, { ...options, plugin: this.key });
    } catch (cause) {
      if (!(cause instanceof HostGone)) throw cause;
      throw new ToolFailure("plugin_gone", `The plugin "${this.key}" did not answer: ${cause.message}.`, {
        hint: "Whether it did something is not known. It is started again when it is next needed.",
        cause,
      });
    }
  }

  notify(method: string, params: JsonObject): void {
    this.#live?.process.notify(method, params);
  }

  serve(
    method: string,
    params: JsonObject,
    call: CallOptions | undefined,
  ): Json | undefined | Promise<Json | undefined> {
    const { granted, dialect } = this.#ports;
    const ctx = this.#ctx!;
    return (
      dialect.serve?.(method, params, ctx, this, call?.signal) ??
      this.#opened(ctx).proxies.serve(method, params) ??
      this.#opened(ctx).returns.serve(method, params, call) ??
      serveServices(method, params, ctx, granted, call) ??
      serveContext(method, params, ctx, granted, call)
    );
  }

  take(method: string, params: JsonObject): void {
    if (method === "register") return this.#register(params);
    if (method !== "log") return this.#ports.dialect.take?.(method, params, this);
    const level = params["level"];
    const write = level === "debug" || level === "warning" || level === "error" ? level : "info";
    this.log[write](
      String(params["message"]),
      typeof params["detail"] === "object" && params["detail"] !== null ? (params["detail"] as JsonObject) : {},
    );
  }

  fault(reason: string): void {
    const now = performance.now();
    const recent = this.#faults.filter(({ at }) => now - at < FORGET_MS);
    this.#faults.splice(0, Infinity, ...recent, { at: now, reason });
    this.log.error(`The plugin "${this.key}" took its process along: ${reason}.`, BREACH);
  }

  gone(reason: string): void {
    this.#close();
    const output = [...this.#depending];
    this.#depending.clear();
    for (const report of output) report(reason);
  }

  /** Told once, when the process ends by itself: for whoever holds something that lives in it. */
  whenGone(report: (reason: string) => void): void {
    this.#depending.add(report);
  }

  /** What it opens here and has to be closed when its process ends. */
  #opened(ctx: PluginContext): Opened {
    return (this.#open ??= {
      proxies: new ServedProxies(ctx, this.#ports.granted),
      returns: new ServedReturns(ctx, this.#ports.granted),
    });
  }

  #close(): void {
    this.#open?.proxies[Symbol.dispose]();
    this.#open?.returns[Symbol.dispose]();
    this.#open = undefined;
  }

  /** The same registration comes again when the plugin is loaded again; what it leads to is already here. */
  #register(params: JsonObject): void {
    const handle = String(params["handle"]);
    if (this.#known.has(handle)) return;
    this.#known.add(handle);
    // All or nothing: what a failing `register` said before it failed is never put in.
    if (this.#loading !== undefined) this.#loading.push(params);
    else this.#put(params, this.#ctx!);
  }

  #put(params: JsonObject, ctx: PluginContext): void {
    this.#ports.dialect.register(params, ctx, this);
  }

  /** Whoever waits while it is loaded is told so, and may stop waiting. */
  async #readyFor({ scope, signal }: Omit<CallOptions, "plugin">): Promise<HostProcess> {
    const ready = this.#ready();
    if (this.#live?.known === true) return ready;
    const began = performance.now();
    const telling = setInterval(() => {
      const text = `The plugin "${this.key}" is being loaded (${Math.round((performance.now() - began) / 1000)} s)`;
      this.log.debug(text);
      scope?.take?.("progress", { text });
    }, REPORT_MS);
    const stopped = Promise.withResolvers<never>();
    const listening = signal === undefined ? undefined : onAbort(signal, () => stopped.reject(signal.reason));
    try {
      return await Promise.race([ready, stopped.promise]);
    } finally {
      clearInterval(telling);
      listening?.[Symbol.dispose]();
    }
  }

  async #ready(): Promise<HostProcess> {
    for (let again = 0; ; again += 1) {
      if (this.#live?.process.gone === true) this.#live = undefined;
      const live = (this.#live ??= this.#load());
      try {
        await live.loaded;
        live.known = true;
        return live.process;
      } catch (cause) {
        if (this.#live === live) this.#live = undefined;
        // That another plugin ended the process they share says nothing of this one.
        if (!(cause instanceof HostGone) || cause.neighbour === undefined || again === RESTS_MS.length) throw cause;
      }
    }
  }

  #load(): { readonly process: HostProcess; readonly loaded: Promise<void>; known?: true } {
    this.#refuseWhileResting();
    const process = this.#ports.process();
    process.attach(this.key, this);
    this.#ports.dialect.begin?.(this);
    const params = { ...this.#ports.loading(this.#ctx!), plugin: this.key };
    const loaded = process.call("plugin.load", params, { plugin: this.key, timeoutMs: this.#ports.registerMs }).then(
      (loaded) => {
        const reads = (loaded as { readonly reads?: readonly string[] } | null)?.reads;
        if (reads !== undefined) noteReads(this.#ctx!, reads);
      },
      (cause: unknown) => {
        throw cause instanceof PeerError ? thrownThere(cause) : cause;
      },
    );
    return { process, loaded };
  }

  #refuseWhileResting(): void {
    const last = this.#faults.at(-1);
    if (last === undefined) return;
    const rest = RESTS_MS[this.#faults.length - 1];
    if (rest === undefined) {
      throw new ToolFailure(
        "plugin_gone",
        `The plugin "${this.key}" is switched off until the agent is started again: ${this.#faults.length} times it took its process along, last: ${last.reason}.`,
        { hint: `hermes plugins disable ${this.key}` },
      );
    }
    const left = last.at + rest - performance.now();
    if (left > 0)
      throw new ToolFailure(
        "plugin_gone",
        `The plugin "${this.key}" rests for ${Math.ceil(left / 1000)} s: ${last.reason}.`,
        { hint: "Try again then, or do without it." },
      );
  }

  async #leave(): Promise<void> {
    const process = this.#live?.process;
    this.#live = undefined;
    this.#known.clear();
    if (process === undefined) return;
    // What it does at its end may still ask the agent for things.
    if (!process.gone)
      await process
        .call("plugin.unload", { plugin: this.key }, { plugin: this.key, timeoutMs: 3_000 })
        .catch((cause: unknown) => this.log.debug(`"${this.key}" was not unloaded in order.`, { cause }));
    this.#close();
    process.detach(this.key);
    await this.#ports.left(process);
  }
}
