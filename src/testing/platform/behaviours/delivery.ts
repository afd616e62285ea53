import assert from "node:assert/strict";
import type { SendResult } from "../../../contract/providers/platform.ts";
import type { Behaviour, BehaviourGroup } from "../behaviour.ts";
import { NotApplicable, type PlatformBench } from "../platform-bench.ts";

const limits: readonly Behaviour[] = [
  {
    name: "a long answer arrives whole and in order",
    async run({ played, sends, arrives }) {
      const limit = played.platform.max_message_length;
      const lines = Array.from(
        { length: 60 },
        (_, at) => `Line ${at}: Grüße an 漢字 🦀 und alle, die lange Zeilen mögen.`,
      );
      const text = fitting(lines.join("\n"), limit, played.platform.length_unit);
      await sends(text);
      await arrives(text);
    },
  },
  {
    name: "a text of exactly the maximum length arrives",
    async run({ played, sends, arrives }) {
      const limit = played.platform.max_message_length ?? 0;
      if (limit === 0) throw new NotApplicable("the platform has no greatest length");
      const text = "x".repeat(limit);
      await sends(text);
      await arrives(text);
    },
  },
  {
    name: "an empty text is no error",
    async run({ adapter, chat, sends, arrives }) {
      assert.notEqual((await adapter.send(chat, "", {}))?.success, false);
      await sends("not empty");
      await arrives("not empty");
    },
  },
  {
    name: "a refused message is a permanent failure with a reason",
    needs: ["refusals"],
    async run({ adapter, played, sends, arrives }) {
      const sent = await adapter.send(played.refusing!, "hello", {});
      assert.equal(sent?.success, false, "a message that the service refuses is a failure");
      assert.match(sent.error ?? "", /\S/, "its error says why");
      assert.equal(sent.retryable ?? false, false, "another try would not help");
      await sends("to the others as before");
      await arrives("to the others as before");
    },
  },
  {
    name: "a short pause requested by the service is respected or reported",
    needs: ["rate_limits"],
    async run({ adapter, played, chat, arrives, sends }) {
      played.throttle!(1);
      const sent = await adapter.send(chat, "after the pause", {});
      if (sent?.success === false) {
        assert.deepEqual([sent.retryable, (sent.retry_after ?? 0) > 0], [true, true]);
        await sends("after the pause");
      }
      await arrives("after the pause");
    },
  },
  {
    name: "a long pause is reported with its length",
    needs: ["rate_limits"],
    async run({ adapter, played, chat }) {
      played.throttle!(4_000);
      const sent = await adapter.send(chat, "much later", {});
      assert.deepEqual([sent?.success, sent?.retryable, sent?.retry_after], [false, true, 4_000]);
    },
  },
];

/** The outcome of a send: what the adapter returned, or `in doubt`. */
async function outcome({ adapter, chat }: PlatformBench, text: string): Promise<SendResult | "in doubt" | void> {
  try {
    return await adapter.send(chat, text, {});
  } catch (cause) {
    assert.equal((cause as Error).name, "TimeoutError", `an uncertain send is a TimeoutError: ${String(cause)}`);
    return "in doubt";
  }
}

const broken: readonly Behaviour[] = (["drop", "half", "error"] as const).map((how) => ({
  name: {
    drop: "a connection that breaks in the middle of a send is a failure or in doubt, never a success",
    half: "half of an answer leaves the send in doubt, or is a failure",
    error: "an error of the service is a failure that another try may help, or in doubt",
  }[how],
  far: ["breakSend"],
  async run(bench) {
    bench.played.breakSend!(how);
    const sent = await outcome(bench, "perhaps");
    if (sent !== "in doubt") assert.deepEqual([sent?.success, sent?.retryable], [false, true]);
    await bench.sends("surely");
    await bench.arrives("surely");
  },
}));

const connection: readonly Behaviour[] = [
  {
    name: "connecting again while connected changes nothing: each message arrives once and in order",
    async run({ adapter, played, chat, nextMessage, sends, arrives, nothingComes }) {
      assert.notEqual(await adapter.connect({ is_reconnect: false }), false);
      const texts: string[] = [];
      for (const text of ["one", "two", "three"]) await played.write(chat, "ada", text);
      while (texts.length < 3) texts.push((await nextMessage()).text);
      assert.deepEqual(texts, ["one", "two", "three"]);
      await nothingComes();
      await sends("still one");
      await arrives("still one");
    },
  },
  {
    name: "disconnecting twice is harmless, and connecting again works",
    async run({ adapter, chat, sends, arrives }) {
      await adapter.disconnect();
      await adapter.disconnect();
      const sent = await Promise.resolve(adapter.send(chat, "lost", {})).catch(() => ({ success: false }));
      assert.equal(sent?.success, false, "what is sent after disconnect() is a failure: { success: false, error }");
      assert.notEqual(
        await adapter.connect({ is_reconnect: true }),
        false,
        "connect({ is_reconnect: true }) connects again",
      );
      await sends("back");
      await arrives("back");
    },
  },
  {
    name: "a broken connection is restored, and messages sent meanwhile arrive afterwards",
    needs: ["connection"],
    async run({ adapter, played, chat, lost, sends, arrives, nextMessage }) {
      await played.cut!();
      // Either the adapter waits for its own next connection, or it answers that a retry may help and has reported the
      // loss.
      const sent = await adapter.send(chat, "after the cut", {});
      if (sent !== undefined && !sent.success) {
        assert.equal(sent.retryable, true);
        await lost;
        assert.notEqual(await adapter.connect({ is_reconnect: true }), false);
        await sends("after the cut");
      }
      await arrives("after the cut");
      await played.write(chat, "ada", "are you there?");
      assert.equal((await nextMessage()).text, "are you there?");
    },
  },
  {
    name: "messages written while disconnected arrive after reconnecting",
    needs: ["history"],
    async run({ adapter, played, chat, nextMessage }) {
      await played.write(chat, "ada", "before");
      assert.equal((await nextMessage()).text, "before");
      await adapter.disconnect();
      await played.write(chat, "ada", "missed");
      assert.notEqual(await adapter.connect({ is_reconnect: true }), false);
      for (;;) {
        const { text } = await nextMessage();
        if (text === "missed") return;
        assert.equal(text, "before", "only a repeated message may arrive first");
      }
    },
  },
  {
    name: "answers arrive in the order in which they were sent",
    async run({ sends, arrives }) {
      for (const text of ["first", "second", "third"]) await sends(text);
      for (const text of ["first", "second", "third"]) await arrives(text);
    },
  },
];

const shutdown: readonly Behaviour[] = [
  {
    name: "receives nothing after disconnecting",
    async run({ adapter, played, chat, nothingComes }) {
      if (played.platform.offers === undefined) throw new NotApplicable("it declares no offers");
      await adapter.disconnect();
      await played.write(chat, "ada", "too late").catch(() => undefined);
      await nothingComes();
    },
  },
  {
    name: "disconnecting does not wait for a message in progress",
    options: { connects: false },
    async run({ played, chat }) {
      const taken = Promise.withResolvers<void>();
      const free = Promise.withResolvers<void>();
      const adapter = await played.platform.adapter_factory({
        enabled: true,
        extra: played.extra ?? {},
        message: async () => {
          taken.resolve();
          await free.promise;
        },
      });
      await adapter.connect({ is_reconnect: false });
      void played.write(chat, "ada", "busy").catch(() => undefined);
      await taken.promise;
      const left = Promise.resolve(adapter.disconnect());
      setTimeout(free.resolve, 50);
      await left;
    },
  },
  {
    name: "disconnecting before connecting is not an error",
    options: { connects: false },
    async run({ adapter }) {
      await adapter.disconnect();
    },
  },
];

function fitting(text: string, limit = 0, unit = "utf16"): string {
  if (limit === 0) return text;
  let taken = "";
  let length = 0;
  for (const sign of text) {
    length += unit === "bytes" ? Buffer.byteLength(sign) : unit === "code_points" ? 1 : sign.length;
    if (length > limit) break;
    taken += sign;
  }
  return taken.trimEnd();
}

export const LIMITS: BehaviourGroup = { group: "limits and refusals", behaviours: limits };
export const OUTAGES: BehaviourGroup = { group: "outages in mid-send", behaviours: broken };
export const CONNECTION: BehaviourGroup = { group: "connection and order", behaviours: connection };
export const SHUTDOWN: BehaviourGroup = { group: "shutdown", behaviours: shutdown };
