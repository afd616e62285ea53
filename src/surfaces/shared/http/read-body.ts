import { parseExact } from "../../../contract/common/parse-exact.ts";
import type { IncomingMessage } from "node:http";
import { UserError } from "../../../contract/common/failure.ts";
import { isObject } from "../../../contract/common/is-object.ts";
import type { JsonObject } from "../../../contract/common/json.ts";

/** The body of a request. `undefined`: it is too long. */
export async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length;
    // Read and drop the rest: a client that is still sending would not receive the response.
    if (bytes <= maxBytes) pieces.push(piece);
  }
  return bytes > maxBytes ? undefined : Buffer.concat(pieces);
}

/** An empty body is an empty object. @throws {UserError} for anything but a JSON object. */
export function jsonObjectOf(body: Buffer): JsonObject {
  if (body.length === 0) return {};
  try {
    const value: unknown = parseExact(body.toString());
    if (isObject(value)) return value;
  } catch (cause) {
    throw new UserError(`The request body is not JSON: ${(cause as Error).message}`, { cause });
  }
  throw new UserError("The request body must be a JSON object.");
}
