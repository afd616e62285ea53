import type { IncomingMessage } from "node:http";
import { UserError } from "../../../contract/common/failure.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { JsonObject } from "../../../contract/common/json.ts";

/** What a request brings. `undefined`: it is longer than that. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    // What is left of it is still taken, and dropped: whoever sends it would not hear the answer.
    if (bytes <= maxBytes) pieces.push(piece);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(pieces);
}

/** An empty body is an empty object. @throws {UserError} for anything but a JSON object. */
export function jsonObjectOf(body: Buffer): JsonObject {
  if (body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(body.toString());
    if (isObject(value)) return value;
  } catch (cause) {
    throw new UserError(`What was sent is not JSON: ${(cause as Error).message}`, { cause });
  }
  throw new UserError("What was sent must be a JSON object.");
}
