import assert from "node:assert/strict";
import { test } from "node:test";
import { liveIn } from "./live-in.ts";
import type { PlatformLine } from "../platforms/platform-connection.ts";
import { withoutUndefined } from "../../../testing/without-undefined.ts";

test("sends previews to the chat and thread as replies, each under a new key, and never as the final message", async () => {
  const message: unknown[] = [];
  const line = {
    send: async (...given: readonly unknown[]) => (message.push(["send", ...given]), { success: true }),
    edit: async (...given: readonly unknown[]) => (message.push(["edit", ...given]), { success: true }),
  } as unknown as PlatformLine;
  const plain = liveIn(line, { platform: "irc", chatId: "c1" });
  const threaded = liveIn(line, { platform: "irc", chatId: "c1", threadId: "t1" }, "m1");
  await plain.send("one");
  await threaded.send("two");
  await threaded.edit("m2", "three");
  const [[, , , first], [, , , second], edited] = message as [
    [string, string, string, { readonly key: string }],
    [string, string, string, { readonly key: string }],
    unknown,
  ];
  assert.match(first.key, /^live:[\da-f-]{36}$/);
  assert.notEqual(first.key, second.key);
  assert.deepEqual(withoutUndefined([{ ...first, key: "" }, { ...second, key: "" }, edited]), [
    { key: "" },
    { key: "", threadId: "t1", replyTo: "m1" },
    ["edit", "c1", "m2", "three", { finalize: false }],
  ]);
});
