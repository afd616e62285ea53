import { createHash, randomBytes } from "node:crypto";
import type { Duplex } from "node:stream";
import { ToolFailure } from "../contract/failure.ts";
import { readHead } from "./read-head.ts";

export interface WebSocketOptions {
  readonly url: URL;
  message(text: string): void;
  /** Told once, with a sentence. */
  lost(reason: string): void;
  /** Of one message. */
  readonly maxBytes: number;
  /** So often the other side is asked whether it is there; one that says nothing for twice as long is lost. */
  readonly aliveMs: number;
}

const TEXT = 1;
const CLOSE = 8;
const PING = 9;
const PONG = 10;

/** The client's side of a WebSocket (RFC 6455) over a connection that stands already, whoever dialled it: texts both ways. */
export class WebSocketClient {
  readonly #connection: Duplex;
  readonly #options: WebSocketOptions;
  #buffered: Buffer = Buffer.alloc(0);
  #pieces: Buffer[] = [];
  #size = 0;
  #heardAt = performance.now();
  #over = false;
  readonly #alive: NodeJS.Timeout;

  private constructor(connection: Duplex, options: WebSocketOptions, rest: Buffer) {
    this.#connection = connection;
    this.#options = options;
    this.#alive = setInterval(() => this.#look(), options.aliveMs).unref();
    connection.on("data", (chunk: Buffer) => this.#take(chunk));
    connection.on("error", () => this.#end("it broke off"));
    connection.on("close", () => this.#end("it was closed"));
    connection.on("end", () => this.#end("it was closed"));
    if (rest.length > 0) this.#take(rest);
    connection.resume();
  }

  /** Asks for the change of protocol. @throws {ToolFailure} `unavailable` where it is not granted. */
  static async open(connection: Duplex, options: WebSocketOptions): Promise<WebSocketClient> {
    const { url } = options;
    const key = randomBytes(16).toString("base64");
    connection.write(`GET ${url.pathname}${url.search} HTTP/1.1\r\nhost: ${url.host}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${key}\r\nuser-agent: hermes-agent\r\n\r\n`);
    const { status, headers, rest } = await readHead(connection);
    const accepted = createHash("sha1").update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest("base64");
    if (status !== 101) throw new ToolFailure("unavailable", `${url.host} answered ${status} to the connection.`);
    if (headers.get("sec-websocket-accept") !== accepted) throw new ToolFailure("unavailable", `${url.host} does not speak WebSocket.`);
    return new WebSocketClient(connection, options, rest);
  }

  send(text: string): void {
    this.#write(TEXT, Buffer.from(text));
  }

  close(): void {
    if (this.#over) return;
    this.#write(CLOSE, Buffer.from([3, 232]));
    this.#over = true;
    clearInterval(this.#alive);
    this.#connection.end();
    this.#connection.destroy();
  }

  #write(kind: number, body: Buffer): void {
    if (this.#over || this.#connection.destroyed) return;
    const length = body.length < 126 ? Buffer.from([128 | body.length]) : body.length < 65_536 ? Buffer.from([254, body.length >> 8, body.length & 255]) : Buffer.concat([Buffer.from([255]), big(body.length)]);
    const mask = randomBytes(4);
    const masked = Buffer.from(body);
    for (let at = 0; at < masked.length; at += 1) masked[at] = masked[at]! ^ mask[at & 3]!;
    this.#connection.write(Buffer.concat([Buffer.from([128 | kind]), length, mask, masked]));
  }

  #take(chunk: Buffer): void {
    this.#heardAt = performance.now();
    this.#buffered = this.#buffered.length === 0 ? chunk : Buffer.concat([this.#buffered, chunk]);
    for (let frame = this.#next(); frame !== undefined && !this.#over; frame = this.#next()) this.#hear(frame);
  }

  /** A whole frame, or nothing yet. */
  #next(): { readonly last: boolean; readonly kind: number; readonly body: Buffer } | undefined {
    const all = this.#buffered;
    if (all.length < 2) return undefined;
    const [first, second] = [all[0]!, all[1]!];
    const short = second & 127;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (all.length < head) return undefined;
    const length = short < 126 ? short : short === 126 ? all.readUInt16BE(2) : Number(all.readBigUInt64BE(2));
    if ((second & 128) !== 0 || (first & 112) !== 0) return this.#end("it sent what is no WebSocket message");
    if (length + this.#size > this.#options.maxBytes) return this.#end(`it sent a message of more than ${this.#options.maxBytes / 1_000_000} MB`);
    if (all.length < head + length) return undefined;
    this.#buffered = all.subarray(head + length);
    return { last: (first & 128) !== 0, kind: first & 15, body: all.subarray(head, head + length) };
  }

  #hear({ last, kind, body }: { readonly last: boolean; readonly kind: number; readonly body: Buffer }): void {
    if (kind === PING) return this.#write(PONG, body);
    if (kind === PONG) return;
    if (kind === CLOSE) return this.#end(body.length > 2 ? `it was closed: ${body.subarray(2, 125).toString("utf8")}` : "it was closed");
    this.#pieces.push(body);
    this.#size += body.length;
    if (!last) return;
    const text = Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#size = 0;
    this.#options.message(text);
  }

  #look(): void {
    if (performance.now() - this.#heardAt > this.#options.aliveMs * 2) return this.#end("the other side says nothing any more");
    this.#write(PING, Buffer.alloc(0));
  }

  #end(reason: string): undefined {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#alive);
    this.#connection.destroy();
    this.#options.lost(reason);
  }
}

function big(length: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(length));
  return bytes;
}
