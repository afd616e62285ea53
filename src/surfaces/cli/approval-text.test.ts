import assert from "node:assert/strict";
import { test } from "node:test";
import { approvalText } from "./approval-text.ts";

const request = {
  callId: "c",
  sessionId: "s",
  tool: "terminal",
  subject: "rm -rf build",
  args: { command: "rm -rf build" },
  cwd: "/srv/app",
  digest: "d",
  risk: { answer: "ask" as const, key: "recursive delete", reasons: ["It deletes a folder with everything in it."], effects: ["delete /srv/app/build (recursive)"], rule: "recursive delete in /srv/app/build" },
};

test("the question shows the command, where, why, what it would do, and what each answer means", () => {
  assert.deepEqual(approvalText({ kind: "approval", request, scopes: ["once", "session", "always"], timeoutMs: 60_000 }), {
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
  });
});

test("a long list of effects is counted, not scrolled away", () => {
  const effects = Array.from({ length: 20 }, (_, index) => `delete /srv/${index}`);
  const { parts } = approvalText({ kind: "approval", request: { ...request, risk: { ...request.risk, effects } }, scopes: ["once"], timeoutMs: 60_000 });
  assert.deepEqual(parts.at(-1), { label: "", text: "… and 8 more" });
});
