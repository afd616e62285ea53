import { judgeCommand, quoted, ToolFailure } from "hermes-agent/plugin";
import type { FilledTemplate } from "./fill-template.ts";

/** A non-existing program: if the command analysis finds that it runs, a value became code. */
const MARK = "hermes_breakout";
/** Values that break out of shell quotes and of string literals in one-liner languages. */
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
 * Refuses a command in which a value would be parsed again as code: in the script of `sh -c "…"`, `eval`, `ssh` or
 * `python -c` the quotes around its reference no longer protect it.
 * @param what The setting with the command, for messages.
 * @throws {ToolFailure} naming the placeholder.
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
        `Refused the command of ${what}: {${name}} is inside a script that another shell or interpreter parses, where quotes do not protect the value.`,
        {
          hint: `Pass it as an argument, sh -c 'say "$1"' sh {${name}}, or read it from the environment: sh -c 'say "$${variable}"'.`,
        },
      );
    }
  }
}
