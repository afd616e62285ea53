import type { Command, Option } from "commander";

/** What can stand after one path of subcommands: `""` is `hermes` itself, `tools list` its subcommand's. */
export interface CompletionPoint {
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
  /** Options of this point that take one of a few values. */
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] }[];
}

/** The whole tree of commands as a list, so that each shell's script is a table and nothing is asked while the person types. */
export function completionPoints(program: Command): readonly CompletionPoint[] {
  const main = program.commands.find((command) => command.name() === "chat");
  return [pointOf("", program, main?.options ?? []), ...below("", program)];
}

function below(path: string, command: Command): readonly CompletionPoint[] {
  return command.commands.flatMap((child) => {
    const own = path === "" ? child.name() : `${path} ${child.name()}`;
    return [pointOf(own, child, []), ...below(own, child)];
  });
}

/** @param also Options of the command that runs when none is named. */
function pointOf(path: string, command: Command, also: readonly Option[]): CompletionPoint {
  const options = [...command.options, ...also].filter((option) => !option.hidden);
  const names = (option: Option): string[] => [option.long, option.short].filter((name) => typeof name === "string");
  return {
    path,
    words: [
      ...command.commands.map((child) => ({ word: child.name(), description: child.description() })),
      ...options.flatMap((option) => names(option).map((word) => ({ word, description: option.description }))),
      { word: "--help", description: "display help for command" },
    ],
    values: options.flatMap((option) =>
      option.argChoices === undefined
        ? []
        : names(option).map((name) => ({ option: name, choices: option.argChoices ?? [] })),
    ),
  };
}
