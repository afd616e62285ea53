import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest, Risk } from "../../contract/tools/approval.ts";
import { ToolFailure } from "../../contract/common/failure.ts";
import { shownOf, toSettled } from "../../contract/tools/outcome.ts";
import { EXPIRED, type Answer, type Question } from "../../contract/conversation/question.ts";
import { textOf } from "../../contract/conversation/part.ts";
import { allowlistApprover, digestOf } from "./approvers.ts";
import { callFixture } from "../dispatch/call-fixture.ts";
import { withoutUndefined } from "../../testing/without-undefined.ts";

const RISK: Risk = {
  answer: "ask",
  key: "recursive delete",
  reasons: ["Deletes a folder with all it holds."],
  effects: ["delete /work/build (recursive)"],
  rule: "rm -r build",
};

/** A shell-like tool whose command determines its risk; `ran` lists the commands that ran. */
function shell(options: Parameters<typeof callFixture>[0] & { readonly answers?: readonly Answer[] } = {}) {
  const asked: ApprovalRequest[] = [];
  const questions: Question[] = [];
  const answers = [...(options.answers ?? [])];
  const prompter =
    options.answers === undefined
      ? options.prompter
      : async (question: Question): Promise<Answer> => {
          questions.push(question);
          if (question.kind === "approval") asked.push(question.request);
          return answers.shift() ?? { kind: "refused" };
        };
  const fixture = callFixture({ ...options, prompter });
  const ran: string[] = [];
  const risks: { [command: string]: Risk | undefined } = {
    rm: RISK,
    mkfs: { ...RISK, answer: "block", key: "format", reasons: ["Wipes a disk."] },
    computed: { ...RISK, key: "command whose name or text is computed", rule: undefined },
  };
  fixture.add({
    name: "terminal",
    effect: "execute",
    refusal: { output: "", exit_code: -1 },
    input: { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
    risk: ({ command }) => risks[command.split(" ")[0]],
    execute: async ({ command }) => (ran.push(command), "done"),
  });
  return { ...fixture, asked, questions, ran, risks, run: (command: string) => fixture.call("terminal", { command }) };
}

// req: approval.deny
test("a denied call does not run; the model reads that the user refused it, in the tool's own format", async () => {
  const { run, ran, facts, types } = shell({ answers: [{ kind: "refused", reason: "keep it" }] });
  const outcome = await run("rm -r build");
  assert.deepEqual(ran, []);
  assert.deepEqual(JSON.parse(textOf(shownOf(toSettled(outcome)))), {
    output: "",
    exit_code: -1,
    error:
      'The user refused this call ("keep it"). There is no consent: do not repeat it, reword it or reach the same end another way. Say what you wanted to do, and wait.',
    status: "blocked",
  });
  assert.deepEqual(types(), [
    ["tool.called", "approval.asked"],
    ["approval.given", "tool.settled"],
  ]);
  assert.deepEqual(withoutUndefined(facts()[1]), {
    type: "approval.asked",
    callId: "c1",
    risk: RISK,
    digest: digestOf({
      tool: "terminal",
      args: { command: "rm -r build" },
      cwd: "/work",
      risk: RISK,
      effect: "execute",
    }),
    scopes: ["once", "session", "always"],
    timeoutMs: 60_000,
  });
});

test("an approval is stored together with the start, after the question was stored and before the tool runs", async () => {
  const { run, ran, types, facts, asked } = shell({ answers: [{ kind: "approved", scope: "once" }] });
  assert.equal((await run("rm -r build")).kind, "ok");
  assert.deepEqual(ran, ["rm -r build"]);
  assert.deepEqual(types(), [["tool.called", "approval.asked"], ["approval.given", "tool.started"], ["tool.settled"]]);
  assert.deepEqual(facts()[2], {
    type: "approval.given",
    callId: "c1",
    decision: { kind: "allow", scope: "once", by: "person" },
  });
  assert.deepEqual(withoutUndefined(asked), [
    {
      callId: "c1",
      sessionId: "s1",
      tool: "terminal",
      subject: "rm -r build",
      args: { command: "rm -r build" },
      cwd: "/work",
      risk: RISK,
      digest: asked[0]!.digest,
    },
  ]);
});

// req: approval.session-scope
test("an approval for the session holds for that class of harm in that session only", async () => {
  const first = shell({ answers: [{ kind: "approved", scope: "session" }] });
  await first.run("rm -r build");
  await first.run("rm -r dist");
  assert.deepEqual([first.ran, first.questions.length], [["rm -r build", "rm -r dist"], 1]);
  assert.deepEqual(first.state.get("approvals.session"), ["recursive delete"]);
  await first.run("computed x");
  assert.deepEqual([first.ran.length, first.questions.length], [2, 2]);
  const other = shell({ answers: [] });
  await other.run("rm -r dist");
  assert.deepEqual([other.ran, other.questions.length], [[], 1]);
});

test("a call of several classes of harm needs an approval for each, and one approval can cover several", async () => {
  const { run, questions, risks, state } = shell({
    answers: [
      { kind: "approved", scope: "session" },
      { kind: "approved", scope: "session" },
    ],
  });
  risks.both = { ...RISK, key: "recursive delete + format disk" };
  risks.format = { ...RISK, key: "format disk" };
  await run("rm -r build");
  await run("both x");
  assert.deepEqual([questions.length, state.get("approvals.session")], [2, ["recursive delete", "format disk"]]);
  assert.equal((await run("format x")).kind, "ok");
  assert.equal((await run("both y")).kind, "ok");
  assert.equal(questions.length, 2);
});

test("a rule that covers a command does not answer a plugin's guard", async () => {
  const { run, hooks, questions } = shell({
    approvers: [
      allowlistApprover(
        () => ["rm -r build"],
        async () => undefined,
      ),
    ],
    answers: [],
  });
  assert.equal((await run("rm -r build")).kind, "ok");
  hooks.add("pre_tool_call", () => ({ action: "approve" }) as const, "office");
  assert.equal((await run("rm -r build")).kind, "denied");
  assert.equal(questions.length, 1);
});

test('an approval for "always" stores the narrowest rule, and later calls that it covers are not asked about', async () => {
  const rules: string[] = [];
  const approver = allowlistApprover(
    () => rules,
    async (rule) => void rules.push(rule),
  );
  const first = shell({ approvers: [approver], answers: [{ kind: "approved", scope: "always" }] });
  await first.run("rm -r build");
  assert.deepEqual(rules, ["rm -r build"]);
  const later = shell({ approvers: [approver] });
  assert.equal((await later.run("rm -r build")).kind, "ok");
  assert.deepEqual(later.types(), [["tool.called", "approval.given", "tool.started"], ["tool.settled"]]);
});

test('only an approval for "always" is stored: one for this call or the session leaves no rule', async () => {
  for (const [scope, saved] of [
    ["once", []],
    ["session", []],
    ["always", ["rm -r build"]],
  ] as const) {
    const rules: string[] = [];
    const { run, ran } = shell({
      answers: [{ kind: "approved", scope }],
      approvers: [
        allowlistApprover(
          () => rules,
          async (rule) => void rules.push(rule),
        ),
      ],
    });
    await run("rm -r build");
    assert.deepEqual([ran, rules], [["rm -r build"], saved], scope);
  }
});

test("for a command that is partly computed, only a one-time approval is offered or accepted, and no rule is stored", async () => {
  const rules: string[] = [];
  const { run, questions, state } = shell({
    approvers: [
      allowlistApprover(
        () => rules,
        async (rule) => void rules.push(rule),
      ),
    ],
    answers: [{ kind: "approved", scope: "always" }],
  });
  assert.equal((await run("computed x")).kind, "ok");
  state.set("approvals.session", ["command whose name or text is computed"]);
  assert.equal((await run("computed y")).kind, "denied");
  state.clear();
  assert.deepEqual(
    [questions.slice(0, 1).map((question) => question.kind === "approval" && question.scopes), rules, state.size],
    [[["once"]], [], 0],
  );
});

// req: approval.yolo
test("yolo and approvals.mode off run what would be asked about, but never a hard block", async () => {
  for (const options of [{ yolo: true }, { config: { "approvals.mode": "off" } }]) {
    const { run, ran } = shell(options);
    assert.equal((await run("rm -r build")).kind, "ok");
    assert.deepEqual(await run("mkfs /dev/sda"), {
      kind: "denied",
      by: "safety",
      reason: "Blocked, and no approval can allow it: Wipes a disk.",
      data: { output: "", exit_code: -1 },
    });
    assert.deepEqual(ran, ["rm -r build"]);
  }
  const { run, ran } = shell();
  assert.equal((await run("rm -r build")).kind, "denied");
  assert.deepEqual(ran, []);
});

// row 49 of the fault matrix
// req: R-26
test("denies a call when no user is connected, and the message says how to allow it", async () => {
  const { run, ran } = shell();
  const outcome = await run("rm -r build");
  assert.deepEqual(ran, []);
  assert.match(
    outcome.kind === "denied" ? `${outcome.by}: ${outcome.reason}` : "",
    /^nobody: "terminal" needs approval \(recursive delete\), and no user is connected, so it was not run\. The user can allow it beforehand/,
  );
});

// row 49 of the fault matrix
// req: R-26
test("silence is not consent: after the approval timeout the question is withdrawn and the call denied", async () => {
  let withdrawn: unknown;
  const { run, ran, clock } = shell({
    config: { "approvals.timeout": 5 },
    prompter: (_, signal) => new Promise(() => signal.addEventListener("abort", () => (withdrawn = signal.reason))),
  });
  const waiting = clock.nextSleep();
  const outcome = run("rm -r build");
  assert.equal(await waiting, 5_000);
  await clock.advance(5_000);
  const ended = await outcome;
  assert.match(ended.kind === "denied" ? ended.reason : "", /^No one answered within 5 s\. Silence is not consent\./);
  assert.deepEqual([withdrawn, ran], [EXPIRED, []]);
});

// row 38 of the fault matrix
test("an approval question times out after its set time, even if the wall clock jumps by days", async () => {
  const { run, ran, clock } = shell({
    config: { "approvals.timeout": 5 },
    prompter: (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
  });
  const waiting = clock.nextSleep();
  let over = false;
  const outcome = run("rm -r build").finally(() => (over = true));
  await waiting;
  for (const days of [1, -1, 400]) {
    clock.setWall(clock.now() + days * 86_400_000);
    await clock.advance(1_000);
    assert.equal(over, false, `${days} days`);
  }
  await clock.advance(2_000);
  const ended = await outcome;
  assert.match(ended.kind === "denied" ? ended.reason : "", /^No one answered within 5 s/);
  assert.deepEqual(ran, []);
});

// row 49 of the fault matrix
test("an approver that throws or gives an unreadable answer denies the call", async () => {
  for (const approver of [
    async () => {
      throw new Error("no network");
    },
    async () => undefined as never,
  ]) {
    const { run, ran, questions } = shell({ approvers: [approver], answers: [{ kind: "approved", scope: "once" }] });
    assert.equal((await run("rm -r build")).kind, "denied");
    assert.deepEqual([ran, questions], [[], []]);
  }
  const { run, ran } = shell({
    prompter: async () => {
      throw new Error("terminal gone");
    },
  });
  assert.equal((await run("rm -r build")).kind, "denied");
  assert.deepEqual(ran, []);
});

// row 49 of the fault matrix
test("any answer other than an explicit approval denies the call", async () => {
  for (const answer of [
    { kind: "none", reason: "timeout" },
    { kind: "none", reason: "nobody" },
    { kind: "none", reason: "cancelled" },
    { kind: "text", text: "yes" },
    { kind: "refused" },
  ] as const) {
    const { run, ran } = shell({ answers: [answer] });
    assert.equal((await run("rm -r build")).kind, "denied", JSON.stringify(answer));
    assert.deepEqual(ran, []);
  }
});

test("asks again if the risk changes during the approval, and denies a call whose risk keeps changing", async () => {
  const yes: Answer = { kind: "approved", scope: "once" };
  const once = shell({
    prompter: async (question) => (
      once.asked.push((question as { request: ApprovalRequest }).request),
      (once.risks.rm = { ...RISK, effects: ["delete /home/me"] }),
      yes
    ),
  });
  assert.equal((await once.run("rm -r build")).kind, "ok");
  assert.deepEqual(
    once.asked.map(({ risk }) => risk.effects),
    [RISK.effects, ["delete /home/me"]],
  );
  assert.notEqual(once.asked[0]!.digest, once.asked[1]!.digest);
  let n = 0;
  const endless = shell({ prompter: async () => ((endless.risks.rm = { ...RISK, effects: [`delete ${n++}`] }), yes) });
  assert.equal((await endless.run("rm -r build")).kind, "denied");
  assert.deepEqual([n, endless.ran], [3, []]);
});

test("a risk check that throws blocks the call", async () => {
  const { add, call, log } = callFixture({ yolo: true });
  add({
    name: "t",
    effect: "write",
    risk: () => {
      throw new Error("parser");
    },
  });
  assert.deepEqual(withoutUndefined(await call("t")), {
    kind: "denied",
    by: "safety",
    reason: "The risk of this call could not be assessed (parser), so it was not run.",
  });
  assert.equal(log.lines[0]?.level, "error");
});

test("an invalid risk blocks the call, whichever field is missing or has the wrong type", async () => {
  const wrong = [
    { ...RISK, answer: "allow" },
    { ...RISK, key: undefined },
    { ...RISK, reasons: "it does" },
    { ...RISK, effects: undefined },
    { answer: "ask" },
    true,
    "ask",
  ];
  for (const risk of wrong) {
    const { add, call } = callFixture({ yolo: true });
    let ran = false;
    add({ name: "t", effect: "write", risk: () => risk as unknown as Risk, execute: async () => (ran = true) });
    const outcome = await call("t");
    assert.deepEqual(
      [ran, outcome.kind === "denied" ? outcome.by : outcome.kind],
      [false, "safety"],
      JSON.stringify(risk),
    );
    assert.match(
      outcome.kind === "denied" ? outcome.reason : "",
      /^The risk of this call could not be assessed \(its tool must report risk as /,
      JSON.stringify(risk),
    );
  }
});

test("reports arguments that a risk check rejects with the tool's message, and does not run the call", async () => {
  const { add, call, log } = callFixture({ yolo: true });
  let ran = false;
  add({
    name: "t",
    effect: "write",
    refusal: { written: 0 },
    risk: () => {
      throw new ToolFailure("bad_arguments", "That is a URL.", { hint: "Give the path." });
    },
    execute: async () => {
      ran = true;
    },
  });
  assert.deepEqual(await call("t"), {
    kind: "failed",
    code: "bad_arguments",
    message: "That is a URL.",
    hint: "Give the path.",
    data: { written: 0 },
  });
  assert.deepEqual([ran, log.lines], [false, []]);
});

test("a guard may require an approval for any call, and the question includes the call's risk", async () => {
  const { run, hooks, asked, add, call } = shell({
    answers: [{ kind: "approved", scope: "once" }, { kind: "refused" }],
  });
  add({ name: "t" });
  hooks.add(
    "pre_tool_call",
    () => ({ action: "approve", message: "Office hours only.", rule_key: "hours" }) as const,
    "office",
  );
  assert.equal((await run("rm -r build")).kind, "ok");
  assert.equal((await call("t")).kind, "denied");
  assert.deepEqual(
    asked.map(({ risk }) => risk),
    [
      {
        answer: "ask",
        key: "recursive delete + plugin_rule:hours",
        reasons: [...RISK.reasons, "Office hours only."],
        effects: RISK.effects,
      },
      { answer: "ask", key: "plugin_rule:hours", reasons: ["Office hours only."], effects: [] },
    ],
  );
});

test("observers receive the question and the answer", async () => {
  const { run, hooks } = shell({ answers: [{ kind: "approved", scope: "session" }] });
  const received: unknown[] = [];
  hooks.add(
    "pre_approval_request",
    ({ command, pattern_key, surface }) => received.push([command, pattern_key, surface]),
    "p",
  );
  hooks.add("post_approval_response", ({ choice, decision }) => received.push([choice, decision]), "p");
  await run("rm -r build");
  assert.deepEqual(received, [
    ["rm -r build", "recursive delete", "cli"],
    ["session", { kind: "allow", scope: "session", by: "person" }],
  ]);
});

test("observers can tell a denial, a timeout and a withdrawn question apart", async () => {
  const choices: unknown[] = [];
  for (const answer of [
    { kind: "refused" },
    { kind: "text", text: "yes" },
    { kind: "none", reason: "nobody" },
    { kind: "none", reason: "timeout" },
    { kind: "none", reason: "cancelled" },
  ] as const) {
    const { run, hooks } = shell({ answers: [answer] });
    hooks.add("post_approval_response", ({ choice, decision }) => choices.push([choice, decision.kind]), "p");
    await run("rm -r build");
  }
  assert.deepEqual(
    choices,
    ["deny", "deny", "deny", "timeout", "cancelled"].map((choice) => [choice, "deny"]),
  );
});

test("the approver reads text that hidden characters cannot disguise, with secrets masked", async () => {
  const { run, asked } = shell({ answers: [] });
  await run("rm -r a\u202Eb\u200B\u001b[2K hunter2\nnext");
  assert.equal(asked[0]!.subject, "rm -r a\\u{202e}b\\u{200b}\\u{1b}[2K ***\nnext");
});

test("a digest depends on the call and each part of its assessment, but not on the order of keys", () => {
  const base = { tool: "t", args: { a: 1, b: 2 }, cwd: "/w", risk: RISK };
  const digests = [
    base,
    { ...base, tool: "u" },
    { ...base, args: { a: 1 } },
    { ...base, cwd: "/x" },
    { ...base, risk: { ...RISK, effects: [] } },
    { ...base, effect: "write" as const },
    { ...base, egress: [] },
  ].map(digestOf);
  assert.equal(new Set(digests).size, 7);
  assert.equal(digestOf({ ...base, args: { b: 2, a: 1 } }), digests[0]);
  assert.match(digests[0]!, /^[0-9a-f]{64}$/);
});
