import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createInterface } from "node:readline";
import { auth } from "@modelcontextprotocol/client";
import { UserError, type CliIo } from "hermes-agent/plugin";
import type { HttpFetch } from "./http-transport.ts";
import { OAuthClient } from "./oauth-client.ts";
import type { HttpPlace, OAuthSettings } from "./server-entry.ts";
import { TokenFiles } from "./token-files.ts";

export interface SignInPorts {
  readonly home: string;
  readonly fetch: HttpFetch;
  readonly io: CliIo;
}

interface Came {
  readonly code: string;
  readonly iss: string | undefined;
}

/**
 * Signs in anew: shows the address, and waits until the browser comes back to this machine, or its last address is pasted. What an earlier
 * sign-in left is forgotten. @throws {UserError} when nobody signed in, or the server refused.
 */
export async function signIn(name: string, { url }: HttpPlace, settings: OAuthSettings, { home, fetch, io }: SignInPorts): Promise<void> {
  const files = new TokenFiles(home, name);
  files.remove("tokens", "client", "meta");
  const server = createServer();
  const [late, over] = [AbortSignal.timeout(settings.timeoutMs), new AbortController()];
  const stop = AbortSignal.any([io.signal, late, over.signal]);
  try {
    const port = await listen(server, settings);
    const client = new OAuthClient(settings, files, settings.redirectUri ?? `http://${settings.redirectHost}:${port}/callback`, (address) => io.out(`Open this address in a browser and sign in:\n\n  ${address.href}\n\n`));
    const came = Promise.race([fromBrowser(server, client.expectedState, stop), ...(io.interactive ? [fromPaste(io, client.expectedState, stop)] : [])]);
    came.catch(() => undefined);
    if ((await auth(client, { serverUrl: url, fetchFn: fetch })) === "REDIRECT") {
      const { code, iss } = await came;
      await auth(client, { serverUrl: url, authorizationCode: code, ...(iss === undefined ? {} : { iss }), fetchFn: fetch });
    }
  } catch (cause) {
    throw new UserError(`Nobody is signed in to the MCP server "${name}": ${late.aborted ? `nothing came back within ${settings.timeoutMs / 1000} s` : cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause)}.`, { hint: `hermes mcp login ${name} tries again.`, cause });
  } finally {
    over.abort();
    server.closeAllConnections();
    server.close();
  }
  if (files.read("tokens") === undefined) throw new UserError(`The MCP server "${name}" gave no token.`);
}

function listen(server: Server, { redirectHost, redirectPort }: OAuthSettings): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(redirectPort, redirectHost, () => resolve((server.address() as AddressInfo).port));
  });
}

function fromBrowser(server: Server, state: string, stop: AbortSignal): Promise<Came> {
  return new Promise((resolve, reject) => {
    stop.addEventListener("abort", () => reject(stop.reason), { once: true });
    server.on("request", (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
      const answer = (status: number, words: string) => void response.writeHead(status, { "content-type": "text/plain; charset=utf-8", connection: "close" }).end(`${words}\n`);
      if (pathname !== "/callback") return answer(404, "There is nothing here.");
      try {
        const came = cameOf(searchParams, state);
        answer(200, "You are signed in, and may close this page.");
        resolve(came);
      } catch (cause) {
        answer(400, cause instanceof Error ? cause.message : String(cause));
        // What does not carry the state is not the answer to this question: it is still waited for.
        if (searchParams.get("state") === state) reject(cause);
      }
    });
  });
}

/** Where the browser is on another machine. */
function fromPaste(io: CliIo, state: string, stop: AbortSignal): Promise<Came> {
  io.out("Where the browser cannot come back to this machine, paste the address that it ends at.\n");
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

function cameOf(query: URLSearchParams, state: string): Came {
  if (query.get("state") !== state) throw new Error("That is the answer to another sign-in.");
  const code = query.get("code");
  if (code === null) throw new Error(`The server refused: ${query.get("error_description") ?? query.get("error") ?? "no code"}`);
  return { code, iss: query.get("iss") ?? undefined };
}
