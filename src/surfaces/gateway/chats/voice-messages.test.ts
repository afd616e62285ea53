import assert from "node:assert/strict";
import { test } from "node:test";
import { quietLog } from "../../../testing/quiet-log.ts";
import { withoutVoices } from "./voice-messages.ts";

test("reports each of several failed voice messages of one message separately", async () => {
  const app = {
    media: {
      transcribe: async (path: string) =>
        path === "b.ogg" ? { ok: false, reason: "noise" } : { ok: true, text: `said in ${path}` },
    },
    config: { get: () => undefined },
    log: quietLog(),
  };
  const output = new Map<number, string>();
  const message = await withoutVoices(
    { text: "and this", chat_id: "room", media_urls: ["a.ogg", "b.ogg", "c.oga", "d.png"] },
    app as never,
    async (text, nth) => void output.set(nth, text),
    new AbortController().signal,
  );
  assert.deepEqual(
    [...output.values()],
    ['🎙 "said in a.ogg"', "⚠ Cannot transcribe your voice message: noise", '🎙 "said in c.oga"'],
  );
  assert.deepEqual(message, {
    chat_id: "room",
    text: '"said in a.ogg"\n[voice message could not be transcribed]\n"said in c.oga"\nand this',
    media_urls: ["d.png"],
  });
});
