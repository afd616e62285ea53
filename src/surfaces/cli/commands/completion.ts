import type { Command } from "commander";
import { UserError } from "../../../contract/common/failure.ts";
import type { Call } from "../program/call.ts";
import { completionScript, SHELLS } from "../completion/scripts.ts";
import { completionPoints } from "../completion/complete-line.ts";
import { EXIT } from "../../shared/process/exit-code.ts";

export function completion({ io }: Call, name: string, program: Command): void {
  const shell = SHELLS.find((each) => each === name);
  if (shell === undefined)
    throw new UserError(`Completion is not available for "${name}".`, {
      hint: `Shells: ${SHELLS.join(", ")}.`,
      exitCode: EXIT.usage,
    });
  io.out(completionScript(shell, completionPoints(program)));
}
