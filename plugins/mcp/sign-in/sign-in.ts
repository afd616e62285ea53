import { auth } from "@modelcontextprotocol/client";
import { oauthFailure, oauthStep, UserError, type CliIo, type PluginContext } from "hermes-agent/plugin";
import type { HttpFetch } from "../server/http-transport.ts";
import { OAuthClient, type OAuthStep } from "./oauth-client.ts";
import type { HttpPlace, OAuthSettings } from "../server/server-entry.ts";
import { TokenFiles } from "./token-files.ts";

export interface SignInPorts extends Pick<PluginContext, "home" | "env" | "log" | "browserReturn"> {
  readonly fetch: HttpFetch;
  readonly io: CliIo;
}

/**
 * Signs in anew: shows the address, and waits until the browser comes back to this machine, or its last address is pasted. What an earlier
 * sign-in left is forgotten. @throws {UserError} when nobody signed in, or the server refused.
 */
export async function signIn(
  name: string,
  { url }: HttpPlace,
  settings: OAuthSettings,
  { home, env, log, fetch, io, browserReturn }: SignInPorts,
): Promise<void> {
  const files = new TokenFiles(home, name);
  files.remove("tokens", "client", "meta");
  const [late, over] = [AbortSignal.timeout(settings.timeoutMs), new AbortController()];
  const step: OAuthStep = (what, about = {}) => oauthStep({ env, log }, what, { mcp_server: name, ...about });
  step("sign-in started");
  const stop = AbortSignal.any([io.signal, late, over.signal]);
  try {
    using back = await browserReturn({ host: settings.redirectHost, port: settings.redirectPort, path: "/callback" });
    const client = new OAuthClient(
      settings,
      files,
      settings.redirectUri ?? `http://${settings.redirectHost}:${back.port}/callback`,
      (address) => io.out(`Open this address in a browser and sign in:\n\n  ${address.href}\n\n`),
      step,
    );
    const came = back.came(client.expectedState, io, stop);
    came.catch(() => undefined);
    if ((await auth(client, { serverUrl: url, fetchFn: fetch })) === "REDIRECT") {
      const { code, iss } = await came;
      step("browser came back");
      await auth(client, {
        serverUrl: url,
        authorizationCode: code,
        iss,
        fetchFn: fetch,
      });
    }
  } catch (cause) {
    step("sign-in failed", { error: late.aborted ? "timeout" : oauthFailure(cause) });
    throw new UserError(
      `Nobody is signed in to the MCP server "${name}": ${late.aborted ? `nothing came back within ${settings.timeoutMs / 1000} s` : cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause)}.`,
      { hint: `hermes mcp login ${name} tries again.`, cause },
    );
  } finally {
    over.abort();
  }
  if (files.read("tokens") === undefined) throw new UserError(`The MCP server "${name}" gave no token.`);
}
