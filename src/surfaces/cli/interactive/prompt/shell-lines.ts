import type { App } from "../../../../contract/services/app.ts";
import { textOf, type Part } from "../../../../contract/conversation/part.ts";
import type { Session } from "../../../../contract/conversation/session.ts";
import { shownOf, toSettled } from "../../../../contract/tools/outcome.ts";
import { UserError } from "../../../../contract/common/failure.ts";

/** A command that the user typed behind `!`. */
interface ShellLine {
  readonly command: string;
  /** `!!`: the model does not learn of it. */
  readonly secret: boolean;
}

/** `!npm test`, `!!env`; `undefined` for other input. */
export function shellLineOf(input: string): ShellLine | undefined {
  const [, bangs, command] = /^(!{1,2})\s*(\S[^]*)$/.exec(input) ?? [];
  return command === undefined ? undefined : { command: command.trim(), secret: bangs === "!!" };
}

/** Runs the user's commands in the session's terminal. The next message carries their output, unless it was `!!`. */
export class ShellLines {
  readonly #tools: App["tools"];
  #outputs: Part[] = [];

  constructor(tools: App["tools"]) {
    this.#tools = tools;
  }

  /** @throws {UserError} No tool here runs commands. */
  async run({ command, secret }: ShellLine, session: Session): Promise<void> {
    const tool = this.#tools.withRole("shell");
    if (tool === undefined)
      throw new UserError("No tool runs shell commands here.", { hint: "Enable it: hermes tools enable terminal" });
    const outcome = toSettled(await session.call(tool, { command }));
    if (secret) return;
    this.#outputs.push(
      { type: "text", text: `I ran a command myself:\n$ ${command}\nIts result:\n` },
      {
        type: "text",
        text: textOf(shownOf(outcome)),
        from: { trust: "foreign", owner: "cli", source: `the output of ${command}` },
      },
    );
  }

  /** What the next message begins with. */
  take(): readonly Part[] {
    const outputs = this.#outputs;
    this.#outputs = [];
    return outputs;
  }
}
