import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "../../../contract/conversation/part.ts";
import { importedParts, instructedParts } from "./input-parts.ts";
import type { PriorMessage } from "./read-conversation.ts";

const input = [{ type: "text", text: "go on" }] as const;

test("of a conversation from elsewhere the person's words are theirs, and every answer has an author", () => {
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
        from: { trust: "foreign", owner: "api_server", source: "an earlier answer, as a program sends it" },
      },
    ],
  );
  assert.equal(
    textOf(parts.filter((part) => part.from === undefined)),
    "[This conversation began elsewhere. What was said in it:]\n\n[I said:]\nthe plan\n\n[Now I say:]\ngo on",
  );
});

test("where nothing was said before there is nothing but what is said now", () => {
  assert.equal(importedParts([], input), input);
  assert.equal(instructedParts("", input), input);
  assert.equal(textOf(instructedParts("Be brief.", input)), "[For this message:]\nBe brief.\n\ngo on");
});

test("of a very long one the newest is told, and how much was left out", () => {
  const long: readonly PriorMessage[] = ["a", "b", "c"].map((sign) => ({ who: "user", text: sign.repeat(60_000) }));
  const text = textOf(importedParts(long, input));
  assert.deepEqual(
    [text.includes("aaa"), text.includes("bbb"), text.includes("ccc"), text.includes("without its first 2 messages")],
    [false, false, true, true],
  );
});
