import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Question } from "../../../src/contract/conversation/question.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ScriptedReply } from "../../servers/script.ts";
import { childOf, family, scene, type Sent } from "../support/family.ts";

const GOALS = ["hand it to the second", "hand it to the third", "hand it to the fourth", "clear the build away"];
const DEEP = "delegation:\n  max_spawn_depth: 4\n";
/** Much shorter than the approval timeout. */
const AT_ONCE_MS = 30_000;

const hands =
  (goal: string) =>
  ({ results }: Sent): ScriptedReply =>
    results.length === 0
      ? { calls: [{ tool: "delegate_task", args: { goal, role: "orchestrator" } }] }
      : { text: "That is all." };
const clears = ({ results }: Sent): ScriptedReply =>
  results.length === 0
    ? { calls: [{ tool: "terminal", args: { command: "rm -rf build" } }] }
    : { text: "It was refused." };

/** Four nested agents, of which the last makes a call that needs approval. */
function four() {
  const [first, ...deeper] = GOALS;
  return family(
    { goal: first!, role: "orchestrator" },
    Object.fromEntries(GOALS.map((goal, depth) => [goal, depth === 3 ? clears : hands(deeper[depth]!)])),
  );
}

// req: R-25
test("four agents deep without a user, a call that needs approval is denied at once, and the agents above continue", async (t) => {
  await using server = await startOpenAiServer(four());
  const {
    app,
    session,
    prompter: user,
    facts,
  } = await scene(t, server.url, {
    extra: DEEP,
    setup: (one) => one.write("build/a", ""),
  });
  assert.equal((await session.send("go")).text, "All done.");
  const deepest = await descend(childOf(facts())[0]!, 3);
  const at = (type: string): number => deepest.find(({ fact }) => fact.type === type)!.at;
  const settled = deepest.find(({ fact }) => fact.type === "tool.settled")!.fact;
  assert.ok(settled.type === "tool.settled" && settled.outcome.kind === "denied", JSON.stringify(settled));
  assert.match(settled.outcome.reason, /no user is connected/);
  assert.ok(at("tool.settled") - at("tool.called") < AT_ONCE_MS);
  assert.ok(existsSync(join(user.folder, "build/a")));

  async function descend(
    id: string,
    further: number,
  ): Promise<readonly { readonly at: number; readonly fact: ReturnType<typeof facts>[number] }[]> {
    const recorded = await Array.fromAsync(app.sessions.facts(id));
    return further === 0 ? recorded : descend(childOf(recorded.map(({ fact }) => fact))[0]!, further - 1);
  }
});

// req: R-25
test("four agents deep, asks the conversation's user once and names the subagent", async (t) => {
  await using server = await startOpenAiServer(four());
  const asked: Question[] = [];
  const { session, prompter: user } = await scene(t, server.url, {
    extra: DEEP,
    setup: (one) => one.write("build/a", ""),
    open: { prompter: { ask: async (question) => (asked.push(question), { kind: "refused" }) } },
  });
  assert.equal((await session.send("go")).text, "All done.");
  assert.deepEqual(
    asked.map((question) => question.kind === "approval" && [question.request.subject, question.request.subagent]),
    [["rm -rf build", "clear the build away"]],
  );
  assert.ok(existsSync(join(user.folder, "build/a")));
});
