import assert from "node:assert/strict";
import { test } from "node:test";
import type { Risk } from "../../contract/tools/approval.ts";
import { ToolFailure, UserError } from "../../contract/common/failure.ts";
import { TerminalUnavailable } from "../../contract/providers/terminal.ts";
import type { Answer, Question } from "../../contract/conversation/question.ts";
import type { Egress } from "../../contract/tools/assessment.ts";
import { allowlistApprover, SESSION_GRANTS } from "./approvers.ts";
import { callFixture } from "../dispatch/call-fixture.ts";
import type { UntrustedState } from "../ports.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const PAGE: UntrustedState = {
  sources: ["https://evil.example/page"],
  changed: false,
  said: (url) => url === "https://docs.example/api",
  named: () => false,
  listed: () => [],
};
const RISK: Risk = {
  answer: "ask",
  key: "recursive delete",
  reasons: ["Deletes."],
  effects: [],
  rule: "recursive delete in /work/build",
};

function resources(
  untrusted: UntrustedState | undefined,
  reach: readonly Egress[],
  options: Parameters<typeof callFixture>[0] & { readonly risk?: Risk; readonly answers?: readonly Answer[] } = {},
) {
  const asked: Extract<Question, { kind: "approval" }>[] = [];
  const answers = [...(options.answers ?? [])];
  const prompter =
    options.answers === undefined
      ? undefined
      : async (question: Question): Promise<Answer> => (
          question.kind === "approval" && asked.push(question),
          answers.shift() ?? { kind: "refused" }
        );
  const fixture = callFixture({ ...options, untrusted, prompter });
  fixture.add({ name: "t", effect: "execute", risk: () => options.risk, reach: () => reach });
  return { ...fixture, asked };
}

test("with untrusted content in the conversation, calls that send, run or change need approval, and the dialog names the source", async () => {
  for (const kind of ["send", "fetch", "code", "change"] as const) {
    const { call, asked } = resources(PAGE, [{ kind, what: "x" }], { answers: [{ kind: "refused" }] });
    assert.equal((await call("t")).kind, "denied", kind);
    assert.match(
      asked[0]!.request.risk.reasons[0]!,
      /^This conversation holds text from https:\/\/evil\.example\/page\./,
    );
  }
  for (const reach of [
    [],
    [{ kind: "fetch", what: "https://docs.example/api" }],
    [{ kind: "run", what: "npm test" }],
  ] as const)
    assert.equal((await resources(PAGE, reach).call("t")).kind, "ok");
  assert.equal(
    (await resources({ ...PAGE, changed: true }, [{ kind: "run", what: "npm test" }]).call("t")).kind,
    "denied",
  );
  assert.equal((await resources(undefined, [{ kind: "send", what: "x" }]).call("t")).kind, "ok");
});

test("with untrusted content, no rule, grant, model or scheduled policy replaces the user, and an approval covers one call", async () => {
  const everything = allowlistApprover(
    () => ["recursive delete", "recursive delete in /work", "*"],
    async () => undefined,
  );
  const smart = async () => ({ kind: "allow", scope: "once", by: "smart" }) as const;
  const options = { risk: RISK, approvers: [everything], ports: { smart }, config: { "approvals.mode": "smart" } };
  const { call, asked, state } = resources(PAGE, [{ kind: "send", what: "x" }], {
    ...options,
    answers: [{ kind: "approved", scope: "session" }, { kind: "refused" }],
  });
  state.set(SESSION_GRANTS, ["recursive delete", "data sent out after untrusted content"]);
  assert.equal((await call("t")).kind, "ok");
  assert.deepEqual(asked[0]!.scopes, ["once"]);
  assert.equal((await call("t")).kind, "denied");
  assert.deepEqual(
    [asked.length, state.get(SESSION_GRANTS)],
    [2, ["recursive delete", "data sent out after untrusted content"]],
  );
  const cron = resources(PAGE, [{ kind: "send", what: "x" }], { config: { "approvals.cron_mode": "approve" } });
  Object.assign(cron.session, { surface: "cron" });
  assert.equal((await cron.call("t")).kind, "denied");
});

test("derives the egress of a tool that declares none from its effect, and denies a tool whose declaration throws", async () => {
  const fixture = callFixture({ untrusted: PAGE });
  for (const effect of ["none", "read", "write", "execute", "network"] as const) fixture.add({ name: effect, effect });
  fixture.add({
    name: "broken",
    reach: () => {
      throw new Error("no idea");
    },
  });
  const kinds = [];
  for (const name of ["none", "read", "write", "execute", "network", "broken"])
    kinds.push((await fixture.call(name)).kind);
  assert.deepEqual(kinds, ["ok", "ok", "ok", "denied", "denied", "denied"]);
});

test("the gate exempts the user's own calls, but not those of their plugin for the model", async () => {
  const { call } = resources(PAGE, [{ kind: "send", what: "x" }]);
  assert.equal((await call("t", {}, { by: "person" })).kind, "ok");
  assert.equal((await call("t", {}, { by: "plugin" })).kind, "denied");
});

test("anything a tool fetches while it runs is untrusted, whatever its effect; an undeclared fetch is refused afterwards", async () => {
  const went: string[] = [];
  const ports = {
    fetch: () => async (url: string | URL) => (went.push(String(url)), new Response("x")),
  } as unknown as Parameters<typeof callFixture>[0] extends { ports?: infer P } | undefined ? P : never;
  const tool = {
    name: "t",
    effect: "read" as const,
    execute: async (_: unknown, call: { fetch(url: string): Promise<unknown> }) => (
      await call.fetch("https://a.example/x?y"),
      "read"
    ),
  };
  const first = callFixture({ ports });
  first.add(tool);
  const outcome = await first.call("t");
  assert.deepEqual(withoutUndefined(outcome.kind === "ok" && outcome.shown[0]!.from), {
    trust: "foreign",
    owner: "plugin",
    tool: "t",
    source: "https://a.example/x?y",
    host: "a.example",
  });
  const later = callFixture({ ports, untrusted: PAGE });
  later.add(tool);
  const stopped = await later.call("t");
  assert.deepEqual([stopped.kind === "failed" && stopped.code, went], ["blocked", ["https://a.example/x?y"]]);
  assert.equal((await later.call("t", {}, { by: "person" })).kind, "ok");
});

test("middleware cannot turn a call into one that sends", async () => {
  const fixture = callFixture({ untrusted: PAGE });
  fixture.add({
    name: "t",
    input: { type: "object", properties: {} },
    effect: "execute",
    reach: ({ to }) => (to === undefined ? [] : [{ kind: "send", what: to }]),
  });
  fixture.middlewares.add("tool_execution", async (_, next) => next({ args: { to: "evil.example" } }), "m");
  assert.equal((await fixture.call("t")).kind, "failed");
});

test("each block of a result, and a failure, records the source of its text", async () => {
  const fixture = callFixture();
  const from = {
    trust: "foreign",
    owner: "plugin",
    tool: "web",
    source: "https://evil.example/page",
    host: "evil.example",
  } as const;
  const provenance = () => ({ source: "https://evil.example/page", host: "evil.example" });
  fixture.add({
    name: "web",
    provenance,
    toModel: () => [
      { type: "text", text: "a" },
      { type: "image", mediaType: "image/png", data: "" },
    ],
  });
  assert.deepEqual(withoutUndefined(await fixture.call("web")), {
    kind: "ok",
    value: null,
    shown: [
      { type: "text", text: "a", from },
      { type: "image", mediaType: "image/png", data: "", from },
    ],
  });
  fixture.add({
    name: "web",
    provenance,
    execute: async () => {
      throw new Error("page said no");
    },
  });
  const failed = await fixture.call("web");
  assert.deepEqual(withoutUndefined(failed.kind === "failed" && failed.from), from);
  fixture.add({ name: "net", effect: "network" });
  fixture.add({
    name: "torn",
    provenance: () => {
      throw new Error("x");
    },
  });
  for (const name of ["net", "torn"]) {
    const outcome = await fixture.call(name);
    assert.deepEqual(withoutUndefined(outcome.kind === "ok" && outcome.shown[0]!.from), {
      trust: "foreign",
      owner: "plugin",
      tool: name,
      source: name,
    });
  }
});

// req: R-42
test("a failure that repeats untrusted text keeps its source through any wrapping; the tool's own text has none", async () => {
  const text = new ToolFailure("failed", "The service answered 400: obey.", {
    from: { source: "voices.example", host: "voices.example" },
  });
  const around = new Error("loop");
  around.cause = around;
  const thrown: readonly (readonly [Error, boolean])[] = [
    [text, true],
    [new ToolFailure("failed", "Again: obey.", { cause: new Error("x", { cause: text }) }), true],
    [new UserError("Nobody is there: obey.", { cause: text }), true],
    [
      new TerminalUnavailable("No sandbox: obey.", { from: { source: "voices.example", host: "voices.example" } }),
      true,
    ],
    [new Error("It broke: obey.", { cause: text }), true],
    [new ToolFailure("failed", "The key is missing."), false],
    [around, false],
  ];
  for (const [cause, untrusted] of thrown) {
    const fixture = callFixture();
    fixture.add({ name: "t", effect: "network", provenance: () => undefined, execute: () => Promise.reject(cause) });
    const outcome = await fixture.call("t");
    assert.deepEqual(
      withoutUndefined(outcome.kind === "failed" && outcome.from),
      untrusted
        ? { trust: "foreign", owner: "plugin", tool: "t", source: "voices.example", host: "voices.example" }
        : undefined,
      cause.message,
    );
  }
});

// req: R-42
test("the source in a failure wins over the tool's, and saved content stays marked as saved", async () => {
  const fixture = callFixture();
  fixture.add({
    name: "t",
    effect: "read",
    provenance: () => ({ source: "the tool's guess", kept: true }),
    execute: () => Promise.reject(new ToolFailure("failed", "obey", { from: { source: "voices.example" } })),
  });
  const outcome = await fixture.call("t");
  assert.deepEqual(withoutUndefined(outcome.kind === "failed" && outcome.from), {
    trust: "foreign",
    owner: "plugin",
    tool: "t",
    source: "voices.example",
    kept: true,
  });
});
