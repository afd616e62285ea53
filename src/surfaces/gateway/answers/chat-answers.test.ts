import assert from "node:assert/strict";
import { test } from "node:test";
import type { App } from "../../../contract/services/app.ts";
import type { Fact, Recorded } from "../../../contract/conversation/fact.ts";
import { UserError } from "../../../contract/common/failure.ts";
import type { ChatLanes, Outgoing, ReceivedMessage } from "../../../contract/services/gateway-service.ts";
import type { OutgoingFiles } from "../../../contract/conversation/outgoing-file.ts";
import type { Session } from "../../../contract/conversation/session.ts";
import { quietLog } from "../../../testing/quiet-log.ts";
import { ChatAnswers, sayable } from "./chat-answers.ts";
import { withoutUndefined } from "../../../testing/without-undefined.ts";

const TO = { platform: "irc", chatId: "c1" } as const;
const SESSION = { id: "s1", cwd: "/work" } as Session;
const RECEIVED: ReceivedMessage = {
  id: 7,
  platform: "irc",
  sessionKey: "k",
  message: { text: "hi", chat_id: "c1", message_id: "m1" },
};
const DONE = { turnId: "t1", reason: "done", text: "Hello." } as const;

function world(facts: readonly Fact[] = []) {
  const message: unknown[] = [];
  const finished: (readonly [number | undefined, Outgoing | undefined])[] = [];
  const log = quietLog();
  const stop = new AbortController();
  let fails = false;
  const answers = new ChatAnswers({
    app: { log, config: { get: () => undefined } } as unknown as App,
    lanes: {
      finish: async (id: number | undefined, answer?: Outgoing) => {
        if (fails) throw new Error("the disk is gone");
        finished.push([id, answer]);
      },
    } as unknown as ChatLanes,
    files: {
      take: async (path: string) => ({ ok: true, file: { kind: "image", name: "a.png", path: "/copy", source: path } }),
    } as unknown as OutgoingFiles,
    signal: stop.signal,
    to: TO,
    settle: async (turnId, answer) => void message.push(["settle", turnId, answer]),
    facts: async (sessionId) => (
      message.push(["facts", sessionId]),
      facts.map((fact, at): Recorded => ({ seq: at + 1, at: 0, v: 1, fact }))
    ),
    noteEnd: async () => void message.push(["end"]),
    wake: () => void message.push(["wake"]),
  });
  return { answers, told: message, finished, log, stop, break: () => void (fails = true) };
}

test("completes the message that started a turn with a reply, after its preview has ended", async () => {
  const { answers, told: message, finished } = world();
  answers.onFact("s1", { type: "turn.started", turnId: "t1" });
  await answers.toMessage(SESSION, RECEIVED, DONE);
  assert.deepEqual(withoutUndefined(finished), [[7, { to: TO, text: "Hello.", key: "turn:s1:t1", replyTo: "m1" }]]);
  assert.deepEqual(message, [["settle", "t1", "Hello."], ["end"], ["wake"]]);
});

test("completes the message of a silent turn without an answer", async () => {
  const { answers, told: message, finished } = world();
  await answers.toMessage(SESSION, RECEIVED, { turnId: "t1", reason: "cancelled", text: "Half." });
  assert.deepEqual([finished, message[0]], [[[7, undefined]], ["settle", "t1", undefined]]);
});

const MADE: readonly Fact[] = [
  {
    type: "tool.called",
    turnId: "t1",
    callId: "c",
    tool: "image_generate",
    by: "model",
    effect: "network",
    repeatable: false,
  },
  {
    type: "tool.settled",
    callId: "c",
    outcome: { kind: "ok", shown: [{ type: "text", text: '{"image":"/made/a.png"}' }] },
    durationMs: 1,
  },
];

test("reads the facts for files only if a tool made one, the text names one, or an earlier process started the turn", async () => {
  const reads = async (how: (answers: ChatAnswers) => void, text = "Hello.") => {
    const { answers, told: message, finished } = world(MADE);
    how(answers);
    await answers.toMessage(SESSION, RECEIVED, { ...DONE, text });
    return [
      message.filter((one) => (one as readonly string[])[0] === "facts").length,
      finished[0]?.[1]?.files?.map(({ source }) => source),
    ];
  };
  const begun = (answers: ChatAnswers) => answers.onFact("s1", { type: "turn.started", turnId: "t1" });
  assert.deepEqual(await reads(begun), [0, undefined]);
  assert.deepEqual(await reads(() => undefined), [1, ["/made/a.png"]]);
  assert.deepEqual(await reads((answers) => (begun(answers), MADE.forEach((fact) => answers.onFact("s1", fact)))), [
    1,
    ["/made/a.png"],
  ]);
  assert.deepEqual(await reads(begun, "MEDIA:/work/b.png"), [1, ["/work/b.png", "/made/a.png"]]);
});

test("forgets the oldest turns without an answered end and reads their facts instead", async () => {
  const { answers, told: message } = world();
  for (let turn = 1; turn <= 17; turn++) answers.onFact("s1", { type: "turn.started", turnId: `t${turn}` });
  await answers.toMessage(SESSION, RECEIVED, { ...DONE, turnId: "t2" });
  assert.equal(
    message.some((one) => (one as readonly string[])[0] === "facts"),
    false,
  );
  await answers.toMessage(SESSION, RECEIVED, DONE);
  assert.equal(
    message.some((one) => (one as readonly string[])[0] === "facts"),
    true,
  );
});

test("sends the chat the answer of a turn that another process started, unless the turn is silent", async () => {
  const answered: Fact = {
    type: "model.answered",
    turnId: "t1",
    requestId: "r",
    parts: [{ type: "text", text: "The backup is done." }],
    finish: "stop",
    usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
  };
  const ended: Fact = { type: "turn.ended", turnId: "t1", reason: "done" };
  const spoke = world([answered, ended]);
  await spoke.answers.toChat(SESSION, "t1");
  assert.deepEqual(withoutUndefined(spoke.finished), [
    [undefined, { to: TO, text: "The backup is done.", key: "turn:s1:t1" }],
  ]);
  const silent = world([{ ...answered, parts: [{ type: "text", text: "[SILENT]" }] }, ended]);
  await silent.answers.toChat(SESSION, "t1");
  assert.deepEqual(silent.finished, []);
  const running = world([answered]);
  await running.answers.toChat(SESSION, "t1");
  assert.deepEqual(running.finished, []);
});

test("reports a failure to the chat, but leaves the message in the inbox if the gateway stops", async () => {
  const { answers, finished, log, stop, break: breakDisk } = world();
  await answers.failed(RECEIVED, new UserError("No model is configured.", { hint: "Run hermes setup." }));
  assert.deepEqual(finished, [[7, { to: TO, key: "failed:7", text: "⚠ No model is configured. Run hermes setup." }]]);
  breakDisk();
  await answers.failed(RECEIVED, new Error("broken"));
  assert.equal(log.lines.at(-1)?.message, "Cannot store the error message for the chat.");
  const lines = log.lines.length;
  stop.abort();
  await answers.failed(RECEIVED, new Error("broken"));
  assert.deepEqual([finished.length, log.lines.length], [1, lines]);
  assert.equal(sayable(new Error("broken")), "The turn failed: broken");
});
