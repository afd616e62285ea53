import { createServer, ServerResponse, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

const CUT_MS = 250;

export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** The misbehaviour for the next matching requests: a number of times, or always. */
export interface Trouble {
  fits(asked: Asked): boolean;
  times: number;
  /**
   * `stall` never answers, `drop` breaks the connection, `lie` answers 200 with this instead of the truth; none of them
   * acts. `unheard` acts, then breaks the connection instead of answering.
   */
  readonly how:
    | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown }
    | "stall"
    | "drop"
    | "unheard"
    | { readonly lie: unknown };
}

/** A loopback server that records requests, and misbehaves on request. */
export class HttpDouble {
  readonly asked: Asked[] = [];
  readonly trouble: Trouble[] = [];
  readonly #server;
  /** Parts of paths that are currently unreachable. */
  readonly #broken = new Set<string>();
  /** Requests whose response is incomplete. */
  readonly #under = new Set<IncomingMessage>();

  /** Set by the double that plays the service. */
  answer!: (asked: Asked, outgoing: ServerResponse) => Promise<void>;

  private constructor() {
    this.#server = createServer((incoming, outgoing) => {
      void this.#take(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
    });
    this.#server.requestTimeout = 0;
  }

  static async start(): Promise<HttpDouble> {
    const made = new HttpDouble();
    await new Promise<void>((resolve) => made.#server.listen(0, "127.0.0.1", resolve));
    return made;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /**
   * For a moment breaks every connection whose request or response path contains this text: a client that polls has
   * nothing pending between two
   * requests. Resolves when the moment is over.
   */
  async cut(part: string): Promise<void> {
    this.#broken.add(part);
    for (const incoming of this.#under) if (this.#isBroken(incoming)) incoming.socket.destroy();
    await wait(CUT_MS);
    this.#broken.delete(part);
  }

  #isBroken(incoming: IncomingMessage): boolean {
    return [...this.#broken].some((part) => new URL(incoming.url!, this.url).pathname.includes(part));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (this.#isBroken(incoming)) return void incoming.socket.destroy();
    this.#under.add(incoming);
    outgoing.once("close", () => this.#under.delete(incoming));
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const url = new URL(incoming.url!, this.url);
    const asked: Asked = {
      method: incoming.method!,
      path: url.pathname,
      query: url.searchParams,
      headers: incoming.headers,
      body: Buffer.concat(chunks),
    };
    this.asked.push(asked);
    const trouble = this.trouble.find((one) => one.times > 0 && one.fits(asked));
    if (trouble === undefined) return this.answer(asked, outgoing);
    trouble.times -= 1;
    if (trouble.how === "stall") return;
    if (trouble.how === "unheard") await this.answer(asked, new ServerResponse(incoming));
    if (trouble.how === "drop" || trouble.how === "unheard") return void incoming.socket.destroy();
    if ("lie" in trouble.how) return sendJson(outgoing, 200, trouble.how.lie);
    sendJson(outgoing, trouble.how.status, trouble.how.body ?? { message: "The test says so." }, trouble.how.headers);
  }
}

export function sendJson(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  outgoing
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(body === undefined ? "" : JSON.stringify(body));
}
