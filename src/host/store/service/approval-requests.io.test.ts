import assert from "node:assert/strict";
import { test } from "node:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { withTimeout } from "../../../testing/wait-for.ts";
import type { PendingApproval } from "../../../contract/services/approval-service.ts";
import { openSqliteStore } from "../facts/open-store.ts";
import { openApprovalRequests, type ApprovalRequests } from "./approval-requests.ts";

const QUESTION: PendingApproval["question"] = {
  kind: "approval",
  scopes: ["once", "session"],
  timeoutMs: 60_000,
  request: {
    callId: "c1",
    sessionId: "s1",
    tool: "terminal",
    subject: "rm -rf build",
    args: { command: "rm -rf build" },
    cwd: "/work",
    risk: { answer: "ask", key: "recursive delete", reasons: ["Deletes /work/build."], effects: [] },
    digest: "d1",
  },
};

/** Two connections to one store, as two processes have. */
async function twoProcesses(): Promise<
  { readonly asks: ApprovalRequests; readonly answers: ApprovalRequests } & AsyncDisposable
> {
  const stack = new AsyncDisposableStack();
  const home = mkdtempSync(join(tmpdir(), "hermes-approvals-"));
  stack.defer(() => rmSync(home, { recursive: true, force: true }));
  const one = stack.use(await openSqliteStore({ home }));
  const other = stack.use(await openSqliteStore({ home }));
  return {
    asks: await openApprovalRequests(one),
    answers: await openApprovalRequests(other),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

const ask = (requests: ApprovalRequests, more: { readonly atTerminal?: boolean; readonly ms?: number } = {}) =>
  requests.open(
    { id: "q1", surface: "telegram", question: QUESTION, atTerminal: more.atTerminal ?? false },
    more.ms ?? 59_000,
  );

const answerTo = async (requests: ApprovalRequests, id: string) => {
  const stop = new AbortController();
  return withTimeout(requests.answered(id, stop.signal), { what: "an answer is stored" }).finally(() => stop.abort());
};

test("another process sees a pending question completely, and can answer it", async () => {
  await using both = await twoProcesses();
  await ask(both.asks);
  const [pending] = await both.answers.pending();
  assert.deepEqual(pending, {
    id: "q1",
    surface: "telegram",
    question: QUESTION,
    atTerminal: false,
    askedAt: pending?.askedAt,
    untilAt: (pending?.askedAt ?? 0) + 59_000,
  });
  assert.equal(await both.answers.reply("q1", { kind: "approved", scope: "session" }), "stored");
  assert.deepEqual(await answerTo(both.asks, "q1"), { kind: "approved", scope: "session" });
  assert.deepEqual(await both.asks.settle("q1", { kind: "refused" }), { kind: "approved", scope: "session" });
  assert.deepEqual(await both.answers.pending(), []);
});

test("the process that asks notices an answer that another process stores later", async () => {
  await using both = await twoProcesses();
  await ask(both.asks);
  const answer = answerTo(both.asks, "q1");
  await new Promise((resolve) => setTimeout(resolve, 50));
  await both.answers.reply("q1", { kind: "refused", reason: "not today" });
  assert.deepEqual(await answer, { kind: "refused", reason: "not today" });
});

test("only the first of two answers counts", async () => {
  await using both = await twoProcesses();
  await ask(both.asks);
  assert.deepEqual(await both.asks.settle("q1", { kind: "refused" }), { kind: "refused" });
  assert.equal(await both.answers.reply("q1", { kind: "approved", scope: "once" }), "closed");
  assert.deepEqual(await answerTo(both.asks, "q1"), { kind: "refused" });
});

test("of many simultaneous answers exactly one is stored", async () => {
  await using both = await twoProcesses();
  await ask(both.asks);
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      (index % 2 === 0 ? both.asks : both.answers).reply(
        "q1",
        index % 3 === 0 ? { kind: "refused", reason: String(index) } : { kind: "approved", scope: "once" },
      ),
    ),
  );
  assert.equal(replies.filter((stored) => stored === "stored").length, 1);
  assert.equal(replies.filter((stored) => stored === "closed").length, 19);
});

test("stores no answer for a terminal's question, after the timeout, with another scope or for an unknown question", async () => {
  await using both = await twoProcesses();
  const once = { kind: "approved", scope: "once" } as const;
  await ask(both.asks, { atTerminal: true });
  assert.equal(await both.answers.reply("q1", once), "at a terminal");
  assert.equal(await both.answers.reply("q1", { kind: "refused" }), "at a terminal");
  assert.equal(await both.answers.reply("q2", once), "unknown");
  await both.asks.open({ id: "q3", surface: "cron", question: QUESTION, atTerminal: false }, 0);
  assert.equal(await both.answers.reply("q3", once), "closed");
  await both.asks.open({ id: "q4", surface: "cron", question: QUESTION, atTerminal: false }, 59_000);
  assert.equal(await both.answers.reply("q4", { kind: "approved", scope: "always" }), "not offered");
  assert.deepEqual(
    (await both.answers.pending()).map(({ id }) => id),
    ["q1", "q4"],
  );
});

test("all processes know a watching user until the watching ends", async () => {
  await using both = await twoProcesses();
  assert.equal(await both.asks.watched(), false);
  await both.answers.watch(30_000);
  assert.equal(await both.asks.watched(), true);
  await both.answers.watch(0);
  assert.equal(await both.asks.watched(), false);
});
