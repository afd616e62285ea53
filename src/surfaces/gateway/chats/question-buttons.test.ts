import assert from "node:assert/strict";
import { test } from "node:test";
import type { Answer, Question } from "../../../contract/conversation/question.ts";
import { ChatPrompter } from "./chat-prompter.ts";
import type { PlatformButton } from "../../../contract/providers/platform.ts";
import { pressedAnswer } from "./question-buttons.ts";

const choice: Question = { kind: "choice", text: "Which tea?", choices: ["green", "b".repeat(100)], other: true };

function prompter() {
  const message: { readonly text: string; readonly buttons: readonly PlatformButton[] }[] = [];
  const asked = new ChatPrompter(
    async (text, buttons = []) => void message.push({ text, buttons }),
    () => undefined,
  );
  return {
    said: message,
    prompter: asked,
    ask: (question: Question): Promise<Answer> => asked.ask(question, new AbortController().signal),
  };
}

test("a button answers only its own question, once", async () => {
  const { said: message, prompter: asked, ask } = prompter();
  const first = ask(choice);
  const [green, long] = message[0]!.buttons;
  assert.deepEqual([green?.label, long?.label.length], ["green", 60]);
  assert.equal(asked.press(green!.data), "");
  assert.deepEqual(await first, { kind: "text", text: "green" });

  const second = ask(choice);
  assert.equal(asked.press(green!.data), "This question is closed.");
  for (const strange of [
    "",
    ":",
    ":0",
    "0",
    `${message[1]!.buttons[0]!.data}9`,
    `${message[1]!.buttons[0]!.data.split(":")[0]}:once`,
  ])
    assert.equal(asked.press(strange), "This question is closed.", strange);
  asked.press(message[1]!.buttons[1]!.data);
  assert.deepEqual(await second, { kind: "text", text: "b".repeat(100) });
});

const approval = (digest: string): Question =>
  ({
    kind: "approval",
    scopes: ["once"],
    timeoutMs: 60_000,
    request: {
      sessionId: "s1",
      callId: "c1",
      tool: "terminal",
      subject: "rm -rf old",
      args: {},
      cwd: "/w",
      risk: { answer: "ask", key: "delete", reasons: ["It deletes."], effects: [] },
      digest,
    },
  }) as unknown as Question;

// field: S14
test("an approval that a new process asks again has its old buttons, unless the call changed", async () => {
  const before = prompter();
  void before.ask(approval("d1"));
  const { data } = before.said[0]!.buttons[0]!;
  const after = prompter();
  const changed = after.ask(approval("d2"));
  assert.equal(after.prompter.press(data), "This question is closed.");
  const again = after.ask(approval("d1"));
  assert.equal(after.prompter.press(data), "Approved.");
  assert.deepEqual(await again, { kind: "approved", scope: "once" });
  // The same question once more is a new one.
  void after.ask(approval("d1"));
  assert.equal(after.prompter.press(data), "This question is closed.");
  after.prompter.decide("deny", "");
  assert.deepEqual(await changed, { kind: "refused" });
});

// field: S14
test("holds a press while turns are resumed; one that fits no question is answered when they are", async () => {
  const before = prompter();
  void before.ask(approval("d1"));
  const { data } = before.said[0]!.buttons[0]!;
  const after = prompter();
  {
    await using _held = after.prompter.holdPresses();
    assert.deepEqual([after.prompter.pressApproves(data), after.prompter.press(data)], [true, ""]);
    assert.deepEqual(await after.ask(approval("d1")), { kind: "approved", scope: "once" });
    assert.equal(after.prompter.press("unknown:once"), "");
  }
  assert.deepEqual(
    after.said.map(({ text }) => text),
    ["Approved.", "This question is closed."],
  );
  assert.equal(after.prompter.press(data), "This question is closed.");
});

test("approval buttons grant exactly the offered scope, and deny refuses", () => {
  const question = { kind: "approval", scopes: ["once", "session"] } as unknown as Question;
  assert.deepEqual(
    ["once", "session", "always", "deny", "yes", ""].map((answer) => pressedAnswer(question, answer)),
    [
      { kind: "approved", scope: "once" },
      { kind: "approved", scope: "session" },
      undefined,
      { kind: "refused" },
      undefined,
      undefined,
    ],
  );
  assert.equal(pressedAnswer({ kind: "text", text: "Which?" }, "0"), undefined);
});
