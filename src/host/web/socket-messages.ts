import type { Socket } from "node:net";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { GuardedSocket } from "../../contract/providers/web.ts";
import { FrameError, frameOf, FrameReader, OPCODES } from "./web-socket-frames.ts";

export interface SocketPorts {
  readonly host: string;
  readonly protocol: string | undefined;
  readonly maxMessageBytes: number;
  /** Whether what is to be sent carries a stored secret. */
  carries(sent: string): boolean;
  /** Whether a message of the server repeats a secret. */
  repeats(text: string): boolean;
  readonly keepAliveMs?: number;
  readonly signal?: AbortSignal;
}

/** Messages that wait for their reader; then the other side waits. */
const MAX_WAITING_BYTES = 4_000_000;
/** An empty message occupies memory, too. */
const MESSAGE_BYTES = 64;
/** Limit of unsent data: the connection ends if the server does not read. */
const MAX_UNSENT_BYTES = 64_000_000;
/** The other side may take so long to agree to the end. */
const CLOSE_MS = 1_000;

/** A WebSocket that is open. */
export class SocketMessages implements GuardedSocket {
  readonly protocol: string | undefined;
  readonly messages: AsyncIterable<string | Uint8Array>;
  readonly #socket: Socket;
  readonly #ports: SocketPorts;
  readonly #reader: FrameReader;
  readonly #waiting: (string | Uint8Array)[] = [];
  #waitingBytes = 0;
  #wake = Promise.withResolvers<void>();
  /** Why nothing comes any more: an error, or nothing for an end that was agreed on. */
  #over: { readonly cause: unknown } | undefined;
  #closing = false;
  #closeReason: string | undefined;
  #closeCode: number | undefined;
  /** How often it was asked whether it is there since it last said something. */
  #unanswered = 0;

  constructor(socket: Socket, head: Buffer, ports: SocketPorts) {
    this.#socket = socket;
    this.#ports = ports;
    this.protocol = ports.protocol;
    this.#reader = new FrameReader(ports.maxMessageBytes);
    this.messages = this.#read();
    const { host, signal, keepAliveMs } = ports;
    const asking = keepAliveMs === undefined ? undefined : setInterval(() => this.#ask(), keepAliveMs).unref();
    const stop = () => {
      this.#waiting.length = 0;
      this.#end(signal?.reason);
    };
    signal?.addEventListener("abort", stop, { once: true });
    socket.setNoDelay(true);
    socket.on("data", (chunk: Buffer) => this.#take(chunk));
    socket.on("error", (cause: NodeJS.ErrnoException) =>
      this.#end(
        new ToolFailure("unreachable", `The connection to ${host} broke (${cause.code ?? "closed"}).`, { cause }),
      ),
    );
    socket.once("close", () => {
      clearInterval(asking);
      signal?.removeEventListener("abort", stop);
      this.#end(this.#closing ? undefined : new ToolFailure("unreachable", `${host} closed the connection.`));
    });
    if (signal?.aborted === true) stop();
    else if (head.length > 0) this.#take(head);
  }

  get closeReason(): string | undefined {
    return this.#closeReason;
  }

  get closeCode(): number | undefined {
    return this.#closeCode;
  }

  send(message: string | Uint8Array): void {
    if (this.#over !== undefined || this.#closing)
      throw this.#over?.cause instanceof Error
        ? this.#over.cause
        : new ToolFailure("unreachable", `The connection to ${this.#ports.host} is closed.`);
    if (this.#ports.carries(typeof message === "string" ? message : Buffer.from(message).toString("latin1")))
      throw new ToolFailure("blocked", `The data for ${this.#ports.host} contains a stored secret.`, {
        data: { blocked_by: "secret" },
      });
    this.#write(
      typeof message === "string" ? OPCODES.text : OPCODES.binary,
      typeof message === "string" ? Buffer.from(message) : message,
    );
  }

  close(code = 1_000): void {
    if (this.#closing || this.#over !== undefined) return;
    this.#write(OPCODES.close, Buffer.from([code >> 8, code & 255]));
    this.#closing = true;
    // Ignores what still arrives; sends what is queued first.
    this.#socket.end();
    setTimeout(() => this.#end(undefined), CLOSE_MS).unref();
    this.#wake.resolve();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async *#read(): AsyncGenerator<string | Uint8Array> {
    try {
      for (;;) {
        const next = this.#closing ? undefined : this.#waiting.shift();
        if (next !== undefined) {
          this.#waitingBytes -= next.length + MESSAGE_BYTES;
          if (this.#waitingBytes <= MAX_WAITING_BYTES) this.#socket.resume();
          yield next;
          continue;
        }
        if (this.#closing) return;
        if (this.#over !== undefined) {
          if (this.#over.cause !== undefined) throw this.#over.cause;
          return;
        }
        await this.#wake.promise;
        this.#wake = Promise.withResolvers();
      }
    } finally {
      this.close();
    }
  }

  #take(chunk: Buffer): void {
    this.#unanswered = 0;
    if (this.#closing || this.#over !== undefined) return;
    try {
      for (const one of this.#reader.take(chunk)) {
        if (one.kind === "message") {
          this.#waiting.push(one.message);
          this.#waitingBytes += one.message.length + MESSAGE_BYTES;
        } else if (one.kind === "ping") this.#write(OPCODES.pong, one.payload);
        else if (one.kind === "close") return this.#agreed(one.code, one.reason);
      }
    } catch (cause) {
      if (!(cause instanceof FrameError)) throw cause;
      return this.#end(
        new ToolFailure("unreachable", `The connection to ${this.#ports.host} was closed: ${cause.message}.`, {
          cause,
        }),
      );
    }
    if (this.#waitingBytes > MAX_WAITING_BYTES) this.#socket.pause();
    if (this.#waiting.length > 0) this.#wake.resolve();
  }

  /** The other side has said all it wants to say. */
  #agreed(code: number | undefined, reason: string): void {
    this.#closeCode = code;
    if (reason !== "" && !this.#ports.repeats(reason)) this.#closeReason = reason;
    this.#write(OPCODES.close, Buffer.alloc(0));
    const fine = code === undefined || code === 1000 || code === 1001;
    this.#over = {
      cause: fine
        ? undefined
        : new ToolFailure("unreachable", `${this.#ports.host} closed the connection with the code ${code}.`),
    };
    this.#socket.end();
    setTimeout(() => this.#socket.destroy(), CLOSE_MS).unref();
    this.#wake.resolve();
  }

  #ask(): void {
    if (this.#closing || this.#over !== undefined) return;
    // A connection that waits for its reader cannot receive a pong.
    if (this.#socket.isPaused()) this.#unanswered = 0;
    if (this.#unanswered >= 2)
      return this.#end(new ToolFailure("unreachable", `${this.#ports.host} stopped answering.`));
    this.#unanswered += 1;
    this.#write(OPCODES.ping, Buffer.alloc(0));
  }

  #write(opcode: number, payload: Uint8Array): void {
    if (this.#socket.writable) this.#socket.write(frameOf(opcode, payload));
    if (this.#socket.writableLength > MAX_UNSENT_BYTES)
      this.#end(new ToolFailure("unreachable", `${this.#ports.host} stopped reading.`));
  }

  #end(cause: unknown): void {
    this.#over ??= { cause };
    this.#socket.destroy();
    this.#wake.resolve();
  }
}
