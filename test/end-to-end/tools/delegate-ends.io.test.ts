import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../../src/contract/common/json.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import type { ScriptedReply } from "../../servers/script.ts";
import { childOf, family, resultOf, scene, sent, type Sent } from "../support/family.ts";
import { ended, NewUser } from "../support/test-user.ts";
import { waitFor } from "../../../src/testing/wait-for.ts";

const sleeps =
  (mark: string) =>
  ({ results }: Sent): ScriptedReply =>
    results.length === 0
      ? { calls: [{ tool: "terminal", args: { command: `touch ${mark}; sleep 60; touch ${mark}-late` } }] }
      : { text: "slept" };

// req
test("stopping the parent stops its subagents and their processes, and records and reports each end", async (t) => {
  await using server = await startOpenAiServer(
    family(
      { tasks: [{ goal: "sleep as one" }, { goal: "sleep as two" }] },
      { "sleep as one": sleeps("one"), "sleep as two": sleeps("two") },
    ),
  );
  const { app, session, prompter: user, facts } = await scene(t, server.url);
  const turn = session.send("have them sleep");
  await waitFor(() => existsSync(join(user.folder, "one")) && existsSync(join(user.folder, "two")));
  await session.interrupt("stopped by you");
  const end = await turn;
  assert.deepEqual([end.reason, end.detail], ["cancelled", "stopped by you"]);
  const ends = () => facts().flatMap((fact) => (fact.type === "subagent.ended" ? [fact.reason] : []));
  await waitFor(() => ends().length === 2); // A subagent whose command is slow to die is not waited for.
  for (const id of childOf(facts())) {
    const last = (await Array.fromAsync(app.sessions.facts(id))).at(-1)!.fact;
    assert.deepEqual(last.type === "turn.ended" && [last.reason, last.detail], ["cancelled", "stopped by you"]);
  }
  assert.deepEqual(ends(), ["cancelled", "cancelled"]);
  assert.deepEqual(server.requests.length, 3, "no model request follows the stop");
});

// req: R-16
test("stopping a manual call or slash command stops its subagent, as stopping a turn does", async (t) => {
  await using server = await startOpenAiServer(family({}, { "sleep as one": sleeps("one") }));
  const { session, prompter: user, facts } = await scene(t, server.url);
  const call = session.call("delegate_task", { goal: "sleep as one" });
  await waitFor(() => existsSync(join(user.folder, "one")));
  assert.equal(session.busy, true);
  await session.interrupt("stopped by you");
  await call;
  assert.equal(session.busy, false);
  const ends = () => facts().flatMap((fact) => (fact.type === "subagent.ended" ? [fact.reason] : []));
  await waitFor(() => ends().length > 0); // A subagent whose command is slow to die is not waited for.
  assert.deepEqual(ends(), ["cancelled"]);
});

// req: R-21
test("background processes of a subagent end with it", async (t) => {
  const leaves = ({ results }: Sent): ScriptedReply =>
    results.length === 0
      ? {
          calls: [
            {
              tool: "terminal",
              args: { command: "touch up; while :; do touch alive; sleep 0.05; done", background: true },
            },
          ],
        }
      : results.length === 1
        ? { calls: [{ tool: "terminal", args: { command: "until [ -e up ]; do sleep 0.05; done" } }] }
        : { text: "It runs." };
  await using server = await startOpenAiServer(family({ goal: "leave it running" }, { "leave it running": leaves }));
  const { session, prompter: user, facts } = await scene(t, server.url);
  await session.send("go");
  assert.equal(resultOf(facts()).results[0]!["summary"], "It runs.");
  const alive = join(user.folder, "alive");
  let quiet = false;
  // A process that still runs creates it again.
  for (let tries = 0; !quiet && tries < 40; tries++) {
    rmSync(alive, { force: true });
    await sleep(500);
    quiet = !existsSync(alive);
  }
  assert.ok(quiet);
});

// req: R-12
test("after a kill during a subagent's command, the parent learns what was done, and nothing is repeated", async () => {
  using user = new NewUser();
  const counts = ({ results }: Sent): ScriptedReply =>
    results.length === 0
      ? { calls: [{ tool: "terminal", args: { command: "echo ran >> counter; sleep 60" } }] }
      : { text: "counted" };
  const quick = ({ results }: Sent): ScriptedReply =>
    results.length === 0
      ? { calls: [{ tool: "write_file", args: { path: "quick.txt", content: "x" } }] }
      : { text: "The quick work is done." };
  await using server = await startOpenAiServer(
    family(
      { tasks: [{ goal: "count up" }, { goal: "be quick" }] },
      { "count up": counts, "be quick": quick },
      "I looked: it had run once.",
    ),
  );
  user.connect("custom", server.url);
  const agent = user.start(["chat", "--json", "-q", "do both"]);
  let message = "";
  agent.stdout!.on("data", (chunk: Buffer) => (message += chunk));
  const first = ended(agent);
  await waitFor(() => existsSync(join(user.folder, "counter")) && message.includes('"subagent.ended"'));
  agent.kill("SIGKILL");
  await first;
  const { status, out, err } = await user.run(["--continue"]);
  assert.equal(status, 0, err);
  assert.match(err, /delegate_task.*interrupted/i);
  assert.match(out, /it had run once/);
  assert.equal(readFileSync(join(user.folder, "counter"), "utf8"), "ran\n");
  const [result] = sent(server.requests.at(-1)!).results;
  const { error, subagents } = JSON.parse(result!) as {
    readonly error: string;
    readonly subagents: readonly JsonObject[];
  };
  assert.match(error, /outcome unknown/);
  assert.deepEqual(
    subagents.map(({ goal, status: how, summary }) => [goal, how, summary]),
    [
      ["count up", "interrupted", undefined],
      ["be quick", "ended", "The quick work is done."],
    ],
  );
  assert.deepEqual(
    subagents.map(({ done, interrupted }) => [(done as string[]).length, (interrupted as string[]).length]),
    [
      [0, 1],
      [1, 0],
    ],
  );
  assert.match(
    String((subagents[0]!["interrupted"] as string[])[0]),
    /^terminal .*echo ran.*: it may or may not have happened$/,
  );
  assert.equal(
    server.requests.filter((request) => sent(request).text.includes("count up")).length,
    1,
    "the subagent is not asked again",
  );
});

// req: tool-delegate.batch
test("the settings limit a call's tasks, depth, requests and the length of a summary", async (t) => {
  const long = "word ".repeat(400);
  const script = {
    "write much": (): ScriptedReply => ({ text: long }),
    "never end": ({ results }: Sent): ScriptedReply =>
      results.length < 2 ? { calls: [{ tool: "todo", args: {} }] } : { text: "I had to stop." },
  };
  await using many = await startOpenAiServer(family({ tasks: [{ goal: "a" }, { goal: "b" }, { goal: "c" }] }, {}));
  const three = await scene(t, many.url, { extra: "delegation:\n  max_concurrent_children: 2\n" });
  await three.session.send("go");
  assert.match(
    JSON.stringify(three.facts().find(({ type }) => type === "tool.settled")),
    /Too many tasks \(3\): at most 2 subagents may run at a time \(delegation\.max_concurrent_children\)\. None was started/,
  );
  await using server = await startOpenAiServer(
    family({ tasks: [{ goal: "write much" }, { goal: "never end" }] }, script),
  );
  const two = await scene(t, server.url, { extra: "delegation:\n  max_summary_chars: 100\n  max_iterations: 2\n" });
  await two.session.send("go");
  const [much, never] = resultOf(two.facts()).results;
  assert.deepEqual(
    [much!["summary"], much!["summary_truncated"], readFileSync(String(much!["summary_full_path"]), "utf8")],
    [long.slice(0, 100), true, long],
  );
  assert.deepEqual([never!["exit_reason"], never!["api_calls"]], ["max_iterations", 3]);
});

// req: tool-delegate.goal-toolsets
test("a leaf cannot delegate; an orchestrator can, down to the configured depth", async (t) => {
  const hands = ({ results, tools }: Sent): ScriptedReply =>
    results.length === 0
      ? { calls: [{ tool: "delegate_task", args: { goal: "do the small part", role: "orchestrator" } }] }
      : {
          text: `${tools.includes("delegate_task")}: ${/small part done/.test(results[0]!) ? "passed on" : results[0]!.slice(0, 200)}`,
        };
  const does = ({ tools }: Sent): ScriptedReply => ({
    text: tools.includes("delegate_task") ? "may delegate" : "small part done",
  });
  await using server = await startOpenAiServer(
    family({ goal: "hand it on", role: "orchestrator" }, { "do the small part": does, "hand it on": hands }),
  );
  const flat = await scene(t, server.url);
  await flat.session.send("go");
  assert.match(String(resultOf(flat.facts()).results[0]!["summary"]), /^false: .*(not offered|Unknown tool)/);
  const deep = await scene(t, server.url, { extra: "delegation:\n  max_spawn_depth: 2\n" });
  await deep.session.send("go");
  assert.equal(resultOf(deep.facts()).results[0]!["summary"], "true: passed on");
  const off = await scene(t, server.url, {
    extra: "delegation:\n  max_spawn_depth: 2\n  orchestrator_enabled: false\n",
  });
  await off.session.send("go");
  assert.match(String(resultOf(off.facts()).results[0]!["summary"]), /^false: /);
});

// req: tool-delegate.goal-toolsets
test("reports unknown toolsets, or those without a tool of the parent, and starts nothing", async (t) => {
  for (const [toolsets, words] of [
    [["termnal"], /There is no toolset or tool \\"termnal\\"/],
    [["homeassistant"], /No tool of homeassistant is available for a subagent here/],
  ] as const) {
    await using server = await startOpenAiServer(family({ goal: "x", toolsets }, {}));
    const { session, facts } = await scene(t, server.url);
    await session.send("go");
    assert.match(JSON.stringify(facts().find(({ type }) => type === "tool.settled")), words);
    assert.deepEqual(childOf(facts()), []);
  }
});

test("subagents can use another model; a failing model fails only its task", async (t) => {
  await using own = await startOpenAiServer((request) =>
    sent(request).text.includes("fail")
      ? { status: 400, message: "No such model." }
      : { text: "from the other server" },
  );
  await using server = await startOpenAiServer(family({ tasks: [{ goal: "answer" }, { goal: "fail" }] }, {}));
  const { session, facts } = await scene(t, server.url, {
    extra: `delegation:\n  base_url: ${own.url}\n  model: small\n  api_key: other-key\n`,
  });
  await session.send("go");
  const [good, bad] = resultOf(facts()).results;
  assert.deepEqual(
    [good!["status"], good!["summary"], good!["model"]],
    ["completed", "from the other server", "small"],
  );
  assert.deepEqual(
    [bad!["status"], bad!["exit_reason"], /No such model/.test(String(bad!["error"]))],
    ["failed", "error", true],
  );
  assert.deepEqual([own.requests.length, server.requests.length], [2, 2]);
  assert.equal(own.requests[0]!.headers["authorization"], "Bearer other-key");
});
