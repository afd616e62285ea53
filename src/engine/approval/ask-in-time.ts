import type { Clock } from "../../contract/common/clock.ts";
import type { Json } from "../../contract/common/json.ts";
import { EXPIRED, type Answer, type Prompter, type Question } from "../../contract/conversation/question.ts";
import { bounded } from "../async/bounded.ts";

const DEFAULT_S = 3600;
const NO_ANSWER: Answer = { kind: "none", reason: "timeout" };

/** @param seconds `agent.clarify_timeout`; 0 waits for as long as it takes. Afterwards the question is withdrawn. */
export async function askInTime(
  prompter: Prompter,
  question: Question,
  ports: { readonly seconds: Json | undefined; readonly clock: Clock },
  signal: AbortSignal,
): Promise<Answer> {
  const seconds = typeof ports.seconds === "number" && ports.seconds >= 0 ? ports.seconds : DEFAULT_S;
  if (seconds === 0) return prompter.ask(question, signal);
  const withdrawn = new AbortController();
  const ended = await bounded(
    prompter.ask(question, AbortSignal.any([signal, withdrawn.signal])),
    seconds * 1000,
    ports.clock,
  );
  if (ended.kind === "value") return ended.value;
  withdrawn.abort(EXPIRED);
  return NO_ANSWER;
}
