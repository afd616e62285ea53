import { createServer, type IncomingHttpHeaders, type ServerHttp2Session, type ServerHttp2Stream } from "node:http2";
import type { AddressInfo } from "node:net";
import { decode, type Message } from "./protobuf.ts";

/** Ends the call with a status: 5 not found, 8 exhausted, 14 unavailable, 16 unauthenticated. */
export class GrpcRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export interface GrpcTrouble {
  /** The method's name. */
  readonly method: string;
  times: number;
  /**
   * `stall` never answers, `drop` breaks the connection, `lie` answers with this; none of them acts. `unheard` acts,
   * then breaks the connection instead of answering.
   */
  readonly how:
    | "stall"
    | "drop"
    | "unheard"
    | { readonly code: number; readonly message: string }
    | { readonly lie: Buffer };
}

export interface GrpcCall {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
  readonly request: Message;
  /** Aborted when the caller disconnects. */
  readonly signal: AbortSignal;
}

/** A loopback gRPC server without TLS: one message in, any number out. */
export class GrpcDouble {
  readonly calls: GrpcCall[] = [];
  readonly trouble: GrpcTrouble[] = [];
  readonly #sessions = new Set<ServerHttp2Session>();
  readonly #server = createServer();

  static async start(answer: (call: GrpcCall) => AsyncIterable<Buffer>): Promise<GrpcDouble> {
    const made = new GrpcDouble();
    made.#server.on("session", (session) => {
      made.#sessions.add(session);
      session.once("close", () => made.#sessions.delete(session));
    });
    made.#server.on(
      "stream",
      (stream, headers) => void made.#take(stream, headers, answer).catch(() => stream.close()),
    );
    await new Promise<void>((resolve) => made.#server.listen(0, "127.0.0.1", resolve));
    return made;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const session of this.#sessions) session.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    answer: (call: GrpcCall) => AsyncIterable<Buffer>,
  ): Promise<void> {
    const stop = new AbortController();
    stream.once("close", () => stop.abort());
    stream.on("error", () => {}); // The caller has disconnected.
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    const call: GrpcCall = {
      method: headers[":path"]!.split("/").at(-1)!,
      headers,
      request: decode(Buffer.concat(chunks).subarray(5)),
      signal: stop.signal,
    };
    this.calls.push(call);
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    let status = { "grpc-status": "0", "grpc-message": "" };
    stream.once("wantTrailers", () => stream.sendTrailers(status));
    const refuse = (code: number, message: string) =>
      (status = { "grpc-status": String(code), "grpc-message": encodeURIComponent(message) });
    try {
      const trouble = this.trouble.find(({ method, times }) => method === call.method && times > 0);
      if (trouble === undefined) for await (const message of answer(call)) await write(stream, message);
      else {
        trouble.times -= 1;
        if (trouble.how === "stall") return;
        if (trouble.how === "unheard") for await (const _message of answer(call)) continue;
        if (trouble.how === "drop" || trouble.how === "unheard") return stream.session?.destroy();
        if ("lie" in trouble.how) await write(stream, trouble.how.lie);
        else refuse(trouble.how.code, trouble.how.message);
      }
    } catch (error) {
      if (error instanceof GrpcRefusal) refuse(error.code, error.message);
      else refuse(13, String(error));
    }
    if (!stream.destroyed) stream.end();
  }
}

async function write(stream: ServerHttp2Stream, message: Buffer): Promise<void> {
  const head = Buffer.alloc(5);
  head.writeUInt32BE(message.length, 1);
  if (stream.destroyed || stream.write(Buffer.concat([head, message]))) return;
  await new Promise<void>((resolve) => {
    const on = () => {
      stream.off("drain", on).off("close", on);
      resolve();
    };
    stream.on("drain", on).on("close", on);
  });
}
