import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { FetchReply, GuardedFetch, Json, JsonObject, PlatformConfig, PlatformMessage } from "hermes-agent/plugin";
import { quietLog } from "hermes-agent/testing";
import { telegramPlatform } from "../telegram-platform.ts";
import { TOKEN } from "./bot-server.ts";

/** Unguarded fetch, because the test server is on this machine. */
const plainFetch: GuardedFetch = async (url, { method = "GET", headers = {}, body, signal } = {}) => {
  const reply = await fetch(url, {
    method,
    headers,
    body,
    signal,
  });
  return {
    status: reply.status,
    text: () => reply.text(),
    bytes: async () => new Uint8Array(await reply.arrayBuffer()),
  } as FetchReply;
};

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
  const storage = {
    get: async (key: string) => stored.get(key),
    set: async (key: string, value: Json) => void stored.set(key, value),
    delete: async (key: string) => stored.delete(key),
    keys: async () => [...stored.keys()],
  };
  const platform = telegramPlatform({ env: (name) => env[name], fetch: plainFetch, storage, home, log }, (ms, signal) =>
    wait(Math.min(ms, 20), undefined, signal === undefined ? {} : { signal }),
  );
  const message = async (event: PlatformMessage): Promise<void> => {
    const next = waiting.shift();
    if (next === undefined) received.push(event);
    else next(event);
  };
  const extra = { base_url: url, ...given.extra };
  const adapter = await platform.adapter_factory({ enabled: true, extra, message, ...given.config });
  return {
    platform,
    adapter,
    extra,
    stored,
    home,
    log,
    nextMessage: (): Promise<PlatformMessage> =>
      received.length > 0 ? Promise.resolve(received.shift()!) : new Promise((resolve) => void waiting.push(resolve)),
    async [Symbol.asyncDispose]() {
      await adapter.disconnect();
      rmSync(home, { recursive: true, force: true });
    },
  };
}
