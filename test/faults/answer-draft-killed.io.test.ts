import assert from "node:assert/strict";
import { test } from "node:test";
import { openSqliteStore } from "../../src/host/store/facts/open-store.ts";
import { waitFor } from "../../src/testing/wait-for.ts";
import { NewUser } from "../end-to-end/support/test-user.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import type { ScriptedReply } from "../servers/script.ts";

const READ = "The weasel sleeps in the barn.\nIt wakes";
const LINES =
  "It had written this when it was interrupted; it is not an answer:\n  The weasel sleeps in the barn.\n  It wakes";

/** A user whose agent was killed while the answer streamed, after its draft was saved. */
async function killed(replies: readonly ScriptedReply[]) {
  const stack = new AsyncDisposableStack();
  const model = stack.use(await startOpenAiServer([{ text: `${READ} up.`, deltaChars: 100, ...STALL }, ...replies]));
  const user = stack.use(new NewUser());
  user.connect("custom", model.url);
  const agent = user.start(["chat", "-q", "what does the weasel do?"]);
  const session = await waitFor(
    async () => {
      if (model.requests.length === 0) return undefined;
      await using store = await openSqliteStore({ home: user.agentHome });
      const [id = ""] = await store.sessionIds();
      return (await store.draft(id))?.text === READ ? id : undefined;
    },
    { what: "the draft is saved", timeoutMs: 30_000 },
  );
  agent.kill("SIGKILL");
  await waitFor(() => agent.signalCode !== null);
  return { model, user, session, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

// The first text arrives; then the model says nothing more.
const STALL: ScriptedReply = {
  raw: [
    `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta: { role: "assistant", content: READ } }] })}\n\n`,
    { waitMs: 120_000 },
  ],
};

// field: S19
// row 3 of the fault matrix
test("kill -9 while an answer streams: it is shown on resume as interrupted, and is never an answer", async () => {
  await using scene = await killed([{ text: "It hunts." }]);
  const { user, model, session } = scene;
  const shown = await user.run(["sessions", "export", session, "--format", "jsonl"]);
  assert.ok(!shown.out.includes("in the barn"), shown.out);
  const resumed = await user.run(["--resume", session]);
  assert.ok(resumed.err.includes(LINES), resumed.err);
  assert.match(resumed.out, /It hunts\./);
  assert.ok(!model.requests.at(-1)!.body.includes("in the barn"), "the model is not sent the draft");
  const again = await user.run(["--resume", session]);
  assert.ok(!again.err.includes("in the barn"), "an answered request has no draft");
});

// field: S19
test("a draft is deleted with its session, and another request's draft is not shown", async () => {
  await using scene = await killed([{ text: "It hunts." }]);
  const { user, session } = scene;
  {
    await using store = await openSqliteStore({ home: user.agentHome });
    await store.saveDraft(session, { requestId: "another", text: "Old text." });
  }
  const resumed = await user.run(["--resume", session]);
  assert.ok(!resumed.err.includes("Old text."), resumed.err);
  assert.equal((await user.run(["sessions", "delete", session, "--yes"])).status, 0);
  await using store = await openSqliteStore({ home: user.agentHome });
  assert.equal(await store.draft(session), undefined);
});
