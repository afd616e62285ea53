import type { WireReply } from "./http.ts";
import { BrokenStream } from "./server-sent-events.ts";

/** The whole body of a reply that is not streamed. Rejects with {@link BrokenStream} when it is not JSON. */
export async function readJson(reply: WireReply): Promise<unknown> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of reply.body) chunks.push(chunk);
  reply.release(true);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new BrokenStream("the answer is neither an event stream nor JSON");
  }
}
