import type { ServerResponse } from "node:http";

/** A response of server-sent events. Sends comments while idle, so that proxies do not close the connection. */
export class EventStream implements Disposable {
  readonly #response: ServerResponse;
  readonly #keepAliveMs: number;
  #timer: NodeJS.Timeout | undefined;

  constructor(response: ServerResponse, keepAliveMs: number) {
    this.#response = response;
    this.#keepAliveMs = keepAliveMs;
    this.#wait();
  }

  data(value: unknown, { event, id }: { readonly event?: string; readonly id?: number } = {}): void {
    this.#write(
      `${event === undefined ? "" : `event: ${event}\n`}${id === undefined ? "" : `id: ${id}\n`}data: ${typeof value === "string" ? value : JSON.stringify(value)}\n\n`,
    );
  }

  comment(text: string): void {
    this.#write(`: ${text}\n\n`);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #write(text: string): void {
    if (this.#response.destroyed || this.#response.writableEnded) return;
    this.#response.write(text);
    this.#wait();
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.comment("keepalive"), this.#keepAliveMs).unref();
  }
}
