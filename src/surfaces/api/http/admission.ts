import { ApiFailure } from "./api-failure.ts";

/** How many requests the agent works for at the same time. */
export class Admission {
  readonly #most: number;
  #running = 0;
  #closed = false;
  #empty = Promise.withResolvers<void>();

  /** @param most 0: any number. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Counts until it is disposed. @throws {ApiFailure} when there are too many, or the server stops. */
  enter(): Disposable {
    if (this.#closed)
      throw new ApiFailure("The agent is being stopped. Ask again when it is back.", {
        status: 503,
        code: "server_stopping",
        headers: { "retry-after": "5" },
      });
    if (this.#most > 0 && this.#running >= this.#most)
      throw new ApiFailure(
        `${this.#running} requests are being worked for, and no more are taken at the same time (gateway.api_server.max_concurrent_runs). Ask again in a while.`,
        { status: 429, code: "rate_limit_exceeded", headers: { "retry-after": "1" } },
      );
    return this.goOn();
  }

  /** For what was let in before, by an earlier process. */
  goOn(): Disposable {
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

  /** Nobody is let in any more. */
  close(): void {
    this.#closed = true;
  }

  /** Resolves when nothing is worked for, or the time is over. */
  async idle(withinMs: number): Promise<void> {
    if (this.#running === 0) return;
    this.#empty = Promise.withResolvers();
    const timer = setTimeout(this.#empty.resolve, withinMs);
    await this.#empty.promise;
    clearTimeout(timer);
  }
}
