import type { Command, CommanderError } from "commander";
import { UserError } from "../../../contract/common/failure.ts";
import { nearest } from "../../../contract/common/nearest.ts";
import { EXIT } from "../../shared/process/exit-code.ts";

/** Turns a commander error into a UserError: what is wrong, in which command, and what to do. */
export function lineError(program: Command, argv: readonly string[], error: CommanderError): UserError {
  const command = commandOf(program, argv);
  const name = nameOf(command);
  const all = `Run \`${name} --help\` for the options and commands.`;
  const quoted = /'([^']+)'/.exec(error.message)?.[1] ?? "";
  const usageError = (message: string, hint: string): UserError =>
    new UserError(message, { hint, exitCode: EXIT.usage, cause: error });
  switch (error.code) {
    case "commander.unknownOption": {
      if (command.registeredArguments.some((argument) => `--${argument.name()}` === quoted))
        return usageError(
          `\`${name}\` takes <${quoted.slice(2)}> as an argument, not as an option.`,
          usageLine(name, command),
        );
      const meant = nearest(quoted, optionsOf(command));
      return usageError(`\`${name}\` has no option ${quoted}.`, meant === undefined ? all : `Did you mean ${meant}?`);
    }
    case "commander.optionMissingArgument":
      return usageError(`\`${name}\`: the option "${quoted}" needs a value.`, all);
    case "commander.missingArgument":
      return usageError(`\`${name}\` needs <${quoted}>.`, usageLine(name, command));
    case "commander.excessArguments":
      return usageError(
        `Too many arguments for \`${name}\`.`,
        command.options.some(({ long }) => long === "--query")
          ? `To ask a question, quote it: ${name} -q "…"`
          : `${usageLine(name, command)} (quote an argument that contains spaces)`,
      );
    case "commander.invalidArgument": {
      const [, given, allowed] = /'([^']*)' is invalid.* Allowed choices are (.*)\.$/.exec(error.message) ?? [];
      if (given === undefined) return usageError(plain(error), all);
      return usageError(
        `\`${name}\`: ${given === quoted ? (/for argument '([^']+)'/.exec(error.message)?.[1] ?? "") : quoted} cannot be "${given}".`,
        `Allowed: ${allowed}.`,
      );
    }
    default:
      return usageError(plain(error), all);
  }
}

function usageLine(name: string, command: Command): string {
  return `Usage: ${name} ${command.usage()}`;
}

/** The command that the line names. */
function commandOf(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv)
    command = command.commands.find((one) => one.name() === word || one.aliases().includes(word)) ?? command;
  return command;
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Options of the command and its parents. Leaves out `--yolo`: a typo must not suggest removing a safeguard. */
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
