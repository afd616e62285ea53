import { auth } from "@modelcontextprotocol/client";
import { UserError, type CliIo, type OpenBrowserReturn } from "hermes-agent/plugin";
import type { HttpFetch } from "./http-transport.ts";
import { OAuthClient } from "./oauth-client.ts";
import type { HttpPlace, OAuthSettings } from "./server-entry.ts";
import { TokenFiles } from "./token-files.ts";

export interface SignInPorts {
  readonly home: string;
  readonly fetch: HttpFetch;
  readonly io: CliIo;
  readonly browserReturn: OpenBrowserReturn;
}

/**
 * Signs in anew: shows the address, and waits until the browser comes back to this machine, or its last address is pasted. What an earlier
 * sign-in left is forgotten. @throws {UserError} when nobody signed in, or the server refused.
 */
export async function signIn(name: string, { url }: HttpPlace, settings: OAuthSettings, { home, fetch, io, browserReturn }: SignInPorts): Promise<void> {
  const files = new TokenFiles(home, name);
  files.remove("tokens", "client", "meta");
  const [late, over] = [AbortSignal.timeout(settings.timeoutMs), new AbortController()];
  const stop = AbortSignal.any([io.signal, late, over.signal]);
  try {
    using back = await browserReturn({ host: settings.redirectHost, port: settings.redirectPort, path: "/callback" });
    const client = new OAuthClient(settings, files, settings.redirectUri ?? `http://${settings.redirectHost}:${back.port}/callback`, (address) => io.out(`Open this address in a browser and sign in:\n\n  ${address.href}\n\n`));
    const came = back.came(client.expectedState, io, stop);
    came.catch(() => undefined);
    if ((await auth(client, { serverUrl: url, fetchFn: fetch })) === "REDIRECT") {
      const { code, iss } = await came;
      await auth(client, { serverUrl: url, authorizationCode: code, ...(iss === undefined ? {} : { iss }), fetchFn: fetch });
    }
  } catch (cause) {
    throw new UserError(`Nobody is signed in to the MCP server "${name}": ${late.aborted ? `nothing came back within ${settings.timeoutMs / 1000} s` : cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause)}.`, { hint: `hermes mcp login ${name} tries again.`, cause });
  } finally {
    over.abort();
  }
  if (files.read("tokens") === undefined) throw new UserError(`The MCP server "${name}" gave no token.`);
}
