import type { ApprovalRequest, Decision, Doubt, Scope } from "../../contract/tools/approval.ts";
import type { Clock } from "../../contract/common/clock.ts";
import { EXPIRED, type Answer, type Prompter } from "../../contract/conversation/question.ts";
import { classesOf, mayBeRemembered } from "./approvers.ts";
import { bounded } from "../async/bounded.ts";
import { OVER } from "../async/deadline.ts";

export interface PrompterPorts {
  readonly prompter: Prompter | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** Another approver's objection; the user may override it for this one call. */
  readonly doubt?: Doubt;
}

/** A decision, and in a word what became of the question: a scope, or `deny`, `timeout`, `cancelled`. */
export interface UserDecision {
  readonly decision: Decision;
  readonly choice: Scope | "deny" | "timeout" | "cancelled";
}

/**
 * The user, last in the chain: always decides, and anything but a clear approval is a denial. Questions to one user
 * queue, with their timeouts paused.
 */
export async function askUser(
  request: ApprovalRequest,
  signal: AbortSignal,
  ports: PrompterPorts,
): Promise<UserDecision> {
  const { prompter, doubt } = ports;
  if (prompter === undefined)
    return no(
      doubt?.by ?? "nobody",
      doubt === undefined ? noPrompter(request) : `${doubt.reason} ${noPrompter(request)}`,
    );
  return inTurn(prompter, () => ask(request, signal, { ...ports, prompter }));
}

async function ask(
  request: ApprovalRequest,
  signal: AbortSignal,
  { prompter, clock, timeoutMs, doubt }: PrompterPorts & { readonly prompter: Prompter },
): Promise<UserDecision> {
  const scopes = scopesOf(request, doubt);
  // The dialog receives an abort signal at the timeout; an answer that ignores the signal is not waited for.
  const late = new AbortController();
  const withdrawn = Promise.withResolvers<Answer>();
  const stop = () => {
    late.abort(signal.reason);
    withdrawn.resolve({ kind: "none", reason: "cancelled" });
  };
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    const asked = late.signal.aborted
      ? withdrawn.promise
      : prompter.ask({ kind: "approval", request, scopes, timeoutMs, doubt: doubt?.reason }, late.signal);
    const ended = await bounded(Promise.race([asked, withdrawn.promise]), timeoutMs, clock);
    if (ended.kind === "timeout") {
      late.abort(EXPIRED);
      return no("nobody", unanswered(timeoutMs), "timeout");
    }
    const answer = ended.value;
    // A scope that was not offered is no wider than the narrowest.
    if (answer.kind === "approved") {
      const scope = scopes.includes(answer.scope) ? answer.scope : "once";
      return { decision: { kind: "allow", scope, by: "person" }, choice: scope };
    }
    if (answer.kind === "none") {
      if (answer.reason === "nobody") return no("nobody", noPrompter(request));
      return answer.reason === "timeout"
        ? no("nobody", unanswered(timeoutMs), "timeout")
        : no("nobody", `The question was withdrawn. ${NO_CONSENT}`, "cancelled");
    }
    const why = answer.kind === "refused" ? answer.reason : answer.text;
    return no(
      "person",
      `The user refused this call${why === undefined || why === "" ? "" : ` ("${why}")`}. ${NO_CONSENT}`,
    );
  } finally {
    signal.removeEventListener("abort", stop);
    late.abort(OVER);
  }
}

function no(by: string, reason: string, choice: UserDecision["choice"] = "deny"): UserDecision {
  return { decision: { kind: "deny", by, reason }, choice };
}

/**
 * How long an approval may hold: this call only if untrusted content or another approver speaks against it, or if the
 * call could do more than was shown.
 */
export function scopesOf({ risk }: ApprovalRequest, doubt: Doubt | undefined): readonly Scope[] {
  if (risk.fresh === true || doubt !== undefined || !classesOf(risk).every(mayBeRemembered)) return ["once"];
  return risk.rule === undefined || risk.fresh === "session" ? ["once", "session"] : ["once", "session", "always"];
}

const waiting = new WeakMap<Prompter, Promise<unknown>>();

function inTurn<T>(prompter: Prompter, work: () => Promise<T>): Promise<T> {
  const before = waiting.get(prompter);
  const turn = before === undefined ? work() : before.then(work, work);
  waiting.set(prompter, turn);
  const leave = () => void (waiting.get(prompter) === turn && waiting.delete(prompter));
  turn.then(leave, leave);
  return turn;
}

const NO_CONSENT =
  "There is no consent: do not repeat it, reword it or reach the same end another way. Say what you wanted to do, and wait.";

function unanswered(timeoutMs: number): string {
  return `No one answered within ${Math.round(timeoutMs / 1000)} s. Silence is not consent. ${NO_CONSENT}`;
}

function noPrompter({ tool, risk }: ApprovalRequest): string {
  const beforehand =
    risk.fresh !== undefined
      ? "The user can do it themselves, or request it on a surface that shows approvals."
      : "The user can allow it beforehand (approvals in config.yaml, or --yolo).";
  return `"${tool}" needs approval (${risk.key}), and no user is connected, so it was not run. ${beforehand} ${NO_CONSENT}`;
}
