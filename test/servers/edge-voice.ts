import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface SpeechConnection {
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  /** Texts of the connection, in order. */
  readonly texts: string[];
}

/** How a scripted service answers a request for speech. */
export type Answer = (
  tools: { text(words: string): void; sound(bytes: Buffer): void; raw(bytes: Buffer): void; drop(): void },
  connection: SpeechConnection,
) => void;

/**
 * The service behind Edge's voices at the wire: a WebSocket that accepts settings and SSML and sends pieces of sound.
 */
export async function startEdgeVoice(answer: Answer, status = 101) {
  const connections: SpeechConnection[] = [];
  const open = new Set<Socket>();
  const server = createServer((_, reply) => reply.writeHead(404).end());
  server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    open.add(socket);
    socket.on("error", () => undefined);
    if (status !== 101) return socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    const one: SpeechConnection = { url: request.url ?? "", headers: request.headers, texts: [] };
    connections.push(one);
    const tools = {
      text: (words: string) => void socket.write(frame(0x81, Buffer.from(words))),
      sound: (bytes: Buffer) =>
        void socket.write(frame(0x82, withHead("X-RequestId:1\r\nContent-Type:audio/mpeg\r\nPath:audio\r\n", bytes))),
      raw: (bytes: Buffer) => void socket.write(frame(0x82, bytes)),
      drop: () => void socket.destroy(),
    };
    let rest = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let read = unframe(rest); read !== undefined; read = unframe(rest)) {
        rest = rest.subarray(read.length);
        if (read.kind !== 1) continue;
        one.texts.push(read.body.toString());
        if (one.texts.length === 2) answer(tools, one);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    connections,
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}/edge/v1`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function withHead(head: string, body: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(head.length);
  return Buffer.concat([length, Buffer.from(head), body]);
}

function frame(first: number, body: Buffer): Buffer {
  if (body.length < 126) return Buffer.concat([Buffer.from([first, body.length]), body]);
  const head = Buffer.alloc(4);
  head[0] = first;
  head[1] = 126;
  head.writeUInt16BE(body.length, 2);
  return Buffer.concat([head, body]);
}

/** One frame of a client, which masks what it sends. */
function unframe(bytes: Buffer): { readonly kind: number; readonly body: Buffer; readonly length: number } | undefined {
  if (bytes.length < 6) return undefined;
  const short = bytes[1]! & 127;
  const at = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < at + 4) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < at + 4 + size) return undefined;
  const mask = bytes.subarray(at, at + 4);
  const body = Buffer.from(bytes.subarray(at + 4, at + 4 + size));
  for (let n = 0; n < body.length; n++) body[n]! ^= mask[n % 4]!;
  return { kind: bytes[0]! & 15, body, length: at + 4 + size };
}
