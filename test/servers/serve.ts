import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { Dialect, ModelScript, ModelServer, RecordedRequest, ScriptedReply } from "./script.ts";

/** Plays a script in a protocol on a loopback port. */
export async function serve(dialect: Dialect, basePath: string, script: ModelScript, port = 0): Promise<ModelServer> {
  const requests: RecordedRequest[] = [];
  let connections = 0;
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((error: unknown) => outgoing.destroy(error as Error));
  });
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`,
    requests,
    get connections() {
      return connections;
    },
    dropConnections: () => server.closeAllConnections(),
    close,
    [Symbol.asyncDispose]: close,
  };

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
    const path = new URL(incoming.url ?? "/", "http://loopback").pathname;
    if (incoming.method === "GET" && path.endsWith("/models")) return sendJson(outgoing, 200, dialect.models);
    if (incoming.method !== "POST" || !path.endsWith(dialect.path))
      return sendJson(outgoing, 404, dialect.error(404, `no route ${path}`));
    const request: RecordedRequest = {
      method: incoming.method,
      path: incoming.url ?? "/",
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString("utf8"),
      at: performance.now(),
    };
    requests.push(request);
    const reply =
      typeof script === "function"
        ? script(request, requests.length)
        : script[Math.min(requests.length, script.length) - 1];
    if (reply === undefined) return sendJson(outgoing, 500, dialect.error(500, "The script has no reply."));
    await play(reply, request, outgoing);
  }

  async function play(reply: ScriptedReply, request: RecordedRequest, outgoing: ServerResponse): Promise<void> {
    if (reply.headAfterMs !== undefined) await pause(reply.headAfterMs, outgoing);
    if ((reply.status ?? 200) !== 200 || reply.body !== undefined) {
      const body = reply.body ?? dialect.error(reply.status ?? 500, reply.message ?? "The script says so.");
      return sendJson(outgoing, reply.status ?? 200, body, reply.headers);
    }
    outgoing.writeHead(200, { "content-type": "text/event-stream; charset=utf-8", ...reply.headers });
    outgoing.flushHeaders();
    outgoing.socket?.setNoDelay(true);
    if (reply.firstAfterMs !== undefined) await pause(reply.firstAfterMs, outgoing);
    if (reply.raw !== undefined) return await playRaw(reply.raw, outgoing);
    await playEvents(reply, dialect.events(reply, requests.length, modelOf(request.body)), outgoing);
  }
}

async function playRaw(steps: NonNullable<ScriptedReply["raw"]>, outgoing: ServerResponse): Promise<void> {
  for (const step of steps) {
    if (step === "cut") {
      // Earlier bytes must arrive first, or the client sees only the break.
      await sleep(20);
      outgoing.destroy();
      return;
    }
    if (typeof step === "string" || step instanceof Uint8Array) await write(outgoing, step);
    else await pause(step.waitMs, outgoing);
  }
  outgoing.end();
}

async function playEvents(reply: ScriptedReply, events: readonly string[], outgoing: ServerResponse): Promise<void> {
  const lines = reply.crlf === true ? "\r\n" : "\n";
  const limit = reply.cutAfterBytes ?? reply.stallAfterBytes ?? Infinity;
  let sent = 0;
  for (const [index, event] of events.entries()) {
    const text = `${index === 0 && reply.bom === true ? "\uFEFF" : ""}${reply.keepAliveComments === true ? `: keep-alive${lines}${lines}` : ""}${event.replaceAll("\n", lines)}${lines}${lines}`;
    const whole = Buffer.from(text);
    const bytes = whole.subarray(0, Math.max(0, limit - sent));
    const step = reply.splitBytes ?? Math.max(1, bytes.length);
    for (let from = 0; from < bytes.length; from += step) {
      await write(outgoing, bytes.subarray(from, from + step));
      // Each piece must be sent separately for the client to receive it in pieces.
      if (reply.splitBytes !== undefined) await new Promise((resolve) => setImmediate(resolve));
    }
    sent += bytes.length;
    if (sent >= limit) {
      if (reply.stallAfterBytes !== undefined) return;
      await sleep(20);
      outgoing.destroy();
      return;
    }
    if (reply.betweenMs !== undefined) await pause(reply.betweenMs, outgoing);
  }
  outgoing.end();
}

/** Ends early when the client disconnects, so that no test waits for a timer. */
async function pause(ms: number, outgoing: ServerResponse): Promise<void> {
  if (outgoing.closed) return;
  const gone = new AbortController();
  const leave = (): void => gone.abort();
  outgoing.once("close", leave);
  await sleep(ms, undefined, { signal: gone.signal }).catch(() => {});
  outgoing.off("close", leave);
}

async function write(outgoing: ServerResponse, bytes: string | Uint8Array): Promise<void> {
  if (!outgoing.write(bytes) && !outgoing.destroyed)
    await new Promise<void>((resolve) => {
      const go = (): void => {
        outgoing.off("drain", go).off("close", go);
        resolve();
      };
      outgoing.on("drain", go).on("close", go);
    });
}

function sendJson(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: ScriptedReply["headers"] = {},
): void {
  outgoing.writeHead(status, {
    "content-type": typeof body === "string" ? "text/plain" : "application/json",
    ...headers,
  });
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
}

function modelOf(body: string): string {
  try {
    const model = (JSON.parse(body) as { model?: unknown }).model;
    return typeof model === "string" ? model : "unknown";
  } catch {
    return "unknown";
  }
}

/** Text in pieces of `size` characters, never empty ones. */
export function pieces(text: string, size: number): readonly string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(""),
  );
}

/**
 * A script file is a JSON array of replies. `node test/servers/openai.ts --script file.json --port 0` prints the URL
 * and serves until killed.
 */
export async function serveFromCommandLine(
  start: (script: ModelScript, port: number) => Promise<ModelServer>,
): Promise<void> {
  const { parseArgs } = await import("node:util");
  const { readFile } = await import("node:fs/promises");
  const { values } = parseArgs({ options: { script: { type: "string" }, port: { type: "string", default: "0" } } });
  if (values.script === undefined)
    throw new Error("--script FILE is needed: a JSON array of replies (see test/servers/script.ts).");
  const server = await start(JSON.parse(await readFile(values.script, "utf8")) as ModelScript, Number(values.port));
  console.log(server.url);
}
