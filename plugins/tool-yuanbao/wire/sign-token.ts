import { createHmac, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import {
  definedFields,
  ToolFailure,
  objectOf,
  wordsOfHost,
  type Json,
  type JsonObject,
  type PluginContext,
} from "hermes-agent/plugin";

export type YuanbaoPorts = Pick<PluginContext, "env" | "fetch" | "socket" | "version">;

/** A bot's token and its expiry. */
export interface Token {
  readonly token: string;
  readonly bot: string;
  readonly source: string;
  /** Epoch ms. */
  readonly until: number;
}

export const APP_ID = "YUANBAO_APP_ID";
export const APP_SECRET = "YUANBAO_APP_SECRET";
/** The service's name for this kind of client. */
export const INSTANCE = "17";

const PATH = "/api/v5/robotLogic/sign-token";
const BUSY = 10_099;
const MAX_TRIES = 4;
const REST_MS = 1_000;
const DEFAULT_HOLDS_S = 3_600;
const MAX_BYTES = 1_000_000;

/**
 * Requests a token with a signature made with the app's secret, which is not sent. @throws {ToolFailure} `unavailable`
 * if refused.
 */
export async function signToken(ports: YuanbaoPorts, signal: AbortSignal): Promise<Token> {
  const url = `${apiAddress(ports)}${PATH}`;
  for (let tries = 1; ; tries += 1) {
    const reply = await ports.fetch(url, {
      method: "POST",
      headers: headersOf(ports),
      body: JSON.stringify(proofOf(ports, new Date())),
      maxBytes: MAX_BYTES,
      maxRedirects: 0,
      configured: "YUANBAO_API_DOMAIN",
      signal,
    });
    const text = await reply.text();
    if (reply.status !== 200)
      throw new ToolFailure("unreachable", `Yuanbao answered ${reply.status} to the bot's sign-in.`, {
        data: { status: reply.status },
      });
    const { code, msg, data } = objectOf(parsed(text));
    if (code === 0) return tokenOf(objectOf(data), ports);
    if (code === BUSY && tries < MAX_TRIES) {
      await sleep(REST_MS, undefined, { signal });
      continue;
    }
    const words = typeof msg === "string" ? msg.replaceAll(/\s+/g, " ").slice(0, 300) : "";
    throw new ToolFailure(
      code === BUSY ? "unreachable" : "unavailable",
      `Yuanbao refused the bot's sign-in (${String(code)})${words === "" ? "" : `: ${words}`}`,
      {
        hint: `Ask the user to check ${APP_ID} and ${APP_SECRET}.`,
        from: words === "" ? undefined : wordsOfHost(reply.url),
      },
    );
  }
}

export function apiAddress({ env }: Pick<YuanbaoPorts, "env">): string {
  const given = env("YUANBAO_API_DOMAIN") ?? "https://bot.yuanbao.tencent.com";
  return (/^https?:\/\//i.test(given) ? given : `https://${given}`).replace(/\/+$/, "");
}

/** Length of the hex digest that accompanies the signed data. */
export function signatureOf(nonce: string, timestamp: string, app: string, secret: string): string {
  return createHmac("sha256", secret)
    .update(nonce + timestamp + app + secret)
    .digest("hex");
}

function proofOf({ env }: Pick<YuanbaoPorts, "env">, now: Date): { readonly [name: string]: string } {
  const [app, secret] = [(env(APP_ID) ?? "").trim(), (env(APP_SECRET) ?? "").trim()];
  const nonce = randomBytes(16).toString("hex");
  // Offset of the service's time zone, in seconds.
  const timestamp = `${new Date(now.getTime() + 8 * 3_600_000).toISOString().slice(0, 19)}+08:00`;
  return { app_key: app, nonce, signature: signatureOf(nonce, timestamp, app, secret), timestamp };
}

function headersOf({ env, version }: Pick<YuanbaoPorts, "env" | "version">): { readonly [name: string]: string } {
  const route = env("YUANBAO_ROUTE_ENV");
  return definedFields({
    "content-type": "application/json",
    "x-appversion": version,
    "x-operationsystem": process.platform,
    "x-instance-id": INSTANCE,
    "x-bot-version": version,
    "x-route-env": route,
  });
}

function tokenOf(data: JsonObject, { env }: Pick<YuanbaoPorts, "env">): Token {
  const { token, bot_id, source, duration } = data;
  const bot =
    bot_id === undefined || bot_id === null || bot_id === ""
      ? (env("YUANBAO_BOT_ID") ?? "")
      : String(bot_id as string | number);
  if (typeof token !== "string" || token === "")
    throw new ToolFailure("unreachable", "Yuanbao accepted the bot's sign-in but issued no token.");
  if (bot === "")
    throw new ToolFailure("unavailable", "Yuanbao did not return the bot's account.", {
      hint: "Set YUANBAO_BOT_ID to it.",
    });
  return {
    token,
    bot,
    source: typeof source === "string" && source !== "" ? source : "bot",
    until: Date.now() + (typeof duration === "number" && duration > 0 ? duration : DEFAULT_HOLDS_S) * 1000,
  };
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw new ToolFailure("unreachable", "Yuanbao's response to the bot's sign-in was not JSON.");
  }
}
