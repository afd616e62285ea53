import type { WireReply } from "./http.ts";
import { BrokenStream } from "./server-sent-events.ts";

/** Larger is neither an answer nor a list of models. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * The whole body of a reply that is not streamed, which is released. Rejects with {@link BrokenStream} when it is not
 * JSON.
 */
export async function readJson(reply: WireReply): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  let whole = false;
  try {
    let bytes = 0;
    for await (const chunk of reply.body) {
      chunks.push(chunk);
      if ((bytes += chunk.length) > MAX_BYTES) throw new BrokenStream("the answer is larger than 64 MB");
    }
    whole = true;
  } finally {
    reply.release(whole);
  }
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new BrokenStream("the answer is neither an event stream nor JSON");
  }
}
