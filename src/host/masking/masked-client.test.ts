import assert from "node:assert/strict";
import { test } from "node:test";
import type { ModelEvent } from "../../contract/providers/model.ts";
import { createKnownMask } from "../../safety/secrets/known-values.ts";
import { maskedClient } from "./masked-client.ts";

const SECRET = "swordfish/and+chips-77";
const END: ModelEvent = {
  type: "end",
  kind: "answer",
  parts: [],
  finish: "stop",
  usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
};

async function stream(
  events: readonly ModelEvent[],
  secrets: readonly string[] = [SECRET],
): Promise<readonly ModelEvent[]> {
  const client = maskedClient(
    {
      stream: async function* () {
        yield* events;
      },
    },
    createKnownMask(() => secrets),
  );
  return Array.fromAsync(client.stream({} as never, new AbortController().signal));
}

const words = (events: readonly ModelEvent[], type = "text.delta") =>
  events.map((event) => (event.type === type && "text" in event ? event.text : "")).join("");

// req: R-39
test("never shows a secret that arrives in chunks, in any spelling and cut anywhere", async () => {
  const spellings = [
    SECRET,
    Buffer.from(SECRET).toString("base64"),
    Buffer.from(SECRET).toString("hex"),
    encodeURIComponent(SECRET),
    JSON.stringify(SECRET).slice(1, -1),
    [...SECRET].toReversed().join(""),
  ];
  for (const spelling of spellings) {
    const text = `The key is ${spelling}, keep it. swords and fish`;
    for (const size of [1, 2, 3, 7, 1000]) {
      const pieces = text.match(new RegExp(`[^]{1,${size}}`, "g"))!;
      const shown = words(
        await stream([...pieces.map((piece): ModelEvent => ({ type: "text.delta", text: piece })), END]),
      );
      // The last base64 character may contain bits of the following text, so it proves nothing.
      assert.equal(
        shown.replace("[REDACTED]w==", "[REDACTED]"),
        "The key is [REDACTED], keep it. swords and fish",
        `${spelling} by ${size}`,
      );
    }
  }
});

test("masks text and thinking separately, keeps their order and flushes buffered text before the end", async () => {
  const events = await stream([
    { type: "thinking.delta", text: "sword" },
    { type: "text.delta", text: "fish/and+chips-77 sw" },
    { type: "call.delta", tool: "x" },
    { type: "text.delta", text: "swor" },
    END,
  ]);
  assert.deepEqual(events, [
    { type: "thinking.delta", text: "sword" },
    { type: "text.delta", text: "fish/and+chips-77 " },
    { type: "text.delta", text: "sw" },
    { type: "call.delta", tool: "x" },
    { type: "text.delta", text: "swor" },
    END,
  ]);
});

test("a keep-alive between two chunks of a secret reveals neither", async () => {
  const events = await stream([
    { type: "text.delta", text: `it is ${SECRET.slice(0, 15)}` },
    { type: "alive" },
    { type: "text.delta", text: SECRET.slice(15) },
    END,
  ]);
  assert.deepEqual(events, [
    { type: "text.delta", text: "it is " },
    { type: "alive" },
    { type: "text.delta", text: "[REDACTED]" },
    END,
  ]);
});

test("an answer that breaks off inside a secret does not show its beginning", async () => {
  const failure: ModelEvent = {
    type: "end",
    kind: "failure",
    failure: { code: "network", message: "gone", retryable: true },
  };
  assert.deepEqual(await stream([{ type: "text.delta", text: `it is ${SECRET.slice(0, 15)}` }, failure]), [
    { type: "text.delta", text: "it is " },
    failure,
  ]);
});

test("without secrets, passes the model's stream on unchanged", async () => {
  const events: readonly ModelEvent[] = [{ type: "text.delta", text: SECRET }, END];
  assert.deepEqual(await stream(events, []), events);
});
