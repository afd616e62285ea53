import { spawn, type ChildProcess } from "node:child_process";
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import type { Json, JsonObject } from "../../contract/common/json.ts";
import type { Logger } from "../../contract/common/logger.ts";
import { parseExact } from "../../contract/common/parse-exact.ts";
import { onAbort } from "../../engine/async/on-abort.ts";
import type { CallOptions, PluginScope } from "./call-scope.ts";
import { HostGone } from "./host-gone.ts";
import { HostPrints } from "./host-prints.ts";
import { inOwnGroup, killAll } from "./own-group.ts";
import { processesBelow, type LeftProcess } from "../../terminal/program/marked-processes.ts";
import type { HostSpec } from "./host-spec.ts";
import { CANCELLED, Peer, PeerError } from "./peer.ts";

export const PROTOCOL = 1;

interface Running extends CallOptions {
  readonly inPlace: <T>(run: () => T) => T;
}

/** A stopped call has this long to end. */
const GRACE_MS = 2_000;
const PING_MS = 1_000;
/** The last output arrives soon after its end, unless a child process holds its streams. */
const LAST_WORDS_MS = 300;

/**
 * One child process that runs plugins, with messages on its standard streams. It ends with the agent, however that
 * ends.
 */
export class HostProcess implements AsyncDisposable {
  readonly #spec: HostSpec;
  /** Of a program's processes; `undefined` if it leads no group. */
  readonly #mark: string | undefined;
  /** Below the program when it was asked to end. */
  #below: readonly LeftProcess[] = [];
  readonly #log: Logger;
  readonly #plugins = new Map<string, PluginScope>();
  readonly #running = new Map<string, Running>();
  /** Requests of the process that Hermes has not answered yet. */
  readonly #asked = new Map<string, AbortController>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #peer: Peer;
  #child: ChildProcess | undefined;
  #out: NodeJS.WritableStream | undefined;
  #started: Promise<void> | undefined;
  #end: { readonly reason: string; readonly blamed: string | undefined } | undefined;
  #gone = false;
  #ending = false;
  /** Pings since its last message. A suspended agent sends none, so it does not count its own silence. */
  #missedPings = 0;
  #pinger: NodeJS.Timeout | undefined;
  readonly #prints: HostPrints;
  /** It has identified itself. */
  #speaks = false;
  /** The first output of the process that was not a message. */
  #nonsense: string | undefined;

  constructor(spec: HostSpec, log: Logger) {
    this.#mark = spec.group === undefined ? undefined : randomUUID();
    this.#spec = spec;
    this.#log = log;
    this.#prints = new HostPrints(log);
    this.#peer = new Peer(
      {
        write: (line) => void this.#out?.write(line),
        answer: (method, params, id) => this.#answer(method, params, String(id)),
        take: (method, params) => this.#take(method, params),
        // Python's integers have no limit.
        read: spec.wire === "standard" ? parseExact : undefined,
        garbage: (line) => this.#garbage(line),
        overlong: () => this.#kill("it sent a message of more than 64 MB", undefined),
      },
      "a",
    );
  }

  /** It has ended, or is about to. */
  get gone(): boolean {
    return this.#gone || this.#ending;
  }

  attach(plugin: string, scope: PluginScope): void {
    this.#plugins.set(plugin, scope);
  }

  detach(plugin: string): void {
    this.#plugins.delete(plugin);
  }

  get idle(): boolean {
    return this.#plugins.size === 0;
  }

  /** Starts the process once. Rejects with a {@link HostGone} that gives the reason. */
  start(): Promise<void> {
    return (this.#started ??= this.#start());
  }

  notify(method: string, params: JsonObject): void {
    this.#peer.notify(method, params);
  }

  async call(method: string, params: JsonObject, options: CallOptions): Promise<Json> {
    await this.start();
    if (this.#gone) throw new HostGone(this.#reason());
    options.signal?.throwIfAborted();
    const id = this.#peer.nextId();
    let grace: NodeJS.Timeout | undefined;
    const cancel = (why: string): void => {
      if (grace !== undefined) return;
      this.#peer.notify("cancel", { id });
      grace = setTimeout(() => this.#kill(why, options.plugin), GRACE_MS);
    };
    const late =
      options.timeoutMs === undefined
        ? undefined
        : setTimeout(
            () =>
              cancel(
                `a call of the plugin "${options.plugin}" did not end within ${options.timeoutMs! / 1000} s, and ignored the cancel`,
              ),
            options.timeoutMs,
          );
    const listening =
      options.signal === undefined
        ? undefined
        : onAbort(options.signal, () => cancel(`a call of the plugin "${options.plugin}" ignored the cancel`));
    this.#running.set(id, { ...options, inPlace: AsyncLocalStorage.snapshot() });
    this.#watch();
    try {
      return await this.#peer.request(method, params, id);
    } catch (cause) {
      if (cause instanceof PeerError && cause.code === CANCELLED)
        throw options.signal?.aborted === true
          ? options.signal.reason
          : new HostGone(`it did not end within ${(options.timeoutMs ?? 0) / 1000} s`);
      if (cause instanceof HostGone && this.#end?.blamed !== options.plugin)
        throw new HostGone(cause.message, this.#end?.blamed);
      throw cause;
    } finally {
      clearTimeout(late);
      clearTimeout(grace);
      listening?.[Symbol.dispose]();
      this.#running.delete(id);
      this.#rest();
    }
  }

  /** Requests a shutdown, waits a little, and kills it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending = true;
    if (this.#child === undefined || this.#gone) return;
    this.#hold(true);
    if (this.#mark !== undefined) this.#below = processesBelow(this.#child.pid ?? -1);
    this.#peer.request("shutdown", {}).catch(() => undefined);
    this.#out?.end();
    const late = setTimeout(() => this.#killAll(), this.#spec.limits.endMs);
    await this.#ended.promise;
    clearTimeout(late);
  }

  async #start(): Promise<void> {
    const { cwd, env, initialize, limits, name, wire, group } = this.#spec;
    const [program, args] =
      group === undefined
        ? [this.#spec.program, this.#spec.args]
        : inOwnGroup(this.#spec.program, this.#spec.args, group, this.#mark!);
    const stdio =
      wire === "apart"
        ? (["ignore", "pipe", "pipe", "pipe", "pipe", "pipe"] as const)
        : group === undefined
          ? (["pipe", "pipe", "pipe"] as const)
          : (["pipe", "pipe", "pipe", "pipe"] as const);
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: [...stdio],
      windowsHide: true,
      detached: group !== undefined,
    });
    this.#child = child;
    this.#out = wire === "apart" ? (child.stdio[3] as NodeJS.WritableStream) : (child.stdin ?? undefined);
    const startedAt = performance.now();
    child.once("error", (cause) => this.#exited(`${name} cannot start: ${cause.message}`));
    child.once("exit", (code, signal) => {
      // Its leftover child processes end, too; then its last output has arrived.
      if (group !== undefined) killAll(child, this.#mark, this.#below);
      const ended = (): void =>
        this.#exited(
          signal !== null
            ? `${name} was ended by ${signal}`
            : code === 127 && group !== undefined
              ? `${name} cannot run: the interpreter in its first line (#!) is not installed`
              : `${name} ended with status ${code}`,
        );
      const late = setTimeout(ended, LAST_WORDS_MS);
      child.once("close", () => {
        clearTimeout(late);
        ended();
      });
    });
    // It writes to a pipe whose reader has ended; its exit reports that.
    for (const stream of child.stdio) stream?.on("error", () => undefined);
    const received = (text: string): void => {
      this.#missedPings = 0;
      this.#peer.receive(text);
    };
    this.#prints.read(child.stderr);
    if (wire === "apart") this.#prints.read(child.stdout);
    else child.stdout?.setEncoding("utf8").on("data", received);
    if (wire === "apart") {
      (child.stdio[3] as Socket).setEncoding("utf8").on("data", received);
      this.#serveWhileItWaits(child.stdio[4] as Socket);
    }
    living.set(child, this.#mark);
    const late = setTimeout(
      () => this.#kill(this.#atStart(`${name} did not answer within ${limits.startMs / 1000} s`), undefined),
      limits.startMs,
    );
    try {
      const answer = (await this.#peer.request("initialize", { protocol: PROTOCOL, ...initialize })) as JsonObject;
      if (answer?.["protocol"] !== PROTOCOL)
        throw new PeerError(
          `it answers "initialize" with ${JSON.stringify(answer).slice(0, 200)}, but this version needs protocol ${PROTOCOL}`,
        );
      this.#speaks = true;
      this.#log.debug(`Started ${name}, process ${child.pid}, in ${Math.round(performance.now() - startedAt)} ms`, {
        host: String(answer["host"]),
        version: String(answer["version"]),
      });
    } catch (cause) {
      if (cause instanceof HostGone) throw cause;
      this.#kill(
        this.#atStart(`${name} refused: ${cause instanceof Error ? cause.message : String(cause)}`),
        undefined,
      );
      throw new HostGone(this.#reason());
    } finally {
      clearTimeout(late);
      this.#rest();
    }
  }

  #serveWhileItWaits(channel: Socket): void {
    const peer = new Peer(
      {
        write: (line) => void channel.write(line),
        answer: (method, params) => this.#serve(method, params),
        take: () => undefined,
        garbage: () => undefined,
        overlong: () => undefined,
      },
      "s",
    );
    channel.setEncoding("utf8").on("data", (text: string) => peer.receive(text));
  }

  /** Aborts when the process cancels the request. */
  async #answer(method: string, params: JsonObject, id: string): Promise<Json | undefined> {
    const stop = new AbortController();
    this.#asked.set(id, stop);
    try {
      return await this.#serve(method, params, stop.signal);
    } finally {
      this.#asked.delete(id);
    }
  }

  #serve(method: string, params: JsonObject, stop?: AbortSignal): Json | undefined | Promise<Json | undefined> {
    const running = this.#running.get(String(params["call"]));
    const scope = this.#plugins.get(running?.plugin ?? String(params["plugin"]));
    if (scope === undefined) throw new PeerError(`"${method}" came from an unknown plugin.`, -32602);
    if (running === undefined)
      return scope.serve(method, params, stop && { plugin: String(params["plugin"]), signal: stop });
    const call =
      stop === undefined
        ? running
        : { ...running, signal: running.signal === undefined ? stop : AbortSignal.any([running.signal, stop]) };
    return running.inPlace(() => running.scope?.serve?.(method, params) ?? scope.serve(method, params, call));
  }

  #take(method: string, params: JsonObject): void {
    if (method === "cancel")
      return this.#asked.get(String(params["id"]))?.abort(new Error("The plugin cancelled the request."));
    const running = this.#running.get(String(params["call"]));
    try {
      if (running?.scope?.take !== undefined) return running.inPlace(() => running.scope!.take!(method, params));
      this.#plugins.get(String(params["plugin"]))?.take(method, params);
    } catch (cause) {
      this.#log.warning(`Cannot handle its "${method}" message.`, { cause });
    }
  }

  /** During calls it must keep answering, and no call may use the processor forever. */
  #watch(): void {
    this.#hold(true);
    if (this.#pinger !== undefined) return;
    this.#missedPings = 0;
    this.#pinger = setInterval(() => void this.#ping(), PING_MS);
    this.#pinger.unref();
  }

  async #ping(): Promise<void> {
    const { silenceMs, cpuSeconds } = this.#spec.limits;
    this.#missedPings += 1;
    if (this.#missedPings * PING_MS > silenceMs)
      return this.#kill(
        `it was busy for ${(this.#missedPings * PING_MS) / 1000} s without a pause (an endless loop?)`,
        this.#oldest(),
      );
    const answer = (await this.#peer.request("ping", {}).catch(() => undefined)) as
      | { readonly busy?: { readonly [id: string]: number } }
      | undefined;
    for (const [id, seconds] of Object.entries(answer?.busy ?? {})) {
      const running = this.#running.get(id);
      if (running !== undefined && seconds > cpuSeconds)
        return this.#kill(
          `a call of the plugin "${running.plugin}" used ${Math.round(seconds)} s of processor time (an endless loop?)`,
          running.plugin,
        );
    }
  }

  #oldest(): string | undefined {
    return this.#running.values().next().value?.plugin;
  }

  /** While it is idle it does not keep this process alive. */
  #rest(): void {
    if (this.#running.size > 0) return;
    clearInterval(this.#pinger);
    this.#pinger = undefined;
    // This process waits for its end, so it must stay alive until then.
    if (!this.#ending) this.#hold(false);
  }

  #hold(held: boolean): void {
    const word = held ? "ref" : "unref";
    this.#child?.[word]();
    for (const stream of this.#child?.stdio ?? [])
      (stream as unknown as { ref?(): void; unref?(): void } | null)?.[word]?.();
  }

  #kill(reason: string, blamed: string | undefined): void {
    this.#end ??= { reason, blamed };
    this.#killAll();
  }

  #killAll(): void {
    if (this.#child !== undefined) killAll(this.#child, this.#mark);
  }

  #garbage(line: string): void {
    this.#nonsense ??= line.slice(0, 200);
    this.#prints.garbage(line, this.#spec.name);
  }

  /** Why its startup failed, with its output and a fix. */
  #atStart(reason: string): string {
    if (this.#speaks) return reason;
    const { help } = this.#spec;
    return `${reason}${this.#nonsense === undefined ? "" : `; it sent an invalid message: ${this.#nonsense}`}${help === undefined ? "" : `. ${help}`}`;
  }

  #reason(): string {
    return this.#end?.reason ?? `${this.#spec.name} has ended`;
  }

  #exited(how: string): void {
    if (this.#gone) return;
    this.#gone = true;
    if (this.#child !== undefined) living.delete(this.#child);
    clearInterval(this.#pinger);
    const words = this.#prints.end();
    this.#end ??= { reason: this.#atStart(`${how}${words}`), blamed: undefined };
    const { reason, blamed } = this.#end;
    const busy = new Set([...this.#running.values()].map(({ plugin }) => plugin));
    this.#peer.close(new HostGone(reason));
    for (const asked of this.#asked.values()) asked.abort(new HostGone(reason));
    if (!this.#ending)
      for (const plugin of blamed === undefined ? busy : [blamed]) this.#plugins.get(plugin)?.fault(reason);
    if (!this.#ending) for (const plugin of this.#plugins.values()) plugin.gone(reason);
    this.#ended.resolve();
  }
}

/** Killed at once if the agent ends abruptly. */
const living = new Map<ChildProcess, string | undefined>();
process.once("exit", () => living.forEach((mark, child) => killAll(child, mark)));
