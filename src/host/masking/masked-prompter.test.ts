import assert from "node:assert/strict";
import { test } from "node:test";
import type { Question } from "../../contract/conversation/question.ts";
import { maskFact } from "./mask-fact.ts";
import { maskedPrompter } from "./masked-prompter.ts";

const mask = (text: string): string => text.replaceAll("swordfish", "[REDACTED]").replaceAll("started", "[REDACTED]");

// req: R-39
test("masks secrets in the question, but keeps the digest, the risk class and the answer", async () => {
  const asked: Question[] = [];
  const prompter = maskedPrompter(
    { ask: async (question) => (asked.push(question), { kind: "refused" }) },
    mask,
    () => {},
  );
  const risk = { answer: "ask", key: "started", reasons: ["writes swordfish"], effects: ["write /swordfish"] } as const;
  const request = {
    callId: "c",
    sessionId: "s",
    tool: "started",
    subject: "echo swordfish",
    args: { command: "echo swordfish", deep: [{ swordfish: 1 }] },
    cwd: "/",
    risk,
    digest: "d",
  };
  assert.deepEqual(
    await prompter.ask({ kind: "approval", request, scopes: ["once"], timeoutMs: 1 }, AbortSignal.abort()),
    { kind: "refused" },
  );
  await prompter.ask({ kind: "text", text: "Is it swordfish?" }, AbortSignal.abort());
  assert.deepEqual(asked, [
    {
      kind: "approval",
      scopes: ["once"],
      timeoutMs: 1,
      request: {
        ...request,
        subject: "echo [REDACTED]",
        args: { command: "echo [REDACTED]", deep: [{ "[REDACTED]": 1 }] },
        risk: { ...risk, reasons: ["writes [REDACTED]"], effects: ["write /[REDACTED]"] },
      },
    },
    { kind: "text", text: "Is it [REDACTED]?" },
  ]);
});

test("registers only answers that the user types as a secret", async () => {
  const received: string[] = [];
  const prompter = maskedPrompter(
    { ask: async () => ({ kind: "text", text: "typed in" }) },
    mask,
    (secret) => void received.push(secret),
  );
  await prompter.ask({ kind: "text", text: "Name?" }, AbortSignal.abort());
  assert.deepEqual(received, []);
  assert.deepEqual(await prompter.ask({ kind: "text", text: "Password?", secret: true }, AbortSignal.abort()), {
    kind: "text",
    text: "typed in",
  });
  assert.deepEqual(received, ["typed in"]);
});

test("masks the text of a fact, but not its structural fields, since a secret may be an ordinary word", () => {
  assert.deepEqual(maskFact({ type: "tool.started", callId: "started" }, mask), {
    type: "tool.started",
    callId: "started",
  });
  const image = { type: "image", mediaType: "started", data: "swordfish" } as const;
  assert.deepEqual(
    maskFact(
      {
        type: "message.added",
        turnId: "started",
        origin: "person",
        parts: [{ type: "text", text: "swordfish" }, image],
      },
      mask,
    ),
    {
      type: "message.added",
      turnId: "started",
      origin: "person",
      parts: [{ type: "text", text: "[REDACTED]" }, image],
    },
  );
  assert.deepEqual(
    maskFact(
      {
        type: "tool.settled",
        callId: "c",
        outcome: { kind: "failed", code: "started", message: "no swordfish", data: { type: "swordfish" } },
        durationMs: 1,
      },
      mask,
    ),
    {
      type: "tool.settled",
      callId: "c",
      outcome: { kind: "failed", code: "started", message: "no [REDACTED]", data: { type: "[REDACTED]" } },
      durationMs: 1,
    },
  );
  const clean = {
    type: "tool.settled",
    callId: "c",
    outcome: { kind: "ok", shown: [{ type: "text", text: "fine" }] },
    durationMs: 1,
  } as const;
  assert.equal(maskFact(clean, mask), clean);
});
