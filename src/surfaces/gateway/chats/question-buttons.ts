import type { PlatformButton } from "../../../contract/providers/platform.ts";
import type { Answer, Question } from "../../../contract/conversation/question.ts";
import { approvalText } from "../../shared/display/approval-text.ts";

const LONGEST_LABEL = 60;

/** A button for each answer of a question. Each carries the question's id, so that it cannot answer a later one. */
export function buttonsOf(question: Question, id: string): readonly PlatformButton[] {
  const button = (label: string, answer: string): PlatformButton => ({
    label: label.length > LONGEST_LABEL ? `${label.slice(0, LONGEST_LABEL - 1)}…` : label,
    data: `${id}:${answer}`,
  });
  if (question.kind === "approval")
    return approvalText(question).choices.map(({ scope, label }) => button(label, scope));
  return question.kind === "choice" ? question.choices.map((choice, index) => button(choice, String(index))) : [];
}

/** The answer of a button; `undefined` if the question has no such button. */
export function pressedAnswer(question: Question, answer: string): Answer | undefined {
  if (question.kind === "approval") {
    if (answer === "deny") return { kind: "refused" };
    const scope = question.scopes.find((one) => one === answer);
    return scope === undefined ? undefined : { kind: "approved", scope };
  }
  const text = question.kind === "choice" && /^\d+$/.test(answer) ? question.choices[Number(answer)] : undefined;
  return text === undefined ? undefined : { kind: "text", text };
}
