import type { Client, Transport } from "@modelcontextprotocol/client";
import {
  OutcomeUnknown,
  ToolFailure,
  type Json,
  type JsonObject,
  type Logger,
  type ToolContext,
} from "hermes-agent/plugin";
import { ask, reading } from "./server-prompts.ts";
import { listOffer, type Listing } from "../tools/list-tools.ts";
import { moreAndMoreSeldom } from "./backoff.ts";
import type { ServerEntry } from "./server-entry.ts";
import type { ServerRequests } from "./server-requests.ts";

/** A transport that is not open yet. */
export interface Way {
  readonly transport: Transport;
  /** Why the transport closed, as far as it knows; `undefined` while it is open. */
  end?(): string | undefined;
  /** Ends the server at once, without waiting for it to end itself. */
  kill?(): void;
}

export interface ServerPorts {
  readonly log: Logger;
  /** Transports to try in order; the first that opens is used. */
  ways(): AsyncIterable<Way> | Iterable<Way>;
  readonly version: string;
  requests(calls: () => ToolContext | undefined): ServerRequests;
  now(): number;
  /** Called with the server's offer after each connection and each change notification. */
  listed(listing: Listing): void;
}

const MAX_BACK_OFF_MS = 60_000;

interface Open {
  readonly client: Client;
  readonly requests: ServerRequests;
  readonly way: Way;
  /** Number of calls that wait for an answer over this connection. */
  calls: number;
}

/**
 * One server and its connection, which is opened on first use, shared by all sessions, and reopened after it broke.
 * After a failed connection, calls fail at once with the reason until the next attempt; the delay doubles up to a
 * minute.
 */
export class McpServer {
  readonly entry: ServerEntry;
  readonly #ports: ServerPorts;
  readonly #running = new Set<ToolContext>();
  #opening: Promise<Open> | undefined;
  #open: Open | undefined;
  #failures = 0;
  #trouble: { readonly reason: string; readonly retryAt: number } | undefined;
  #idle: NodeJS.Timeout | undefined;
  #closed = false;
  /** Ends a connection attempt that no call waits for any longer. */
  #abandon: ((reason: Error) => void) | undefined;

  constructor(entry: ServerEntry, ports: ServerPorts) {
    this.entry = entry;
    this.#ports = ports;
  }

  get state(): "idle" | "connecting" | "connected" | "failed" {
    return this.#open !== undefined
      ? "connected"
      : this.#opening !== undefined
        ? "connecting"
        : this.#trouble !== undefined
          ? "failed"
          : "idle";
  }

  get closed(): boolean {
    return this.#closed;
  }

  /**
   * Connects if necessary. @throws {ToolFailure} `unreachable` with the reason; at once during the delay after a
   * failure.
   */
  async connect(signal?: AbortSignal): Promise<void> {
    await this.#connected(signal);
  }

  /**
   * Sends a request. @throws {ToolFailure} with the server's error; {@link OutcomeUnknown} if the connection broke
   * before the answer.
   */
  async request(method: string, params: JsonObject, call: ToolContext, what: string): Promise<Json> {
    const { name, timeoutMs } = this.entry;
    for (let attempt = 0; ; attempt++) {
      const open = await this.#connected(call.signal);
      const { client, way, requests } = open;
      this.#running.add(call);
      open.calls += 1;
      clearTimeout(this.#idle);
      const late = new AbortController();
      const tooLate = new ToolFailure(
        "timeout",
        `The MCP server "${name}" did not answer "${what}" within ${timeoutMs / 1000} s.`,
        { hint: "Check whether it did part of the work, or request less at a time." },
      );
      // While the user answers a question, only the timeout of the whole call counts.
      const timer = setTimeout(() => requests.hasAsked(call) || late.abort(tooLate), timeoutMs);
      const signal = AbortSignal.any([call.signal, late.signal]);
      try {
        return await ask(client, method, params, signal);
      } catch (cause) {
        if (signal.aborted) throw signal.reason;
        if (cause instanceof ToolFailure && cause.code === "blocked") throw cause;
        const { isSessionGone, isGone, isSignIn, words } = await reading(cause);
        if (isSignIn) throw this.#signIn(cause);
        // The server no longer knows the session, so it has run nothing.
        if (isSessionGone && attempt === 0) {
          if (this.#open === open) this.#open = undefined;
          continue;
        }
        if (isGone)
          throw new OutcomeUnknown(
            `The connection to the MCP server "${name}" was lost before it answered "${what}": ${way.end?.() ?? words}.`,
            { cause },
          );
        throw new ToolFailure("refused", `The MCP server "${name}" refused "${what}": ${words}`, { cause });
      } finally {
        clearTimeout(timer);
        this.#running.delete(call);
        open.calls -= 1;
        // A replaced connection stays open until its last pending call has ended.
        if (this.#open !== open && open.calls === 0) void this.#drop(open);
        this.#rest();
      }
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    const opening = this.#opening?.catch(() => undefined);
    this.#abandon?.(new Error("the connection was closed meanwhile"));
    await this.#drop(this.#open);
    await this.#drop(await opening);
  }

  async #connected(signal: AbortSignal | undefined): Promise<Open> {
    if (this.#open !== undefined) return this.#open;
    const { name } = this.entry;
    if (this.#closed) throw new ToolFailure("unavailable", `The MCP server "${name}" was closed.`);
    const wait = (this.#trouble?.retryAt ?? 0) - this.#ports.now();
    if (this.#opening === undefined && wait > 0)
      throw new ToolFailure("unreachable", `The MCP server "${name}" is unreachable: ${this.#trouble?.reason}.`, {
        hint: `Hermes tries again in ${Math.ceil(wait / 1000)} s.`,
      });
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return signal === undefined ? this.#opening : orAborted(this.#opening, signal);
  }

  async #connect(): Promise<Open> {
    const { name, connectMs } = this.entry;
    const { log } = this.#ports;
    const late = Promise.withResolvers<never>();
    this.#abandon = late.reject;
    const timer = setTimeout(() => late.reject(new Error(`it was not ready within ${connectMs / 1000} s`)), connectMs);
    let given: { readonly up: unknown } | undefined;
    late.promise.catch((reason: unknown) => (given = { up: reason }));
    let open: Open | undefined;
    try {
      open = await this.#throughAnyWay(late.promise, () => given !== undefined);
      const listing = await Promise.race([listOffer(open.client, this.entry.connectMs), late.promise]);
      if (this.#closed) throw new Error("the connection was closed meanwhile");
      this.#open = open;
      this.#failures = 0;
      this.#trouble = undefined;
      this.#ports.listed(listing);
      this.#rest();
      log.info(`Connected to the MCP server "${name}": ${listing.tools.length} tools.`);
      return open;
    } catch (cause) {
      await this.#drop(open);
      if (this.#closed) throw new ToolFailure("unavailable", `The MCP server "${name}" was closed.`, { cause });
      const { isSignIn, words } = await reading(cause);
      if (isSignIn) throw this.#signIn(cause);
      this.#failures += 1;
      const retryMs = Math.min(MAX_BACK_OFF_MS, 1_000 * 2 ** (this.#failures - 1));
      this.#trouble = { reason: words, retryAt: this.#ports.now() + retryMs };
      log.warning(`The MCP server "${name}" is unreachable: ${words}`, { cause });
      throw new ToolFailure("unreachable", `The MCP server "${name}" is unreachable: ${words}.`, {
        cause,
        hint: `Hermes tries again in ${Math.ceil(retryMs / 1000)} s.`,
      });
    } finally {
      clearTimeout(timer);
      this.#abandon = undefined;
    }
  }

  /** @param isLate Whether the time for all ways is over, or the connection is not wanted any longer. */
  async #throughAnyWay(late: Promise<never>, isLate: () => boolean): Promise<Open> {
    let first: unknown;
    for await (const way of this.#ports.ways()) {
      try {
        return await this.#through(way, late);
      } catch (cause) {
        const ended = way.end?.();
        if (this.#closed) way.kill?.();
        await way.transport.close().catch(() => undefined);
        first ??= ended === undefined ? cause : new Error(ended, { cause });
        if (isLate() || (await reading(cause)).isFinal) break;
      }
    }
    throw first;
  }

  async #through(way: Way, late: Promise<never>): Promise<Open> {
    const { Client } = await import("@modelcontextprotocol/client");
    const requests = this.#ports.requests(() => this.#caller());
    const client = new Client(
      { name: "hermes-agent", version: this.#ports.version },
      { capabilities: requests.capabilities as object },
    );
    client.setRequestHandler("roots/list", () => requests.roots() as never);
    const { capabilities } = requests;
    if (capabilities["elicitation"] !== undefined)
      client.setRequestHandler(
        "elicitation/create",
        (request) => requests.elicit(request.params as unknown as JsonObject) as never,
      );
    if (capabilities["sampling"] !== undefined)
      client.setRequestHandler(
        "sampling/createMessage",
        (request, context) => requests.sample(request.params as unknown as JsonObject, context.mcpReq.signal) as never,
      );
    const open: Open = { client, way, requests, calls: 0 };
    // The package supports only one listener for each event.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    client.onclose = () => void (this.#open === open && (this.#open = undefined));
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    client.onerror = (cause) => this.#ports.log.debug(`The MCP server "${this.entry.name}": ${cause.message}`);
    client.setNotificationHandler(
      "notifications/tools/list_changed",
      moreAndMoreSeldom(() => this.#listAgain(open)),
    );
    await Promise.race([client.connect(way.transport, { timeout: this.entry.connectMs }), late]);
    return open;
  }

  async #listAgain(open: Open): Promise<void> {
    try {
      const listing = await listOffer(open.client, this.entry.connectMs);
      if (this.#open === open) this.#ports.listed(listing);
    } catch (cause) {
      if (this.#open === open)
        this.#ports.log.warning(
          `The MCP server "${this.entry.name}" reported a change of its tools but does not list them.`,
          { cause },
        );
    }
  }

  /** The newest call, if all running calls belong to one session, so that no other session's user is asked. */
  #caller(): ToolContext | undefined {
    const calls = [...this.#running];
    return new Set(calls.map(({ sessionId }) => sessionId)).size === 1 ? calls.at(-1) : undefined;
  }

  #rest(): void {
    const { idleMs } = this.entry;
    clearTimeout(this.#idle);
    if (idleMs === undefined || this.#running.size > 0 || this.#open === undefined) return;
    this.#idle = setTimeout(() => void this.#drop(this.#open), idleMs);
    this.#idle.unref();
  }

  async #drop(open: Open | undefined): Promise<void> {
    if (open === undefined) return;
    if (this.#open === open) this.#open = undefined;
    await open.client.close().catch(() => undefined);
    await open.way.transport.close().catch(() => undefined);
  }

  #signIn(cause: unknown): ToolFailure {
    const { name, place } = this.entry;
    const hint =
      place.kind === "http" && place.oauth !== undefined
        ? `Ask the user to run: hermes mcp login ${name}`
        : `Set a token in mcp_servers.${name}.headers, or auth: oauth.`;
    return new ToolFailure("unavailable", `The MCP server "${name}" requires authentication.`, { hint, cause });
  }
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) return stop();
    signal.addEventListener("abort", stop, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
