import { UserError } from "../../../../contract/common/failure.ts";
import { asTyped } from "../../../shared/process/called-as.ts";
import type { Call } from "../../program/call.ts";

/** `hermes memory VERB …` for the agent's notes: the same as `/memory VERB …` in a session. */
export async function memoryNotes(
  { io, open }: Call,
  verb: string,
  given: readonly unknown[],
  { json }: { readonly json?: boolean },
): Promise<void> {
  const app = await open();
  const command = app.commands.get("memory");
  if (command === undefined)
    throw new UserError("The plugin tool-memory is off, so there are no notes.", {
      hint: asTyped("Turn it on with: hermes plugins enable tool-memory"),
    });
  const words = json ? ["--json"] : given.flat().filter((word): word is string => typeof word === "string");
  const text = await command.run([verb, ...words].join(" "), { sessionId: "", surface: "cli", signal: io.signal });
  io.out(`${app.mask(String(text ?? "")).replaceAll("/memory ", asTyped("hermes memory "))}\n`);
}
