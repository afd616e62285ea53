import type { Command, Option } from "commander";

/** The words that can follow one path of subcommands: `""` for `hermes` itself, `tools list` for its subcommand. */
export interface CompletionPoint {
  readonly path: string;
  readonly words: readonly { readonly word: string; readonly description: string }[];
  /** Options at this point that take one of a fixed set of values. */
  readonly values: readonly { readonly option: string; readonly choices: readonly string[] }[];
}

/** The command tree as a list. Each shell script holds it as a table, so completion does not start Hermes. */
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

/** @param also Options of the default subcommand. */
function pointOf(path: string, command: Command, also: readonly Option[]): CompletionPoint {
  const options = [...command.options, ...also].filter((option) => !option.hidden);
  const names = (option: Option): string[] => [option.long, option.short].filter((name) => typeof name === "string");
  return {
    path,
    words: [
      ...command.commands.map((child) => ({ word: child.name(), description: child.description() })),
      ...options.flatMap((option) => names(option).map((word) => ({ word, description: option.description }))),
      { word: "--help", description: "Show help" },
    ],
    values: options.flatMap((option) =>
      option.argChoices === undefined
        ? []
        : names(option).map((name) => ({ option: name, choices: option.argChoices ?? [] })),
    ),
  };
}
