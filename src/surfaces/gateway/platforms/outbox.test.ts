import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure } from "../../../contract/common/failure.ts";
import type { ChatLanes, Outgoing, WaitingMessage } from "../../../contract/services/gateway-service.ts";
import { quietLog } from "../../../testing/quiet-log.ts";
import { Outbox } from "./outbox.ts";
import type { PlatformLine } from "./platform-connection.ts";

test("puts an answer into its preview message with retries, or sends a new one if that is gone", async () => {
  const asked: string[] = [];
  const outcomes = [
    { success: false, error: "later", retryable: true, retry_after: 0 },
    { success: true },
    { success: false, error: "gone", retryable: false },
  ];
  const waiting: WaitingMessage[] = [1, 2].map((id) => ({
    id,
    piece: 0,
    key: `k${id}`,
    text: "Whole.",
    edits: `m${id}`,
    to: { platform: "p", chatId: "c" },
  }));
  const lanes = {
    waiting: async (after: number) => waiting.filter(({ id }) => id > after),
    sending: async () => {},
    apart: async (id: number) => void asked.push(`apart ${id}`),
    sent: async (id: number) => void asked.push(`sent ${id}`),
    unsent: async () => {},
  } as unknown as ChatLanes;
  const line = {
    state: "connected",
    edits: true,
    plan: { name: "p" },
    edit: async (_: string, id: string, text: string, { finalize }: { readonly finalize: boolean }) => (
      asked.push(`edit ${id} ${text} ${finalize}`),
      outcomes.shift()!
    ),
    send: async (_: string, text: string) => (asked.push(`send ${text}`), { success: true }),
    remove: async (_: string, id: string) => void asked.push(`remove ${id}`),
  } as unknown as PlatformLine;
  const outbox = new Outbox({ lanes, log: quietLog(), line: () => line, retryMs: 1, release: async () => {} });
  await outbox.wake();
  await outbox.idle();
  assert.deepEqual(asked, [
    "edit m1 Whole. true",
    "edit m1 Whole. true",
    "sent 1",
    "edit m2 Whole. true",
    "apart 2",
    "remove m2",
    "send Whole.",
    "sent 2",
  ]);
});

test("sends a new message if edits are refused repeatedly without a retry time", async () => {
  const asked: string[] = [];
  const waiting: WaitingMessage[] = [
    { id: 1, piece: 0, key: "k1", text: "Whole.", edits: "m1", to: { platform: "p", chatId: "c" } },
  ];
  const lanes = {
    waiting: async (after: number) => waiting.filter(({ id }) => id > after),
    sending: async () => {},
    apart: async () => {},
    sent: async (id: number) => void asked.push(`sent ${id}`),
    unsent: async (_: number, __: string, final: boolean) => void (final && asked.push("failed")),
  } as unknown as ChatLanes;
  const line = {
    state: "connected",
    edits: true,
    plan: { name: "p" },
    edit: async () => ({ success: false, error: "no" }),
    send: async (_: string, text: string) => (asked.push(`send ${text}`), { success: true }),
    remove: async (_: string, id: string) => void asked.push(`remove ${id}`),
  } as unknown as PlatformLine;
  const outbox = new Outbox({ lanes, log: quietLog(), line: () => line, retryMs: 0, release: async () => {} });
  await outbox.wake();
  await outbox.idle();
  assert.deepEqual(asked, ["remove m1", "send Whole.", "sent 1"]);
});

/** One text to send, and what became of it in the store. */
async function sending(fails: () => unknown) {
  const message: string[] = [];
  const states: string[] = [];
  const waiting: WaitingMessage[] = [
    { id: 1, piece: 0, key: "k1", text: "Hello.", to: { platform: "p", chatId: "c" } },
  ];
  const lanes = {
    waiting: async (after: number) => waiting.filter(({ id }) => id > after),
    sending: async () => void states.push("sending"),
    sent: async (id: number) => void states.push(`sent ${id}`),
    unsent: async (_: number, why: string, final: boolean) => void states.push(`unsent ${final} ${why}`),
    async unsure(doubt: (message: WaitingMessage) => Outgoing) {
      waiting.push({ id: 2, piece: 0, ...doubt(waiting[0]!) });
      return waiting.slice(0, 1);
    },
  } as unknown as ChatLanes;
  const line = {
    state: "connected",
    plan: { name: "p", label: "Tin Can" },
    async send(_: string, text: string) {
      message.push(text);
      if (message.length === 1) throw fails();
      return { success: true };
    },
  } as unknown as PlatformLine;
  const outbox = new Outbox({ lanes, log: quietLog(), line: () => line, retryMs: 1, release: async () => {} });
  // The second round sends what the first one queued.
  for (let rounds = 0; rounds < 2; rounds++) {
    await outbox.wake();
    await outbox.idle();
  }
  return { said: message, states };
}

// field: S15
test("does not resend a message whose outcome is unknown, and says in the chat what happened", async () => {
  for (const [cause, what] of [
    [
      new ToolFailure("plugin_gone", "It did not answer.", { cause: new Error("killed") }),
      "The plugin that connects me to Tin Can ended while it sent an answer here",
    ],
    [
      Object.assign(new Error("late"), { name: "TimeoutError" }),
      "The connection to Tin Can failed while I sent an answer here",
    ],
  ] as const) {
    const { said: message, states } = await sending(() => cause);
    assert.deepEqual(message, ["Hello.", `${what}, and I do not know whether it arrived. /resend sends it again.`]);
    assert.deepEqual(states, ["sending", "sending", "sent 2"]);
  }
});

test("resends a message that was certainly not sent", async () => {
  const { said: message, states } = await sending(() => new ToolFailure("plugin_gone", "The plugin rests for 1 s."));
  assert.deepEqual(
    [message, states],
    [
      ["Hello.", "Hello."],
      ["sending", "unsent false The plugin rests for 1 s.", "sending", "sent 1"],
    ],
  );
});
