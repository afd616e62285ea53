import assert from "node:assert/strict";
import { test } from "node:test";
import type { Assessment } from "../../contract/tools/assessment.ts";
import type { Risk } from "../../contract/tools/approval.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import type { Answer, Question } from "../../contract/conversation/question.ts";
import type { AnyTool, RiskContext } from "../../contract/tools/tool.ts";
import { quietLog } from "../../testing/quiet-log.ts";
import { assess } from "./assess.ts";
import { DEPRECATED_MEMBERS } from "./assess-by-members.ts";
import { callFixture } from "../dispatch/call-fixture.ts";
import type { UntrustedState } from "../ports.ts";

const RISK: Risk = { answer: "ask", key: "delete", reasons: ["Deletes a file."], effects: ["delete /work/a"] };
const PAGE: UntrustedState = {
  sources: ["https://evil.example/"],
  changed: false,
  said: () => false,
  named: () => false,
  listed: () => [],
};
const CONTEXT: RiskContext = {
  cwd: "/work",
  home: "/home/me",
  agentHome: "/home/me/.hermes",
  sessionId: "s",
  taskId: "t",
  config: () => undefined,
};
const OPTIONS = { log: quietLog(), untrusted: true };

/** A tool that answers each assessment with the next of `assessments`, the last one again and again. */
function counted(assessments: readonly (() => Assessment | Promise<Assessment>)[], answers: readonly Answer[] = []) {
  const questions: Question[] = [];
  const left = [...answers];
  const fixture = callFixture({
    prompter: async (question) => (questions.push(question), left.shift() ?? { kind: "refused" }),
  });
  const count = { assessed: 0, ran: 0 };
  fixture.add({
    name: "shell",
    effect: undefined,
    assess: () => assessments[Math.min(count.assessed++, assessments.length - 1)]!(),
    execute: async () => ++count.ran,
  });
  return { ...fixture, questions, count };
}

const YES: Answer = { kind: "approved", scope: "once" };
const harmless = () => ({ effect: "read" }) as const;
const harmful = () => ({ effect: "execute", risk: RISK }) as const;

test("assesses a call once if the user need not approve it", async () => {
  const { call, count } = counted([harmless]);
  assert.equal((await call("shell")).kind, "ok");
  assert.deepEqual(count, { assessed: 1, ran: 1 });
});

test("assesses a call once before the user is asked and once after the approval", async () => {
  const { call, count, questions } = counted([harmful], [YES]);
  assert.equal((await call("shell")).kind, "ok");
  assert.deepEqual([count, questions.length], [{ assessed: 2, ran: 1 }, 1]);
});

test("assesses a call once if the user denies it, and once if a grant of the session allows it", async () => {
  const denied = counted([harmful]);
  assert.equal((await denied.call("shell")).kind, "denied");
  assert.deepEqual(denied.count, { assessed: 1, ran: 0 });

  const granted = counted([harmful], [{ kind: "approved", scope: "session" }]);
  await granted.call("shell");
  await granted.call("shell");
  assert.deepEqual([granted.count, granted.questions.length], [{ assessed: 3, ran: 2 }, 1]);
});

test("asks again if the second assessment differs in its risk, its effect or its egress", async () => {
  const others: readonly Assessment[] = [
    { effect: "execute", risk: { ...RISK, effects: ["delete /work/b"] } },
    { effect: "network", risk: RISK },
    { effect: "execute", risk: RISK, egress: [{ kind: "send", what: "evil.example" }] },
  ];
  for (const other of others) {
    const { call, count, questions } = counted([harmful, () => other], [YES, YES]);
    assert.equal((await call("shell")).kind, "ok");
    assert.deepEqual([count, questions.length], [{ assessed: 3, ran: 1 }, 2]);
  }
});

test("records the effect that the assessment reports, and hands the assessment to the tool", async () => {
  const { add, call, facts } = callFixture();
  const seen: unknown[] = [];
  const assessment: Assessment = { effect: "write", touches: ["a"] };
  add({
    name: "t",
    effect: undefined,
    assess: () => assessment,
    execute: async (_: unknown, context) => (seen.push(context.assessment), null),
  });
  await call("t");
  const called = facts().find((fact) => fact.type === "tool.called");
  assert.equal(called?.type === "tool.called" ? called.effect : "", "write");
  assert.equal(seen[0], assessment);
});

test("denies a call whose assessment throws, comes too late, or cannot be read", async () => {
  const broken: readonly (() => unknown)[] = [
    () => {
      throw new Error("no idea");
    },
    async () => Promise.reject(new Error("no idea")),
    () => undefined,
    () => ({ effect: "harmless" }),
    () => ({}),
    () => ({ effect: "read", risk: { answer: "perhaps" } }),
    () => ({ effect: "read", egress: [{ kind: "post", what: "x" }] }),
    () => ({ effect: "read", egress: "none" }),
    () => ({ effect: "read", touches: [1] }),
    () => ({ effect: "read", untrusted: true }),
  ];
  for (const answer of broken) {
    const { call, count } = counted([answer as () => Assessment]);
    const outcome = await call("shell");
    assert.equal(outcome.kind, "denied", String(answer));
    assert.equal(count.ran, 0);
  }
  const late = counted([() => new Promise<Assessment>(() => {})]);
  const outcome = late.call("shell");
  await new Promise(setImmediate);
  late.clock.advance(30_000);
  assert.equal((await outcome).kind, "denied");
});

test("reports bad arguments with the assessment's message", async () => {
  const { call } = counted([
    () => {
      throw new ToolFailure("bad_arguments", "workdir holds a zero byte.");
    },
  ]);
  const outcome = await call("shell");
  assert.equal(outcome.kind, "failed");
  assert.deepEqual(outcome.kind === "failed" ? [outcome.code, outcome.message] : [], [
    "bad_arguments",
    "workdir holds a zero byte.",
  ]);
});

test("a survey of the assessment adds lines to the dialog, and is not called if no dialog opens", async () => {
  let surveys = 0;
  const survey = async () => (surveys++, ["3 files"]);
  const asked = counted([() => ({ effect: "write", risk: RISK, survey })], [YES]);
  await asked.call("shell");
  const [question] = asked.questions;
  assert.deepEqual(question?.kind === "approval" ? question.request.counts : [], ["3 files"]);
  await counted([() => ({ effect: "write", survey })]).call("shell");
  assert.equal(surveys, 1);
});

test("egress, untrusted content and touched paths of an assessment count as those of the deprecated members", async () => {
  const { add, call, middlewares } = callFixture({ untrusted: PAGE });
  const assessment: Assessment = { effect: "write", egress: [{ kind: "send", what: "evil.example" }] };
  add({ name: "sends", effect: undefined, assess: () => assessment });
  const refused = await call("sends");
  assert.equal(refused.kind, "denied");

  add({ name: "stays", effect: "network", assess: () => ({ egress: [], untrusted: false }) });
  const stays = await call("stays");
  assert.equal(stays.kind === "ok" ? stays.shown[0]?.from : "", undefined);

  add({ name: "reads", effect: "read", assess: () => ({ untrusted: { source: "a letter" } }) });
  const reads = await call("reads");
  assert.equal(reads.kind === "ok" ? reads.shown[0]?.from?.source : "", "a letter");

  add({ name: "opens", effect: "read", assess: () => ({ untrusted: async () => ({ source: "a file" }) }) });
  const opens = await call("opens");
  assert.equal(opens.kind === "ok" ? opens.shown[0]?.from?.source : "", "a file");

  let touches: unknown;
  middlewares.add("tool_execution", async (input, next) => ((touches = input.touches), next()), "p");
  add({ name: "writes", effect: "write", assess: () => ({ touches: ["/work/a"] }) });
  await call("writes");
  assert.deepEqual(touches, ["/work/a"]);
});

function tool(members: Partial<AnyTool>): AnyTool {
  return {
    name: "old",
    toolset: "t",
    description: "Old.",
    input: { type: "object" },
    effect: "read",
    execute: async () => null,
    ...members,
  };
}

test("the adapter turns deprecated members into one assessment, without a promise if they answer without one", async () => {
  const members = {
    effect: () => "write" as const,
    risk: () => RISK,
    reach: () => [{ kind: "run" as const, what: "make" }],
    provenance: () => undefined,
    touches: () => ["a"],
    survey: async () => ["1 file"],
  };
  const { survey, untrusted, ...assessment } = assess(tool(members), {}, CONTEXT, OPTIONS) as Assessment;
  assert.deepEqual(assessment, {
    effect: "write",
    risk: RISK,
    egress: [{ kind: "run", what: "make" }],
    touches: ["a"],
  });
  assert.equal(typeof untrusted === "function" ? await untrusted() : "", false);
  assert.deepEqual(await survey!(new AbortController().signal), ["1 file"]);
  const later = assess(tool({ risk: async () => RISK }), {}, CONTEXT, OPTIONS);
  assert.ok(later instanceof Promise);
  assert.deepEqual((await later).risk, RISK);
});

test("each deprecated member fails as before: risk and reach deny, the others assume the strictest answer", async () => {
  const fail = (): never => {
    throw new Error("broken");
  };
  const reject = async () => fail();
  for (const broken of [fail, reject] as const) {
    for (const member of ["risk", "reach"] as const)
      await assert.rejects(async () => assess(tool({ [member]: broken }), {}, CONTEXT, OPTIONS), /broken/);
    const untold = await assess(tool({ reach: broken }), {}, CONTEXT, { ...OPTIONS, untrusted: false });
    assert.deepEqual(untold.egress, []);
    const rest = await assess(tool({ effect: broken, provenance: broken, touches: broken }), {}, CONTEXT, OPTIONS);
    assert.deepEqual([rest.effect, rest.touches], ["execute", ["/work"]]);
    const { add, call } = callFixture();
    add({ name: "old", provenance: broken });
    const outcome = await call("old");
    assert.equal(outcome.kind === "ok" ? outcome.shown[0]?.from?.source : "", "old");
  }
});

test("a tool that has assess and a deprecated member is refused, so that no guard is ignored", () => {
  const { add } = callFixture();
  for (const member of DEPRECATED_MEMBERS)
    assert.throws(() => add({ name: "t", assess: () => ({}), [member]: () => undefined }), {
      message: `The tool "t" has assess and also ${member}: return that from assess.`,
    });
  assert.throws(() => add({ name: "t", effect: () => "read", assess: () => ({}) }), /has assess and also effect/);
  assert.throws(() => add({ name: "t", effect: undefined }), /has the effect undefined/);
});
