import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { LiveEvent } from "./live/event-queue.ts";

/** Of `JSON.stringify`: masks secrets. */
type Replacer = (key: string, value: unknown) => unknown;

/** A connection without data is closed by proxies, and the page learns of a lost one. */
const BEAT_MS = 15_000;

/** For every response: no caching, sniffing, framing or referrer. */
export const HEADERS = {
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
};

/** Sends each value as a line of JSON. */
export async function sendLines(
  response: ServerResponse,
  values: AsyncIterable<unknown>,
  masked: Replacer,
): Promise<void> {
  response.writeHead(200, { ...HEADERS, "content-type": "application/x-ndjson; charset=utf-8" });
  response.flushHeaders();
  for await (const value of values) {
    if (response.destroyed) break;
    if (!response.write(`${JSON.stringify(value, masked)}\n`)) await writable(response);
  }
  response.end();
}

/** Sends server-sent events until there are no more or the page is gone. */
export async function sendEvents(
  response: ServerResponse,
  events: AsyncIterable<LiveEvent>,
  masked: Replacer,
): Promise<void> {
  const iterator = events[Symbol.asyncIterator]();
  let beats: NodeJS.Timeout | undefined;
  try {
    // The first event comes before the head, so that a refusal has its status.
    for (let next = await iterator.next(); next.done !== true && !response.destroyed; next = await iterator.next()) {
      if (beats === undefined) {
        response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream; charset=utf-8" });
        beats = setInterval(() => response.write(":\n\n"), BEAT_MS);
      }
      const { id, event, data } = next.value;
      const head = id === undefined ? "" : `id: ${id}\n`;
      if (!response.write(`${head}event: ${event}\ndata: ${JSON.stringify(data, masked)}\n\n`))
        await writable(response);
    }
    response.end();
  } finally {
    clearInterval(beats);
    await iterator.return?.();
  }
}

/** Resolves when the response can take more data or is closed. */
async function writable(response: ServerResponse): Promise<void> {
  const over = new AbortController();
  try {
    await Promise.race(
      ["drain", "close"].map((event) => once(response, event, { signal: over.signal }).catch(() => undefined)),
    );
  } finally {
    over.abort();
  }
}
