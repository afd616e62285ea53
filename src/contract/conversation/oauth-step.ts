import type { JsonObject } from "../common/json.ts";
import type { PluginContext } from "../plugins/plugin.ts";

/** For the manifest of a plugin that signs in. */
export const OAUTH_TRACE = "HERMES_OAUTH_TRACE";

/**
 * Logs a step of an OAuth sign-in or renewal (`renewal done`) if the user set HERMES_OAUTH_TRACE, which the plugin's
 * manifest declares.
 * @param about The account and the result: never a token, a code, an address that contains one, or text from a service.
 */
export function oauthStep({ env, log }: Pick<PluginContext, "env" | "log">, step: string, about: JsonObject): void {
  const request = env(OAUTH_TRACE)?.trim().toLowerCase();
  if (request !== undefined && ["1", "true", "yes", "on"].includes(request)) log.info(`oauth_trace ${step}`, about);
}

/** The kind of a failed step for the log, without any of its text. */
export function oauthFailure(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : cause instanceof Error ? cause.name : "failed";
}
