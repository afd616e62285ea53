import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact, Live } from "../../../../contract/conversation/fact.ts";
import { viewOf } from "../../../../engine/session/view.ts";
import type { Display } from "../../../shared/display/display.ts";
import type { Io } from "../../../shared/process/io.ts";
import { ConversationView } from "./conversation-view.ts";
import { themeOf } from "./theme.ts";
import { Ticker } from "./ticker.ts";

const theme = themeOf({ style: (_: unknown, text: string) => text } as unknown as Io);

/** A screen of 40 columns, and its text. */
function open({ streaming = true } = {}) {
  const display = {
    streaming,
    compact: true,
    timestamps: false,
    reasoning: "hidden",
    toolProgress: "all",
    resume: "full",
    resumeExchanges: 10,
  } as unknown as Display;
  const view = new ConversationView(
    theme,
    new Ticker(
      () => {},
      () => "ascii",
    ),
    () => undefined,
    () => display,
  );
  const answered = (text: string, finish: "stop" | "length"): Fact => ({
    type: "model.answered",
    turnId: "t",
    requestId: "r",
    parts: [{ type: "text", text }],
    finish,
    usage: { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  });
  return {
    said: () =>
      view
        .render(40)
        .map((line) => line.trim())
        .filter((line) => line !== "" && !line.includes("thinking")),
    fact: (fact: Fact) => view.onEvent({ kind: "fact", sessionId: "s", recorded: { seq: 1, at: 0, v: 1, fact } }),
    replay: (facts: readonly Fact[]) =>
      view.replay(viewOf(facts.map((fact, at) => ({ seq: at + 1, at: 0, v: 1, fact })))),
    live: (live: Live) => view.onEvent({ kind: "live", sessionId: "s", live }),
    answered,
  };
}

const ASKED: Fact = { type: "model.asked", turnId: "t", requestId: "r", model: "m", prefixHash: "h", attempt: 1 };
const NOTE: Fact = {
  type: "message.added",
  turnId: "t",
  origin: "system",
  parts: [{ type: "text", text: "[Your answer was cut off.]" }],
};

for (const streaming of [true, false]) {
  test(`continues an answer that the output limit cut within a word, and hides the message to the model${streaming ? "" : ": where nothing is shown before it is whole"}`, () => {
    const { said: message, fact, live, answered } = open({ streaming });
    fact(ASKED);
    live({ type: "text.delta", text: "An exam" });
    fact(answered("An exam", "length"));
    fact(NOTE);
    fact(ASKED);
    live({ type: "text.delta", text: "pl" });
    assert.deepEqual(message(), [streaming ? "An exampl" : "An exam"].concat(streaming ? [] : message().slice(1)));
    // A failed attempt leaves the stored text on the screen.
    fact({
      type: "model.failed",
      turnId: "t",
      requestId: "r",
      failure: { code: "network", message: "gone", retryable: true },
    });
    fact(ASKED);
    assert.equal(message()[0], "An exam");
    live({ type: "text.delta", text: "ple." });
    fact(answered("ple.", "stop"));
    fact({ type: "turn.ended", turnId: "t", reason: "done" });
    assert.deepEqual(message(), ["An example."]);
  });
}

test("shows a message that arrives meanwhile between the parts of a cut answer", () => {
  const { said: message, fact, answered } = open();
  fact(ASKED);
  fact(answered("One", "length"));
  fact({ type: "message.added", turnId: "t", origin: "person", parts: [{ type: "text", text: "wait" }] });
  fact(ASKED);
  fact(answered("two", "stop"));
  fact({ type: "turn.ended", turnId: "t", reason: "done" });
  assert.deepEqual(message(), ["One", "› wait", "two"]);
});

for (const [ended, line] of [
  [{ reason: "cancelled", detail: "stopped by the user" }, "■ stopped by the user"],
  [{ reason: "cancelled" }, "■ stopped"],
  [{ reason: "budget" }, "■ budget"],
  [{ reason: "failed", detail: "It is too busy." }, "✗ It is too busy."],
] as const)
  test(`a resumed session shows a summary and a turn that ended with "${line}" as the live one did`, () => {
    const failure = { code: "overloaded", message: "It is too busy.", retryable: true } as const;
    const facts: readonly Fact[] = [
      { type: "message.added", turnId: "t", origin: "person", parts: [{ type: "text", text: "look" }] },
      { type: "context.compacted", summary: "It began.", keepFrom: 1, tokensBefore: 10, tokensAfter: 2 },
      NOTE,
      { type: "model.failed", turnId: "t", requestId: "r", failure },
      { type: "turn.ended", turnId: "t", ...ended },
    ];
    const live = open();
    for (const fact of facts) live.fact(fact);
    const resumed = open();
    resumed.replay(facts);
    assert.deepEqual(resumed.said(), live.said());
    assert.equal(live.said().at(-1), line);
  });

test("a resumed session joins an answer that the output limit cut, as the live one did", () => {
  const { answered } = open();
  const asked: Fact = { type: "message.added", turnId: "t", origin: "person", parts: [{ type: "text", text: "go" }] };
  const facts: readonly Fact[] = [
    asked,
    answered("An exam", "length"),
    NOTE,
    answered("ple.", "stop"),
    { type: "turn.ended", turnId: "t", reason: "done" },
    { ...asked, turnId: "u" },
    answered("Half", "length"),
    { type: "turn.ended", turnId: "u", reason: "limit", detail: "The output limit was reached." },
    { ...asked, turnId: "v" },
    answered("Whole.", "stop"),
  ];
  const live = open();
  for (const fact of facts) live.fact(fact);
  const resumed = open();
  resumed.replay(facts);
  assert.deepEqual(resumed.said(), live.said());
  assert.deepEqual(
    live.said().filter((line) => !line.startsWith("›")),
    ["An example.", "Half", "■ The output limit was reached.", "Whole."],
  );
});
