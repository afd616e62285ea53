import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../contract/common/json.ts";
import type { Question } from "../../contract/conversation/question.ts";
import type { SecretArgument } from "../../contract/tools/tool.ts";
import { callFixture } from "../dispatch/call-fixture.ts";
import type { GrantedSecret } from "./secret-handles.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

const HANDLES = {
  GITHUB_TOKEN: { tools: ["request"], hosts: ["api.github.com"] },
  ANY_TOOL: { hosts: ["api.x.org"] },
  DEPLOY_KEY: { tools: ["deploy"] },
};

function setUp(
  secrets: readonly SecretArgument[] | undefined,
  options: { readonly name?: string; readonly handles?: JsonObject; readonly risk?: true; readonly masks?: false } = {},
) {
  const seen: unknown[] = [];
  const questions: Question[] = [];
  const granted: (readonly GrantedSecret[] | undefined)[] = [];
  const fixture = callFixture({
    config: definedFields({
      "security.secret_handles": options.handles ?? HANDLES,
      "security.redact_secrets": options.masks,
    }),
    prompter: async (question) => (questions.push(question), { kind: "approved", scope: "once" }),
    ports: {
      secret: (name) => (name === "EMPTY" ? undefined : "hunter2"),
      fetch: (_, grants) => async () => (granted.push(grants), Promise.reject(new Error("no network"))),
    },
  });
  const name = options.name ?? "request";
  fixture.add({
    name,
    input: {
      type: "object",
      properties: {
        url: { type: "string" },
        headers: { type: "object", additionalProperties: true },
        note: { type: "string" },
      },
    },
    secrets,
    risk: options.risk ? () => ({ answer: "ask", key: "network", reasons: ["sends"], effects: [] }) : undefined,
    execute: async (input: unknown, call) => {
      seen.push(input);
      await call.fetch("https://api.github.com/").catch(() => undefined);
      return { sent: JSON.stringify(input) };
    },
  });
  const call = (args: JsonObject) =>
    fixture.dispatch(
      { turnId: "turn", callId: `call_${seen.length}`, tool: name, args, by: "model" },
      fixture.session,
      new AbortController().signal,
    );
  return { ...fixture, seen, questions, granted, call };
}

const SINK: readonly SecretArgument[] = [{ argument: "headers", host: "url" }];
const ARGS = {
  url: "https://api.github.com/user",
  headers: { authorization: "Bearer secret://GITHUB_TOKEN", deep: ["secret://GITHUB_TOKEN"] },
  note: "use secret://GITHUB_TOKEN",
};

// req: R-39
test("the running tool has the value in the declared argument only; facts, the question and the result have the handle or a mask", async () => {
  const { call, seen, facts, questions, granted } = setUp(SINK, { risk: true });
  const outcome = await call(ARGS);
  assert.deepEqual(seen, [{ ...ARGS, headers: { authorization: "Bearer hunter2", deep: ["hunter2"] } }]);
  assert.ok(!JSON.stringify([facts(), questions, outcome]).includes("hunter2"));
  assert.ok(
    JSON.stringify(facts()).includes("Bearer secret://GITHUB_TOKEN") &&
      JSON.stringify(questions).includes("Bearer secret://GITHUB_TOKEN"),
  );
  assert.deepEqual(granted[0]?.[0], { value: "hunter2", hosts: ["api.github.com"] });
});

test("a tool that declares no secret argument gets the handle as plain text", async () => {
  const { call, seen, granted } = setUp(undefined);
  assert.equal((await call(ARGS)).kind, "ok");
  assert.deepEqual([seen, granted], [[ARGS], [[]]]);
});

test("runs no tool for another host, plain http, another tool, or a secret that is not allowed or has no value", async () => {
  const refusals: readonly (readonly [string, JsonObject, RegExp])[] = [
    ["host", { ...ARGS, url: "https://evil.org/" }, /not for evil\.org/],
    ["look-alike host", { ...ARGS, url: "https://api.github.com.evil.org/" }, /not for api\.github\.com\.evil\.org/],
    ["http", { ...ARGS, url: "http://api.github.com/" }, /https only/],
    ["no URL", { ...ARGS, url: "api.github.com" }, /is not one/],
    ["other tool", { url: "https://api.x.org/", headers: { a: "secret://DEPLOY_KEY" } }, /not for the tool "request"/],
    ["unknown", { ...ARGS, headers: { a: "secret://OPENAI_API_KEY" } }, /does not exist, or you may not use it/],
    ["inherited name", { ...ARGS, headers: { a: "secret://constructor" } }, /does not exist, or you may not use it/],
    ["one of two", { ...ARGS, headers: { a: "secret://GITHUB_TOKEN", b: "secret://OTHER" } }, /secret:\/\/OTHER/],
    ["empty", { url: "https://api.x.org/", headers: { a: "secret://EMPTY" } }, /has no value/],
  ];
  for (const [what, args, reason] of refusals) {
    const { call, seen } = setUp(SINK, { handles: { ...HANDLES, EMPTY: { hosts: ["api.x.org"] } } });
    const outcome = await call(args);
    assert.ok(outcome.kind === "failed" && reason.test(outcome.message), `${what}: ${JSON.stringify(outcome)}`);
    assert.deepEqual(seen, [], what);
  }
});

test("a secret argument without a host works only for tools that the user named", async () => {
  const end: readonly SecretArgument[] = [{ argument: "headers" }];
  const named = setUp(end, { name: "deploy" });
  await named.call({ headers: { KEY: "secret://DEPLOY_KEY" } });
  assert.deepEqual(
    [named.seen, named.granted],
    [[{ headers: { KEY: "hunter2" } }], [[{ value: "hunter2", hosts: [] }]]],
  );
  const other = await setUp(end, { name: "deploy" }).call({ headers: { KEY: "secret://ANY_TOOL" } });
  assert.ok(other.kind === "failed" && /only to allowed hosts/.test(other.message));
});

test("gives no secret to any tool while masking is off, since the value could return", async () => {
  const { call, seen } = setUp(SINK, { masks: false });
  const outcome = await call(ARGS);
  assert.ok(
    outcome.kind === "failed" && /while security\.redact_secrets is false/.test(outcome.message),
    JSON.stringify(outcome),
  );
  assert.deepEqual(seen, []);
});
