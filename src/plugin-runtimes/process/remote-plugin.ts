import { ToolFailure } from "../../contract/common/failure.ts";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { Plugin, PluginContext, PluginGrants } from "../../contract/plugins/plugin.ts";
import { onAbort } from "../../engine/async/on-abort.ts";
import type { CallOptions, PluginScope } from "./call-scope.ts";
import { HostGone } from "./host-gone.ts";
import type { HostProcess } from "./host-process.ts";
import { BREACH } from "../../host/plugins/registry/contract-breach.ts";
import { noteReads, type ReportedReads } from "../../host/plugins/discovery/variables-read.ts";
import { PeerError } from "./peer.ts";
import { ServedReturns } from "../serve/serve-browser-return.ts";
import { serveContext } from "../serve/serve-context.ts";
import { serveServices } from "../serve/serve-services.ts";
import { ServedProxies } from "../serve/serve-proxy.ts";
import { thrownThere } from "./thrown-there.ts";

/** The parts that differ between kinds of runtimes. */
export interface Dialect {
  /** Puts one registration of the plugin into the agent. */
  register(message: JsonObject, ctx: PluginContext, remote: RemotePlugin): void;
  /** Answers requests that only its plugins send; `undefined` leaves them to the common handler. */
  serve?(
    method: string,
    params: JsonObject,
    ctx: PluginContext,
    remote: RemotePlugin,
    signal: AbortSignal | undefined,
  ): Promise<Json> | undefined;
  /** Handles notifications that only its plugins send. */
  take?(method: string, params: JsonObject, remote: RemotePlugin): void;
  /** The plugin is loaded into a new process, which does not know an earlier one. */
  begin?(remote: RemotePlugin): void;
}

export interface RemotePorts {
  readonly key: string;
  readonly log: Logger;
  readonly dialect: Dialect;
  /** The grants of a plugin from elsewhere; `undefined` if it is the user's own. */
  readonly granted: PluginGrants | undefined;
  /** How long importing it and `register` may take. */
  readonly registerMs: number;
  /** A running process, or one that is still to start. */
  process(): HostProcess;
  /** Parameters of `plugin.load`. */
  loading(ctx: PluginContext): JsonObject;
  /** The process is no longer needed for this plugin. */
  left(process: HostProcess): Promise<void>;
}

interface Opened {
  readonly proxies: ServedProxies;
  readonly returns: ServedReturns;
}

/** How often waiting calls report progress. */
const REPORT_MS = 2_000;
/** Waits after the first, second, ... fault. After one more, the plugin is off until the agent restarts. */
const RESTS_MS = [0, 1_000, 5_000, 30_000];
/** Faults longer ago than this are forgotten. */
const FORGET_MS = 600_000;

/**
 * A plugin in another process, with the interface of a local one: its `register` makes the registrations, whose
 * handlers are calls over the wire. They stay valid when the process ends: the next call starts another process and
 * loads the plugin again.
 */
export class RemotePlugin implements PluginScope {
  readonly key: string;
  readonly log: Logger;
  /** The plugin's grants, if it does not ship with Hermes. */
  readonly granted: PluginGrants | undefined;
  readonly #ports: RemotePorts;
  readonly #known = new Set<string>();
  readonly #faults: { readonly at: number; readonly reason: string }[] = [];
  readonly #depending = new Set<(reason: string) => void>();
  #ctx: PluginContext | undefined;
  #open: Opened | undefined;
  #live: { readonly process: HostProcess; readonly loaded: Promise<void>; known?: true } | undefined;
  /** The registrations of the first load so far. */
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
   * Calls the plugin. Rejects with {@link ToolFailure} if its process has ended or the plugin is paused, with
   * `PeerError` if the plugin failed, and with the signal's reason.
   */
  async call(method: string, params: JsonObject, options: Omit<CallOptions, "plugin"> = {}): Promise<Json> {
    try {
      const process = await this.#readyFor(options);
      return await process.call(method, params, { ...options, plugin: this.key });
    } catch (cause) {
      if (!(cause instanceof HostGone)) throw cause;
      throw new ToolFailure("plugin_gone", `The plugin "${this.key}" did not answer: ${cause.message}.`, {
        hint: "It is unknown whether the call had an effect. The next call starts the plugin again.",
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
    this.log.error(`The plugin "${this.key}" ended its process: ${reason}.`, BREACH);
  }

  gone(reason: string): void {
    this.#close();
    const output = [...this.#depending];
    this.#depending.clear();
    for (const report of output) report(reason);
  }

  /** Called once, when the process ends unexpectedly: for owners of resources in it. */
  whenGone(report: (reason: string) => void): void {
    this.#depending.add(report);
  }

  /** Resources it opened here, to be closed when its process ends. */
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

  /** A reload repeats the registration; its handlers are already here. */
  #register(params: JsonObject): void {
    const handle = String(params["handle"]);
    if (this.#known.has(handle)) return;
    this.#known.add(handle);
    // All or nothing: no registration of a failing `register` is added.
    if (this.#loading !== undefined) this.#loading.push(params);
    else this.#put(params, this.#ctx!);
  }

  #put(params: JsonObject, ctx: PluginContext): void {
    this.#ports.dialect.register(params, ctx, this);
  }

  /** A call that waits for the load reports progress and can be cancelled. */
  async #readyFor({ scope, signal }: Omit<CallOptions, "plugin">): Promise<HostProcess> {
    const ready = this.#ready();
    if (this.#live?.known === true) return ready;
    const began = performance.now();
    const telling = setInterval(() => {
      const text = `The plugin "${this.key}" is loading (${Math.round((performance.now() - began) / 1000)} s)`;
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
        // If another plugin ended the shared process, this one is not at fault.
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
        // A program need not report its lookups.
        noteReads(this.#ctx!, (loaded as ReportedReads | null) ?? { lookups: [["unknown", "", null]] });
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
        `The plugin "${this.key}" is off until the agent restarts: it ended its process ${this.#faults.length} times, last: ${last.reason}.`,
        { hint: `Run \`hermes plugins disable ${this.key}\` to turn it off.` },
      );
    }
    const left = last.at + rest - performance.now();
    if (left > 0)
      throw new ToolFailure(
        "plugin_gone",
        `The plugin "${this.key}" is paused for ${Math.ceil(left / 1000)} s: ${last.reason}.`,
        { hint: "Try again after that, or continue without it." },
      );
  }

  async #leave(): Promise<void> {
    const process = this.#live?.process;
    this.#live = undefined;
    this.#known.clear();
    if (process === undefined) return;
    // Its cleanups may still send requests to the agent.
    if (!process.gone)
      await process
        .call("plugin.unload", { plugin: this.key }, { plugin: this.key, timeoutMs: 3_000 })
        .catch((cause: unknown) => this.log.debug(`"${this.key}" was not unloaded in order.`, { cause }));
    this.#close();
    process.detach(this.key);
    await this.#ports.left(process);
  }
}
