import { judgeCommand, quoted, ToolFailure } from "hermes-agent/plugin";
import type { FilledTemplate } from "./fill-template.ts";

/** A program that there is not: where the judgement of commands finds it run, a value has become code. */
const MARK = "hermes_breakout";
/** Out of the quotes of shells, and out of the texts of the languages that one-liners are written in. */
const ATTEMPTS: readonly string[] = [
  `;${MARK};`,
  `$(${MARK})`,
  `";${MARK};"`,
  `';${MARK};'`,
  `');import os;os.system('${MARK}')#`,
  `");import os;os.system("${MARK}")#`,
  `');require('child_process').execSync('${MARK}')//`,
  `");require("child_process").execSync("${MARK}")//`,
  `';system("${MARK}");'`,
  `";system('${MARK}');"`,
  `";system("${MARK}");"`,
];

/**
 * Refuses a command in which a value would be read once more as code: in the script of `sh -c "…"`, of `eval`, `ssh` or `python -c`, the quotes
 * around its reference are gone when it is read.
 * @param what The setting that holds the command, as a person knows it.
 * @throws {ToolFailure} that names the placeholder.
 */
export async function holdValues({ command, env }: FilledTemplate, what: string): Promise<void> {
  for (const variable of Object.keys(env).filter((name) => command.includes(`\${${name}}`))) {
    const name = variable.replace(/^HERMES_V_/, "");
    for (const attempt of ATTEMPTS) {
      const { lines } = await judgeCommand(`${variable}=${quoted(attempt)}; export ${variable}; ${command}`, {
        cwd: "/",
        home: "/home/nobody",
      });
      if (!lines.some((line) => line === MARK || line.startsWith(`${MARK} `))) continue;
      throw new ToolFailure(
        "bad_arguments",
        `The command of ${what} was not run: {${name}} stands in a text that another shell or interpreter reads as code, and there no quotes keep it one word.`,
        {
          hint: `Hand it over beside that text, sh -c 'say "$1"' sh {${name}}, or read it there from the environment: sh -c 'say "$${variable}"'.`,
        },
      );
    }
  }
}
