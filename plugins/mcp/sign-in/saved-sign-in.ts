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

/** With these the server says that the sign-in counts no more. */
const REFUSED: ReadonlySet<string> = new Set([
  OAuthErrorCode.InvalidGrant,
  OAuthErrorCode.InvalidClient,
  OAuthErrorCode.UnauthorizedClient,
]);

type Refused = Parameters<NonNullable<AuthProvider["onUnauthorized"]>>[0];

/**
 * What an earlier sign-in left, for a connection; `undefined` where nobody signed in. A token that has run out is made fresh; where that is
 * refused it is forgotten. Nothing is registered and no browser is asked for from here.
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
    // Another process has made it fresh meanwhile.
    if (before !== undefined && before.access_token !== given) return step("renewed by another process");
    const [state, client] = [files.read<OAuthDiscoveryState>("meta"), clientOf(settings, files)];
    if (before?.refresh_token === undefined || state === undefined || client === undefined)
      throw new UnauthorizedError("The sign-in has run out.");
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
      // A server that is out of order, or busy, says nothing of the sign-in.
      if (!(cause instanceof OAuthError) || !REFUSED.has(cause.code)) throw cause;
      // Another process was quicker: what it used up is refused here, and what it was given counts.
      if (tokens()?.refresh_token !== before.refresh_token) return step("renewed by another process");
      files.remove("tokens");
      step("sign-in forgotten");
      throw new UnauthorizedError(`The sign-in has run out: ${cause.message}`);
    }
  }

  return {
    token: async () => (given = tokens()?.access_token),
    // Several requests that are refused at once make one token.
    onUnauthorized: (context) => (refreshing ??= refresh(context).finally(() => (refreshing = undefined))),
  };
}
