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

interface World {
  /** Ends of the turns that `resume` runs; the last may be an error. */
  readonly resumes?: readonly (Partial<TurnEnd> | Error)[];
  /** Ends of turns that begin without `resume`. */
  readonly handled?: { readonly [inputId: string]: Partial<TurnEnd> };
  /** Facts after the turns. */
  readonly after?: readonly Fact[];
  readonly stopped?: true;
}

/** A chat whose stored session has these facts; without facts it does not exist. */
function world(before: readonly Fact[], { resumes = [], handled = {}, after = before, stopped }: World = {}) {
  const output: unknown[] = [];
  const log = quietLog();
  const ends = [...resumes];
  let facts = before;
  const session = {
    id: "s1",
    async resume() {
      output.push("resume");
      facts = after;
      const end = ends.shift();
      if (end instanceof Error) throw end;
      return end;
    },
    whenHandled: async (inputId: string) => handled[inputId],
  } as unknown as Session;
  const conversation = {
    openStored: async (id: string) => (output.push(["open", id]), session),
    leaveOld: async () => void output.push("leave"),
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
        signal: stopped === true ? AbortSignal.abort() : new AbortController().signal,
        send: async ({ id }) => void output.push(["send", id]),
      }),
  };
}

const queued = (id: number): Fact => ({
  type: "input.queued",
  inputId: inputOf(id),
  mode: "queue",
  origin: "person",
  parts: [],
});

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
  } = world([added(1, "t1"), answered, { type: "turn.ended", turnId: "t1", reason: "done" }, added(2, "t2")], {
    resumes: [{ turnId: "t2", reason: "done", text: "Carried on." }],
  });
  await recover([received(1, "one"), received(2, "two"), received(3, "three")]);
  assert.deepEqual(output, [
    ["open", "s1"],
    ["speaks", "one"],
    ["speaks", "two"],
    ["speaks", "three"],
    "resume",
    "resume",
    ["answer", 1, "t1", "Said before."],
    ["answer", 2, "t2", "Carried on."],
    "leave",
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

// field: S01
test("sends the messages of a session that is missing or has no facts to the chat's current session", async () => {
  const { told: output, recover } = world([]);
  await recover([received(1, "one"), received(2, "two")]);
  assert.deepEqual(output, ["leave", ["send", 1], ["send", 2]]);
});

test("answers a queued message whose turn begins before the session is resumed again", async () => {
  const { told: output, recover } = world([added(1, "t1"), queued(2)], {
    resumes: [{ turnId: "t1", reason: "done", text: "First." }],
    handled: { [inputOf(2)]: { turnId: "t2", reason: "done", text: "Second." } },
    after: [added(1, "t1"), queued(2), added(2, "t2")],
  });
  await recover([received(1, "one"), received(2, "two")]);
  assert.deepEqual(
    output.filter((one) => Array.isArray(one) && one[0] === "answer"),
    [
      ["answer", 1, "t1", "First."],
      ["answer", 2, "t2", "Second."],
    ],
  );
});

// field: S01
test("says in the chat what is unknown when a turn has no end, was closed elsewhere, or cannot be resumed", async () => {
  const closed: Fact = { type: "turn.ended", turnId: "t2", reason: "cancelled", detail: "It was interrupted." };
  const known = world([added(1, "t1"), added(2, "t2"), closed]);
  await known.recover([received(1, "one"), received(2, "two")]);
  const failed = world([added(1, "t1")], { resumes: [new Error("the disk is full")] });
  await failed.recover([received(1, "one")]);
  const finished = [...known.told, ...failed.told].filter((one) => Array.isArray(one) && one[0] === "finish");
  assert.deepEqual(finished, [
    [
      "finish",
      1,
      {
        to: TO,
        key: "failed:1",
        text: "I was stopped while I worked on your message and do not know how far I came. Send it again if you still need an answer.",
      },
    ],
    [
      "finish",
      2,
      {
        to: TO,
        key: "failed:2",
        text: "⚠ I did not answer your message. It was interrupted. Send it again if you still need an answer.",
      },
    ],
    [
      "finish",
      1,
      {
        to: TO,
        key: "failed:1",
        text: "⚠ The turn failed: the disk is full\nSend it again if you still need an answer.",
      },
    ],
  ]);
});

test("keeps the messages for the next start while the gateway stops", async () => {
  const { told: output, recover } = world([added(1, "t1")], { resumes: [new Error("closed")], stopped: true });
  await recover([received(1, "one")]);
  assert.deepEqual(output, [["open", "s1"], ["speaks", "one"], "resume"]);
});

test("distinguishes inputs of the inbox from others", () => {
  assert.deepEqual(
    [inputOf(7), isOfInbox("inbox_7"), isOfInbox("input_7"), isOfInbox(undefined)],
    ["inbox_7", true, false, false],
  );
});
