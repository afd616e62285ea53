import assert from "node:assert/strict";
import { test } from "node:test";
import { approvalText, timeLeft } from "./approval-text.ts";

const request = {
  callId: "c",
  sessionId: "s",
  tool: "terminal",
  subject: "rm -rf build",
  args: { command: "rm -rf build" },
  cwd: "/srv/app",
  digest: "d",
  risk: {
    answer: "ask" as const,
    key: "recursive delete",
    reasons: ["It deletes a folder with everything in it."],
    effects: ["delete /srv/app/build (recursive)"],
    rule: "recursive delete in /srv/app/build",
  },
};

test("the dialog shows the command, place, reasons, effects and choices", () => {
  assert.deepEqual(
    approvalText({ kind: "approval", request, scopes: ["once", "session", "always"], timeoutMs: 60_000 }),
    {
      title: "Approval needed: recursive delete",
      parts: [
        { label: "$", text: "rm -rf build" },
        { label: "in", text: "/srv/app" },
        { label: "why", text: "It deletes a folder with everything in it." },
        { label: "does", text: "delete /srv/app/build (recursive)" },
      ],
      choices: [
        { key: "o", scope: "once", label: "once" },
        { key: "s", scope: "session", label: "for this session (every “recursive delete”)" },
        { key: "a", scope: "always", label: "always (recursive delete in /srv/app/build)" },
        { key: "d", scope: "deny", label: "deny" },
      ],
    },
  );
});

test("mentions if only a one-time approval is possible, another approver's doubt, and hidden content", () => {
  const risk = { ...request.risk, where: "this machine", commands: ["rm -rf build", "sh"] };
  const { parts, choices } = approvalText({
    kind: "approval",
    request: { ...request, risk, decoded: ["cm0g… says: rm"], counts: ["build holds 3 files"] },
    scopes: ["once"],
    timeoutMs: 60_000,
    doubt: "The model says no.",
  });
  assert.deepEqual(
    parts.slice(1).map(({ label, text }) => `${label}: ${text}`),
    [
      "holds: cm0g… says: rm",
      "runs: sh",
      "in: /srv/app",
      "on: this machine",
      "why: It deletes a folder with everything in it.",
      ": The model says no.",
      "does: delete /srv/app/build (recursive)",
      ": build holds 3 files",
    ],
  );
  assert.equal(choices[0]!.label, "once (this call allows no lasting permission)");
});

test("no text in a question can control the terminal", () => {
  const evil = "a\u001b[2Jb";
  const risk = {
    ...request.risk,
    key: evil,
    where: evil,
    commands: [evil],
    reasons: [evil],
    effects: [evil],
    rule: evil,
  };
  const question = approvalText({
    kind: "approval",
    request: { ...request, subject: evil, cwd: evil, risk, decoded: [evil], counts: [evil] },
    scopes: ["once", "session", "always"],
    timeoutMs: 60_000,
    doubt: evil,
  });
  assert.doesNotMatch(JSON.stringify(question), /\\u001b/);
  assert.deepEqual(
    question.parts.map(({ label, text }) => `${label} ${text}`),
    ["$ a␛[2Jb", "holds a␛[2Jb", "in a␛[2Jb", "on a␛[2Jb", "why a␛[2Jb", " a␛[2Jb", "does a␛[2Jb", " a␛[2Jb"],
  );
});

test("shows the time in seconds, or in minutes if there are many", () => {
  assert.deepEqual(
    [timeLeft(60_000, 0), timeLeft(60_000, 59_999), timeLeft(60_000, 70_000), timeLeft(600_000, 1)],
    ["60 s", "1 s", "0 s", "10 min"],
  );
});

test("shortens a long list of effects and counts the rest", () => {
  const effects = Array.from({ length: 20 }, (_, index) => `delete /srv/${index}`);
  const { parts } = approvalText({
    kind: "approval",
    request: { ...request, risk: { ...request.risk, effects } },
    scopes: ["once"],
    timeoutMs: 60_000,
  });
  assert.deepEqual(parts.at(-1), { label: "", text: "… and 8 more" });
});
