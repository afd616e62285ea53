import { setTimeout as sleepFor } from "node:timers/promises";
import { UserError } from "../contract/common/failure.ts";
import type { Logger } from "../contract/common/logger.ts";
import type { GuardedSocket, OpenSocket, SocketOptions } from "../contract/providers/web.ts";

/** How a connection ended. */
export interface SocketEnd {
  /** The peer's status code for closing. */
  readonly code: number | undefined;
  readonly reason: string;
  readonly error: unknown;
}

/** Whether to connect again, and how long to wait first. Default: a pause that grows. */
export type AfterEnd =
  | { readonly again: true; readonly pauseMs?: number }
  | { readonly again: false; readonly reason: string };

export interface SteadySocketOptions {
  readonly open: OpenSocket;
  readonly label: string;
  readonly log: Logger;
  /** The address of the next connection, which may resume the last one. */
  address():
    | { readonly url: string; readonly options?: SocketOptions }
    | Promise<{ readonly url: string; readonly options?: SocketOptions }>;
  /** Identifies or resumes. The connection counts once it resolves; messages arrive meanwhile. */
  opened?(socket: GuardedSocket): void | Promise<void>;
  /** Handles one message; the next one waits for it. An error ends the connection. */
  message(message: string | Uint8Array, socket: GuardedSocket): void | Promise<void>;
  ended?(end: SocketEnd): AfterEnd;
  /** The service refuses permanently; the gateway takes over. */
  lost?(reason: string): void;
  /** Default 1 000 and 60 000; the pause doubles, with jitter. */
  readonly firstPauseMs?: number;
  readonly longestPauseMs?: number;
  sleep?(ms: number, signal: AbortSignal): Promise<void>;
}

/** A WebSocket that connects again when it breaks, with growing pauses, until it is closed. */
export class SteadySocket {
  readonly #options: SteadySocketOptions;
  readonly #stop = new AbortController();
  #live: GuardedSocket | undefined;
  /** Settles when the next connection is open, or none comes. */
  #coming: Promise<void> = Promise.resolve();

  constructor(options: SteadySocketOptions) {
    this.#options = options;
  }

  /** Connects for the first time. Rejects if that fails. */
  async connect(): Promise<void> {
    void this.#keep(await this.#open());
  }

  get connected(): boolean {
    return this.#live !== undefined;
  }

  /** The open connection, if there is one within this time. */
  async ready(withinMs = 30_000): Promise<GuardedSocket | undefined> {
    if (this.#live === undefined && !this.#stop.signal.aborted)
      await Promise.race([this.#coming, sleepFor(withinMs, undefined, { ref: false })]);
    return this.#live;
  }

  /** Sends if the connection is open. @throws {Error} if it is not. */
  send(message: string | Uint8Array): void {
    if (this.#live === undefined) throw new Error(`${this.#options.label} is not connected.`);
    this.#live.send(message);
  }

  /** Ends this connection, so that the next one begins: the peer is silent, or asked for that. */
  restart(): void {
    this.#live?.close();
  }

  close(): void {
    this.#stop.abort();
    this.#live?.close();
    this.#live = undefined;
  }

  /** @returns how the connection ends, once it is open. */
  async #open(): Promise<Opened> {
    const { open, address, opened } = this.#options;
    const { url, options } = await address();
    const socket = await open(url, { keepAliveMs: 30_000, ...options, signal: this.#stop.signal });
    const ended = this.#read(socket);
    try {
      const early = ended.then((end) =>
        Promise.reject(end.error instanceof Error ? end.error : endError(end, this.#options.label)),
      );
      await Promise.race([Promise.resolve(opened?.(socket)), early]);
    } catch (cause) {
      socket.close();
      throw Object.assign(cause as Error, { end: await ended });
    }
    this.#live = socket;
    return { ended };
  }

  async #read(socket: GuardedSocket): Promise<SocketEnd> {
    let error: unknown;
    try {
      for await (const message of socket.messages) await this.#options.message(message, socket);
    } catch (cause) {
      error = cause;
    }
    if (this.#live === socket) this.#live = undefined;
    const { closeCode: code, closeReason } = socket;
    return { code, reason: closeReason ?? (error instanceof Error ? error.message : ""), error };
  }

  async #keep(first: Opened): Promise<void> {
    const { label, log, lost, sleep = pause, firstPauseMs = 1_000, longestPauseMs = 60_000 } = this.#options;
    const { signal } = this.#stop;
    let current = first;
    for (;;) {
      const end = await current.ended;
      if (signal.aborted) return;
      const back = Promise.withResolvers<void>();
      this.#coming = back.promise;
      let after = this.#options.ended?.(end) ?? { again: true };
      log.warning(`${label} lost the connection: ${end.reason || `code ${end.code ?? "none"}`}.`);
      for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
        if (!after.again) {
          back.resolve();
          return lost?.(after.reason);
        }
        try {
          await sleep(after.pauseMs ?? pauseMs * (0.5 + Math.random() / 2), signal);
          current = await this.#open();
          break;
        } catch (cause) {
          if (signal.aborted) return back.resolve();
          log.warning(`${label} cannot reconnect yet: ${(cause as Error).message}`);
          const { end: early } = cause as { readonly end?: SocketEnd };
          after =
            cause instanceof UserError
              ? { again: false, reason: cause.message }
              : early === undefined
                ? { again: true }
                : (this.#options.ended?.(early) ?? { again: true });
        }
      }
      back.resolve();
    }
  }
}

/** An open connection. */
interface Opened {
  readonly ended: Promise<SocketEnd>;
}

function endError({ code, reason }: SocketEnd, label: string): Error {
  return new Error(`${label} closed the connection: ${reason || `code ${code ?? "none"}`}.`);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleepFor(ms, undefined, { signal });
}
