import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import type { ChatLanes, ReceivedMessage } from "../../../contract/services/gateway-service.ts";
import type { Session, TurnEnd } from "../../../contract/conversation/session.ts";
import { quietLog } from "../../../testing/quiet-log.ts";
import type { ChatAnswers } from "../answers/chat-answers.ts";
import type { ChatConversation } from "./chat-conversation.ts";
import { inputOf, isOfInbox, recoverMessages } from "./chat-recovery.ts";

const TO = { platform: "irc", chatId: "c1" } as const;
const received = (id: number, text: string): ReceivedMessage => ({
  id,
  platform: "irc",
  sessionKey: "k",
  sessionId: "s1",
  message: { text, chat_id: "c1", message_id: `m${id}` },
});
const added = (id: number, turnId: string): Fact => ({
  type: "message.added",
  turnId,
  origin: "person",
  parts: [],
  inputId: inputOf(id),
});

/** A chat whose stored session has these facts and resumes these turns. */
function world(facts: readonly Fact[], resumes: readonly Partial<TurnEnd>[] = [], stored = true) {
  const output: unknown[] = [];
  const log = quietLog();
  const ends = [...resumes];
  const session = {
    id: stored ? "s1" : "fresh",
    resume: async () => (output.push("resume"), ends.shift()),
  } as unknown as Session;
  const conversation = {
    isStored: async () => stored,
    open: async (how: object) => (output.push(["open", how]), session),
    speaks: (_: Session, message: { readonly text: string }) => void output.push(["speaks", message.text]),
    facts: async () => facts.map((fact, at): Recorded => ({ seq: at + 1, at: 0, v: 1, fact })),
  } as unknown as ChatConversation;
  const lanes = {
    finish: async (...given: readonly unknown[]) => void output.push(["finish", ...given]),
  } as unknown as ChatLanes;
  const answers = {
    toMessage: async (_: Session, { id }: ReceivedMessage, end: { readonly turnId: string; readonly text: string }) =>
      void output.push(["answer", id, end.turnId, end.text]),
  } as unknown as ChatAnswers;
  return {
    told: output,
    log,
    recover: (messages: readonly ReceivedMessage[]) =>
      recoverMessages(messages, {
        app: { log },
        lanes,
        to: TO,
        conversation,
        answers,
        send: async ({ id }) => void output.push(["send", id]),
      }),
  };
}

test("resumes each message: answered by the resumed turn, by a turn that had ended, or sent for the first time", async () => {
  const answered: Fact = {
    type: "model.answered",
    turnId: "t1",
    requestId: "r",
    parts: [{ type: "text", text: "Said before." }],
    finish: "stop",
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  };
  const {
    told: output,
    log,
    recover,
  } = world(
    [added(1, "t1"), answered, { type: "turn.ended", turnId: "t1", reason: "done" }, added(2, "t2")],
    [{ turnId: "t2", reason: "done", text: "Carried on." }],
  );
  await recover([received(1, "one"), received(2, "two"), received(3, "three")]);
  assert.deepEqual(output, [
    ["open", { sessionId: "s1" }],
    ["speaks", "one"],
    ["speaks", "two"],
    ["speaks", "three"],
    "resume",
    "resume",
    ["answer", 1, "t1", "Said before."],
    ["answer", 2, "t2", "Carried on."],
    ["send", 3],
  ]);
  assert.deepEqual(log.lines, []);
});

test("does not run a command twice, and reports to its chat that the outcome is unknown", async () => {
  const { told: output, recover } = world([]);
  await recover([received(1, "/new")]);
  assert.deepEqual(output, [
    [
      "finish",
      1,
      {
        to: TO,
        key: "command:1",
        text: "I was stopped while running your command, so I do not know whether it was completed.",
      },
    ],
  ]);
});

test("starts a session without facts again and sends its messages", async () => {
  const { told: output, recover } = world([added(1, "t1")], [], false);
  await recover([received(1, "one")]);
  assert.deepEqual(output, [["open", {}], ["speaks", "one"], "resume", ["send", 1]]);
});

test("keeps and logs a message that still waits or whose turn has no end", async () => {
  const {
    told: output,
    log,
    recover,
  } = world([
    added(1, "t1"),
    { type: "input.queued", inputId: inputOf(2), mode: "queue", origin: "person", parts: [] },
  ]);
  await recover([received(1, "one"), received(2, "two")]);
  assert.deepEqual(
    output.filter((one) => Array.isArray(one) && ["answer", "send", "finish"].includes(String(one[0]))),
    [],
  );
  assert.deepEqual(
    log.lines.map(({ level }) => level),
    ["error", "error"],
  );
});

test("distinguishes inputs of the inbox from others", () => {
  assert.deepEqual(
    [inputOf(7), isOfInbox("inbox_7"), isOfInbox("input_7"), isOfInbox(undefined)],
    ["inbox_7", true, false, false],
  );
});
