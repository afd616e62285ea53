import type { Answerer } from "./question.ts";

export { homeInPasswords } from "../paths/absolute-path.ts";
export type { Answerer, Question } from "./question.ts";

/** What can be asked, each with the functions that the tools call; loaded when asked. */
const ANSWERERS = {
  commands: async (): Promise<Answerer> => (await import("./answer-command.ts")).answerCommand,
  paths: async (): Promise<Answerer> => (await import("./answer-path.ts")).answerPath,
  skill: async (): Promise<Answerer> => (await import("./answer-skill.ts")).answerSkill,
  urls: async (): Promise<Answerer> => (await import("./answer-url.ts")).answerUrl,
} as const;

export type QuestionKind = keyof typeof ANSWERERS;

export async function openAnswerer(kind: QuestionKind): Promise<Answerer> {
  return ANSWERERS[kind]();
}
