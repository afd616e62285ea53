import assert from "node:assert/strict";
import { test } from "node:test";
import { openApp } from "../../../src/host/app/open-app.ts";
import { startOpenAiServer } from "../../servers/openai.ts";
import { NewUser } from "../support/test-user.ts";

type Body = {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
};
const bodyOf = ({ body }: { readonly body: string }): Body => JSON.parse(body) as Body;
const lastOf = (request: { readonly body: string }): string => String(bodyOf(request).messages.at(-1)!.content);
type Found = {
  readonly results: readonly {
    readonly session_id: string;
    readonly summary?: string;
    readonly messages?: readonly { readonly content: string }[];
  }[];
};

// req: tool-session-search.search, tool-session-search.summarize
test("a model finds an earlier conversation by words and reads its messages, or a summary if configured", async () => {
  using user = new NewUser();
  const search = { calls: [{ tool: "session_search", args: { query: "harbour" } }] };
  await using server = await startOpenAiServer(({ body }, number) => {
    if ((JSON.parse(body) as Body).model === "loopback-small") return { text: "It was about the code Zanzibar-77." };
    return number === 1
      ? { text: "The harbour code is Zanzibar-77." }
      : number === 2
        ? { text: "Tea is ready." }
        : lastOf({ body }).startsWith("{")
          ? { text: "found" }
          : search;
  });
  user.connect("custom", server.url, "");
  for (const words of ["which harbour code?", "make tea", "what about the code we had?"])
    assert.equal((await user.run(["chat", "-q", words])).status, 0, words);
  const found = JSON.parse(lastOf(server.requests[3]!)) as Found;
  assert.deepEqual(
    found.results.map(({ messages }) => messages?.map(({ content }) => content)),
    [["which harbour code?", "The harbour code is Zanzibar-77."]],
  );
  assert.match(found.results[0]!.session_id, /^\d{8}_\d{6}_[0-9a-f]{6}$/);

  user.connect("custom", server.url, "auxiliary:\n  session_search:\n    model: loopback-small\n");
  assert.equal((await user.run(["chat", "-q", "and again, of the port?"])).status, 0);
  const again = JSON.parse(
    lastOf(server.requests.findLast((request) => bodyOf(request).model === "loopback")!),
  ) as Found;
  assert.ok(
    again.results.length >= 1 &&
      again.results.every(
        ({ summary, messages }) => summary === "It was about the code Zanzibar-77." && messages === undefined,
      ),
    JSON.stringify(again),
  );
});

// req: dispatch.agent-loop-tools, dispatch.agent-loop-schemas-listed
test("todo, memory, session_search and delegate_task are offered, and each works for its session", async () => {
  using user = new NewUser();
  const four = [
    { tool: "todo", args: { todos: [{ id: "1", content: "water the plants", status: "pending" }] } },
    { tool: "memory", args: { action: "add", content: "Plants stand in the hall." } },
    { tool: "session_search", args: { query: "plants" } },
    { tool: "delegate_task", args: { goal: "count the plants" } },
  ];
  await using server = await startOpenAiServer(({ body }) => {
    const last = (JSON.parse(body) as Body).messages.at(-1)!;
    if (last.role === "tool") return { text: "done" };
    if (String(last.content).includes("count the plants")) return { text: "three plants" };
    return String(last.content).includes("first")
      ? { calls: four }
      : {
          calls: [
            { tool: "todo", args: {} },
            { tool: "session_search", args: { query: "plants" } },
          ],
        };
  });
  user.connect("custom", server.url, "");
  await using app = await openApp({
    version: "0",
    env: { HOME: user.home, PATH: process.env["PATH"] },
    signal: new AbortController().signal,
  });
  const [first, second] = [
    await app.openSession({ surface: "cli", cwd: user.folder }),
    await app.openSession({ surface: "cli", cwd: user.folder }),
  ];
  assert.equal((await first.send("the first: plants")).reason, "done");
  assert.equal((await second.send("the second: plants")).reason, "done");

  const names = bodyOf(server.requests[0]!).tools!.map((tool) => tool.function.name);
  assert.deepEqual(
    four.filter(({ tool }) => !names.includes(tool)),
    [],
  );
  type Outcomes = {
    readonly todo: { readonly summary: { readonly total: number } };
    readonly memory: { readonly entry_count: number };
    readonly session_search: Found;
    readonly delegate_task: Found;
  };
  const outcomes = (session: typeof first): Outcomes =>
    Object.fromEntries(
      session
        .view()
        .entries.flatMap((entry) => (entry.kind === "tool" ? [[entry.tool, JSON.parse(entry.outcome) as object]] : [])),
    ) as unknown as Outcomes;
  const own = outcomes(first);
  assert.deepEqual(
    [own.todo.summary.total, own.memory.entry_count, own.session_search.results, own.delegate_task.results[0]?.summary],
    [1, 1, [], "three plants"],
  );
  const other = outcomes(second);
  assert.equal(other.todo.summary.total, 0);
  assert.deepEqual(
    other.session_search.results.map(({ session_id }) => session_id),
    [first.id],
  );
  const types = async (id: string) => (await Array.fromAsync(app.sessions.facts(id))).map(({ fact }) => fact.type);
  assert.deepEqual(
    [(await types(first.id)).includes("subagent.started"), (await types(second.id)).includes("subagent.started")],
    [true, false],
  );
  for (const session of [first, second]) await session[Symbol.asyncDispose]();
});

// field: F15
test("hermes sessions search shows each session once, with its best message and without the JSON of tools", async () => {
  using user = new NewUser();
  const call = { calls: [{ tool: "terminal", args: { command: "echo zebra", description: 'say "zebra"' } }] };
  await using server = await startOpenAiServer((_, number) =>
    number % 2 === 1 && number < 5 ? call : { text: number === 2 ? "The zebra is striped." : "Done." },
  );
  user.connect("custom", server.url, "");
  for (const words of ["show the animal", "run it"]) await user.run(["chat", "-q", words]);
  const { out } = await user.run(["sessions", "search", "zebra"]);
  const [first, second, ...rest] = out
    .trim()
    .split("\n")
    .filter((line) => line.startsWith("  "));
  assert.match(first ?? "", /^ {2}(terminal command: echo zebra|.*output: zebra)/);
  assert.doesNotMatch(first ?? "", /[{}"\\]/);
  assert.equal(second, "  The zebra is striped.");
  assert.deepEqual(rest, []);
});
