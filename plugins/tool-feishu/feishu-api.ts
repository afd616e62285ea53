import { ToolFailure, objectOf, type JsonObject, type PluginContext } from "hermes-agent/plugin";
import { apiAddress } from "./api-address.ts";
import { exchange, type FeishuRequest } from "./exchange.ts";
import { refusalOf } from "./refusal.ts";
import type { TenantToken } from "./tenant-token.ts";

export interface FeishuPorts extends Pick<PluginContext, "env" | "fetch"> {
  readonly token: TenantToken;
}

/** The service's codes for an expired or unknown token. */
const NO_TOKEN: ReadonlySet<number> = new Set([99991661, 99991663, 99991664, 99991668, 99991671]);

/**
 * Sends one API request with the app's token. @returns The response's `data`. @throws {ToolFailure} for every refusal.
 */
export async function askFeishu(
  request: FeishuRequest,
  { env, fetch, token }: FeishuPorts,
  signal: AbortSignal,
  options: { readonly replies?: boolean } = {},
): Promise<JsonObject> {
  for (let renewed = false; ; renewed = true) {
    const text = await token.text(signal);
    const message = await exchange(request, apiAddress(env), text, fetch, signal);
    if (message.code === 0) return objectOf(message.body["data"]);
    if (!NO_TOKEN.has(message.code)) throw refusalOf(message, env, options);
    await token.drop(text);
    // With a rejected token nothing was done, so retrying is safe.
    if (renewed)
      throw new ToolFailure("unavailable", "Feishu rejected the token that it issued to the app.", {
        data: { status: message.status, feishu_code: message.code },
      });
  }
}
