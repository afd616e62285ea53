import type { Command } from "commander";
import type { CliCommand } from "../../src/contract/conversation/command.ts";
import { buildProgram } from "../../src/surfaces/cli/program/command-tree.ts";
import type { Io } from "../../src/surfaces/shared/process/io.ts";
import { mountPluginCommands } from "../../src/surfaces/cli/program/plugin-commands.ts";
import { code, page, table, type Page } from "./page.ts";
import { readSnapshot } from "./read-snapshot.ts";

const HELP_WIDTH = 100;

export function cliPage(): Page {
  const program = wholeProgram();
  const commands = program.commands.flatMap((command) => [command, ...command.commands]);
  return page(
    "cli.md",
    "Commands",
    "This page contains the help of every command, as `hermes COMMAND --help` prints it. `hermes` alone is `hermes chat`. Plugins may add more commands. The guide is [the command line](../cli.md).",
    table(
      ["Command", "What it does"],
      commands.map((command) => [`[\`${nameOf(command)}\`](#${anchor(nameOf(command))})`, command.description()]),
    ),
    ...[program, ...commands].map((command) => `## ${nameOf(command)}\n\n\`\`\`text\n${helpOf(command)}\n\`\`\``),
    `Options before the command name belong to ${code("hermes")} itself.`,
  );
}

/** Includes the commands of bundled plugins. */
function wholeProgram(): Command {
  const program = buildProgram(() => async () => undefined);
  const commands = readSnapshot().flatMap(({ registered }) =>
    registered.cli.map((command): CliCommand => ({ ...command, run: () => 0 })),
  );
  program.enablePositionalOptions();
  mountPluginCommands(program, commands, {} as Io, () => undefined);
  return program;
}

/** Every command by its full name: `hermes tools list`. */
export function commandNames(): ReadonlySet<string> {
  const program = wholeProgram();
  return new Set([program, ...program.commands.flatMap((command) => [command, ...command.commands])].map(nameOf));
}

/** Long and short options by command; the options of `hermes` itself apply to all. */
export function optionsOf(name: string): ReadonlySet<string> {
  const program = wholeProgram();
  const command = [program, ...program.commands.flatMap((each) => [each, ...each.commands])].find(
    (each) => nameOf(each) === name,
  );
  const chat = program.commands.find((each) => each.name() === "chat");
  return new Set(
    [program, ...(command === undefined ? [] : [command]), ...(name === "hermes" && chat !== undefined ? [chat] : [])]
      .flatMap((each) => each.options.flatMap(({ short, long }) => [short, long]))
      .concat("-h", "--help", ...inHelp(name))
      .filter((option) => typeof option === "string"),
  );
}

/** A command that parses its own arguments lists its options in its help. */
function inHelp(name: string): readonly string[] {
  const command = readSnapshot()
    .flatMap(({ registered }) => registered.cli)
    .find((each) => each.raw === true && `hermes ${each.name}` === name);
  return command?.help?.match(/--[a-z][a-z-]*/g) ?? [];
}

function nameOf(command: Command): string {
  return command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
}

/** Includes the text below the options. */
function helpOf(command: Command): string {
  let text = "";
  command
    .configureHelp({ ...command.configureHelp(), helpWidth: HELP_WIDTH })
    .configureOutput({ writeOut: (part) => void (text += part) });
  command.outputHelp();
  return text.trimEnd();
}

function anchor(name: string): string {
  return name.replaceAll(" ", "-");
}
