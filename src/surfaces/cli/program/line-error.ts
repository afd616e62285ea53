import type { Command, CommanderError } from "commander";
import { UserError } from "../../../contract/common/failure.ts";
import { nearest } from "../../../contract/common/nearest.ts";
import { EXIT } from "../../shared/process/exit-code.ts";

/** What commander found wrong with a command line, told as everything else is: what, of which command, and what helps. */
export function lineError(program: Command, argv: readonly string[], error: CommanderError): UserError {
  const command = commandOf(program, argv);
  const name = nameOf(command);
  const all = `\`${name} --help\` lists what there is.`;
  const quoted = /'([^']+)'/.exec(error.message)?.[1] ?? "";
  const output = (message: string, hint: string): UserError =>
    new UserError(message, { hint, exitCode: EXIT.usage, cause: error });
  switch (error.code) {
    case "commander.unknownOption": {
      if (command.registeredArguments.some((argument) => `--${argument.name()}` === quoted))
        return output(`\`${name}\` takes its ${quoted.slice(2)} without a name.`, written(name, command));
      const meant = nearest(quoted, optionsOf(command));
      return output(`\`${name}\` has no option ${quoted}.`, meant === undefined ? all : `Did you mean ${meant}?`);
    }
    case "commander.optionMissingArgument":
      return output(`An option of \`${name}\` lacks its value: ${quoted}`, all);
    case "commander.missingArgument":
      return output(`\`${name}\` needs <${quoted}>.`, written(name, command));
    case "commander.excessArguments":
      return output(
        `\`${name}\` was given more words than it takes.`,
        command.options.some(({ long }) => long === "--query")
          ? `One question: ${name} -q "…", in quotes.`
          : `${written(name, command)}; words that belong together stand in quotes.`,
      );
    case "commander.invalidArgument": {
      const [, given, allowed] = /'([^']*)' is invalid.* Allowed choices are (.*)\.$/.exec(error.message) ?? [];
      if (given === undefined) return output(plain(error), all);
      return output(
        `\`${name}\`: ${given === quoted ? (/for argument '([^']+)'/.exec(error.message)?.[1] ?? "") : quoted} cannot be "${given}".`,
        `Allowed: ${allowed}.`,
      );
    }
    default:
      return output(plain(error), all);
  }
}

function written(name: string, command: Command): string {
  return `It is written: ${name} ${command.usage()}`;
}

/** The command that the words of the line lead to. */
function commandOf(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv)
    command = command.commands.find((one) => one.name() === word || one.aliases().includes(word)) ?? command;
  return command;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Of the command and of those above it. Without one that takes a safeguard away: nobody is led there by a slip. */
function optionsOf(command: Command): readonly string[] {
  const own = command.options.flatMap(({ long, hidden }) =>
    long === undefined || long === null || hidden || long === "--yolo" ? [] : [long],
  );
  return command.parent === null ? own : [...own, ...optionsOf(command.parent)];
}

function plain(error: CommanderError): string {
  const text = error.message.replace(/^error: /, "");
  const capital = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.?!]$/.test(capital) ? capital : `${capital}.`;
}
