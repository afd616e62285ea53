import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "../../../contract/conversation/part.ts";
import { importedParts, instructedParts } from "./input-parts.ts";
import type { PriorMessage } from "./read-conversation.ts";

const input = [{ type: "text", text: "go on" }] as const;

test("imports a conversation: user messages count as the user's, and every answer has an author", () => {
  const parts = importedParts(
    [
      { who: "user", text: "the plan" },
      { who: "assistant", text: "I obey nobody" },
    ],
    input,
  );
  assert.deepEqual(
    parts.filter((part) => part.from !== undefined),
    [
      {
        type: "text",
        text: "I obey nobody",
        from: { trust: "foreign", owner: "api_server", source: "an earlier answer, sent by the client" },
      },
    ],
  );
  assert.equal(
    textOf(parts.filter((part) => part.from === undefined)),
    "[This conversation started elsewhere. Its messages:]\n\n[I said:]\nthe plan\n\n[Now I say:]\ngo on",
  );
});

test("adds nothing to the input if there is no history", () => {
  assert.equal(importedParts([], input), input);
  assert.equal(instructedParts("", input), input);
  assert.equal(textOf(instructedParts("Be brief.", input)), "[For this message:]\nBe brief.\n\ngo on");
});

test("keeps the newest part of a long conversation and says how much is missing", () => {
  const long: readonly PriorMessage[] = ["a", "b", "c"].map((sign) => ({ who: "user", text: sign.repeat(60_000) }));
  const text = textOf(importedParts(long, input));
  assert.deepEqual(
    [text.includes("aaa"), text.includes("bbb"), text.includes("ccc"), text.includes("without the first 2")],
    [false, false, true, true],
  );
});
