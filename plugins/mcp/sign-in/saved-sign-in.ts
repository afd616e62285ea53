import {
  OAuthError,
  OAuthErrorCode,
  refreshAuthorization,
  UnauthorizedError,
  type AuthProvider,
  type OAuthDiscoveryState,
  type OAuthTokens,
} from "@modelcontextprotocol/client";
import { oauthFailure, oauthStep, type PluginContext } from "hermes-agent/plugin";
import { clientOf, tokensGiven } from "./oauth-client.ts";
import type { OAuthSettings } from "../server/server-entry.ts";
import { TokenFiles } from "./token-files.ts";

/** OAuth error codes that mean the sign-in is no longer valid. */
const REFUSED: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

type Refused = Parameters<NonNullable<AuthProvider["onUnauthorized"]>>[0];

/**
 * The stored sign-in for a connection; `undefined` without one. Renews an expired token; if the server refuses, deletes
 * the sign-in. Never registers a client or opens a browser.
 */
export function savedSignIn(
  name: string,
  settings: OAuthSettings,
  ctx: Pick<PluginContext, "home" | "env" | "log">,
): AuthProvider | undefined {
  const files = new TokenFiles(ctx.home, name);
  const tokens = () => files.read<OAuthTokens>("tokens");
  if (tokens() === undefined) return undefined;
  let given: string | undefined;
  let refreshing: Promise<void> | undefined;
  const step = (what: string, about = {}): void => oauthStep(ctx, what, { mcp_server: name, ...about });

  async function refresh({ fetchFn }: Refused): Promise<void> {
    const before = tokens();
    // Another process has renewed it meanwhile.
    if (before !== undefined && before.access_token !== given) return step("renewed by another process");
    const [state, client] = [files.read<OAuthDiscoveryState>("meta"), clientOf(settings, files)];
    if (before?.refresh_token === undefined || state === undefined || client === undefined)
      throw new UnauthorizedError("The sign-in has expired.");
    const { authorizationServerUrl, authorizationServerMetadata: metadata, resourceMetadata } = state;
    step("renewal started", { at: new URL(authorizationServerUrl).host });
    try {
      files.write(
        "tokens",
        await refreshAuthorization(authorizationServerUrl, {
          metadata,
          clientInformation: client,
          refreshToken: before.refresh_token,
          resource: resourceMetadata === undefined ? undefined : new URL(resourceMetadata.resource),
          fetchFn,
        }),
      );
      step("renewal done", tokensGiven(tokens()));
    } catch (cause) {
      step("renewal failed", { error: oauthFailure(cause) });
      // An outage of the server does not invalidate the sign-in.
      if (!(cause instanceof OAuthError) || !REFUSED.has(cause.code)) throw cause;
      // Another process renewed first: its refresh used up our token, and its new token is valid.
      if (tokens()?.refresh_token !== before.refresh_token) return step("renewed by another process");
      files.remove("tokens");
      step("sign-in deleted");
      throw new UnauthorizedError(`The sign-in has expired: ${cause.message}`);
    }
  }

  return {
    token: async () => (given = tokens()?.access_token),
    // Requests that are refused at the same time share one renewal.
    onUnauthorized: (context) => (refreshing ??= refresh(context).finally(() => (refreshing = undefined))),
  };
}
