import { runMemoryCommand } from "../../../shared/memory/run-memory-command.ts";
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
  const words = json ? ["--json"] : given.flat().filter((word): word is string => typeof word === "string");
  const text = await runMemoryCommand(app, verb, words, { surface: "cli", signal: io.signal });
  io.out(`${app.mask(text).replaceAll("/memory ", asTyped("hermes memory "))}\n`);
}
