import { randomUUID } from "node:crypto";
import {
  ANSWERED_ELSEWHERE,
  EXPIRED,
  type Answer,
  type Prompter,
  type Question,
} from "../../contract/conversation/question.ts";
import type { Logger } from "../../contract/common/logger.ts";
import type { ApprovalRequests } from "../store/service/approval-requests.ts";

export interface SharedPorts {
  readonly surface: string;
  readonly log: Logger;
  requests(): Promise<ApprovalRequests>;
}

type Approval = Extract<Question, { readonly kind: "approval" }>;

/** An answer from elsewhere must come this long before the time limit, so that the waiting process still sees it. */
const MARGIN_MS = 1_000;

/**
 * Asks for an approval here, and in every process of the home that shows pending questions. The first answer counts. If
 * the store fails, only the prompter itself is asked.
 */
export async function askEverywhere(
  prompter: Prompter,
  question: Approval,
  signal: AbortSignal,
  ports: SharedPorts,
): Promise<Answer> {
  if (signal.aborted) return prompter.ask(question, signal);
  const id = randomUUID();
  const atTerminal = prompter.atTerminal === true;
  const requests = await opened({ id, surface: ports.surface, question, atTerminal }, ports);
  if (requests === undefined) return prompter.ask(question, signal);
  const ended = new AbortController();
  try {
    const own = ownAnswer(prompter, question, AbortSignal.any([signal, ended.signal]), requests);
    const elsewhere = atTerminal ? [] : [requests.answered(id, ended.signal)];
    const answer = await Promise.race([own, ...elsewhere, withdrawn(signal, ended.signal)]);
    return await requests.settle(id, answer);
  } catch (cause) {
    // No answer that failed may leave a question that looks open.
    await requests.settle(id, { kind: "none", reason: "cancelled" }).catch(() => undefined);
    throw cause;
  } finally {
    ended.abort(ANSWERED_ELSEWHERE);
  }
}

async function opened(
  request: Parameters<ApprovalRequests["open"]>[0],
  { log, requests }: SharedPorts,
): Promise<ApprovalRequests | undefined> {
  try {
    const found = await requests();
    await found.open(request, request.question.timeoutMs - MARGIN_MS);
    return found;
  } catch (cause) {
    log.warning("Only this process shows an approval question: it could not be stored for others.", { cause });
    return undefined;
  }
}

/** If no one can be asked here, a user who watches pending questions elsewhere may still answer until the time is over. */
async function ownAnswer(
  prompter: Prompter,
  question: Approval,
  signal: AbortSignal,
  requests: ApprovalRequests,
): Promise<Answer> {
  const answer = await prompter.ask(question, signal);
  if (answer.kind !== "none" || answer.reason !== "nobody" || prompter.atTerminal === true) return answer;
  return (await requests.watched()) ? new Promise<never>(() => {}) : answer;
}

/** A prompter may ignore that its question is taken back; the stored question must be closed anyway. */
function withdrawn(signal: AbortSignal, ended: AbortSignal): Promise<Answer> {
  return new Promise((resolve) => {
    const close = (): void => resolve({ kind: "none", reason: signal.reason === EXPIRED ? "timeout" : "cancelled" });
    signal.addEventListener("abort", close, { once: true, signal: ended });
  });
}

/** Asks only a user who watches pending questions elsewhere: for sessions without a user. */
export function absentPrompter(ports: SharedPorts): Prompter {
  const no: Prompter = { ask: async () => ({ kind: "none", reason: "nobody" }) };
  return {
    ask: (question, signal) =>
      question.kind === "approval" ? askEverywhere(no, question, signal, ports) : no.ask(question, signal),
  };
}
