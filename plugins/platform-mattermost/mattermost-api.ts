import { UserError, type GuardedFetch } from "hermes-agent/plugin";
import { HttpRefusal, pacedHttp, type PacedHttp, type PacedRequest } from "hermes-agent/platform";
import type { MattermostSettings } from "./settings.ts";

/** Mattermost's REST API, version 4, for one bot. */
export interface MattermostApi {
  /** The parsed answer. @throws {HttpRefusal} */
  ask<T>(path: string, request?: PacedRequest): Promise<T>;
  /** The bytes of a file. @throws {HttpRefusal} */
  file(id: string, maxBytes: number): Promise<Uint8Array>;
}

export function mattermostApi({ url, token }: MattermostSettings, fetch: GuardedFetch): MattermostApi {
  const http: PacedHttp = pacedHttp({
    fetch: (address, options) => fetch(address, { maxRedirects: 0, ...options }),
    label: "Mattermost",
    headers: () => ({ authorization: `Bearer ${token}` }),
    secrets: [token],
    configured: "MATTERMOST_URL",
  });
  return {
    async ask<T>(path: string, request: PacedRequest = {}) {
      return (await http.request(`${url}/api/v4${path}`, request)).body as T;
    },
    file: (id, maxBytes) => http.download(`${url}/api/v4/files/${encodeURIComponent(id)}`, { maxBytes }),
  };
}

/** Turns a rejected token into an error for the user. */
export async function withToken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof HttpRefusal && cause.status === 401) throw tokenRejected(cause);
    throw cause;
  }
}

export function tokenRejected(cause?: unknown): UserError {
  return new UserError("Mattermost rejects the access token.", {
    hint: "Set MATTERMOST_TOKEN to the token of the bot account (Integrations, Bot Accounts).",
    cause,
  });
}
