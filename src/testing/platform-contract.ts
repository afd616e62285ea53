import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Platform, PlatformAdapter, PlatformMessage } from "../contract/platform.ts";

/** A platform with its other end: a stand-in for the service, on this machine. */
export interface PlayedPlatform extends AsyncDisposable {
  readonly platform: Platform;
  /** Somebody writes in that chat. */
  write(chat_id: string, user_id: string, text: string): Promise<void>;
  /** The next text that arrives at the other end. */
  arrived(): Promise<{ readonly chat_id: string; readonly text: string }>;
}

const TEXTS = ["plain", "Grüße, 漢字 🦀", 'quotes " and \\ and\nbreaks', "long ".repeat(300).trim()];

/**
 * What every channel promises, as tests.
 * @param play Makes the platform and starts its other end.
 */
export function platformContract(name: string, play: () => Promise<PlayedPlatform>): void {
  describe(`platform contract: ${name}`, { timeout: 600_000 }, () => {
    test("it has a name that a setting can hold, a label, and variables by name", async () => {
      await using played = await play();
      const { name: id, label, required_env = [], cron_deliver_env_var = "" } = played.platform;
      assert.match(id, /^[a-z][\w-]*$/);
      assert.notEqual(label, "");
      for (const variable of [...required_env, cron_deliver_env_var].filter((one) => one !== "")) assert.match(variable, /^[A-Z][A-Z0-9_]*$/);
    });

    test("what it needs is there, and its settings follow from the environment without an adapter", async () => {
      await using played = await play();
      assert.equal((await played.platform.check_fn?.()) ?? true, true);
      const extra = await played.platform.env_enablement_fn?.();
      assert.ok(extra === undefined || extra === null || typeof extra === "object");
    });

    test("a message comes in with its chat and its author, and an answer goes out to that chat", async () => {
      await using bench = await connected(play);
      for (const text of TEXTS) {
        await bench.played.write("chat_1", "ada", text);
        const heard = await bench.heard();
        assert.deepEqual([heard.text, heard.chat_id, heard.user_id], [text, "chat_1", "ada"]);
        const sent = await bench.adapter.send(heard.chat_id, `You said: ${text}`, {});
        assert.notEqual((sent ?? { success: true }).success, false);
        assert.deepEqual(await bench.played.arrived(), { chat_id: "chat_1", text: `You said: ${text}` });
      }
    });

    test("an answer may be sent while the message is still being worked on", async () => {
      await using played = await play();
      const answered = Promise.withResolvers<void>();
      const adapter: PlatformAdapter = await played.platform.adapter_factory({
        enabled: true,
        extra: {},
        message: async ({ chat_id }) => {
          await adapter.send(chat_id, "One moment.", {});
          answered.resolve();
        },
      });
      await adapter.connect({ is_reconnect: false });
      await played.write("chat_1", "ada", "hello");
      assert.equal((await played.arrived()).text, "One moment.");
      await answered.promise;
      await adapter.disconnect();
    });

    test("it can be left, twice, and come back to", async () => {
      await using bench = await connected(play);
      await bench.adapter.disconnect();
      await bench.adapter.disconnect();
      const sent = await Promise.resolve(bench.adapter.send("chat_1", "lost", {})).catch(() => ({ success: false }));
      assert.equal(sent?.success, false);
      assert.notEqual(await bench.adapter.connect({ is_reconnect: true }), false);
      await bench.adapter.send("chat_1", "back", {});
      assert.equal((await bench.played.arrived()).text, "back");
    });
  });
}

async function connected(play: () => Promise<PlayedPlatform>) {
  const played = await play();
  const messages: PlatformMessage[] = [];
  const waiting: ((message: PlatformMessage) => void)[] = [];
  const adapter = await played.platform.adapter_factory({
    enabled: true,
    extra: {},
    message: async (message) => {
      const next = waiting.shift();
      if (next === undefined) messages.push(message);
      else next(message);
    },
  });
  assert.notEqual(await adapter.connect({ is_reconnect: false }), false);
  return {
    played,
    adapter,
    heard: (): Promise<PlatformMessage> => (messages.length > 0 ? Promise.resolve(messages.shift()!) : new Promise((resolve) => void waiting.push(resolve))),
    async [Symbol.asyncDispose]() {
      await adapter.disconnect();
      await played[Symbol.asyncDispose]();
    },
  };
}
