import { ToolFailure } from "../contract/common/failure.ts";
import type { JsonObject } from "../contract/common/json.ts";

/** Carries messages to a browser and back: two pipes, or a WebSocket. */
export interface Wire {
  /** A promise that rejects: it was not sent. */
  send(text: string): void | Promise<void>;
  close(): void;
}

export interface DevToolsEvent {
  readonly method: string;
  readonly params: JsonObject;
  /** The page, or worker, that tells it; none: the browser itself. */
  readonly sessionId: string | undefined;
}

const TIMEOUT_MS = 30_000;

/**
 * Chromium's DevTools protocol: commands with their answers, and events. Once it is closed every command fails with the
 * same words.
 */
export class DevTools {
  readonly #waiting = new Map<
    number,
    {
      readonly resolve: (result: JsonObject) => void;
      readonly reject: (error: Error) => void;
      readonly method: string;
      readonly sessionId: string | undefined;
    }
  >();
  readonly #listeners = new Set<(event: DevToolsEvent) => void>();
  readonly #closed = Promise.withResolvers<void>();
  #wire: Wire | undefined;
  #count = 0;
  #reason: string | undefined;

  /** Resolves when nothing comes any more. */
  get closed(): Promise<void> {
    return this.#closed.promise;
  }

  get open(): boolean {
    return this.#reason === undefined;
  }

  /** Why it is not open, in a sentence. */
  get reason(): string | undefined {
    return this.#reason;
  }

  attach(wire: Wire): void {
    this.#wire = wire;
  }

  send(
    method: string,
    params: JsonObject = {},
    sessionId?: string,
    timeoutMs: number = TIMEOUT_MS,
  ): Promise<JsonObject> {
    if (this.#reason !== undefined || this.#wire === undefined)
      return Promise.reject(new ToolFailure("unavailable", this.#reason ?? "No browser is open."));
    const id = (this.#count += 1);
    const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
    this.#waiting.set(id, { resolve, reject, method, sessionId });
    const timer = setTimeout(
      () => reject(new ToolFailure("timeout", `The browser did not answer ${method} within ${timeoutMs / 1000} s.`)),
      timeoutMs,
    );
    this.#wire.send(JSON.stringify({ id, method, params, sessionId }))?.catch(reject);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#waiting.delete(id);
    });
  }

  /** @returns what takes the listener away. */
  listen(listener: (event: DevToolsEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** One message, as it came. */
  take(text: string): void {
    let message: {
      readonly id?: number;
      readonly result?: JsonObject;
      readonly error?: { readonly message?: string };
      readonly method?: string;
      readonly params?: JsonObject;
      readonly sessionId?: string;
    };
    try {
      message = JSON.parse(text);
    } catch {
      return; // Ignore invalid messages.
    }
    if (message.method !== undefined) {
      const { method, params = {}, sessionId } = message;
      if (method === "Target.detachedFromTarget") this.#detached(params["sessionId"]);
      for (const listener of this.#listeners) listener({ method, params, sessionId });
      return;
    }
    const waiting = this.#waiting.get(message.id ?? 0);
    if (message.error !== undefined)
      waiting?.reject(
        new ToolFailure(
          "failed",
          `The browser refused ${waiting.method}: ${message.error.message ?? "it gives no reason"}`,
        ),
      );
    else waiting?.resolve(message.result ?? {});
  }

  /** The browser is gone, and why, in a sentence. */
  lost(reason: string): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    for (const { reject } of this.#waiting.values()) reject(new ToolFailure("unavailable", reason));
    this.#closed.resolve();
  }

  close(reason: string): void {
    this.lost(reason);
    this.#wire?.close();
  }

  #detached(sessionId: unknown): void {
    for (const { sessionId: of, reject } of this.#waiting.values())
      if (of === sessionId) reject(new ToolFailure("unavailable", "The page was closed."));
  }
}
