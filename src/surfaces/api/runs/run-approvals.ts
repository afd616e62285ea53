import type { Scope } from "../../../contract/tools/approval.ts";
import type { JsonObject } from "../../../contract/common/json.ts";
import { EXPIRED, type Answer } from "../../../contract/conversation/question.ts";
import { approvalText } from "../../shared/display/approval-text.ts";
import { ApiFailure, wrongRequest } from "../http/api-failure.ts";
import type { Approval, Watcher } from "../conversations/api-prompter.ts";
import type { RunEvents } from "./run-events.ts";

interface Pending {
  readonly id: string;
  readonly scopes: readonly Scope[];
  settle(answer: Answer): void;
}

type Choice = Scope | "deny";

const CHOICES: { readonly [word: string]: Choice } = {
  once: "once",
  approve: "once",
  allow: "once",
  session: "session",
  always: "always",
  deny: "deny",
};

/**
 * Approval questions of a run, answered by any client with the key. A question that is withdrawn or not answered is
 * denied.
 */
export class RunApprovals implements Watcher {
  readonly #events: RunEvents;
  readonly #pending: Pending[] = [];

  constructor(events: RunEvents) {
    this.#events = events;
  }

  get waits(): boolean {
    return this.#pending.length > 0;
  }

  async ask(approval: Approval, signal: AbortSignal): Promise<Answer> {
    const { request, scopes, timeoutMs } = approval;
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const pending: Pending = { id: request.callId, scopes, settle: resolve };
    const withdraw = (): void => resolve({ kind: "none", reason: signal.reason === EXPIRED ? "timeout" : "cancelled" });
    signal.addEventListener("abort", withdraw, { once: true });
    this.#pending.push(pending);
    this.#events.add("approval.request", {
      approval_id: pending.id,
      tool: request.tool,
      command: request.subject,
      description: describe(approval),
      pattern_key: request.risk.key,
      pattern_keys: [request.risk.key],
      cwd: request.cwd,
      allow_permanent: scopes.includes("always"),
      choices: [...scopes, "deny"],
      timeout_seconds: timeoutMs / 1000,
    });
    try {
      const answer = await promise;
      if (answer.kind === "none")
        this.#events.add("approval.responded", { approval_id: pending.id, choice: "deny", resolved: 0 });
      return answer;
    } finally {
      signal.removeEventListener("abort", withdraw);
      this.#take(pending);
    }
  }

  /** Answers the oldest question, the named one, or all. @returns how many were answered. @throws {ApiFailure} */
  decide(body: JsonObject): { readonly choice: Choice; readonly resolved: number } {
    const word = body["choice"];
    const choice =
      typeof word === "string" && Object.hasOwn(CHOICES, word.toLowerCase()) ? CHOICES[word.toLowerCase()] : undefined;
    if (choice === undefined)
      throw wrongRequest(`"choice" must be once, session, always or deny.`, "choice", "invalid_approval_choice");
    const meant = this.#meant(body);
    if (choice !== "deny" && !meant.every(({ scopes }) => scopes.includes(choice)))
      throw wrongRequest(
        `This approval does not offer "${choice}". Choose one of: ${[...meant[0]!.scopes, "deny"].join(", ")}.`,
        "choice",
        "invalid_approval_choice",
      );
    for (const pending of meant) {
      this.#take(pending);
      pending.settle(choice === "deny" ? { kind: "refused" } : { kind: "approved", scope: choice });
      this.#events.add("approval.responded", { approval_id: pending.id, choice, resolved: 1 });
    }
    return { choice, resolved: meant.length };
  }

  #meant({ all, approval_id: id }: JsonObject): readonly Pending[] {
    const fitting =
      id === undefined || id === null ? this.#pending : this.#pending.filter((pending) => pending.id === id);
    if (fitting.length === 0)
      throw new ApiFailure(
        id === undefined || id === null
          ? "No approval of this run is pending."
          : `No approval ${JSON.stringify(id)} of this run is pending.`,
        { status: 409, code: "approval_not_active" },
      );
    return all === true ? [...fitting] : fitting.slice(0, 1);
  }

  #take(pending: Pending): void {
    const at = this.#pending.indexOf(pending);
    if (at >= 0) this.#pending.splice(at, 1);
  }
}

/** The whole approval question as text: the title, then one labelled line for each part. */
function describe(approval: Approval): string {
  const { title, parts } = approvalText(approval);
  return [title, ...parts.map(({ label, text }) => (label === "" ? `  ${text}` : `${label}: ${text}`))].join("\n");
}
