import { accessSync, constants, existsSync } from "node:fs";
import type { Check } from "../../contract/common/check.ts";
import type { HookName } from "../../contract/plugins/hook.ts";
import type { JsonObject } from "../../contract/common/json.ts";
import { HOW_TO_AGREE, type ShellHooks } from "./shell-hooks.ts";
import { sampleOf } from "./sample-payload.ts";
import { scriptsOf } from "./script-hash.ts";
import { splitCommand } from "./split-command.ts";

/** Each hook's agreement, its script, and for one that may run what it answers to a sample. */
export async function checkShellHooks(hooks: ShellHooks, userHome: string): Promise<readonly Check[]> {
  const checks: Check[] = hooks.problems.map((detail) => ({ name: "config.yaml", ok: false, detail }));
  for (const { event, command, consent } of hooks.list()) {
    const name = `${event}: ${command}`;
    const missing = scriptsOf(command, userHome).filter((file) => !existsSync(file));
    const unrunnable = runsItself(command)
      ? scriptsOf(command, userHome).filter((file) => existsSync(file) && !mayRun(file))
      : [];
    if (missing.length > 0) checks.push({ name, ok: false, detail: `${missing.join(", ")} does not exist` });
    else if (unrunnable.length > 0)
      checks.push({
        name,
        ok: false,
        detail: `${unrunnable.join(", ")} is not executable`,
        hint: `chmod +x ${unrunnable.join(" ")}`,
      });
    else if (consent === "changed")
      checks.push({
        name,
        ok: false,
        detail: "its script changed after you consented",
        hint: HOW_TO_AGREE,
      });
    else if (consent === "missing")
      checks.push({ name, ok: false, detail: "it has no consent yet", hint: HOW_TO_AGREE });
    else checks.push(await tried(hooks, event as HookName, command, name));
  }
  return checks;
}

async function tried(hooks: ShellHooks, event: HookName, command: string, name: string): Promise<Check> {
  const payload: JsonObject = sampleOf(event, undefined);
  const test = (await hooks.test(event, payload, (one) => one === command))[0];
  if (test === undefined) return { name, ok: true, detail: "consent given" };
  return { name, ok: test.ok, detail: `${test.durationMs} ms, ${test.verdict}` };
}

/** The first word is the script, and no interpreter that reads it. */
function runsItself(command: string): boolean {
  try {
    return /^[~/.]/.test(splitCommand(command)[0] ?? "");
  } catch {
    return false; // A line for a shell, which reads it in its own way.
  }
}

function mayRun(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // That is the other answer.
  }
}
