import { ApiFailure } from "./api-failure.ts";

/** Limits how many requests run at the same time. */
export class Admission {
  readonly #most: number;
  #running = 0;
  #closed = false;
  #empty = Promise.withResolvers<void>();

  /** @param most 0: no limit. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a request until it is disposed. @throws {ApiFailure} if there are too many, or the server stops. */
  enter(): Disposable {
    if (this.#closed)
      throw new ApiFailure("The agent is shutting down. Retry when it is back.", {
        status: 503,
        code: "server_stopping",
        headers: { "retry-after": "5" },
      });
    if (this.#most > 0 && this.#running >= this.#most)
      throw new ApiFailure(
        `${this.#running} requests are running, which is the limit (gateway.api_server.max_concurrent_runs). Retry later.`,
        { status: 429, code: "rate_limit_exceeded", headers: { "retry-after": "1" } },
      );
    return this.readmit();
  }

  /** Counts a run that an earlier process accepted. */
  readmit(): Disposable {
    this.#running++;
    let over = false;
    return {
      [Symbol.dispose]: () => {
        if (over) return;
        over = true;
        this.#running--;
        if (this.#running === 0) this.#empty.resolve();
      },
    };
  }

  /** Refuses all further requests. */
  close(): void {
    this.#closed = true;
  }

  /** Resolves when no request runs, or at the timeout. */
  async idle(withinMs: number): Promise<void> {
    if (this.#running === 0) return;
    this.#empty = Promise.withResolvers();
    const timer = setTimeout(this.#empty.resolve, withinMs);
    await this.#empty.promise;
    clearTimeout(timer);
  }
}
