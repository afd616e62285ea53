import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolFailure, UserError } from "../../contract/common/failure.ts";
import { shownOf, toSettled } from "../../contract/tools/outcome.ts";
import type { ToolOutcome } from "../../contract/tools/outcome.ts";
import { textOf } from "../../contract/conversation/part.ts";
import type { ToolContext } from "../../contract/tools/tool.ts";
import { seededChance } from "../../testing/sequential-ids.ts";
import { callFixture } from "./call-fixture.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const text = (outcome: ToolOutcome) => textOf(shownOf(toSettled(outcome)));
const ok = (value: unknown) => ({ kind: "ok", value, shown: [{ type: "text", text: JSON.stringify(value) }] });

test("stores a call that needs no approval in two batches, and gives the model its value as JSON", async () => {
  const { add, call, batches } = callFixture();
  add({
    name: "echo",
    input: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    execute: async (input) => ({ said: input.text }),
  });
  const outcome = await call("echo", '{"text":"hi"}');
  assert.deepEqual(outcome, ok({ said: "hi" }));
  assert.deepEqual(withoutUndefined(batches), [
    [
      {
        type: "tool.called",
        turnId: "turn_1",
        callId: "c1",
        tool: "echo",
        args: { text: "hi" },
        by: "model",
        effect: "read",
        repeatable: true,
      },
      { type: "tool.started", callId: "c1" },
    ],
    [
      {
        type: "tool.settled",
        callId: "c1",
        outcome: { kind: "ok", shown: [{ type: "text", text: '{"said":"hi"}' }] },
        durationMs: 0,
      },
    ],
  ]);
});

// req: dispatch.flow-order
test("a call passes middleware, guards, risk, execution, the tool, transforms and observers in this order", async () => {
  const { add, call, hooks, middlewares, session } = callFixture();
  const trace: string[] = [];
  const record = session.record;
  Object.assign(session, {
    record: async (facts: never[]) => (trace.push(...facts.map(({ type }) => type)), record(facts)),
  });
  middlewares.add("tool_request", async (_, next) => (trace.push("tool_request"), next()), "p");
  middlewares.add(
    "tool_execution",
    async (_, next) => {
      trace.push("tool_execution in");
      const value = await next();
      trace.push("tool_execution out");
      return value;
    },
    "p",
  );
  hooks.add("pre_tool_call", () => void trace.push("pre_tool_call"), "p");
  hooks.add("transform_tool_result", () => void trace.push("transform_tool_result"), "p");
  hooks.add("post_tool_call", () => void trace.push("post_tool_call"), "p");
  add({
    name: "t",
    effect: () => (trace.push("effect"), "read"),
    risk: () => void trace.push("risk"),
    execute: async () => (trace.push("execute"), 1),
    toModel: () => (trace.push("toModel"), "1"),
  });
  await call("t");
  assert.deepEqual(trace, [
    "tool_request",
    "pre_tool_call",
    "effect",
    "risk",
    "tool.called",
    "tool.started",
    "tool_execution in",
    "execute",
    "tool_execution out",
    "toModel",
    "transform_tool_result",
    "tool.settled",
    "post_tool_call",
  ]);
});

// req: dispatch.unknown-tool
test("an unknown name returns an error with the nearest tools, throws nothing and completes the call", async () => {
  const { add, call, batches } = callFixture();
  add({ name: "write_file", effect: "write" });
  const outcome = await call("write_fil", "{}");
  assert.deepEqual(JSON.parse(text(outcome)), {
    error: "Unknown tool: write_fil",
    hint: "Offered tools with similar names: write_file.",
  });
  assert.deepEqual(withoutUndefined(batches), [
    [
      {
        type: "tool.called",
        turnId: "turn_1",
        callId: "c1",
        tool: "write_fil",
        by: "model",
        effect: "none",
        repeatable: true,
      },
      { type: "tool.settled", callId: "c1", outcome, durationMs: 0 },
    ],
  ]);
});

// req: dispatch.unknown-tool
test("if no name is similar, the error lists the available tools, or some of very many", async () => {
  const { add, call, session } = callFixture();
  const names = Array.from({ length: 50 }, (_, n) => `t${n + 10}`);
  for (const name of names) add({ name });
  const offer = (offered: readonly string[]) =>
    Object.defineProperty(session, "offered", { value: new Set(offered), configurable: true });
  offer(["t11", "t10", "t12"]);
  assert.deepEqual(JSON.parse(text(await call("bash", "{}"))), {
    error: "Unknown tool: bash",
    hint: "Offered tools: t10, t11, t12.",
  });
  assert.deepEqual(JSON.parse(text(await call("", "{}"))), {
    error: "The call names no tool.",
    hint: "Offered tools: t10, t11, t12.",
  });
  assert.deepEqual(withoutUndefined(await call("bash", {}, { by: "person" })), {
    kind: "failed",
    code: "unknown_tool",
    message: "Unknown tool: bash",
  });
  offer(names);
  assert.match(text(await call("bash", "{}")), /"Offered tools: t10, .*, t49 and 10 more\."/);
});

test("reports to the model that a tool it was offered no longer exists", async () => {
  const { add, call, session } = callFixture();
  add({ name: "write_file", effect: "write" });
  Object.defineProperty(session, "offered", { value: new Set(["dice", "write_file"]) });
  const { error, hint } = JSON.parse(text(await call("dice", "{}"))) as {
    readonly error: string;
    readonly hint: string;
  };
  assert.equal(error, "Unknown tool: dice");
  assert.match(hint, /^It was offered in this session but is gone: .*`hermes plugins list` says why\.$/);
});

test("a model can call only the tools it is offered; code can call every tool", async () => {
  const { add, call, session } = callFixture();
  add({ name: "secret_tool" });
  Object.defineProperty(session, "offered", { value: new Set(["other"]) });
  assert.equal((await call("secret_tool")).kind, "failed");
  assert.deepEqual(await call("secret_tool", {}, { by: "person" }), ok(null));
});

test("former names and similar spellings reach the tool, and the facts contain its current name", async () => {
  const { add, call, facts } = callFixture();
  add({ name: "read_file", aliases: ["cat_file"] });
  add({ name: "terminal", effect: "execute" });
  for (const name of ["cat_file", "ReadFile", "read_fil", "Terminal", "terminal_tool"])
    assert.deepEqual(await call(name), ok(null), name);
  assert.deepEqual(
    facts().flatMap((fact) => (fact.type === "tool.called" ? [fact.tool] : [])),
    ["read_file", "read_file", "read_file", "terminal", "terminal"],
  );
});

test("refuses unreadable or invalid arguments with the reason, and runs nothing", async () => {
  const { add, call, types } = callFixture();
  let runs = 0;
  add({
    name: "t",
    effect: "write",
    input: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
    execute: async () => ++runs,
  });
  assert.deepEqual(withoutUndefined(await call("t", '{"n": 1,')), {
    kind: "failed",
    code: "bad_arguments",
    message:
      "The arguments cannot be read: they end too early; the answer was probably cut off, so send the call again, in smaller pieces if it is long. Nothing was run.",
  });
  assert.deepEqual(withoutUndefined(await call("t", "{}")), {
    kind: "failed",
    code: "bad_arguments",
    message: 'Invalid arguments: "n" is missing. Nothing was run.',
    hint: "t needs n.",
  });
  assert.deepEqual(await call("t", '{"n":"2"}'), ok(1));
  assert.deepEqual(types(), [
    ["tool.called", "tool.settled"],
    ["tool.called", "tool.settled"],
    ["tool.called", "tool.started"],
    ["tool.settled"],
  ]);
});

test("if a required argument is missing, the error lists the tool's arguments and the unknown names", async () => {
  const { add, call } = callFixture();
  const input = {
    type: "object",
    properties: { path: { type: "string" }, content: { type: "string" }, mode: { type: "string" } },
    required: ["path", "content"],
  } as const;
  add({ name: "write", effect: "write", input });
  add({ name: "read", effect: "read", input: { ...input, required: ["path"] } });
  const hint = async (tool: string, args: string) => {
    const outcome = await call(tool, args);
    return outcome.kind === "failed" ? outcome.hint : undefined;
  };
  assert.equal(await hint("read", "{}"), "read needs path and may take content and mode.");
  assert.equal(
    await hint("read", '{"file":"a","line":1}'),
    'read needs path and may take content and mode. Unknown: "file" or "line".',
  );
  assert.equal(await hint("read", '{"mode":"a"}'), "read needs path and may take content and mode.");
  assert.equal(
    await hint("write", '{"path":"a"}'),
    "write needs path and content and may take mode. A long call may have been cut off: send all of it again, or split the work.",
  );
  assert.equal(await hint("write", '{"path":"a","content":{}}'), undefined, "its message says it all");
});

test("an unavailable tool reports why and what it needs", async () => {
  const { add, call } = callFixture();
  add({ name: "t", available: () => ({ ok: false, reason: "No key.", needs: ["API_KEY"] }) });
  add({ name: "shaped", refusal: { success: false }, available: () => ({ ok: false, reason: "No key." }) });
  assert.deepEqual(withoutUndefined(await call("t")), {
    kind: "failed",
    code: "unavailable",
    message: "No key.",
    hint: "It needs API_KEY.",
  });
  assert.deepEqual(withoutUndefined(await call("shaped")), {
    kind: "failed",
    code: "unavailable",
    message: "No key.",
    data: { success: false },
  });
});

test("a missing setting or a lost environment is `unavailable`, not a crash", async () => {
  const { add, call } = callFixture({
    ports: {
      use: async () =>
        Promise.reject(new UserError('There is no terminal provider "docker".', { hint: "There is: local." })),
    },
  });
  add({ name: "t", execute: async (_: unknown, context: ToolContext) => context.use("terminal") });
  assert.deepEqual(await call("t"), {
    kind: "failed",
    code: "unavailable",
    message: 'There is no terminal provider "docker".',
    hint: "There is: local.",
  });
});

test("reports an expected failure with code, hint and its own keys", async () => {
  const { add, call } = callFixture();
  add({
    name: "t",
    execute: async () => {
      throw new ToolFailure("not_found", "No such file: a", { hint: "Look for it.", data: { path: "a" } });
    },
  });
  const outcome = await call("t");
  assert.deepEqual(withoutUndefined(outcome), {
    kind: "failed",
    code: "not_found",
    message: "No such file: a",
    hint: "Look for it.",
    data: { path: "a" },
  });
  assert.deepEqual(JSON.parse(text(outcome)), { path: "a", error: "No such file: a", hint: "Look for it." });
});

// req: dispatch.inner-error-wrap
test("reports an unexpected error with its type, and logs the stack", async () => {
  const { add, call, log } = callFixture();
  const error = new TypeError("x");
  add({
    name: "t",
    execute: async () => {
      throw error;
    },
  });
  assert.deepEqual(JSON.parse(text(await call("t"))), { error: "Tool execution failed: TypeError: x" });
  assert.deepEqual(
    log.lines.map(({ level, message, detail }) => [level, message, detail?.cause]),
    [["error", 'The tool "t" of "plugin" threw.', error]],
  );
});

// req: dispatch.outer-error-wrap
test("catches and names a failure outside the tool", async () => {
  const { add, call, hooks, types } = callFixture();
  add({ name: "t" });
  hooks.add("pre_tool_call", () => undefined, "p");
  hooks.each = () => {
    throw new Error("the hook runner is broken");
  };
  assert.deepEqual(JSON.parse(text(await call("t"))), { error: "Error executing t: the hook runner is broken" });
  assert.deepEqual(types(), [["tool.called", "tool.settled"]]);
});

// req: dispatch.always-json
test("whatever a tool does, the model reads valid JSON and the call completes once", async () => {
  const { add, call, facts, clock } = callFixture();
  const circle: { [key: string]: unknown } = {};
  circle.self = circle;
  const behaviours: { readonly [name: string]: () => unknown } = {
    throws: () => {
      throw new Error("a");
    },
    throws_nothing: () => {
      throw undefined;
    },
    throws_odd: () => {
      throw {
        toString: () => {
          throw new Error("b");
        },
      };
    },
    rejects: () => Promise.reject(new Error('quote " and \n line')),
    undefined_: () => undefined,
    text: () => "plain",
    circle: () => circle,
    bigint: () => 1n,
    symbol: () => Symbol("x"),
    date: () => new Date(0),
    map: () => new Map([[1, 2]]),
  };
  for (const [name, execute] of Object.entries(behaviours)) {
    add({ name, execute: execute as never });
    const shown = text(await call(name));
    assert.doesNotThrow(() => JSON.parse(shown), `${name}: ${shown}`);
  }
  add({ name: "hangs", timeoutMs: 100, execute: () => new Promise(() => undefined) });
  const sleeping = clock.nextSleep();
  const hanging = call("hangs");
  await sleeping;
  await clock.advance(100);
  await clock.advance(5_000);
  assert.match(JSON.parse(text(await hanging)).error, /did not end within 0.1 s/);
  assert.equal(facts().filter(({ type }) => type === "tool.settled").length, Object.keys(behaviours).length + 1);
});

test("stops a tool at its timeout; one that stops ends as a timeout, one that does not is abandoned after 5 s", async () => {
  const { add, call, clock, log } = callFixture();
  add({
    name: "obedient",
    effect: "execute",
    timeoutMs: 1_000,
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(new Error("stopped")))),
  });
  add({ name: "deaf", effect: "execute", timeoutMs: 1_000, execute: () => new Promise(() => undefined) });
  add({
    name: "wise",
    effect: "execute",
    timeoutMs: 1_000,
    execute: (_, { signal }) => new Promise((resolve) => signal.addEventListener("abort", () => resolve("so far"))),
  });
  const hint = "Request less at a time, or check whether it did part of its work.";
  const run = async (name: string) => {
    const sleeping = clock.nextSleep();
    const outcome = call(name);
    await sleeping;
    await clock.advance(1_000);
    await clock.advance(5_000);
    return outcome;
  };
  assert.deepEqual(await run("obedient"), {
    kind: "failed",
    code: "timeout",
    message: '"obedient" did not end within 1 s and was stopped.',
    hint,
  });
  assert.deepEqual(await run("deaf"), {
    kind: "failed",
    code: "timeout",
    message: '"deaf" did not end within 1 s and was stopped. It did not stop when asked to and may still be running.',
    hint,
  });
  assert.deepEqual(await run("wise"), ok("so far"));
  assert.deepEqual(
    log.lines.map(({ message }) => message),
    ['The tool "deaf" did not stop within 5000 ms after it was asked to.'],
  );
  assert.equal(clock.sleepers, 0);
});

test("a stopped turn cancels its call; a tool that changes things and does not stop ends as unknown", async () => {
  const { add, call, clock } = callFixture();
  let started = Promise.withResolvers<void>();
  const stuck = () => (started.resolve(), new Promise<never>(() => undefined));
  add({ name: "reads", execute: stuck });
  add({ name: "writes", effect: "write", execute: stuck });
  add({
    name: "obeys",
    effect: "write",
    execute: async (_, { signal }) => {
      await Promise.race([stuck(), new Promise((resolve) => signal.addEventListener("abort", resolve))]);
      signal.throwIfAborted();
    },
  });
  const run = async (name: string) => {
    const stop = new AbortController();
    started = Promise.withResolvers<void>();
    const outcome = call(name, {}, { signal: stop.signal });
    await started.promise;
    stop.abort("Interrupted by you.");
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(5_000);
    return outcome;
  };
  assert.deepEqual(await run("reads"), { kind: "cancelled", reason: "Interrupted by you." });
  assert.deepEqual(await run("writes"), {
    kind: "unknown",
    reason: "Interrupted by you. The tool did not stop when asked to.",
  });
  assert.deepEqual(await run("obeys"), { kind: "cancelled", reason: "Interrupted by you." });
});

test("stopping a turn while a guard or check hangs does not wait for it, and the tool never runs", async () => {
  const { add, call, types } = callFixture();
  let runs = 0;
  const checking = Promise.withResolvers<undefined>();
  add({ name: "t", effect: "write", risk: () => checking.promise, execute: async () => ++runs });
  const stop = new AbortController();
  const outcome = call("t", {}, { signal: stop.signal });
  await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  assert.deepEqual(await outcome, { kind: "cancelled", reason: "The turn was stopped." });
  checking.resolve(undefined);
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(runs, 0);
  assert.deepEqual(types(), [["tool.called", "tool.settled"]]);
});

// req: dispatch.redaction
test("masks secrets in results, failures and progress before any consumer, also at a truncation", async () => {
  const { add, call, facts, live, spilled } = callFixture();
  add({ name: "prints", execute: async (_, { progress }) => (progress("key hunter2"), { key: "hunter2" }) });
  add({
    name: "fails",
    execute: async () => {
      throw new ToolFailure("not_found", "no hunter2", { hint: "try hunter2", data: { deep: ["hunter2"] } });
    },
  });
  add({ name: "long", maxResultChars: 2_000, execute: async () => "x".repeat(1_495) + "hunter2".repeat(400) });
  await call("prints");
  await call("fails");
  await call("long");
  assert.deepEqual(live, [{ type: "tool.progress", callId: "c1", text: "key ***" }]);
  assert.equal(JSON.stringify(facts()).includes("hunter2"), false);
  assert.equal(spilled.length, 1);
  assert.equal(spilled[0]!.includes("hunter2"), false);
});

test("saves a long result to a file, and the model reads its path", async () => {
  const { add, call, spilled } = callFixture();
  add({ name: "long", maxResultChars: 100, execute: async () => "y".repeat(500), toModel: (value: string) => value });
  const outcome = await call("long");
  assert.equal(JSON.parse(text(outcome)).persisted_output.path, "/scratch/s1/c1.txt");
  assert.deepEqual(spilled, ["y".repeat(500)]);
  add({ name: "unlimited", maxResultChars: "unlimited", execute: async () => "y".repeat(500_000) });
  assert.equal(text(await call("unlimited")).length, 500_002);
});

// req: hooks.observers
test("a guard can block, an observer sees every end, and other return values have no effect", async () => {
  const { add, call, hooks, types } = callFixture();
  add({ name: "t", effect: "write", refusal: { exit_code: -1 } });
  const received: unknown[] = [];
  hooks.add(
    "pre_tool_call",
    ({ args }) => (args.block === true ? ({ action: "block", message: "Not today." } as const) : ("odd" as never)),
    "guard",
  );
  hooks.add(
    "post_tool_call",
    ({ tool_name, args, result, status, duration_ms, tool_call_id, outcome }) => (
      received.push([tool_name, args, result, status, duration_ms, tool_call_id, outcome.kind]),
      { action: "block" }
    ),
    "watch",
  );
  assert.deepEqual(await call("t", { block: true }), {
    kind: "denied",
    by: "guard",
    reason: "Not today.",
    data: { exit_code: -1 },
  });
  assert.deepEqual(await call("t"), ok(null));
  assert.equal((await call("nope")).kind, "failed");
  assert.deepEqual(received, [
    ["t", { block: true }, '{"exit_code":-1,"error":"Not today.","status":"blocked"}', "blocked", 0, "c1", "denied"],
    ["t", {}, "null", "ok", 0, "c2", "ok"],
    ["nope", {}, '{"error":"Unknown tool: nope","hint":"Offered tools: t."}', "error", 0, "c3", "failed"],
  ]);
  assert.deepEqual(types(), [
    ["tool.called", "tool.settled"],
    ["tool.called", "tool.started"],
    ["tool.settled"],
    ["tool.called", "tool.settled"],
  ]);
});

test("a guard that throws blocks the call, and the reason names its plugin", async () => {
  const { add, call, hooks } = callFixture();
  add({ name: "t" });
  hooks.add(
    "pre_tool_call",
    () => {
      throw new Error("no database");
    },
    "policy",
  );
  assert.deepEqual(withoutUndefined(await call("t")), {
    kind: "denied",
    by: "policy",
    reason: 'The guard of the plugin "policy" is broken (no database), so "t" was not run.',
  });
});

test("masks and truncates a result again after a hook rewrites it", async () => {
  const { add, call, hooks } = callFixture();
  add({ name: "t", execute: async () => ({ a: 1 }) });
  hooks.add("transform_tool_result", ({ value }) => `${value} hunter2`, "p");
  assert.deepEqual(await call("t"), { kind: "ok", value: { a: 1 }, shown: [{ type: "text", text: '{"a":1} ***' }] });
});

test("checks arguments against the schema again after request middleware; ignores one that returns none", async () => {
  const { add, call, middlewares, facts, log } = callFixture();
  add({ name: "t", input: { type: "object", properties: { n: { type: "integer" } } }, execute: async ({ n }) => n });
  const rewriting = middlewares.add("tool_request", async ({ args }) => ({ n: (args.n as number) * 10 }), "p");
  assert.deepEqual(await call("t", { n: 2 }), ok(20));
  assert.deepEqual(
    facts().flatMap((fact) => (fact.type === "tool.called" ? [fact.args] : [])),
    [{ n: 20 }],
  );
  rewriting[Symbol.dispose]();
  const wrong = middlewares.add("tool_request", async () => ({ n: "many" }), "p");
  assert.equal((await call("t", { n: 2 })).kind, "failed");
  wrong[Symbol.dispose]();
  middlewares.add("tool_request", async () => "five" as never, "p");
  assert.deepEqual(await call("t", { n: 2 }), ok(2));
  assert.deepEqual(
    log.lines.map(({ message }) => message),
    ['A tool_request middleware returned no arguments for "t"; the arguments stay unchanged.'],
  );
});

test("execution middleware may change the result, but may change arguments only to harmless ones", async () => {
  const { add, call, middlewares } = callFixture();
  add({
    name: "t",
    effect: "write",
    input: { type: "object", properties: { path: { type: "string" } } },
    risk: ({ path }) =>
      path === "/etc" ? { answer: "ask", key: "system", reasons: ["System."], effects: [] } : undefined,
    execute: async ({ path }) => path,
  });
  const wrap = middlewares.add(
    "tool_execution",
    async (_, next) => `<${String(await next({ args: { path: "b" } }))}>`,
    "p",
  );
  assert.deepEqual(await call("t", { path: "a" }), ok("<b>"));
  wrap[Symbol.dispose]();
  middlewares.add("tool_execution", (_, next) => next({ args: { path: "/etc" } }), "p");
  assert.deepEqual(withoutUndefined(await call("t", { path: "a" })), {
    kind: "failed",
    code: "blocked",
    message: 'A middleware changed the arguments of "t" after the approval, so it was not run.',
  });
});

test("a tool receives its session, its variables, state, progress, messages, and calls through the same pipeline", async () => {
  const { add, call, live, queued, types, facts } = callFixture();
  add({ name: "inner", execute: async () => 7 });
  add({
    name: "outer",
    execute: async (_, context) => {
      const cell = context.state<number>({ key: "count", initial: 1 });
      await cell.set(cell.get() + 1);
      context.progress("working");
      await context.notify("finished");
      const inner = await context.call("inner", {});
      return [
        context.callId,
        context.sessionId,
        context.taskId,
        context.cwd,
        context.home,
        context.agentHome,
        context.env("KEY") ?? null,
        context.env("OTHER") ?? null,
        cell.get(),
        await context.scratch(),
        inner.kind,
      ];
    },
  });
  assert.deepEqual(
    await call("outer"),
    ok(["c1", "s1", "t1", "/work", "/home/me", "/home/me/.hermes", "value", null, 2, "/scratch/s1", "ok"]),
  );
  assert.deepEqual(live, [{ type: "tool.progress", callId: "c1", text: "working" }]);
  assert.deepEqual(withoutUndefined(queued), [{ parts: [{ type: "text", text: "finished" }], origin: "process" }]);
  assert.deepEqual(types(), [
    ["tool.called", "tool.started"],
    ["state.set"],
    ["tool.called", "tool.started"],
    ["tool.settled"],
    ["tool.settled"],
  ]);
  assert.deepEqual(facts()[3], {
    type: "tool.called",
    turnId: "turn_1",
    callId: "call_1",
    tool: "inner",
    args: {},
    by: "plugin",
    effect: "read",
    repeatable: true,
    parentCallId: "c1",
  });
});

test("stops tools that call themselves without end", async () => {
  const { add, call } = callFixture();
  let depth = 0;
  add({
    name: "again",
    execute: async (_, context) => (
      depth++,
      ((await context.call("again", {})) as { message?: string }).message ?? null
    ),
  });
  await call("again");
  assert.equal(depth, 9);
});

test("the user's thinking time counts neither for the tool nor for a tool that waits for it", async () => {
  const answered = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const { add, call, clock } = callFixture({
    prompter: async () => (asked.resolve(), await answered.promise, { kind: "text", text: "blue" }),
  });
  add({
    name: "ask",
    timeoutMs: 1_000,
    execute: async (_, context) => ((await context.ask({ kind: "text", text: "Colour?" })) as { text: string }).text,
  });
  add({ name: "outer", timeoutMs: 1_000, execute: async (_, context) => (await context.call("ask", {})).kind });
  const outcome = call("outer");
  await asked.promise;
  await clock.advance(3_600_000);
  answered.resolve();
  assert.deepEqual(await outcome, ok("ok"));
  const { add: addAlone, call: callAlone } = callFixture();
  addAlone({ name: "ask", execute: async (_, context) => context.ask({ kind: "text", text: "Colour?" }) });
  assert.deepEqual(withoutUndefined(await callAlone("ask")), {
    kind: "failed",
    code: "nobody",
    message: "No user is connected who could answer.",
    hint: "Continue with what you know, and say in your answer what is left open.",
  });
});

test("does not run a tool whose start cannot be stored", async () => {
  const { add, call, session } = callFixture();
  let runs = 0;
  add({ name: "t", effect: "write", execute: async () => ++runs });
  Object.assign(session, { record: () => Promise.reject(new Error("disk full")) });
  assert.deepEqual(await call("t"), { kind: "failed", code: "crashed", message: "Error executing t: disk full" });
  assert.equal(runs, 0);
});

test("does not run a tool whose risk check returns an invalid value, and lists the required fields", async () => {
  const { add, call } = callFixture();
  const odd: readonly unknown[] = [
    { key: "k", why: "w" },
    { answer: "maybe", key: "k", reasons: [], effects: [] },
    "yes",
    true,
  ];
  odd.forEach((risk, at) =>
    add({ name: `t${at}`, effect: "write", risk: () => risk as never, execute: async () => "ran" }),
  );
  for (const at of odd.keys()) {
    const outcome = await call(`t${at}`);
    assert.match(
      outcome.kind === "denied" ? outcome.reason : JSON.stringify(outcome),
      /could not be assessed \(its tool must report risk as \{ answer: "ask" or "block", key, reasons/,
    );
  }
});

test("random invalid calls never reject, and each completes exactly once right after its call", async () => {
  const { add, call, batches, hooks, clock } = callFixture();
  add({ name: "read_file", input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] } });
  add({
    name: "terminal",
    effect: "execute",
    input: { type: "object", properties: { command: { type: "string" } }, additionalProperties: false },
  });
  add({
    name: "odd",
    effect: () => {
      throw new Error("e");
    },
    risk: () => {
      throw new Error("r");
    },
  });
  hooks.add(
    "pre_tool_call",
    ({ args }) => (args.path === "b" ? ({ action: "block", message: "b" } as const) : undefined),
    "g",
  );
  const chance = seededChance(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)]!;
  const names = [
    "read_file",
    "terminal",
    "odd",
    "",
    "READ",
    "\u0000",
    "__proto__",
    "constructor",
    "terminal<|end|>",
    "x".repeat(300),
    'read_file"}',
  ];
  const scraps = [
    "{",
    "}",
    "[",
    "]",
    '"',
    ",",
    ":",
    "null",
    "1e999",
    '"path"',
    '"a"',
    '"b"',
    "\\",
    "\u2028",
    "'",
    "```",
    "__proto__",
    " ",
    "\ud800",
  ];
  for (let n = 0; n < 2_000; n++) {
    const args = Array.from({ length: Math.floor(chance() * 9) }, () => pick(scraps)).join("");
    const before = batches.length;
    const outcome = await call(pick(names), chance() < 0.2 ? '{"path":"b"}' : args, {
      by: pick(["model", "person", "code"]),
    });
    const facts = batches
      .slice(before)
      .flat()
      .map(({ type }) => type);
    assert.equal(facts[0], "tool.called");
    assert.equal(facts.at(-1), "tool.settled");
    assert.equal(facts.filter((type) => type === "tool.settled").length, 1);
    assert.doesNotThrow(() => JSON.parse(text(outcome)));
  }
  assert.equal(clock.sleepers, 0);
});

test("a tool can pass its own text through the transform hooks", async () => {
  const { add, hooks, call } = callFixture();
  const seen: unknown[] = [];
  add({
    name: "shell",
    execute: async (_, { transform, taskId }) =>
      transform("transform_terminal_output", {
        value: "out",
        command: "ls",
        task_id: taskId,
        returncode: 0,
        env_type: "local",
      }),
  });
  assert.deepEqual(await call("shell"), { kind: "ok", value: "out", shown: [{ type: "text", text: '"out"' }] });
  hooks.add("transform_terminal_output", (payload) => (seen.push(payload), "one"), "a");
  hooks.add(
    "transform_terminal_output",
    () => {
      throw new Error("broken");
    },
    "b",
  );
  hooks.add("transform_terminal_output", ({ value }) => `${value} two`, "c");
  assert.deepEqual((await call("shell")) as unknown, {
    kind: "ok",
    value: "one two",
    shown: [{ type: "text", text: '"one two"' }],
  });
  assert.deepEqual(seen, [{ value: "out", command: "ls", task_id: "t1", returncode: 0, env_type: "local" }]);
});
