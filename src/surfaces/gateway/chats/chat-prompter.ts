import { createHash, randomBytes } from "node:crypto";
import type { PlatformButton } from "../../../contract/providers/platform.ts";
import {
  ANSWERED_ELSEWHERE,
  EXPIRED,
  type Answer,
  type Prompter,
  type Question,
} from "../../../contract/conversation/question.ts";
import type { Scope } from "../../../contract/tools/approval.ts";
import { approvalText, timeLeft } from "../../shared/display/approval-text.ts";
import { buttonsOf, pressedAnswer } from "./question-buttons.ts";

interface Pending {
  /** The question's buttons name it by this id. */
  readonly id: string;
  readonly question: Question;
  settle(answer: Answer): void;
}

/**
 * Asks in a chat: writes a question there and reads the answer from the next matching message. Any other text, and no
 * answer, is a denial.
 */
export class ChatPrompter implements Prompter {
  readonly #say: (text: string, buttons?: readonly PlatformButton[]) => Promise<void>;
  readonly #waiting: (waiting: boolean) => void;
  readonly #prefix: () => string;
  readonly #pending: Pending[] = [];
  /** Ids of questions that were asked here. */
  readonly #used = new Set<string>();
  /** Presses of buttons from before a restart, by the question's id, while turns of an earlier process resume. */
  readonly #held = new Map<string, string>();
  #holding = 0;

  /**
   * @param waiting Receives whether a question is open.
   * @param prefix How users type commands in this chat.
   */
  constructor(
    say: (text: string, buttons?: readonly PlatformButton[]) => Promise<void>,
    waiting: (waiting: boolean) => void,
    prefix: () => string = () => "/",
  ) {
    this.#say = say;
    this.#waiting = waiting;
    this.#prefix = prefix;
  }

  /** The kind of the open question. */
  get asks(): Question["kind"] | undefined {
    return this.#pending[0]?.question.kind;
  }

  async ask(question: Question, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) return { kind: "none", reason: "cancelled" };
    const done = Promise.withResolvers<Answer>();
    const pending: Pending = { id: this.#idOf(question), question, settle: done.resolve };
    const withdraw = (): void =>
      done.resolve({ kind: "none", reason: signal.reason === EXPIRED ? "timeout" : "cancelled" });
    signal.addEventListener("abort", withdraw, { once: true });
    this.#pending.push(pending);
    this.#waiting(true);
    try {
      const held = this.#held.get(pending.id);
      this.#held.delete(pending.id);
      if (held !== undefined) await this.#say(this.press(`${pending.id}:${held}`));
      else await this.#say(questionText(question, this.#prefix()), buttonsOf(question, pending.id));
      const answer = await done.promise;
      if (answer.kind === "none" && answer.reason === "timeout")
        await this.#say("No one answered in time, so this was not done.");
      if (answer.kind === "none" && signal.reason === ANSWERED_ELSEWHERE)
        await this.#say("This question was answered elsewhere.");
      return answer;
    } catch {
      return { kind: "none", reason: "nobody" }; // The question could not be stored, so no one has seen it.
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#pending.splice(this.#pending.indexOf(pending), 1);
      this.#waiting(this.#pending.length > 0);
    }
  }

  /** Uses a message as the answer to the open question. @returns whether it was one. */
  take(words: string): boolean {
    const [first] = this.#pending;
    const answer = first === undefined ? undefined : answerOf(first.question, words);
    if (first === undefined || answer === undefined) return false;
    first.settle(answer);
    return true;
  }

  /** Whether this button belongs to an approval, as far as that is known. */
  pressApproves(data: string): boolean {
    const kind = this.#pending.find(({ id }) => id === data.split(":")[0])?.question.kind;
    return kind === "approval" || (kind === undefined && this.#holding > 0);
  }

  /** While turns of an earlier process resume, a button of a question that is asked again answers it. */
  holdPresses(): AsyncDisposable {
    this.#holding++;
    return {
      [Symbol.asyncDispose]: async () => {
        if (--this.#holding > 0 || this.#held.size === 0) return;
        this.#held.clear();
        await this.#say(CLOSED);
      },
    };
  }

  /**
   * An approval that is asked again after a restart has the id it had, so its old buttons work: the digest binds it to
   * exactly the same call. An id is used once.
   */
  #idOf(question: Question): string {
    if (question.kind !== "approval") return randomBytes(9).toString("base64url");
    const { sessionId, callId, digest } = question.request;
    const same = createHash("sha256").update(`${sessionId} ${callId} ${digest}`).digest("base64url").slice(0, 12);
    const id = this.#used.has(same) ? randomBytes(9).toString("base64url") : same;
    this.#used.add(id);
    return id;
  }

  /** Handles a button press. @returns the message for the chat. */
  press(data: string): string {
    const [id, answer = ""] = data.split(":");
    const pending = this.#pending.find((one) => one.id === id);
    const given = pending === undefined ? undefined : pressedAnswer(pending.question, answer);
    if (pending === undefined && id !== undefined && this.#holding > 0 && !this.#used.has(id)) {
      this.#held.set(id, answer);
      return "";
    }
    if (pending === undefined || given === undefined) return CLOSED;
    pending.settle(given);
    return given.kind === "approved" ? "Approved." : given.kind === "refused" ? "Denied." : "";
  }

  /**
   * Handles `/approve` and `/deny` for the open question, or with `all` for every one.
   * @returns the message for the chat.
   */
  decide(verdict: "approve" | "deny", args: string): string {
    const approvals = this.#pending.filter(({ question }) => question.kind === "approval");
    if (approvals.length === 0) return "No approval is pending.";
    const [, all, rest = ""] = /^(all\b)?\s*(.*)$/is.exec(args.trim()) ?? [];
    const word = rest.trim().toLowerCase();
    if (verdict === "approve" && !["", "once", "session", "always"].includes(word))
      return "Usage: /approve [all] [session | always]. `all` answers every open question.";
    const answer: Answer = verdict === "deny" ? refused(rest) : { kind: "approved", scope: scopeOf(word) };
    const meant = all === undefined ? approvals.slice(0, 1) : approvals;
    for (const { settle } of meant) settle(answer);
    return verdict === "approve" ? "Approved." : "Denied.";
  }
}

const CLOSED = "This question is closed.";
const YES = new Set(["approve", "yes", "ok", "okay", "confirm", "y", "👍"]);
const NO = new Set(["deny", "no", "reject", "cancel", "n", "👎"]);
const MAX_REASON = 280;

function answerOf(question: Question, words: string): Answer | undefined {
  const text = words.trim();
  if (text.startsWith("/") || text === "") return undefined;
  const word = text.toLowerCase().replace(/[.!]+$/, "");
  switch (question.kind) {
    case "approval":
      if (YES.has(word)) return { kind: "approved", scope: "once" };
      if (word === "session" || word === "always") return { kind: "approved", scope: word };
      return NO.has(word) ? { kind: "refused" } : undefined;
    case "choice": {
      const { choices, other } = question;
      const picked = choices[Number(word) - 1] ?? choices.find((choice) => choice.toLowerCase() === word);
      if (picked !== undefined) return { kind: "text", text: picked };
      return other ? { kind: "text", text } : undefined;
    }
    case "text":
      return { kind: "text", text };
  }
}

function refused(reason: string): Answer {
  const message = reason.trim().slice(0, MAX_REASON);
  return message === "" ? { kind: "refused" } : { kind: "refused", reason: message };
}

function scopeOf(word: string): Scope {
  return word === "session" || word === "always" ? word : "once";
}

/** @param prefix How users type commands in this chat. */
function questionText(question: Question, prefix: string): string {
  switch (question.kind) {
    case "approval": {
      const { title, parts, choices } = approvalText(question);
      const lines = parts.map(({ label, text }) =>
        label === "$" ? `$ ${text}` : label === "" ? `  ${text}` : `${label}: ${text}`,
      );
      const ways = choices
        .filter(({ scope }) => scope !== "deny")
        .map(({ scope, label }) => (scope === "once" ? `${prefix}approve` : `${prefix}approve ${scope} — ${label}`));
      return [
        `⚠ ${title}`,
        ...lines,
        "",
        ...ways,
        `${prefix}deny [why]`,
        `Within ${timeLeft(question.timeoutMs, 0)}; no answer is a denial.`,
      ].join("\n");
    }
    case "choice":
      return [
        question.text,
        ...question.choices.map((choice, index) => `${index + 1}. ${choice}`),
        question.other ? "Answer with a number or your own text." : "Answer with a number.",
      ].join("\n");
    case "text":
      return question.secret === true
        ? `${question.text}\n(Your next message becomes this secret. I do not store it; your chat service keeps it until you delete it.)`
        : question.text;
  }
}
