import { createHash } from "node:crypto";
import type { IncomingMessage, Server } from "node:http";
import type { Duplex } from "node:stream";

/** One client's WebSocket, as a server in a test sees it. */
export interface ServedSocket {
  readonly url: string;
  send(message: object): void;
  /** Closes with a status code. */
  close(code: number, reason?: string): void;
  /** Breaks the connection without a closing frame. */
  destroy(): void;
}

export interface SocketHandlers {
  opened?(socket: ServedSocket): void;
  /** A text message, parsed as JSON. A binary or invalid one closes the connection with 1003 or 1007. */
  message(message: { readonly [name: string]: unknown }, socket: ServedSocket): void;
  closed?(socket: ServedSocket): void;
  /** The client closes the connection with this code. */
  closing?(code: number): void;
}

/** Serves WebSockets with JSON messages on an HTTP server. */
export function serveSockets(http: Server, path: string, handlers: SocketHandlers): void {
  http.on("upgrade", (request: IncomingMessage, stream: Duplex) => {
    stream.on("error", () => undefined);
    if ((request.url ?? "/").split("?")[0] !== path)
      return void stream.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n");
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    stream.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    const socket: ServedSocket = {
      url: request.url ?? "/",
      send: (message) => void (stream.writable && stream.write(frame(0x1, Buffer.from(JSON.stringify(message))))),
      close(code, reason = "") {
        if (stream.writable)
          stream.end(frame(0x8, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)])));
      },
      destroy: () => void stream.destroy(),
    };
    stream.once("close", () => handlers.closed?.(socket));
    stream.once("end", () => stream.end());
    read(stream, socket, handlers);
    handlers.opened?.(socket);
  });
}

function read(stream: Duplex, socket: ServedSocket, handlers: SocketHandlers): void {
  let rest: Buffer = Buffer.alloc(0);
  let parts: Buffer[] = [];
  stream.on("data", (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk]);
    for (let one = unframe(rest); one !== undefined; one = unframe(rest)) {
      rest = rest.subarray(one.length);
      if (!one.masked) return socket.close(1002, "a client masks its frames");
      if (one.kind === 0x8) {
        if (one.body.length >= 2) handlers.closing?.(one.body.readUInt16BE(0));
        return void (stream.writable && stream.end(frame(0x8, one.body)));
      }
      if (one.kind === 0x9) stream.write(frame(0xa, one.body));
      if (one.kind === 0x2) return socket.close(1003, "only text");
      if (one.kind > 0x1) continue;
      parts.push(one.body);
      if (!one.last) continue;
      const text = Buffer.concat(parts).toString();
      parts = [];
      let message: { readonly [name: string]: unknown };
      try {
        message = JSON.parse(text) as { readonly [name: string]: unknown };
      } catch {
        return socket.close(1007, "not JSON");
      }
      handlers.message(message, socket);
    }
  });
}

function frame(kind: number, body: Buffer): Buffer {
  const long = body.length > 65_535;
  const head = Buffer.alloc(body.length < 126 ? 2 : long ? 10 : 4);
  head[0] = 0x80 | kind;
  head[1] = body.length < 126 ? body.length : long ? 127 : 126;
  if (head.length === 4) head.writeUInt16BE(body.length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(body.length), 2);
  return Buffer.concat([head, body]);
}

function unframe(bytes: Buffer) {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 0x7f;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < head) return undefined;
  const size = head === 4 ? bytes.readUInt16BE(2) : head === 10 ? Number(bytes.readBigUInt64BE(2)) : short;
  const masked = (bytes[1]! & 0x80) !== 0;
  const start = head + (masked ? 4 : 0);
  if (bytes.length < start + size) return undefined;
  const body = Buffer.from(bytes.subarray(start, start + size));
  if (masked) for (let at = 0; at < size; at++) body[at]! ^= bytes[head + (at % 4)]!;
  return { kind: bytes[0]! & 0x0f, last: (bytes[0]! & 0x80) !== 0, masked, body, length: start + size };
}
