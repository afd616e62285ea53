import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { openApp } from "../../src/host/app.ts";
import type { App } from "../../src/contract/app.ts";
import type { Fact } from "../../src/contract/fact.ts";
import type { JsonObject } from "../../src/contract/json.ts";
import type { Session } from "../../src/contract/session.ts";
import { startOpenAiServer } from "../servers/openai.ts";
import type { RecordedRequest, ScriptedReply } from "../servers/script.ts";
import { NewPerson } from "./person.ts";

/** What a model is sent, as far as these tests read it. */
interface Sent {
  readonly system: string;
  readonly text: string;
  readonly tools: readonly string[];
  /** Results so far in this conversation. */
  readonly results: readonly string[];
}

function sent({ body }: RecordedRequest): Sent {
  const { messages, tools = [] } = JSON.parse(body) as { readonly messages: readonly { readonly role: string; readonly content: unknown }[]; readonly tools?: readonly { readonly function: { readonly name: string } }[] };
  const words = (content: unknown) => (typeof content === "string" ? content : JSON.stringify(content));
  return { system: words(messages[0]!.content), text: messages.filter(({ role }) => role === "user").map(({ content }) => words(content)).join("\n"), tools: tools.map((tool) => tool.function.name), results: messages.filter(({ role }) => role === "tool").map(({ content }) => words(content)) };
}

/** Plays parent and children: the parent hands over what it is told to, a child does what its goal's script says. */
function family(delegated: JsonObject, children: { readonly [goal: string]: (request: Sent) => ScriptedReply }, last = "All done.") {
  return (request: RecordedRequest): ScriptedReply => {
    const at = sent(request);
    const goal = at.system.includes("You are a subagent") ? Object.keys(children).find((one) => at.text.includes(one)) : undefined;
    if (goal !== undefined) return children[goal]!(at);
    return at.results.length === 0 ? { calls: [{ tool: "delegate_task", args: delegated }] } : { text: last };
  };
}

async function scene(t: TestContext, url: string, options: { readonly extra?: string; readonly setup?: (person: NewPerson) => void; readonly open?: Partial<Parameters<App["openSession"]>[0]> } = {}): Promise<{ readonly app: App; readonly session: Session; readonly person: NewPerson; facts(): readonly Fact[] }> {
  const person = new NewPerson();
  t.after(() => person[Symbol.dispose]());
  person.connect("custom", url, options.extra ?? "");
  options.setup?.(person);
  const app = await openApp({ version: "0", env: { HOME: person.home, PATH: process.env["PATH"] }, signal: new AbortController().signal });
  t.after(() => app[Symbol.asyncDispose]());
  const session = await app.openSession({ surface: "cli", cwd: person.folder, ...options.open });
  const facts: Fact[] = [];
  session.subscribe((event) => event.kind === "fact" && void facts.push(event.recorded.fact));
  return { app, session, person, facts: () => facts };
}

function resultOf(facts: readonly Fact[]): { readonly results: readonly JsonObject[]; readonly total_duration_seconds: number } {
  const settled = facts.find((fact) => fact.type === "tool.settled");
  assert.ok(settled?.type === "tool.settled" && settled.outcome.kind === "ok", JSON.stringify(settled));
  return JSON.parse((settled.outcome.shown[0] as { readonly text: string }).text);
}

const childOf = (facts: readonly Fact[]) => facts.flatMap((fact) => (fact.type === "subagent.started" ? [fact.sessionId] : []));

// req: tool-delegate.isolated, tool-delegate.goal-toolsets
test("a subagent knows its goal and context and nothing else, has no tool that its parent lacks, and only its summary comes back", async (t) => {
  await using server = await startOpenAiServer(
    family({ goal: "count the lines", context: "Look at lines.txt.", toolsets: ["terminal", "file", "web"] }, {
      "count the lines": ({ results }) => (results.length === 0 ? { calls: [{ tool: "terminal", args: { command: "cat lines.txt; pwd" } }], usage: { inputTokens: 70 } } : { text: "There are two lines.", usage: { inputTokens: 30, outputTokens: 5 } }),
    }),
  );
  const { app, session, person, facts } = await scene(t, server.url, {
    setup: (one) => (one.write("lines.txt", "first\nsecond\n"), one.write("AGENTS.md", "Words for whoever works here."), one.write("~/.hermes/SOUL.md", "I am a pirate.")),
    open: { toolsets: { enabled: ["terminal", "delegation", "clarify"] }, person: { ask: async () => ({ kind: "refused" }) } },
  });
  const end = await session.send("The word is heliotrope. Have the lines counted.");
  assert.deepEqual([end.reason, end.text], ["done", "All done."]);
  const [first, child, second, last] = server.requests.map(sent);
  assert.deepEqual(first!.tools, ["clarify", "delegate_task", "process", "terminal"]);
  assert.deepEqual(child!.tools, ["process", "terminal"]);
  assert.match(child!.text, /count the lines\n\nContext:\nLook at lines\.txt\./);
  for (const word of [/heliotrope/, /Words for whoever/, /pirate/]) assert.doesNotMatch(child!.system + child!.text, word);
  assert.match(second!.results[0]!, /first.*second/s);
  assert.ok(second!.results[0]!.includes(person.folder));
  assert.match(last!.results[0]!, /There are two lines\./);
  assert.doesNotMatch(last!.results[0]!, /first/);
  const [id] = childOf(facts());
  const { results, total_duration_seconds } = resultOf(facts());
  assert.equal(typeof total_duration_seconds, "number");
  const { duration_seconds, ...rest } = results[0]!;
  assert.equal(typeof duration_seconds, "number");
  const [{ args_bytes, result_bytes, ...trace }] = rest["tool_trace"] as [JsonObject];
  assert.deepEqual([trace, Number(args_bytes) > 20, Number(result_bytes) > 20], [{ tool: "terminal", status: "ok" }, true, true]);
  assert.deepEqual({ ...rest, tool_trace: [] }, { task_index: 0, status: "completed", summary: "There are two lines.", api_calls: 2, model: "loopback", exit_reason: "completed", tokens: { input: 100, output: 15 }, tool_trace: [], session_id: id });
  const kept = await Array.fromAsync(app.sessions.facts(id!));
  const started = kept[0]!.fact;
  assert.deepEqual(started.type === "session.started" && [started.surface, started.cwd, started.parent?.sessionId, started.subagent?.goal, started.subagent?.depth, started.notes], ["subagent", person.folder, session.id, "count the lines", 1, undefined]);
  assert.deepEqual(session.view().usage.inputTokens, 100 + 100 + 100, "what the subagent used counts for its parent");
  assert.deepEqual((await app.sessions.list()).map((one) => one.id), [session.id], "it is not in the way of people's conversations");
  assert.deepEqual((await app.sessions.list({ surface: "subagent" })).map((one) => one.parentId), [session.id]);
});

// req: tool-delegate.batch, hooks.subagent-stop
test("a batch runs at the same time, its results stand in the order of the tasks, and each end is told once", async (t) => {
  const HEARD = (file: string) => `
import { appendFileSync } from "node:fs";
export default (ctx) => { for (const hook of ["subagent_start", "subagent_stop"]) ctx.hook(hook, (payload) => { appendFileSync(${JSON.stringify(file)}, JSON.stringify({ hook, ...payload }) + "\\n"); }); };
`;
  const waits = (name: string, seconds: number) => ({ results }: Sent): ScriptedReply => (results.length === 0 ? { calls: [{ tool: "terminal", args: { command: `touch ${name}; for i in $(seq 100); do [ -e slow ] && [ -e quick ] && [ -e third ] && break; sleep 0.1; done; sleep ${seconds}; [ -e slow ] && [ -e quick ] && [ -e third ] && echo together` } }] } : { text: `${name}: ${results[0]!.includes("together") ? "met the others" : "was alone"}` });
  await using server = await startOpenAiServer(family({ tasks: [{ goal: "the slow one" }, { goal: "the quick one" }, { goal: "a third one" }] }, { "the slow one": waits("slow", 0.4), "the quick one": waits("quick", 0), "a third one": waits("third", 0.2) }));
  let heard = "";
  const { session, facts } = await scene(t, server.url, {
    extra: "plugins:\n  enabled: [listener]\n",
    setup: (one) => {
      heard = join(one.home, "heard.jsonl");
      one.write("~/.hermes/plugins/listener/plugin.yaml", "name: listener\nversion: 1.0.0\ndescription: Hears of subagents\n");
      one.write("~/.hermes/plugins/listener/index.mjs", HEARD(heard));
    },
  });
  assert.equal((await session.send("do three things")).reason, "done");
  assert.deepEqual(resultOf(facts()).results.map((one) => [one["task_index"], one["status"], one["summary"]]), [[0, "completed", "slow: met the others"], [1, "completed", "quick: met the others"], [2, "completed", "third: met the others"]]);
  const told = readFileSync(heard, "utf8").trim().split("\n").map((line) => JSON.parse(line) as JsonObject);
  const ids = childOf(facts());
  assert.deepEqual(told.filter((one) => one["hook"] === "subagent_start").map((one) => [one["parent_session_id"], one["child_session_id"], one["child_role"], one["child_goal"]]), ["the slow one", "the quick one", "a third one"].map((goal, at) => [session.id, ids[at], "leaf", goal]));
  const stops = told.filter((one) => one["hook"] === "subagent_stop");
  assert.deepEqual(stops.map((one) => one["child_session_id"]).sort(), [...ids].sort());
  for (const one of stops) assert.deepEqual([one["parent_session_id"], one["child_role"], one["child_status"], typeof one["duration_ms"], /met the others/.test(String(one["child_summary"]))], [session.id, "leaf", "completed", "number", true]);
});
