import type { Person, Question } from "../../contract/question.ts";
import { maskAll, type Mask } from "./mask-fact.ts";

/** A person who is shown no stored secret, whoever asks: in the words of a question, a call's arguments or its effects. */
export function maskedPerson(person: Person, mask: Mask): Person {
  return { ask: (question, signal) => person.ask(maskQuestion(question, mask), signal) };
}

function maskQuestion(question: Question, mask: Mask): Question {
  if (question.kind !== "approval") return maskAll(question, mask);
  const { request } = question;
  const { callId, sessionId, tool, risk, digest } = request;
  // By these a surface and the engine know what was asked; all else is words.
  const known = { callId, sessionId, tool, digest, risk: { ...maskAll(risk, mask), answer: risk.answer, key: risk.key } };
  return { ...question, request: { ...maskAll(request, mask), ...known }, ...(question.doubt === undefined ? {} : { doubt: mask(question.doubt) }) };
}
