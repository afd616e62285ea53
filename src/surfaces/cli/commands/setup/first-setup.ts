import { EXIT } from "../../../shared/process/exit-code.ts";
import { modelNow } from "../../../shared/conversation/model-now.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import { askModel } from "./pick-model.ts";
import type { SetupContext } from "./setup-context.ts";

const SECTIONS: readonly (readonly [command: string, about: string])[] = [
  ["hermes setup tools", "web search and other tools, and their keys"],
  ["hermes setup gateway", "chats: Telegram and others"],
  ["hermes setup terminal", "where commands run"],
  ["hermes setup agent", "approvals, limits, display"],
  ["hermes setup media", "images and videos; also: tts, browser"],
  ["hermes doctor", "check everything"],
];

/**
 * The whole setup of a new user: provider, key, model, a test request. Everything else has a section.
 *
 * @returns the exit status, and whether the user wants to start chatting now.
 */
export async function firstSetup({ app, io, questions }: SetupContext): Promise<{ status: number; start: boolean }> {
  questions.report("Hermes setup", ["bold", "cyan"]);
  questions.report("Provider, key, model, and one small request that tests them. Ctrl-C exits.\n", "dim");
  await askModel(app, io, questions);
  const now = await modelNow(app);
  if (now.offline) {
    questions.report(
      "\nNo model is connected, so the built-in rules answer. Run this again, or name a model: " +
        asTyped("hermes model provider/name --api-key KEY"),
      "yellow",
    );
    return { status: EXIT.failed, start: false };
  }
  io.note(`\n${io.style("bold", "Next")}\n`);
  questions.report(nextSteps());
  if (!io.interactive) return { status: EXIT.ok, start: false };
  const answer = await questions.text("\nStart chatting now? [Y/n]");
  return { status: EXIT.ok, start: !/^n(o)?$/i.test(answer) };
}

function nextSteps(): string {
  const rows = [["hermes", "start chatting"] as const, ...SECTIONS].map(
    ([command, about]) => [asTyped(command), about] as const,
  );
  const width = Math.max(...rows.map(([command]) => command.length));
  return rows.map(([command, about]) => `  ${command.padEnd(width)}  ${about}`).join("\n");
}
