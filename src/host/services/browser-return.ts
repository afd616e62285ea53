import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import type { CliIo } from "../../contract/conversation/command.ts";
import type { BrowserAnswer, BrowserReturn, OpenBrowserReturn } from "../../contract/providers/browser-return.ts";

type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Number of requests that may wait for a sign-in to start. */
const MAX_EARLY = 16;

export async function openBrowserReturn({
  host,
  port,
  path,
}: Parameters<OpenBrowserReturn>[0]): Promise<BrowserReturn> {
  /** The receiver of a browser's request; an earlier request waits for it. */
  let receive: RequestHandler | undefined;
  const early: Parameters<RequestHandler>[] = [];
  const server = createServer((request, response) => {
    if (receive !== undefined) receive(request, response);
    else if (early.length < MAX_EARLY) early.push([request, response]);
    else response.writeHead(503, { connection: "close" }).end("No sign-in is waiting for this yet.\n");
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });

  function fromBrowser(state: string, stop: AbortSignal): Promise<BrowserAnswer> {
    return new Promise((resolve, reject) => {
      stop.addEventListener("abort", () => reject(stop.reason), { once: true });
      receive = (request, response) => {
        const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
        const answer = (status: number, words: string) =>
          void response
            .writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" })
            .end(`${words}\n`);
        if (pathname !== path) return answer(404, "Nothing is served at this address.");
        try {
          const came = cameOf(searchParams, state);
          answer(200, "You are signed in. You can close this page.");
          resolve(came);
        } catch (cause) {
          answer(400, cause instanceof Error ? cause.message : String(cause));
          // What does not carry the state is not the answer to this question: it is still waited for.
          if (searchParams.get("state") === state) reject(cause);
        }
      };
      for (const one of early.splice(0)) receive(...one);
    });
  }

  return {
    port: (server.address() as AddressInfo).port,
    async came(state, io, stop) {
      const over = new AbortController();
      const until = AbortSignal.any([stop, over.signal]);
      const answer = fromBrowser(state, until);
      const mine = receive;
      try {
        return await Promise.race([answer, ...(io.interactive ? [fromPaste(io, state, until)] : [])]);
      } finally {
        over.abort();
        if (receive === mine) receive = undefined;
      }
    },
    [Symbol.dispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Where the browser is on another machine. */
function fromPaste(io: CliIo, state: string, stop: AbortSignal): Promise<BrowserAnswer> {
  io.out("If the browser cannot open the last page, paste the address of that page here.\n");
  const lines = createInterface({ input: process.stdin });
  return new Promise((resolve, reject) => {
    stop.addEventListener("abort", () => (lines.close(), reject(stop.reason)), { once: true });
    lines.on("line", (line) => {
      const at = line.indexOf("?");
      if (at < 0) return;
      try {
        resolve(cameOf(new URLSearchParams(line.slice(at + 1).trim()), state));
        lines.close();
      } catch (cause) {
        io.error(`${cause instanceof Error ? cause.message : String(cause)}\n`);
      }
    });
  });
}

function cameOf(query: URLSearchParams, state: string): BrowserAnswer {
  if (query.get("state") !== state) throw new Error("This answer belongs to another sign-in.");
  const code = query.get("code");
  if (code === null)
    throw new Error(`The server refused: ${query.get("error_description") ?? query.get("error") ?? "no code"}`);
  return { code, iss: query.get("iss") ?? undefined };
}
