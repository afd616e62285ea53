import { UserError } from "../../../contract/common/failure.ts";
import type { App } from "../../../contract/services/app.ts";
import { asTyped } from "../process/called-as.ts";

/** Runs `/memory VERB …` outside of a session: lists the agent's notes, reverts, edits, approves. @returns its text. */
export async function runMemoryCommand(
  app: App,
  verb: string,
  words: readonly string[],
  { surface, signal }: { readonly surface: string; readonly signal: AbortSignal },
): Promise<string> {
  const command = app.commands.get("memory");
  if (command === undefined)
    throw new UserError("The plugin tool-memory is off, so there are no notes.", {
      hint: asTyped("Turn it on with: hermes plugins enable tool-memory"),
    });
  const text = await command.run([verb, ...words].join(" "), { sessionId: "", surface, signal });
  return String(text ?? "");
}
