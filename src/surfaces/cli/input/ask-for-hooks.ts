import type { App } from "../../../contract/services/app.ts";
import type { ShellHookInfo } from "../../../contract/services/hook-service.ts";
import type { Io } from "../../shared/process/io.ts";
import { printable } from "../../shared/display/printable.ts";
import { Questions } from "./questions.ts";

/** Shell hooks that nobody agreed to are put to the person at the terminal, once, before anything runs. */
export async function askForHooks(app: App, io: Io): Promise<void> {
  const waiting = app.hooks.waiting();
  using questions = await Questions.open(io);
  const agreed: ShellHookInfo[] = [];
  for (const hook of waiting) {
    const title =
      hook.consent === "changed"
        ? "⚠ The script of a shell hook was changed since you agreed to it"
        : "⚠ config.yaml runs a command when something happens";
    const when = `${hook.event}${hook.tools === undefined ? "" : ` of ${printable(hook.tools)}`}`;
    io.note(`\n${io.style(["bold", "yellow"], title)}\n  ${when}\n  ${io.style("bold", printable(hook.command))}\n`);
    if (await questions.yes("Allow this hook to run?")) agreed.push(hook);
  }
  await app.hooks.accept(agreed);
}
