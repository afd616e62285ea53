import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Json, JsonObject, PlatformConfig, PlatformMessage, WebhookListener } from "hermes-agent/plugin";
import { loopbackFetch, loopbackWebhooks, quietLog, storageIn } from "hermes-agent/testing";
import { telegramPlatform } from "../telegram-platform.ts";
import { TOKEN } from "./bot-server.ts";

/** The adapter connected to a bot server, with the messages it receives and a store that survives it. */
export async function telegramBench(
  url: string,
  given: {
    readonly env?: Readonly<Record<string, string>>;
    readonly extra?: JsonObject;
    readonly stored?: Map<string, Json>;
    readonly config?: Partial<PlatformConfig>;
  } = {},
) {
  const env: Readonly<Record<string, string>> = { TELEGRAM_BOT_TOKEN: TOKEN, ...given.env };
  const stored = given.stored ?? new Map<string, Json>();
  const home = mkdtempSync(join(tmpdir(), "hermes-telegram-"));
  const log = quietLog();
  const received: PlatformMessage[] = [];
  const waiting: ((message: PlatformMessage) => void)[] = [];
  const listener = loopbackWebhooks(log);
  const served: string[] = [];
  const webhooks: WebhookListener = {
    async route(route) {
      const one = await listener.route(route);
      served.push(one.url);
      return one;
    },
  };
  const platform = telegramPlatform(
    { env: (name) => env[name], fetch: loopbackFetch, storage: storageIn(stored), home, log },
    (ms, signal) => wait(Math.min(ms, 20), undefined, signal === undefined ? {} : { signal }),
  );
  const message = async (event: PlatformMessage): Promise<void> => {
    const next = waiting.shift();
    if (next === undefined) received.push(event);
    else next(event);
  };
  const extra = { base_url: url, ...given.extra };
  const adapter = await platform.adapter_factory({ enabled: true, extra, message, webhooks, ...given.config });
  return {
    platform,
    adapter,
    extra,
    stored,
    home,
    log,
    /** Addresses of webhook routes. */
    served: (): readonly string[] => served,
    nextMessage: (): Promise<PlatformMessage> =>
      received.length > 0 ? Promise.resolve(received.shift()!) : new Promise((resolve) => void waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      await adapter.disconnect();
      await listener[Symbol.asyncDispose]();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
