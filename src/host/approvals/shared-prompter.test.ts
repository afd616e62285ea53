import assert from "node:assert/strict";
import { test } from "node:test";
import { ANSWERED_ELSEWHERE, EXPIRED, type Answer, type Prompter } from "../../contract/conversation/question.ts";
import type { ApprovalReply, PendingApproval } from "../../contract/services/approval-service.ts";
import type { ApprovalRequests } from "../store/service/approval-requests.ts";
import { absentPrompter, askEverywhere, type SharedPorts } from "./shared-prompter.ts";

const QUESTION = {
  kind: "approval",
  scopes: ["once"],
  timeoutMs: 60_000,
  request: {},
} as unknown as PendingApproval["question"];
const LOG = { warning: () => {} } as unknown as SharedPorts["log"];

/** One question's row, as the store keeps it. */
class Row {
  answer: Answer | undefined;
  readonly #elsewhere = Promise.withResolvers<Answer>();
  isOpen = false;
  isWatched = false;

  /** An answer of another process. */
  reply(answer: Answer): void {
    this.#elsewhere.resolve((this.answer ??= answer));
  }

  get ports(): SharedPorts {
    const requests: ApprovalRequests = {
      open: async () => void (this.isOpen = true),
      settle: async (_, answer) => (this.answer ??= answer),
      reply: async (_, reply: ApprovalReply) => ((this.answer ??= reply), "stored"),
      answered: () => this.#elsewhere.promise,
      pending: async () => [],
      watch: async () => {},
      watched: async () => this.isWatched,
    };
    return { surface: "telegram", log: LOG, requests: async () => requests };
  }
}

/** Waits until its question is taken back, and notes why. */
function silent(atTerminal?: boolean): Prompter & { why?: unknown } {
  const prompter: Prompter & { why?: unknown } = {
    atTerminal,
    ask: (_, signal) =>
      new Promise((resolve) =>
        signal.addEventListener("abort", () => {
          prompter.why = signal.reason;
          resolve({ kind: "none", reason: "cancelled" });
        }),
      ),
  };
  return prompter;
}

test("an answer from another process wins and withdraws the question here", async () => {
  const row = new Row();
  const prompter = silent();
  const asked = askEverywhere(prompter, QUESTION, new AbortController().signal, row.ports);
  row.reply({ kind: "approved", scope: "once" });
  assert.deepEqual(await asked, { kind: "approved", scope: "once" });
  assert.equal(prompter.why, ANSWERED_ELSEWHERE);
});

test("a second answer given here does not count", async () => {
  const row = new Row();
  const late: Prompter = {
    ask: async () => {
      row.answer = { kind: "refused" };
      return { kind: "approved", scope: "once" };
    },
  };
  assert.deepEqual(await askEverywhere(late, QUESTION, new AbortController().signal, row.ports), { kind: "refused" });
});

test("a withdrawn question is closed, even if its prompter ignores that", async () => {
  const row = new Row();
  const stop = new AbortController();
  const deaf: Prompter = { ask: () => new Promise(() => {}) };
  const asked = askEverywhere(deaf, QUESTION, stop.signal, row.ports);
  await new Promise(setImmediate);
  stop.abort(EXPIRED);
  assert.deepEqual(await asked, { kind: "none", reason: "timeout" });
  assert.deepEqual(row.answer, { kind: "none", reason: "timeout" });
});

test("a prompter that fails leaves no open question", async () => {
  const row = new Row();
  const broken: Prompter = { ask: () => Promise.reject(new Error("no screen")) };
  await assert.rejects(askEverywhere(broken, QUESTION, new AbortController().signal, row.ports), /no screen/);
  assert.deepEqual(row.answer, { kind: "none", reason: "cancelled" });
});

test("if the store fails, the prompter's answer counts", async () => {
  const here: Prompter = { ask: async () => ({ kind: "approved", scope: "once" }) };
  const ports: SharedPorts = { surface: "acp", log: LOG, requests: () => Promise.reject(new Error("disk full")) };
  assert.deepEqual(await askEverywhere(here, QUESTION, new AbortController().signal, ports), {
    kind: "approved",
    scope: "once",
  });
});

test("if no user is connected here, waits only for a user who watches elsewhere", async () => {
  const row = new Row();
  const unanswered = { kind: "none", reason: "nobody" };
  assert.deepEqual(await absentPrompter(row.ports).ask(QUESTION, new AbortController().signal), unanswered);
  const watched = new Row();
  watched.isWatched = true;
  const asked = absentPrompter(watched.ports).ask(QUESTION, new AbortController().signal);
  await new Promise((resolve) => setTimeout(resolve, 20));
  watched.reply({ kind: "refused", reason: "not now" });
  assert.deepEqual(await asked, { kind: "refused", reason: "not now" });
});
