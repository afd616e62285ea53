import { describeEffects, judgeCommand } from "../commands/command.ts";
import { type Answerer, textOf } from "./question.ts";

/** `{command, cwd?, home?}` → `{verdict: allow | ask | block, reasons, effects}`. */
export const answerCommand: Answerer = async (question, here) => {
  const command = textOf(question, "command")!;
  const cwd = textOf(question, "cwd", "optional") ?? here.cwd;
  const home = textOf(question, "home", "optional") ?? here.home;
  const judgement = await judgeCommand(command, { cwd, home });
  return { verdict: judgement.answer, reasons: judgement.reasons, effects: describeEffects(judgement.effects) };
};
