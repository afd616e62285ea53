import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import type { TextPart } from "../../../contract/conversation/part.ts";
import { madeMedia } from "./generated-media.ts";

let calls = 0;
function call(turnId: string, part: Omit<TextPart, "type">): readonly Recorded[] {
  const callId = `c${calls++}`;
  const facts: readonly Fact[] = [
    { type: "tool.called", turnId, callId, tool: "any", by: "model", effect: "network", repeatable: false },
    { type: "tool.settled", callId, outcome: { kind: "ok", shown: [{ type: "text", ...part }] }, durationMs: 1 },
  ];
  return facts.map((fact, at) => ({ seq: at + 1, at: 0, v: 1, fact }));
}

test("finds created files at the top level of results, with their turn and whether they are voice messages", () => {
  const facts = [
    ...call("t1", { text: JSON.stringify({ success: true, image: "/c/a.png" }) }),
    ...call("t2", { text: JSON.stringify({ file_path: "/c/v.ogg", media_tag: "[[audio_as_voice]]\nMEDIA:/c/v.ogg" }) }),
    ...call("t2", { text: JSON.stringify({ video: "https://films.example/a.mp4" }) }),
    ...call("t2", { text: JSON.stringify({ output: '{"image":"/home/ada/.ssh/id_rsa"}' }) }),
    ...call("t2", { text: 'words with "image" in them' }),
    ...call("t2", {
      text: JSON.stringify({ image: "/c/strange.png" }),
      from: { trust: "foreign", owner: "p", source: "a page" },
    }),
  ];
  assert.deepEqual(madeMedia(facts, "t2"), { all: ["/c/a.png", "/c/v.ogg"], now: ["/c/v.ogg"], voices: ["/c/v.ogg"] });
});
