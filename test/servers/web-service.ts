import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface Sent {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** A generic web service at the wire, which records requests and sends the scripted answers. */
export async function startWebService(answer: (sent: Sent, reply: ServerResponse, request: IncomingMessage) => void) {
  const sent: Sent[] = [];
  const server = createServer((request, reply) => {
    const pieces: Buffer[] = [];
    request
      .on("data", (piece: Buffer) => pieces.push(piece))
      .on("end", () => {
        const one = {
          method: request.method ?? "",
          url: request.url ?? "",
          headers: request.headers,
          body: Buffer.concat(pieces).toString(),
        };
        sent.push(one);
        answer(one, reply, request);
      });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    sent,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function sendJson(reply: ServerResponse, body: unknown, status = 200): void {
  reply.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
