import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json } from "../../contract/common/json.ts";
import { callFixture } from "../dispatch/call-fixture.ts";

const ASK = { answer: "ask", key: "delete", reasons: ["Deletes files."], effects: [] } as const;
const MKFS = { answer: "block", key: "format", reasons: ["Wipes a disk."], effects: [] } as const;

function resources(deny: Json, options: Parameters<typeof callFixture>[0] = {}) {
  const fixture = callFixture({ yolo: true, config: { "approvals.deny": deny, "approvals.mode": "off" }, ...options });
  const ran: string[] = [];
  const input = { type: "object", properties: {} } as const;
  fixture.add({
    name: "terminal",
    effect: "execute",
    input,
    refusal: { output: "", exit_code: -1 },
    risk: ({ command }) => (command.startsWith("mkfs") ? MKFS : command.startsWith("rm ") ? ASK : undefined),
    execute: async ({ command }) => (ran.push(command), "done"),
  });
  fixture.add({ name: "read_file", effect: "read", input, execute: async ({ path }) => (ran.push(path), "done") });
  fixture.add({ name: "patch", effect: "write", input, execute: async () => (ran.push("patch"), "done") });
  return {
    ...fixture,
    ran,
    deniedBy: async (tool: string, args: { readonly [key: string]: Json }) => {
      const outcome = await fixture.call(tool, args);
      return outcome.kind === "denied" ? outcome.by : outcome.kind;
    },
  };
}

test("a deny rule refuses even a call without risk, before --yolo and approvals.mode off, in the tool's own format", async () => {
  const { call, ran, types } = resources(["git push *"]);
  assert.deepEqual(await call("terminal", { command: "git push origin main" }), {
    kind: "denied",
    by: "approvals.deny",
    reason:
      "A rule of the user (approvals.deny: git push *) refuses this call, and no approval can allow it. Do not reach the same end another way.",
    data: { output: "", exit_code: -1 },
  });
  assert.deepEqual([ran, types()], [[], [["tool.called", "approval.given", "tool.settled"]]]);
});

test("deny rules match every simple command, also inside sudo, shells, variables and pipes", async () => {
  const { deniedBy, ran } = resources(["git push *", "curl *evil.example*"]);
  for (const command of [
    "git push",
    "cd /x && git push origin",
    "GIT PUSH origin",
    "/usr/bin/git push -f",
    "sudo git push",
    "bash -c 'git push origin'",
    "g=git; $g push origin",
    "ls | xargs git push",
    "true; curl -s https://evil.example/x",
  ]) {
    assert.equal(await deniedBy("terminal", { command }), "approvals.deny", command);
  }
  assert.deepEqual(ran, []);
  for (const command of ["git pull", "echo 'git push origin'", "git commit -m 'git push later'"])
    assert.equal(await deniedBy("terminal", { command }), "ok", command);
});

test("deny rules match a path as written and as resolved, also in patches", async () => {
  const { deniedBy } = resources(["~/private/*", "*.pem", "/work/locked/*"]);
  for (const path of [
    "/home/me/private/a",
    "~/private/a",
    "../home/me/private/a",
    "KEY.PEM",
    "locked/x",
    "./locked/../locked/x",
  ])
    assert.equal(await deniedBy("read_file", { path }), "approvals.deny", path);
  assert.equal(
    await deniedBy("patch", {
      mode: "patch",
      patch: "*** Begin Patch\n*** Update File: locked/x\n@@\n-a\n+b\n*** End Patch",
    }),
    "approvals.deny",
  );
  assert.equal(await deniedBy("read_file", { path: "open/x" }), "ok");
});

test("a hard block reports its own reason, and rules that match nothing have no effect", async () => {
  assert.equal(await resources(["mkfs*"]).deniedBy("terminal", { command: "mkfs /dev/sda" }), "safety");
  for (const deny of [[], [""], null] as readonly Json[])
    assert.equal(await resources(deny).deniedBy("terminal", { command: "git push x" }), "ok");
});

test("a deny rule may include examples or be a plain string, and an unreadable list refuses every call", async () => {
  for (const deny of [[{ rule: "git push *", examples: { deny: ["git push"] } }], "git push *"] as readonly Json[])
    assert.equal(await resources(deny).deniedBy("terminal", { command: "git push x" }), "approvals.deny");
  for (const deny of [[{ rules: "git push *" }], [["git push *"]], 7] as readonly Json[])
    assert.equal(await resources(deny).deniedBy("terminal", { command: "ls" }), "safety");
});

test("middleware cannot turn an allowed call into one that a deny rule refuses", async () => {
  const { call, middlewares, ran } = resources(["git push *"]);
  middlewares.add("tool_execution", async (_, next) => next({ args: { command: "git push origin" } }), "m");
  const outcome = await call("terminal", { command: "git pull" });
  assert.deepEqual([outcome.kind, outcome.kind === "failed" && outcome.code, ran], ["failed", "blocked", []]);
});

/** Stops the turn while the deny rules are matched. */
function stoppedAtRules(deny: Json) {
  const stop = new AbortController();
  const asked: string[] = [];
  const fixture = resources(deny, {
    yolo: false,
    prompter: async ({ kind }) => (asked.push(kind), { kind: "approved", scope: "once" }),
    ports: {
      config: (path) => {
        if (path !== "approvals.deny") return undefined;
        queueMicrotask(() => stop.abort("Interrupted by you."));
        return deny;
      },
    },
  });
  return { ...fixture, stop, asked };
}

test("a call that a deny rule refuses while the turn is stopped is denied, not cancelled", async () => {
  for (const command of ["git push origin", "rm -r build"]) {
    const { call, ran, asked, facts, stop } = stoppedAtRules(["git push *", "rm *"]);
    const outcome = await call("terminal", { command }, { signal: stop.signal });
    assert.equal(stop.signal.aborted, true);
    assert.equal(outcome.kind === "denied" ? outcome.by : outcome.kind, "approvals.deny", command);
    assert.deepEqual([ran, asked], [[], []]);
    assert.deepEqual(
      facts().map((fact) => (fact.type === "tool.settled" ? [fact.type, fact.outcome.kind] : fact.type)),
      ["tool.called", "approval.given", ["tool.settled", "denied"]],
    );
  }
});

test("stopping a turn while rules are matched cancels an undenied call without asking", async () => {
  for (const command of ["git pull", "rm -r build"]) {
    const { call, ran, asked, types, stop } = stoppedAtRules(["git push *"]);
    assert.deepEqual(await call("terminal", { command }, { signal: stop.signal }), {
      kind: "cancelled",
      reason: "Interrupted by you.",
    });
    await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual([ran, asked, types()], [[], [], [["tool.called", "tool.settled"]]], command);
  }
});
