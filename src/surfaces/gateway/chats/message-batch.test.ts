import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { PlatformMessage } from "../../../contract/providers/platform.ts";
import { joined, MessageBatch } from "./message-batch.ts";

const TIMES = { delayMs: 300, splitMs: 1_000, splitLength: 4_000, shortDelays: [], mediaMs: 800 };

function batching(t: TestContext, delayMs = TIMES.delayMs) {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const passed: (readonly string[])[] = [];
  let id = 0;
  const batch = new MessageBatch({
    times: () => ({ ...TIMES, delayMs }),
    pass: (messages) => void passed.push(messages.map(({ message }) => message.text)),
  });
  return {
    batch,
    passed,
    take: (text: string, more: Partial<PlatformMessage> = {}): number => {
      batch.take({
        id: ++id,
        platform: "p",
        sessionKey: "k",
        message: { text, chat_id: "c", user_id: "ada", ...more },
      });
      return id;
    },
    tick: (ms: number): void => t.mock.timers.tick(ms),
  };
}

// req: platforms.batch-tuning
test("two quick messages become one with a delay, and two with 0", (t) => {
  const { take, tick, passed, batch } = batching(t);
  take("one");
  tick(200);
  take("two");
  tick(299);
  assert.deepEqual([passed, batch.holds], [[], true]);
  tick(1);
  assert.deepEqual([passed, batch.holds], [[["one", "two"]], false]);
});

test("with a delay of 0 each message passes at once", (t) => {
  const { take, passed } = batching(t, 0);
  take("one");
  take("two");
  assert.deepEqual(passed, [["one"], ["two"]]);
});

test("a command, another user and an album end the batch; order is kept", (t) => {
  const { take, tick, passed } = batching(t);
  take("mine");
  take("yours", { user_id: "bob" });
  take("/status", { user_id: "bob" });
  take("picture", { media_group_id: "a", media_urls: ["/1.png"] });
  take("", { media_group_id: "a", media_urls: ["/2.png"] });
  take("after");
  tick(1_000);
  assert.deepEqual(passed, [["mine"], ["yours"], ["/status"], ["picture", ""], ["after"]]);
});

test("a held message changes, or disappears, when its author changes or deletes it", (t) => {
  const { take, tick, passed, batch } = batching(t);
  const [first, second] = [take("one"), take("tow")];
  assert.deepEqual([batch.revise(second, "two"), batch.revise(99, "x")], [true, false]);
  batch.revise(first, undefined);
  tick(300);
  assert.deepEqual(passed, [["two"]]);
});

test("a burst without an end is passed on after a minute", (t) => {
  t.mock.method(performance, "now", () => now);
  let now = 0;
  const { take, passed } = batching(t);
  for (const at of [0, 30_000, 61_000]) {
    now = at;
    take(`at ${at}`);
  }
  assert.deepEqual(passed, [["at 0", "at 30000", "at 61000"]]);
});

test("a joined message has all texts and files, the quote of the first and the id of the last", () => {
  const one = {
    text: "look",
    chat_id: "c",
    user_id: "ada",
    message_id: "1",
    reply_to_text: "what?",
    media_urls: ["/a.png"],
  };
  const two = { text: "", chat_id: "c", user_id: "ada", message_id: "2", media_urls: ["/b.oga"], voice: ["/b.oga"] };
  const { text, message_id, reply_to_text, media_urls, voice } = joined([one, two]);
  assert.deepEqual(
    { text, message_id, reply_to_text, media_urls, voice },
    {
      text: "look",
      message_id: "2",
      reply_to_text: "what?",
      media_urls: ["/a.png", "/b.oga"],
      voice: ["/b.oga"],
    },
  );
});
