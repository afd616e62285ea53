import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Platform, PlatformAdapter, PlatformMessage } from "../contract/providers/platform.ts";
import type { JsonObject } from "../contract/common/json.ts";

/** A platform with its other end: a stand-in for the service, on this machine. */
export interface PlayedPlatform extends AsyncDisposable {
  readonly platform: Platform;
  /** `extra` of its configuration. */
  readonly extra?: JsonObject;
  /** A chat that people write in. Default `chat_1`. */
  readonly chat?: string;
  /** Limits the content of one message there, if there are limits. */
  readonly sayable?: (text: string) => boolean;
  /** A user writes in that chat, to the agent. */
  write(chat_id: string, user_id: string, text: string): Promise<void>;
  /** The next text that arrives at the other end; a long one may come in several. */
  arrived(): Promise<{ readonly chat_id: string; readonly text: string }>;
  /** The next change of a message that arrives at the other end, for an adapter that can change them. */
  changed?(): Promise<{ readonly message_id: string; readonly text: string }>;
  /** The next file that arrives there, for an adapter that can send them. */
  received?(): Promise<{ readonly name: string; readonly bytes: string; readonly caption: string }>;
  /** The service ends the connection. Resolves when it is ended there. */
  cut?(): Promise<void>;
  /** A chat to which the service takes no message. */
  readonly refusing?: string;
}

const TEXTS = ["plain", "Grüße, 漢字 🦀", 'quotes " and \\ and\nbreaks', "long ".repeat(300).trim()];

/**
 * The contract of every channel, as tests.
 * @param play Makes the platform and starts its other end.
 */
export function platformContract(
  name: string,
  play: () => Promise<PlayedPlatform>,
  options: { readonly skip?: string | false } = {},
): void {
  describe(`platform contract: ${name}`, { timeout: 600_000, skip: options.skip ?? false }, () => {
    test("it has a name that a setting can hold, a label, and variables by name", async () => {
      await using played = await play();
      const { name: id, label, required_env = [], cron_deliver_env_var = "" } = played.platform;
      assert.match(id, /^[a-z][\w-]*$/);
      assert.notEqual(label, "");
      for (const variable of [...required_env, cron_deliver_env_var].filter((one) => one !== ""))
        assert.match(variable, /^[A-Z][A-Z0-9_]*$/);
    });

    test("what it needs is there, and its settings follow from the environment without an adapter", async () => {
      await using played = await play();
      assert.equal((await played.platform.check_fn?.()) ?? true, true);
      const extra = await played.platform.env_enablement_fn?.();
      assert.ok(extra === undefined || extra === null || typeof extra === "object");
    });

    test("a message comes in with its chat and its author, and an answer goes out to that chat", async () => {
      await using bench = await connected(play);
      for (const text of TEXTS.filter((one) => bench.played.sayable?.(one) ?? true)) {
        await bench.played.write(bench.chat, "ada", text);
        const received = await bench.nextMessage();
        assert.deepEqual([received.text, received.chat_id, received.user_id], [text, bench.chat, "ada"]);
        await bench.sends(`You said: ${text}`);
        await bench.arrives(`You said: ${text}`);
      }
    });

    test("an answer may be sent while the message is still being worked on", async () => {
      await using played = await play();
      const chat = played.chat ?? "chat_1";
      const answered = Promise.withResolvers<void>();
      const adapter: PlatformAdapter = await played.platform.adapter_factory({
        enabled: true,
        extra: played.extra ?? {},
        message: async ({ chat_id }) => {
          await adapter.send(chat_id, "One moment.", {});
          answered.resolve();
        },
      });
      await adapter.connect({ is_reconnect: false });
      await played.write(chat, "ada", "hello");
      assert.equal((await played.arrived()).text, "One moment.");
      await answered.promise;
      await adapter.disconnect();
    });

    test("a long answer arrives whole and in order", async () => {
      await using bench = await connected(play);
      const long = Array.from(
        { length: 60 },
        (_, line) => `Line ${line}: Grüße an 漢字 🦀 und alle, die lange Zeilen mögen.`,
      ).join("\n");
      const limit = bench.played.platform.max_message_length;
      await bench.sends(limit === undefined || limit === 0 ? long : long.slice(0, limit));
      await bench.arrives(limit === undefined || limit === 0 ? long : long.slice(0, limit));
    });

    test("to connect again while connected changes nothing: each message comes once and in order", async () => {
      await using bench = await connected(play);
      assert.notEqual(await bench.adapter.connect({ is_reconnect: false }), false);
      for (const text of ["one", "two", "three"]) await bench.played.write(bench.chat, "ada", text);
      assert.deepEqual(
        [(await bench.nextMessage()).text, (await bench.nextMessage()).text, (await bench.nextMessage()).text],
        ["one", "two", "three"],
      );
      await bench.sends("still one");
      await bench.arrives("still one");
    });

    test("it can be left, twice, and come back to", async () => {
      await using bench = await connected(play);
      await bench.adapter.disconnect();
      await bench.adapter.disconnect();
      const sent = await Promise.resolve(bench.adapter.send(bench.chat, "lost", {})).catch(() => ({ success: false }));
      assert.equal(sent?.success, false, "what is sent after disconnect() is a failure: { success: false, error }");
      assert.notEqual(
        await bench.adapter.connect({ is_reconnect: true }),
        false,
        "connect({ is_reconnect: true }) connects again",
      );
      await bench.sends("back");
      await bench.arrives("back");
    });

    test("a message that the service refuses is a failure with a reason that says whether another try may help", async (t) => {
      await using bench = await connected(play);
      if (bench.played.refusing === undefined) return t.skip("the service of this platform refuses no chat");
      const sent = await bench.adapter.send(bench.played.refusing, "hello", {});
      assert.equal(sent?.success, false, "a message that the service refuses is a failure");
      assert.match(sent.error ?? "", /\S/, "its error says why");
      assert.equal(sent.retryable ?? false, false, "another try would not help");
      await bench.sends("to the others as before");
      await bench.arrives("to the others as before");
    });

    test("edits a message by the id from sending it, and repeating the edit does no harm", async (t) => {
      await using bench = await connected(play);
      const { adapter, played, chat } = bench;
      if (adapter.edit_message === undefined || played.changed === undefined)
        return t.skip("this platform changes no messages");
      const { message_id } = (await adapter.send(chat, "half", {})) ?? {};
      assert.ok(typeof message_id === "string" && message_id !== "", "send tells the message's name");
      for (const finalize of [false, true, true]) {
        assert.equal((await adapter.edit_message(chat, message_id, "the whole", { finalize })).success, true);
        assert.deepEqual(await played.changed(), { message_id, text: "the whole" });
      }
    });

    test("a file arrives with its bytes, its name and its caption", async (t) => {
      await using bench = await connected(play);
      const { adapter, played, chat } = bench;
      if (adapter.send_document === undefined || played.received === undefined)
        return t.skip("this platform takes no files");
      const folder = await mkdtemp(join(tmpdir(), "hermes-platform-"));
      const path = join(folder, "copy.txt");
      await writeFile(path, "Grüße");
      const sent = await adapter.send_document(chat, path, { file_name: "report.txt", caption: "As promised." });
      assert.notEqual((sent ?? { success: true }).success, false);
      assert.deepEqual(await played.received(), { name: "report.txt", bytes: "Grüße", caption: "As promised." });
      await rm(folder, { recursive: true });
    });

    test("a connection that is cut comes back, and messages sent meanwhile arrive afterwards", async (t) => {
      await using bench = await connected(play);
      if (bench.played.cut === undefined) return t.skip("this platform keeps no connection");
      await bench.played.cut();
      // Either the adapter waits for its own next connection, or it answers that a retry may help and has reported the
      // loss.
      const sent = await bench.adapter.send(bench.chat, "after the cut", {});
      if (sent !== undefined && !sent.success) {
        assert.equal(sent.retryable, true);
        await bench.lost;
        assert.notEqual(await bench.adapter.connect({ is_reconnect: true }), false);
        await bench.sends("after the cut");
      }
      await bench.arrives("after the cut");
      await bench.played.write(bench.chat, "ada", "are you there?");
      assert.equal((await bench.nextMessage()).text, "are you there?");
    });
  });
}

async function connected(play: () => Promise<PlayedPlatform>) {
  const played = await play();
  const chat = played.chat ?? "chat_1";
  const messages: PlatformMessage[] = [];
  const waiting: ((message: PlatformMessage) => void)[] = [];
  const lost = Promise.withResolvers<string>();
  const adapter = await played.platform.adapter_factory({
    enabled: true,
    extra: played.extra ?? {},
    lost: lost.resolve,
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
    chat,
    lost: lost.promise,
    nextMessage: (): Promise<PlatformMessage> =>
      messages.length > 0 ? Promise.resolve(messages.shift()!) : new Promise((resolve) => void waiting.push(resolve)),
    async sends(text: string): Promise<void> {
      const sent = await adapter.send(chat, text, {});
      assert.notEqual((sent ?? { success: true }).success, false, JSON.stringify(sent));
    },
    /** All of it, in as many pieces as it takes; spaces may go where it was cut. */
    async arrives(text: string): Promise<void> {
      for (let got = ""; ;) {
        const piece = await played.arrived();
        assert.equal(piece.chat_id, chat);
        got += piece.text;
        assert.equal(tight(got), tight(text).slice(0, tight(got).length));
        if (tight(got) === tight(text)) return;
      }
    },
    async [Symbol.asyncDispose]() {
      await adapter.disconnect();
      await played[Symbol.asyncDispose]();
    },
  };
}

function tight(text: string): string {
  return text.replaceAll(/\s+/g, "");
}
