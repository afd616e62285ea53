import type { Prompter, Question } from "../../contract/conversation/question.ts";
import { maskAll, type Mask } from "./mask-fact.ts";
import { definedFields } from "../../contract/common/defined-fields.ts";

/**
 * A prompter that never shows a stored secret in questions, arguments or effects.
 * @param received Called with the secret that the user types, so that it is masked from then on.
 */
export function maskedPrompter(prompter: Prompter, mask: Mask, received: (secret: string) => void): Prompter {
  return {
    atTerminal: prompter.atTerminal,
    async ask(question, signal) {
      const answer = await prompter.ask(maskQuestion(question, mask), signal);
      if (question.kind === "text" && question.secret === true && answer.kind === "text") received(answer.text);
      return answer;
    },
  };
}

function maskQuestion(question: Question, mask: Mask): Question {
  if (question.kind !== "approval") return maskAll(question, mask);
  const { request } = question;
  const { callId, sessionId, tool, risk, digest } = request;
  // By these a surface and the engine know what was asked; all else is words.
  const known = {
    callId,
    sessionId,
    tool,
    digest,
    risk: { ...maskAll(risk, mask), answer: risk.answer, key: risk.key },
  };
  return {
    ...question,
    request: { ...maskAll(request, mask), ...known },
    ...definedFields({ doubt: question.doubt === undefined ? undefined : mask(question.doubt) }),
  };
}
