import { parseArgs } from "node:util";
import { nearest, UserError, wrongWords } from "hermes-agent/plugin";
import type { Options, Subcommand } from "./command-services.ts";

/** A command with subcommands, the same in a shell and in a session. */
export interface WordCommand<D> {
  readonly name: string;
  readonly about: string;
  readonly subcommands: { readonly [name: string]: Subcommand<D> };
  /** Runs when none is named. */
  readonly usual: string;
  /** Words of the original that are not here, and what helps instead. */
  readonly absent?: { readonly [name: string]: string };
}

/** @param words What was typed behind its name. @returns the exit status. @throws {UserError} for a slip. */
export async function runWords<D extends { say(text: string): void }>(
  command: WordCommand<D>,
  words: readonly string[],
  service: D,
): Promise<number> {
  const [name = command.usual, ...rest] = words;
  if (name === "--help" || name === "-h" || name === "help") return (service.say(helpText(command)), 0);
  const found = Object.hasOwn(command.subcommands, name) ? command.subcommands[name] : undefined;
  if (found === undefined) {
    // An option belongs to the subcommand that runs when none is named.
    if (name.startsWith("-")) return runWords(command, [command.usual, ...words], service);
    throw new UserError(`Unknown command "${command.name} ${name}".`, { hint: hintFor(command, name), exitCode: 2 });
  }
  if (rest.includes("--help") || rest.includes("-h"))
    return (service.say(`${usage(`${command.name} ${name}`, found.takes)}\n\n${found.does}`), 0);
  const { values, positionals } = parsed(`${command.name} ${name}`, found, rest);
  const [least, most] = found.words;
  if (positionals.length < least || positionals.length > most)
    throw new UserError(`${command.name} ${name} takes: ${found.takes === "" ? "nothing" : found.takes}`, {
      exitCode: 2,
    });
  return (await found.run(positionals, values, service)) ?? 0;
}

function parsed(
  typed: string,
  { options = {}, takes }: Pick<Subcommand<never>, "options" | "takes">,
  args: readonly string[],
): { readonly values: Options; readonly positionals: readonly string[] } {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true }) as {
      values: Options;
      positionals: string[];
    };
  } catch (cause) {
    throw wrongWords(`hermes ${typed}`, cause, `Arguments: ${takes === "" ? "nothing" : takes}`);
  }
}

function hintFor<D>({ absent = {}, subcommands }: WordCommand<D>, name: string): string {
  if (Object.hasOwn(absent, name)) return absent[name]!;
  const close = nearest(name, Object.keys(subcommands));
  return close === undefined ? `Commands: ${Object.keys(subcommands).join(", ")}.` : `Did you mean "${close}"?`;
}

function usage(command: string, takes: string): string {
  return `Usage: hermes ${command}${takes === "" ? "" : ` ${takes}`}`;
}

function helpText<D>({ name, subcommands, about }: WordCommand<D>): string {
  const width = Math.max(...Object.keys(subcommands).map((name) => name.length)) + 2;
  return [
    usage(name, "<command>"),
    "",
    about,
    "",
    "Commands:",
    ...Object.entries(subcommands).map(
      ([word, { does, takes }]) =>
        `  ${word.padEnd(width)}${does}${takes === "" ? "" : `\n  ${"".padEnd(width)}${takes}`}`,
    ),
  ].join("\n");
}
