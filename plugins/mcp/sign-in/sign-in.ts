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
 * Signs in: shows the URL and waits until the browser redirects to this machine or the user pastes the redirected URL.
 * Deletes an earlier sign-in. @throws {UserError} when the user did not sign in or the server refused.
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
      (address) => io.out(`Open this URL in a browser and sign in:\n\n  ${address.href}\n\n`),
      step,
    );
    const came = back.came(client.expectedState, io, stop);
    came.catch(() => undefined);
    if ((await auth(client, { serverUrl: url, fetchFn: fetch })) === "REDIRECT") {
      const { code, iss } = await came;
      step("browser redirected");
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
      `Sign-in to the MCP server "${name}" failed: ${late.aborted ? `the browser did not return within ${settings.timeoutMs / 1000} s` : cause instanceof Error ? cause.message.replace(/\.$/, "") : String(cause)}.`,
      { hint: `Try again with: hermes mcp login ${name}`, cause },
    );
  } finally {
    over.abort();
  }
  if (files.read("tokens") === undefined)
    throw new UserError(`Sign-in to the MCP server "${name}" failed: its authorization server issued no token.`, {
      hint: `Try again with: hermes mcp login ${name}`,
    });
}
