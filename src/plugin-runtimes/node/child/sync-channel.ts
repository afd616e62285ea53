import { readSync, writeSync } from "node:fs";
import type { Json, JsonObject } from "../../../contract/common/json.ts";

const CHANNEL = 4;
let count = 0;
let rest = "";

/** Sends a request to the agent and blocks until the answer arrives: for the few members that return no promise. */
export function askNow(method: string, params: JsonObject): Json {
  count += 1;
  writeSync(CHANNEL, `${JSON.stringify({ jsonrpc: "2.0", id: `s${count}`, method, params })}\n`);
  const buffer = Buffer.alloc(1 << 16);
  const chunks: Buffer[] = [];
  let text = rest;
  while (!text.includes("\n")) {
    const bytes = readSync(CHANNEL, buffer);
    if (bytes === 0) throw new Error("The agent has exited.");
    // Joined as bytes, because a character may be split between two chunks.
    chunks.push(Buffer.from(buffer.subarray(0, bytes)));
    if (buffer.subarray(0, bytes).includes(10)) text = rest + Buffer.concat(chunks).toString("utf8");
  }
  const at = text.indexOf("\n");
  rest = text.slice(at + 1);
  const message = JSON.parse(text.slice(0, at)) as {
    readonly result?: Json;
    readonly error?: { readonly message: string };
  };
  if (message.error !== undefined) throw new Error(message.error.message);
  return message.result ?? null;
}
