import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** Fields of one message, by number: parsed independently of the plugin. */
export interface Fields {
  readonly [number: number]: readonly (bigint | Buffer)[];
}

/** Frames received over the connection, decoded. */
export interface ReceivedFrame {
  readonly bytes: Buffer;
  readonly command: string;
  readonly module: string;
  readonly id: string;
  readonly fields: Fields;
}

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

/** How one request fails or deviates. */
export type Misdeed =
  | { readonly kind: "silence" }
  | { readonly kind: "refuse"; readonly code: number; readonly message: string }
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "close"; readonly code: number; readonly reason: string }
  | { readonly kind: "kick"; readonly reason: string }
  | { readonly kind: "drop" }
  | { readonly kind: "rubbish" };

export const APP_ID = "app-of-the-test";
export const APP_SECRET = "secret-of-the-test-0123456789";
export const GROUP = "328306697";
export const BOT = "bot_9";
/** Account, nickname, kind. */
export const PEOPLE: readonly (readonly [id: string, name: string, kind: number])[] = [
  ["u_alice", "Alice", 1],
  ["u_bob", "Bob", 1],
  ["u_bobby", "Bobby Tables", 1],
  ["ai_1", "元宝", 2],
  [BOT, "Hermes", 3],
  ["u_odd", "Odd", 9],
];

/** Yuanbao's sign-in, its storage and its gateway for bots. Misbehaves on demand. */
export async function startYuanbao() {
  const requests: ReceivedRequest[] = [];
  const frames: ReceivedFrame[] = [];
  const misdeeds: { readonly command: string; readonly misdeed: Misdeed }[] = [];
  const signIns: { code: number; msg?: string }[] = [];
  const open = new Set<Socket>();
  const connections: Socket[] = [];
  let tokens = 0;
  let pageOf = 1_000;
  const take = (command: string): Misdeed | undefined => {
    const at = misdeeds.findIndex((one) => one.command === command);
    return at < 0 ? undefined : misdeeds.splice(at, 1)[0]!.misdeed;
  };

  const http = createServer(async (request, reply) => {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>));
    const path = new URL(request.url ?? "/", "http://127.0.0.1").pathname;
    requests.push({ method: request.method ?? "", path, headers: request.headers, body });
    const json = (value: unknown, status = 200): void =>
      void reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    const misdeed = take(path);
    if (misdeed?.kind === "status") return void reply.writeHead(misdeed.status).end("<html>");
    if (misdeed?.kind === "rubbish") return void reply.writeHead(200).end("<html>");
    if (path === "/api/v5/robotLogic/sign-token") {
      const { app_key, nonce, timestamp, signature } = JSON.parse(body.toString()) as {
        readonly [name: string]: string;
      };
      if (signIns.length > 0) return json(signIns.shift());
      const right = createHmac("sha256", APP_SECRET)
        .update(`${nonce}${timestamp}${app_key}${APP_SECRET}`)
        .digest("hex");
      if (app_key !== APP_ID || signature !== right) return json({ code: 10001, msg: "signature mismatch" });
      tokens += 1;
      return json({
        code: 0,
        data: { token: `token-${tokens}`, bot_id: BOT, source: "bot", duration: 7200, product: "yuanbao" },
      });
    }
    if (path === "/api/resource/genUploadInfo") {
      if (request.headers["x-token"] !== `token-${tokens}` || request.headers["x-id"] !== BOT)
        return json({ code: 401, msg: "no such token" });
      const { fileName } = JSON.parse(body.toString()) as { readonly fileName: string };
      return json({
        code: 0,
        data: {
          bucketName: "tea-125",
          region: "ap-guangzhou",
          location: `/up/${fileName}`,
          encryptTmpSecretId: "AKIDtest",
          encryptTmpSecretKey: "key",
          encryptToken: "pass+/=",
          startTime: 1_700_000_000,
          expiredTime: 4_000_000_000,
          resourceUrl: `https://r.example/${fileName}`,
        },
      });
    }
    if (request.method === "PUT") return void reply.writeHead(200).end();
    json({}, 404);
  });

  http.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    open.add(socket);
    connections.push(socket);
    socket.on("error", () => undefined);
    socket.on("end", () => socket.end());
    const accept = createHash("sha1")
      .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n\r\n`,
    );
    let rest = Buffer.alloc(0);
    socket.on("data", (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk]);
      for (let read = unframe(rest); read !== undefined; read = unframe(rest)) {
        rest = rest.subarray(read.length);
        if (read.kind === 8) socket.end(frame(0x88, read.body));
        if (read.kind === 2) receive(read.body, socket);
      }
    });
    socket.once("close", () => open.delete(socket));
  });

  function receive(bytes: Buffer, socket: Socket): void {
    const [head, data] = [fieldsOf(bytes)[1]?.[0] as Buffer, (fieldsOf(bytes)[2]?.[0] ?? Buffer.alloc(0)) as Buffer];
    const about = fieldsOf(head);
    const text = (number: number): string => String(about[number]?.[0] ?? "");
    const one = { bytes, command: text(2), module: text(5), id: text(4), fields: fieldsOf(data) };
    frames.push(one);
    const misdeed = take(one.command);
    const answer = (body: Buffer, status = 0): void =>
      void socket.write(
        frame(
          0x82,
          message([
            field(
              1,
              message([
                number(1, 1),
                field(2, one.command),
                number(3, 1),
                field(4, one.id),
                field(5, one.module),
                number(10, status),
              ]),
            ),
            field(2, body),
          ]),
        ),
      );
    if (misdeed?.kind === "silence") return;
    if (misdeed?.kind === "refuse") return answer(message([number(1, misdeed.code), field(2, misdeed.message)]));
    if (misdeed?.kind === "status") return answer(Buffer.alloc(0), misdeed.status);
    if (misdeed?.kind === "rubbish") return void socket.write(frame(0x82, Buffer.from([0x0a, 0xff])));
    if (misdeed?.kind === "drop") return void socket.destroy();
    if (misdeed?.kind === "close")
      return void socket.write(
        frame(0x88, Buffer.concat([Buffer.from([misdeed.code >> 8, misdeed.code & 255]), Buffer.from(misdeed.reason)])),
      );
    if (misdeed?.kind === "kick")
      return void socket.write(
        frame(
          0x82,
          message([
            field(1, message([number(1, 2), field(2, "kickout"), field(4, "k-1")])),
            field(2, message([number(1, 1), field(2, misdeed.reason)])),
          ]),
        ),
      );
    const given = (at: number): string => String(one.fields[at]?.[0] ?? "");
    if (one.command === "auth-bind") {
      const account = fieldsOf(one.fields[2]![0] as Buffer);
      return answer(
        String(account[3]?.[0]) === `token-${tokens}`
          ? message([field(3, "connection-1")])
          : message([number(1, 41_103), field(2, "token expired")]),
      );
    }
    if (one.command === "ping") return answer(message([number(1, 5)]));
    if (one.command === "query_group_info")
      return answer(
        given(1) === GROUP
          ? message([
              field(
                3,
                message([field(1, "Tea house"), field(2, "u_alice"), field(3, "Alice"), number(4, PEOPLE.length)]),
              ),
            ])
          : message([number(1, 12_001), field(2, "no such group")]),
      );
    if (one.command === "get_group_member_list") {
      const from = Number(one.fields[2]?.[0] ?? 0n);
      const page = PEOPLE.slice(from, from + pageOf);
      const next = from + page.length;
      return answer(
        message([
          ...page.map(([id, name, kind]) => field(3, message([field(1, id), field(2, name), number(3, kind)]))),
          ...(next < PEOPLE.length ? [number(4, next)] : [number(5, 1)]),
        ]),
      );
    }
    return answer(Buffer.alloc(0));
  }

  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const place = `127.0.0.1:${(http.address() as AddressInfo).port}`;
  return {
    variables: {
      YUANBAO_APP_ID: APP_ID,
      YUANBAO_APP_SECRET: APP_SECRET,
      YUANBAO_API_DOMAIN: `http://${place}`,
      YUANBAO_WS_URL: `ws://${place}/wss/connection`,
      YUANBAO_UPLOAD_URL: `http://${place}`,
    },
    requests: requests as readonly ReceivedRequest[],
    frames: frames as readonly ReceivedFrame[],
    /** Frames since the last time, without heartbeats. */
    take: () => frames.splice(0).filter(({ command }) => command !== "ping"),
    connected: () => open.size,
    connections: () => connections.length,
    /** The reaction to the next request with that command or path. */
    misbehave: (command: string, misdeed: Misdeed) => void misdeeds.push({ command, misdeed }),
    /** The answers to the next sign-ins. */
    answerSignIn: (...answers: readonly { code: number; msg?: string }[]) => void signIns.push(...answers),
    /** Invalidates the issued tokens. */
    expire: () => void (tokens += 1),
    pages: (length: number) => void (pageOf = length),
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** Numbers as bigint, everything else as its bytes. */
export function fieldsOf(bytes: Buffer): Fields {
  const found: { [number: number]: (bigint | Buffer)[] } = {};
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = bytes[at++]!;
      value += BigInt(byte % 128) << shift;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = Number(varint());
    const value = tag % 8 === 0 ? varint() : undefined;
    const length = value === undefined ? Number(varint()) : 0;
    (found[Math.floor(tag / 8)] ??= []).push(value ?? bytes.subarray(at, (at += length)));
  }
  return found;
}

const message = (parts: readonly Buffer[]): Buffer => Buffer.concat(parts);
const number = (at: number, value: number): Buffer =>
  value === 0
    ? Buffer.alloc(0)
    : Buffer.concat([counted(at * 8), counted(value < 0 ? 2n ** 64n + BigInt(value) : value)]);

function field(at: number, value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  return bytes.length === 0 ? bytes : Buffer.concat([counted(at * 8 + 2), counted(bytes.length), bytes]);
}

function counted(given: number | bigint): Buffer {
  const bytes: number[] = [];
  let value = BigInt(given);
  while (value > 127n) {
    bytes.push(Number(value % 128n) + 128);
    value /= 128n;
  }
  return Buffer.from([...bytes, Number(value)]);
}

function frame(first: number, body: Buffer): Buffer {
  const length =
    body.length < 126 ? Buffer.from([body.length]) : Buffer.from([126, body.length >> 8, body.length & 255]);
  return Buffer.concat([Buffer.from([first]), length, body]);
}

/** A client masks its frames. */
function unframe(bytes: Buffer): { readonly kind: number; readonly body: Buffer; readonly length: number } | undefined {
  if (bytes.length < 2) return undefined;
  const short = bytes[1]! & 127;
  const head = short === 126 ? 4 : short === 127 ? 10 : 2;
  if (bytes.length < head + 4) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  if (bytes.length < head + 4 + size) return undefined;
  const mask = bytes.subarray(head, head + 4);
  return {
    kind: bytes[0]! & 15,
    body: Buffer.from(bytes.subarray(head + 4, head + 4 + size).map((byte, at) => byte ^ mask[at % 4]!)),
    length: head + 4 + size,
  };
}
