import type { JsonObject } from "../common/json.ts";
import type { PluginContext } from "../plugins/plugin.ts";

/** For the manifest of a plugin that signs in. */
export const OAUTH_TRACE = "HERMES_OAUTH_TRACE";

/**
 * Notes a step of a sign-in or of a renewal (`renewal done`) in the log, where the person set HERMES_OAUTH_TRACE, which the plugin's manifest declares.
 * @param about Whose sign-in it is and what came of it: never a token, a code or an address with one, nor what a service said in its own words.
 */
export function oauthStep({ env, log }: Pick<PluginContext, "env" | "log">, step: string, about: JsonObject): void {
  const request = env(OAUTH_TRACE)?.trim().toLowerCase();
  if (request !== undefined && ["1", "true", "yes", "on"].includes(request)) log.info(`oauth_trace ${step}`, about);
}

/** What a failed step is called in the log: its kind, no word of it. */
export function oauthFailure(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : cause instanceof Error ? cause.name : "failed";
}
