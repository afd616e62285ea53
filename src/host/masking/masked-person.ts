import type { Person, Question } from "../../contract/question.ts";
import { maskAll, type Mask } from "./mask-fact.ts";

/** A person who is shown no stored secret, whoever asks: in the words of a question, a call's arguments or its effects. */
export function maskedPerson(person: Person, mask: Mask): Person {
  return { ask: (question, signal) => person.ask(maskQuestion(question, mask), signal) };
}

function maskQuestion(question: Question, mask: Mask): Question {
  if (question.kind !== "approval") return maskAll(question, mask);
  const { request } = question;
  const { reasons, effects } = request.risk;
  return { ...question, request: { ...request, subject: mask(request.subject), args: maskAll(request.args, mask), risk: { ...request.risk, reasons: maskAll(reasons, mask), effects: maskAll(effects, mask) } } };
}
