import { ToolFailure, type Question, type ToolContext } from "hermes-agent/plugin";

export interface ClarifyInput {
  readonly question?: unknown;
  readonly choices?: unknown;
}

export interface ClarifyOutput {
  readonly question: string;
  readonly choices_offered: readonly string[] | null;
  readonly user_response: string;
}

const MAX_CHOICES = 4;

/** Asks the user of this session one question and returns the answer as they wrote it. */
export async function askUser(input: ClarifyInput, call: Pick<ToolContext, "ask">): Promise<ClarifyOutput> {
  const text = typeof input.question === "string" ? input.question.trim() : "";
  if (text === "") throw new ToolFailure("bad_arguments", "question is empty.");
  const choices = readChoices(input.choices);
  const question: Question =
    choices.length > 0 ? { kind: "choice", text, choices, other: true } : { kind: "text", text };
  const answer = await call.ask(question);
  const answered = { question: text, choices_offered: choices.length > 0 ? choices : null };
  switch (answer.kind) {
    case "text":
      return { ...answered, user_response: answer.text.trim() };
    case "refused":
      return {
        ...answered,
        user_response:
          answer.reason === undefined
            ? "(The user declined to answer.)"
            : `(The user declined to answer: ${answer.reason})`,
      };
    case "none":
      if (answer.reason === "timeout")
        return {
          ...answered,
          user_response:
            "(The user did not answer in time. Continue with your best judgment and state what you assumed.)",
        };
      if (answer.reason === "cancelled")
        throw new ToolFailure("cancelled", "The question was cancelled before the user answered.");
      throw new ToolFailure("nobody", "No user is connected who could answer a question.", {
        hint: "Decide yourself and state what you assumed.",
      });
    case "approved":
      throw new ToolFailure("crashed", "The question got an approval instead of an answer.");
  }
}

function readChoices(given: unknown): string[] {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) throw new ToolFailure("bad_arguments", "choices must be a list of short strings.");
  const texts = given.map(textOf).filter((text) => text !== "");
  return [...new Set(texts)].slice(0, MAX_CHOICES);
}

/** Models also send `{ label: "…" }` and the like. */
function textOf(choice: unknown): string {
  if (typeof choice === "string") return choice.trim();
  if (typeof choice === "number" || typeof choice === "boolean") return String(choice);
  if (typeof choice !== "object" || choice === null) return "";
  if (Array.isArray(choice))
    return choice
      .map(textOf)
      .filter((text) => text !== "")
      .join(" ");
  const parts = choice as Record<string, unknown>;
  const text = ["label", "description", "text", "title"]
    .map((key) => parts[key])
    .find((value) => typeof value === "string" && value.trim() !== "");
  return typeof text === "string" ? text.trim() : "";
}
