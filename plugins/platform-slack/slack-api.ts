import { isObject, UserError, type GuardedFetch, type Json } from "hermes-agent/plugin";
import { HttpRefusal, pacedHttp, type PacedHttp, type PacedRequest } from "hermes-agent/platform";

/** Slack's Web API with one token. */
export interface SlackApi {
  /** The parsed answer. @throws {HttpRefusal} */
  call<T>(method: string, params?: Params, request?: PacedRequest): Promise<T>;
  readonly http: PacedHttp;
}

export type Params = { readonly [name: string]: Json | undefined };

export const CONFIGURED = "SLACK_API_BASE_URL";

const STATUSES: { readonly [error: string]: number } = {
  ratelimited: 429,
  rate_limited: 429,
  service_unavailable: 503,
  request_timeout: 503,
  internal_error: 500,
  fatal_error: 500,
  not_authed: 401,
  invalid_auth: 401,
  account_inactive: 401,
  token_revoked: 401,
  token_expired: 401,
  not_allowed_token_type: 401,
};

export function slackApi(baseUrl: string, token: string, fetch: GuardedFetch): SlackApi {
  const http = pacedHttp({
    fetch: (url, options) => fetch(url, { maxRedirects: 0, ...options }),
    label: "Slack",
    headers: () => ({ authorization: `Bearer ${token}` }),
    secrets: [token],
    configured: CONFIGURED,
    reason: reasonIn,
    refusal(body) {
      if (isObject(body) && body["ok"] === true) return undefined;
      return { status: STATUSES[errorIn(body)] ?? (isObject(body) ? 400 : 500), message: reasonIn(body) ?? "no JSON" };
    },
  });
  return {
    http,
    async call<T>(method: string, params: Params = {}, request: PacedRequest = {}) {
      const form: Record<string, string> = {};
      for (const [name, value] of Object.entries(params))
        if (value !== undefined) form[name] = typeof value === "string" ? value : JSON.stringify(value);
      try {
        return (await http.request(`${baseUrl}/${method}`, { form, ...request })).body as T;
      } catch (cause) {
        // Slack documents that a part may have succeeded before its own errors.
        if (cause instanceof HttpRefusal && cause.status === 500 && request.repeatable !== true)
          throw new HttpRefusal(cause.message, { status: 500, unsure: true, body: cause.body, cause });
        throw cause;
      }
    },
  };
}

/** Slack's name of the error, such as `channel_not_found`; empty if it is another error. */
export function slackError(cause: unknown): string {
  return cause instanceof HttpRefusal ? errorIn(cause.body) : "";
}

/** Turns a rejected token into an error for the user. */
export async function withToken<T>(variable: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof HttpRefusal && (cause.status === 401 || slackError(cause) === "missing_scope"))
      throw new UserError(`Slack rejects the token in ${variable}: ${slackError(cause)}.`, {
        hint: "The tokens are at https://api.slack.com/apps, under Basic Information and OAuth & Permissions.",
        cause,
      });
    throw cause;
  }
}

function errorIn(body: unknown): string {
  const error = isObject(body) ? body["error"] : undefined;
  return typeof error === "string" ? error : "";
}

function reasonIn(body: unknown): string | undefined {
  const error = errorIn(body);
  const needed = isObject(body) ? body["needed"] : undefined;
  return error === "" ? undefined : typeof needed === "string" ? `${error} (the app needs the scope ${needed})` : error;
}
