import type { ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { ToolFailure } from "../../contract/common/failure.ts";

/** Why the guarded proxy does not forward a request, with the HTTP status of the answer. */
export class Refusal extends Error {
  readonly status: 400 | 403 | 502;

  constructor(status: Refusal["status"], message: string) {
    super(message);
    this.status = status;
  }
}

/** The refusal for any failure. A failed check refuses, too. */
export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  return new Refusal(
    error instanceof ToolFailure && error.code === "unreachable" ? 502 : 403,
    error instanceof ToolFailure ? error.message : "The address could not be checked.",
  );
}

/** Answers a request with the refusal, or closes it if its answer has begun. */
export function answer(reply: ServerResponse, { status, message }: Refusal): void {
  if (reply.headersSent) return void reply.destroy();
  reply.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" });
  reply.end(textOf(status, message));
}

/** Answers a connection with the refusal. */
export function answerRaw(client: Duplex, { status, message }: Refusal): void {
  const body = Buffer.from(textOf(status, message));
  // Read on, so that its end is seen.
  client
    .resume()
    .end(
      `HTTP/1.1 ${status} ${status === 403 ? "Refused by the sandbox" : "Not done"}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body.toString("latin1")}`,
      "latin1",
    );
}

function textOf(status: Refusal["status"], message: string): string {
  return `${status === 403 ? "Refused by the sandbox's proxy: " : ""}${message}\n`;
}
