import { randomUUID } from "node:crypto";
import { UserError } from "../../../contract/common/failure.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import { EXPIRED, type Answer, type Prompter, type Question } from "../../../contract/conversation/question.ts";
import { replyIn } from "../approval-reply.ts";
import { shownApproval } from "../shown-approval.ts";
import type { ShownQuestion } from "./chat-state.ts";

interface Pending {
  readonly id: string;
  readonly question: Question;
  /** Epoch ms; an approval is denied then. */
  readonly untilAt: number;
  settle(answer: Answer): void;
}

/**
 * Asks in the page. A question stays while no page is open, and every page of the chat shows it; one that is taken back
 * or not answered in time is a denial.
 */
export class PagePrompter implements Prompter {
  readonly #pending = new Map<string, Pending>();
  /** Called when a question opens or closes. */
  changed: () => void = () => {};

  get waits(): boolean {
    return this.#pending.size > 0;
  }

  get shown(): readonly ShownQuestion[] {
    return [...this.#pending.values()].map(shownQuestion);
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) return { kind: "none", reason: "cancelled" };
    const id = randomUUID();
    const done = Promise.withResolvers<Answer>();
    const withdraw = (): void =>
      done.resolve({ kind: "none", reason: signal.reason === EXPIRED ? "timeout" : "cancelled" });
    signal.addEventListener("abort", withdraw, { once: true });
    const untilAt = question.kind === "approval" ? Date.now() + question.timeoutMs : Infinity;
    this.#pending.set(id, { id, question, untilAt, settle: done.resolve });
    this.changed();
    try {
      return await done.promise;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#pending.delete(id);
      this.changed();
    }
  }

  /** Answers a question; the first answer counts. @throws {UserError} It is closed, or does not offer this answer. */
  answer(id: string, body: JsonObject): void {
    const pending = this.#pending.get(id);
    if (pending === undefined)
      throw new UserError("This question is closed: it was answered or withdrawn, or its time is over.");
    const answer = answerIn(pending.question, body);
    // Closed at once: a second answer finds no question.
    this.#pending.delete(id);
    pending.settle(answer);
  }
}

function shownQuestion({ id, question, untilAt }: Pending): ShownQuestion {
  switch (question.kind) {
    case "approval": {
      const { callId } = question.request;
      return { id, kind: "approval", callId, leftMs: Math.max(0, untilAt - Date.now()), ...shownApproval(question) };
    }
    case "choice":
      return { id, kind: "choice", text: question.text, choices: question.choices, other: question.other };
    case "text":
      return { id, kind: "text", text: question.text, secret: question.secret === true };
  }
}

function answerIn(question: Question, body: JsonObject): Answer {
  if (question.kind === "approval") return replyIn(body, question.scopes);
  const { text } = body;
  if (text === null) return { kind: "none", reason: "cancelled" };
  if (typeof text !== "string" || text.trim() === "")
    throw new UserError("The answer is empty.", { hint: "Enter a text, or dismiss the question." });
  if (question.kind === "choice" && !question.other && !question.choices.includes(text))
    throw new UserError("The answer is none of the choices.", {
      hint: `Choose one of: ${question.choices.join(", ")}.`,
    });
  return { kind: "text", text };
}
