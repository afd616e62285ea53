import type { App } from "../../../contract/services/app.ts";
import type { ShellHookInfo } from "../../../contract/services/hook-service.ts";
import { onTerminal, type Io } from "../../shared/process/io.ts";
import { printable } from "../../shared/display/printable.ts";
import { Questions } from "./questions.ts";

/** Asks the user once, before anything runs, about shell hooks that are not allowed yet. */
export async function askForHooks(app: App, io: Io): Promise<void> {
  const { note, style } = onTerminal(io);
  const waiting = app.hooks.waiting();
  using questions = await Questions.open(io);
  const agreed: ShellHookInfo[] = [];
  for (const hook of waiting) {
    const title =
      hook.consent === "changed"
        ? "⚠ The script of a shell hook changed after you allowed it"
        : "⚠ config.yaml has a shell hook, which runs this command on an event";
    const when = `${hook.event}${hook.tools === undefined ? "" : ` of ${printable(hook.tools)}`}`;
    note(`\n${style(["bold", "yellow"], title)}\n  ${when}\n  ${style("bold", printable(hook.command))}\n`);
    if (await questions.yes("Allow this hook to run?")) agreed.push(hook);
  }
  const declined = waiting.filter((hook) => !agreed.includes(hook));
  await app.hooks.accept(agreed, declined);
}
