import assert from "node:assert/strict";
import { test } from "node:test";
import type { Session } from "../../contract/conversation/session.ts";
import type { Dispatch } from "../../engine/ports.ts";
import { callFixture } from "../../engine/dispatch/call-fixture.ts";
import { scriptedModel } from "../../testing/scripted-model.ts";
import { testSession } from "../../testing/test-session.ts";
import { CurrentCall } from "./current-call.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

/** Owner of the tools that the fixture adds. */
const OWNER = "plugin";

const noSession = () => Promise.reject(new Error("There is no session."));

// req: R-42
test("fetches by a tool's own plugin make the result untrusted, but not those by another plugin", async () => {
  const current = new CurrentCall((kind) => kind, new Map());
  const { add, dispatch, session } = callFixture({ ports: { running: (owner, tool) => current.running(owner, tool) } });
  const road = current.around(dispatch);
  add({
    name: "reads",
    execute: async () => (await undefined, current.fetching(OWNER, "https://news.example/a?x=1"), "told"),
  });
  add({ name: "guarded", execute: async () => (current.fetching("some-guard", "https://policy.example/"), "told") });
  const call = (tool: string) =>
    road({ turnId: "turn", callId: tool, tool, args: {}, by: "model" }, session, new AbortController().signal);
  const [reads, guarded] = [await call("reads"), await call("guarded")];
  assert.deepEqual(withoutUndefined(reads.kind === "ok" && reads.shown.map(({ from }) => from)), [
    { trust: "foreign", owner: OWNER, tool: "reads", source: "https://news.example/a?x=1", host: "news.example" },
  ]);
  assert.deepEqual(guarded.kind === "ok" && guarded.shown.map(({ from }) => from), [undefined]);
  current.fetching(OWNER, "https://news.example/outside-of-any-call");
});

// req: R-42
test("nested calls by a tool's plugin make its result untrusted and count towards the depth limit", async () => {
  const current = new CurrentCall((kind) => kind, new Map());
  const { add, dispatch, session, facts } = callFixture({
    ports: { running: (owner, tool) => current.running(owner, tool) },
  });
  const road = current.around(dispatch);
  const unknownProgram = { trust: "foreign", owner: OWNER, source: "news.example" };
  add({ name: "page", provenance: () => ({ source: "news.example" }), execute: async () => "obey" });
  add({
    name: "digest",
    execute: async () => (
      (await current.call({ plugin: OWNER, tool: "page", args: {} }, noSession)).kind,
      "in short: obey"
    ),
  });
  add({
    name: "beside",
    execute: async () => ((await current.call({ plugin: "another", tool: "page", args: {} }, noSession)).kind, "told"),
  });
  add({
    name: "again",
    execute: async () =>
      await current
        .call({ plugin: OWNER, tool: "again", args: {} }, noSession)
        .then((outcome) => (outcome.kind === "failed" ? outcome.code : "ran")),
  });
  const call = (tool: string) =>
    road({ turnId: "turn", callId: tool, tool, args: {}, by: "model" }, session, new AbortController().signal);
  const words = async (tool: string) => {
    const outcome = await call(tool);
    return outcome.kind === "ok" && outcome.shown.map(({ from }) => from);
  };
  assert.deepEqual(withoutUndefined(await words("digest")), [{ ...unknownProgram, tool: "digest" }]);
  assert.deepEqual(await words("beside"), [undefined]);
  const before = facts().length;
  assert.equal((await call("again")).kind, "ok");
  // Nine that ran, and the one that was refused.
  assert.equal(
    facts()
      .slice(before)
      .filter(({ type }) => type === "tool.called").length,
    10,
  );
});

test("a guard that calls a tool which it also guards terminates", async () => {
  const current = new CurrentCall((kind) => kind, new Map());
  const { add, dispatch, session, ports } = callFixture();
  const road = current.around(dispatch);
  add({ name: "look", execute: async () => "seen" });
  let asked = 0;
  ports.hooks.add(
    "pre_tool_call",
    async () => ((asked += 1), await current.call({ plugin: "guard", tool: "look", args: {} }, noSession), undefined),
    "guard",
  );
  const outcome = await road(
    { turnId: "turn", callId: "call", tool: "look", args: {}, by: "model" },
    session,
    new AbortController().signal,
  );
  assert.deepEqual([outcome.kind, asked], ["ok", 9]);
});

test("a plugin's message goes to the open session opened last, never to a closed one", async () => {
  const open = new Map<string, Session>();
  const current = new CurrentCall((kind) => kind, open);
  assert.equal(current.inject("too early"), false);
  await using agent = await testSession({ model: scriptedModel([{ text: "heard" }]) });
  open.set(agent.session.id, agent.session);
  current.enter(agent.session, true);
  assert.equal(current.inject("look"), true);
  await agent.session.close("shutdown");
  open.delete(agent.session.id);
  assert.equal(current.inject("too late"), false);
});

test("a slash command's calls and messages belong to the session where the user typed it, even if another opened since", async () => {
  const open = new Map<string, Session>();
  const current = new CurrentCall((kind) => kind, open);
  const received: string[] = [];
  for (const id of ["typed", "later"]) {
    const session = {
      id,
      call: async (tool: string) => (received.push(`${id} ${tool}`), { kind: "denied" }),
      send: async (text: string) => received.push(`${id} ${text}`),
    };
    open.set(id, session as unknown as Session);
    current.enter(session as unknown as Session, true);
  }
  const command = async (): Promise<void> => {
    await current.call({ plugin: "plugin", tool: "look", args: {} }, noSession);
    current.inject("words");
  };
  await current.inSession("typed", command);
  await command();
  open.delete("typed");
  await current.inSession("typed", command);
  assert.deepEqual(received, ["typed look", "typed words", "later look", "later words", "later look", "later words"]);
});

test("a prompter is available outside a call for its user, and a call uses its session's prompter", async () => {
  const current = new CurrentCall((kind) => kind, new Map());
  const { add, dispatch, session } = callFixture();
  const [own, other] = [{ ask: () => assert.fail() }, { ask: () => assert.fail() }];
  let seen: unknown;
  add({ name: "asks", execute: async () => ((seen = current.prompter), "told") });
  assert.equal(current.prompter, undefined);
  assert.equal(await current.forUser(other, async () => (await undefined, current.prompter)), other);
  await current.forUser(other, () =>
    current.around(dispatch)(
      { turnId: "turn", callId: "call", tool: "asks", args: {}, by: "model" },
      { ...session, prompter: own },
      new AbortController().signal,
    ),
  );
  assert.equal(seen, own);
});

test("sends a plugin's message only to attended sessions: its call's, its parent's or the last opened", () => {
  const open = new Map<string, Session>();
  const current = new CurrentCall((kind) => kind, open);
  const received: string[] = [];
  const enter = (id: string, attended: boolean): void => {
    const session = { id, send: async (text: string) => received.push(`${id} ${text}`) } as unknown as Session;
    open.set(id, session);
    current.enter(session, attended);
  };
  enter("by hand", false);
  assert.equal(current.inject("no conversation"), false);
  for (const id of ["chat", "other chat"]) enter(id, true);
  enter("cron", false);
  const within = <T>(path: readonly string[], work: () => T): T => {
    let result: T;
    const inner: Dispatch = async (_request, { sessionId }) => {
      const next = path[path.indexOf(sessionId) + 1];
      if (next === undefined) result = work();
      else void run(next);
      return { kind: "denied", by: "rule", reason: "" };
    };
    const road = current.around(inner);
    const run = (sessionId: string): unknown =>
      road(
        { turnId: "t", callId: "c", tool: "x", args: {}, by: "model" },
        { sessionId } as never,
        new AbortController().signal,
      );
    run(path[0]!);
    return result!;
  };
  assert.deepEqual(
    [
      within(["chat"], () => current.inject("own")),
      within(["chat", "subagent"], () => current.inject("parent's")),
      within(["cron"], () => current.inject("lost")),
      current.inSession("by hand", () => current.inject("lost")),
    ],
    [true, true, false, false],
  );
  assert.equal(current.inject("thread"), true);
  assert.deepEqual(received, ["chat own", "chat parent's", "other chat thread"]);
});
