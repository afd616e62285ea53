import type { ApprovalRequest, Decision, Doubt, Scope } from "../../contract/tools/approval.ts";
import type { Clock } from "../../contract/common/clock.ts";
import { EXPIRED, type Answer, type Person } from "../../contract/conversation/question.ts";
import { classesOf, mayBeKept } from "./approvers.ts";
import { bounded } from "../async/bounded.ts";
import { OVER } from "../async/deadline.ts";

export interface PersonPorts {
  readonly person: Person | undefined;
  readonly clock: Clock;
  readonly timeoutMs: number;
  /** What another approver said against it; the person may overrule it for this one call. */
  readonly doubt?: Doubt;
}

/** A decision, and in a word what became of the question: a scope, or `deny`, `timeout`, `cancelled`. */
export interface PersonsDecision {
  readonly decision: Decision;
  readonly choice: Scope | "deny" | "timeout" | "cancelled";
}

/** The person, last in the chain: always decides, and anything but a plain yes is no. Questions of one person wait for each other, with their time standing still. */
export async function askPerson(
  request: ApprovalRequest,
  signal: AbortSignal,
  ports: PersonPorts,
): Promise<PersonsDecision> {
  const { person, doubt } = ports;
  if (person === undefined)
    return no(
      doubt?.by ?? "nobody",
      doubt === undefined ? nobodyToAsk(request) : `${doubt.reason} ${nobodyToAsk(request)}`,
    );
  return inTurn(person, () => ask(request, signal, { ...ports, person }));
}

async function ask(
  request: ApprovalRequest,
  signal: AbortSignal,
  { person, clock, timeoutMs, doubt }: PersonPorts & { readonly person: Person },
): Promise<PersonsDecision> {
  const scopes = scopesOf(request, doubt);
  // The dialog is told when it is too late, and an answer that ignores the signal is not waited for.
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
      : person.ask({ kind: "approval", request, scopes, timeoutMs, doubt: doubt?.reason }, late.signal);
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
      if (answer.reason === "nobody") return no("nobody", nobodyToAsk(request));
      return answer.reason === "timeout"
        ? no("nobody", unanswered(timeoutMs), "timeout")
        : no("nobody", `The question was withdrawn. ${NO_CONSENT}`, "cancelled");
    }
    const why = answer.kind === "refused" ? answer.reason : answer.text;
    return no(
      "person",
      `The person refused this call${why === undefined || why === "" ? "" : ` ("${why}")`}. ${NO_CONSENT}`,
    );
  } finally {
    signal.removeEventListener("abort", stop);
    late.abort(OVER);
  }
}

function no(by: string, reason: string, choice: PersonsDecision["choice"] = "deny"): PersonsDecision {
  return { decision: { kind: "deny", by, reason }, choice };
}

/** How far a yes may reach: no further than this call where strangers' words or another approver speak against it, or where more could come than was seen. */
export function scopesOf({ risk }: ApprovalRequest, doubt: Doubt | undefined): readonly Scope[] {
  if (risk.fresh === true || doubt !== undefined || !classesOf(risk).every(mayBeKept)) return ["once"];
  return risk.rule === undefined ? ["once", "session"] : ["once", "session", "always"];
}

const waiting = new WeakMap<Person, Promise<unknown>>();

function inTurn<T>(person: Person, work: () => Promise<T>): Promise<T> {
  const before = waiting.get(person);
  const turn = before === undefined ? work() : before.then(work, work);
  waiting.set(person, turn);
  const leave = () => void (waiting.get(person) === turn && waiting.delete(person));
  turn.then(leave, leave);
  return turn;
}

const NO_CONSENT =
  "There is no consent: do not repeat it, reword it or reach the same end another way. Say what you wanted to do, and wait.";

function unanswered(timeoutMs: number): string {
  return `Nobody answered within ${Math.round(timeoutMs / 1000)} s. Silence is not consent. ${NO_CONSENT}`;
}

function nobodyToAsk({ tool, risk }: ApprovalRequest): string {
  const beforehand =
    risk.fresh === true
      ? "A person can do it themselves, or ask for it where they can be asked."
      : "A person can allow it beforehand (approvals in config.yaml, or --yolo).";
  return `"${tool}" needs approval (${risk.key}), and nobody can be asked here, so it was not run. ${beforehand} ${NO_CONSENT}`;
}
