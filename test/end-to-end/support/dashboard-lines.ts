import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import type { DashboardScene } from "./dashboard-scene.ts";

/** Values of a streamed response, one by one. */
export async function asked<Value>(
  scene: DashboardScene,
  path: string,
): Promise<AsyncDisposable & { next(): Promise<Value> }> {
  const stop = new AbortController();
  const response = await fetch(new URL(path, scene.url), {
    headers: { "x-hermes-session-token": scene.token },
    signal: stop.signal,
  });
  const body = Readable.fromWeb(response.body as ReadableStream);
  body.on("error", () => {}); // The test itself ended it.
  const lines = createInterface({ input: body })[Symbol.asyncIterator]();
  return {
    async next() {
      const line = await lines.next();
      if (line.done === true) throw new Error("It ended.");
      return JSON.parse(line.value);
    },
    async [Symbol.asyncDispose]() {
      stop.abort();
    },
  };
}
